#!/bin/sh
# extend.sh BUILD [KIND...]: how much of what exists must be edited for a new platform, screen, check … Each folder of
# tests/extend is one kind of extension:
#
#   kind.sh	bar=N		existing files that it may edit
#		order=N		kinds are tried in this order
#		programs="…"	test programs that concern it; "layers" is `make layers`
#		edit()		makes the edits of existing files, by after() and replace()
#		wrong_fact="FILE TEXT OTHER PROGRAM"	with OTHER for TEXT in that new file, that test program must fail
#   new/	new files, at their places in the tree
#
# All are applied to one copy of the tree (.build/extend/tree), one after another with a commit between, so that each is
# built on what was built before. EXTEND_SHORT=1: they are built together, and of their tests those in core run, and layers.
# Exit status 1: a kind needs more than its bar, a test fails, a wrong fact passes, or a platform, screen or system of the
# lab is named outside of its table.
build=$1
shift
make=${MAKE:-make}
work=.build/extend
tree=$work/tree
failed=0

kinds() {
	for file in tests/extend/*/kind.sh; do
		order=9
		. "./$file"
		kind=${file%/kind.sh}
		echo "$order ${kind##*/}"
	done | sort -n | cut -d ' ' -f 2
}

git_tree() {
	git -C "$tree" -c user.name=extend -c user.email=extend@localhost -c core.hooksPath=/dev/null "$@"
}

# The tree as it stands, and its objects: make sees the same times, and builds what differs.
copy_tree() {
	rm -rf "$tree"
	mkdir -p "$tree/tests/extend"	# empty, but README.md names it
	git ls-files -co --exclude-standard | grep -v '^tests/extend/' | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done | tar -cf - -T - | tar -xf - -C "$tree"
	find "$build" .build/*.mk \( -name '*.[oad]' -o -name '*.inc' -o -name '*.mk' \) ! -path '*/tests/bench/*' |
		tar -cf - -T - | tar -xf - -C "$tree"
	git_tree init -q && git_tree add -A && git_tree commit -q -m base
}

# ---- edits, for kind.sh: each fails when the line that it looks for is not there ----

# after FILE TEXT LINES: puts LINES below the first line that contains TEXT.
after() {
	TEXT=$2 LINES_=$3 awk '
		{ print }
		!done && index($0, ENVIRON["TEXT"]) { print ENVIRON["LINES_"]; done = 1 }
		END { exit !done }' "$tree/$1" >"$work/edited" && cat "$work/edited" >"$tree/$1" ||
		{ echo "$kind: $1 has no line with: $2"; edits_failed=1; }
}

# replace FILE TEXT OTHER: in the first line that contains TEXT.
replace() {
	TEXT=$2 OTHER=$3 awk '
		!done && (at = index($0, ENVIRON["TEXT"])) {
			$0 = substr($0, 1, at - 1) ENVIRON["OTHER"] substr($0, at + length(ENVIRON["TEXT"]))
			done = 1
		}
		{ print }
		END { exit !done }' "$tree/$1" >"$work/edited" && cat "$work/edited" >"$tree/$1" ||
		{ echo "$kind: $1 has no line with: $2"; edits_failed=1; }
}

# ---- trying one kind ----

run_program() {
	case $1 in
	layers) (cd "$tree" && "$make" --no-print-directory DEPS=no TEST_OBJECTS= layers) ;;	# of the tests, what is built
	*) (cd "$tree" && FABCON_BUILD=$build timeout 400 "$build/tests/$1") ;;
	esac
}

targets_of() {
	for program in $programs; do
		[ "$program" = layers ] || echo "$build/tests/$program"
	done
}

# A test must see by itself that the new file is wrong.
try_wrong_fact() {
	set -- $wrong_fact
	replace "$1" "$2" "$3"
	run_program "$4" >>"$log" 2>&1 && result="FAILED: $4 passes with $3 in $1"
	replace "$1" "$3" "$2"
	run_program "$4" >>"$log" 2>&1 || result="FAILED: $4 with $2 in $1 again"
	note="$4 fails when $2 is $3 in $1"
}

build_and_run() {
	(cd "$tree" && "$make" --no-print-directory DEPS=no WERROR=1 all $(targets_of)) >"$log" 2>&1 ||
		{ result="FAILED: build"; return; }
	for program in $programs; do
		run_program "$program" >>"$log" 2>&1 || { result="FAILED: $program"; return; }
	done
	[ -z "$wrong_fact" ] || try_wrong_fact
}

# What was edited, as git counts it: "files lines-in-them lines-of-new-files", and the names.
count() {
	git_tree add -A
	git_tree diff --cached --numstat --diff-filter=M HEAD >"$work/existing"
	files=$(awk 'END { print NR }' "$work/existing")
	lines=$(awk '{ n += $1 } END { print n + 0 }' "$work/existing")
	names=$(awk '{ printf "%s%s +%d", sep, $3, $1; sep = ", " }' "$work/existing")
	new=$(git_tree diff --cached --numstat --diff-filter=A HEAD | awk '{ n += $1 } END { print n + 0 }')
}

try() {
	kind=$1 log=$work/$1.log result=ok note= wrong_fact= programs= edits_failed=0
	edit() { :; }
	. "./tests/extend/$kind/kind.sh"
	[ ! -d "tests/extend/$kind/new" ] || cp -R "tests/extend/$kind/new/." "$tree/"
	edit
	count
	if [ $edits_failed -ne 0 ]; then
		result="FAILED: edits"
	elif [ -n "$EXTEND_SHORT" ]; then
		all_programs="$all_programs $programs" programs="(together, below)"
	else
		build_and_run
	fi
	[ "$result" = ok ] && [ "$files" -gt "$bar" ] && result=OVER
	[ "$result" = ok ] || failed=1
	printf '%-12s %4s %5s %5s %5s  %s\n' "$kind" "$bar" "$files" "$lines" "$new" "$result"
	printf '    edited: %s\n    tests:  %s\n' "$names" "$programs"
	[ -z "$note" ] || printf '    wrong:  %s\n' "$note"
	case $result in FAILED*) tail -n 25 "$log" ;; esac
	git_tree add -A && git_tree commit -q -m "$kind"
}

# What was left for the end.
try_together() {
	kind=together log=$work/together.log result=ok wrong_fact=
	programs=$(printf '%s\n' $all_programs | grep -E '^(core/|layers)' | sort -u | tr '\n' ' ')
	build_and_run
	echo "all together: $programs $result"
	case $result in FAILED*) failed=1; tail -n 25 "$log" ;; esac
}

# Each of these lines must be found, or named.sh would find nothing in the tree either.
try_named() {
	cat >"$work/named.c" <<'END'
	if (strcmp(p->id, "sonic") == 0)
	if (p == &os10_platform)
	switch (d->platform) {
	case SCREEN_FIX:
	if (SCREEN_PORTS == id)
	switch (s->screen) {
	if (os == LAB_OS10)
	if (d->system == &lab_os10)
	if (span_is(name, d->system->name))
	switch (d->system->kind) {
END
	n=$(sh tests/tools/named.sh "$work/named.c" | grep -c NEW)
	[ "$n" -eq "$(grep -c . "$work/named.c")" ] || { echo "named.sh finds $n lines of $work/named.c"; failed=1; }
}

mkdir -p "$work"
copy_tree
printf '%-12s %4s %5s %5s %5s  %s\n' kind bar files lines new result
for kind in ${*:-$(kinds)}; do
	try "$kind"
done
[ -z "$EXTEND_SHORT" ] || try_together
echo
try_named
sh tests/tools/named.sh || failed=1
exit $failed
