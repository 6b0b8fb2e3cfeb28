#!/bin/sh
# Measures the safety goals of tests/promises/promises.txt and prints a row each: figure, bar, command, form, last run in full.
# Ends with 1 when a bar is missed, a command fails, prints no figure, or is not there.
# usage: promises.sh BUILD MAKE [full] [GOAL ...]; without a goal: all. PROMISES_JOBS: commands at a time (short form: one more
# than there are processors; full: 1).
build=$1 make="$2 --no-print-directory"
table=${PROMISES_TABLE:-tests/promises/promises.txt} kept=tests/promises/full.txt

if [ "$3" = --one ]; then	# one command, its output kept
	log=$4
	shift 4
	began=$(date +%s)
	sh -c "$*" >"$log" 2>&1 </dev/null
	echo "exit $? after $(($(date +%s) - began)) s" >"$log.end"
	echo "  $(cat "$log.end"): $*" >&2
	exit 0
fi

shift 2
form=short
head=$(git rev-parse --short=8 HEAD 2>/dev/null)	# what is measured, whatever is committed meanwhile
[ "$1" = full ] && form=full && shift
wanted=$*
logs=${PROMISES_LOGS:-.build/promises}
mkdir -p "$logs"
export FABCON_BUILD="$build" MAKE="$make"

# Of a goal: the lines of one kind.
lines() {
	awk -v goal="$1" -v kind="$2" '
		$1 == "goal" { is = $2 == goal }
		is && $1 == kind { sub(kind == "goal" ? "^goal +[A-Z0-9]+ +" : "^[a-z]+ +", ""); print }' $table
}

goals() {
	awk '$1 == "goal" { print $2 }' $table
}

is_wanted() {
	case " $wanted " in "  " | *" $1 "*) return 0 ;; esac
	return 1
}

# The commands of a goal in this form. Where nothing is said of the full form, the short one is the whole goal.
commands() {
	said=$(lines "$1" "$form")
	[ -n "$said" ] || said=$(lines "$1" short)
	echo "$said" | sed "s|@tests/|$build/tests/|g; s|@fabcon|$build/fabcon|g; s|@build|$build|g; s|^make |$make |"
}

log_of() {
	echo "$logs/$form-$(echo "$1" | cksum | cut -d ' ' -f 1)"
}

run_all() {
	for goal in $(goals); do
		is_wanted "$goal" && commands "$goal"
	done | grep . | awk '!seen[$0]++' | while read -r command; do
		rm -f "$(log_of "$command").end"
		printf '%s\0%s\0' "$(log_of "$command")" "$command"
	done | xargs -0 -r -P "${PROMISES_JOBS:-$([ $form = full ] && echo 1 || echo $(($(nproc) + 1)))}" -n 2 sh "$0" "$build" "$make" --one
}

# figure BAR: "= 0", ">= 12", "< 64", "-" (told, not judged)
holds() {
	awk -v figure="$1" -v bar="$2" 'BEGIN {
		split(bar, b, " ")
		exit !(b[1] == "-" || (b[1] == "=" && figure + 0 == b[2] + 0) || (b[1] == ">=" && figure + 0 >= b[2] + 0) ||
		       (b[1] == "<=" && figure + 0 <= b[2] + 0) || (b[1] == "<" && figure + 0 < b[2] + 0))
	}'
}

# Sets figures, bars, why (what is wrong).
measure() {
	figures='' bars='' why=''
	: >"$logs/all"
	commands "$1" >"$logs/commands"
	[ -s "$logs/commands" ] && [ -n "$(cat "$logs/commands")" ] || { why="has no command"; return; }
	while read -r command; do
		log=$(log_of "$command")
		cat "$log" >>"$logs/all" 2>/dev/null
		grep -q '^exit 0 ' "$log.end" 2>/dev/null || why="$why; ended with $(cat "$log.end" 2>/dev/null): $log"
	done <"$logs/commands"
	lines "$1" test >"$logs/tests"
	named=0 ok=0
	while read -r name; do
		named=$((named + 1))
		if grep -q "^\[       OK \] $name\$" "$logs/all"; then ok=$((ok + 1)); else why="$why; $name did not end well"; fi
	done <"$logs/tests"
	[ $named -eq 0 ] || { figures="$ok of $named tests" bars="$named tests"; }
	lines "$1" figure >"$logs/figures"
	while IFS='|' read -r pattern short full unit; do
		bar=$short
		[ $form = full ] && bar=$full
		bar=$(echo $bar) unit=$(echo $unit)
		[ "$bar" = x ] && continue
		value=$(sed -nE "s/^(.*[^0-9.])?$(echo "$pattern" | sed 's/ *$//').*/\2/p" "$logs/all" | tail -n 1)
		figures="${figures:+$figures, }${value:-?} $unit" bars="${bars:+$bars, }$bar $unit"
		if [ -z "$value" ]; then why="$why; no figure of $unit"; elif ! holds "$value" "$bar"; then why="$why; $unit: $value, not $bar"; fi
	done <"$logs/figures"
	[ $named -gt 0 ] || [ -s "$logs/figures" ] || why="$why; has nothing that is measured"
}

# When it was last run in full, of which commit, and what came of it.
last_full() {
	said=$(cat $kept $logs/full.txt 2>/dev/null | awk -v goal="$1" -v head="$head" '
		$1 == goal { at = $2 " " $3 ($3 == head ? "" : ", an earlier commit,"); sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); line = at " " $0 }
		END { print line }')
	echo "${said:-not run in full}"
}

tell() {
	measure "$1"
	word=ok
	[ -z "$why" ] || { word=MISSED missed="$missed $1"; }
	if [ $form = full ] || [ -z "$(lines "$1" full)" ]; then
		echo "$1 $(date -u +%F) $head $word: $figures" >>"$logs/full.txt"
	fi
	of=$form
	[ -n "$(lines "$1" full)" ] || of=whole
	printf '%-4s %-6s %s\n' "$1" $word "$(lines "$1" goal)"
	printf '     figure   %s\n     bar      %s\n' "${figures:-none}" "${bars:-none}"
	commands "$1" | sed "s|^|     command  |; s|$build/||g; s|$make|make|"
	printf '     form     %s\n     in full  %s\n' $of "$(last_full "$1")"
	[ -z "$why" ] || printf '     WRONG    %s\n' "${why#; }"
}

for goal in $wanted; do
	goals | grep -qx "$goal" || { echo "$goal is no goal of $table"; exit 2; }
done
run_all
missed='' n=0
for goal in $(goals); do
	is_wanted "$goal" || continue
	tell "$goal" 2>&1
	n=$((n + 1))
done
# The list of the goals itself: a goal of SAFETY without a row is a row that failed.
if [ -z "$wanted" ]; then
	for goal in S1 S2 S3 S4 S5 S6 S7 S8 S9 $(seq -f R%g 1 27); do
		goals | grep -qx "$goal" || missed="$missed $goal"
	done
fi
echo "$n goals${wanted:+ ($wanted)} in the $form form: $(echo $missed | wc -w) missed${missed:+:}$missed"
[ -z "$missed" ] && [ $n -gt 0 ]
