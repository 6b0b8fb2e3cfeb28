#!/bin/sh
# defects.sh BUILD [NAME...]: is the matrix of fabrics in skins as sharp as it was when it found them? Each row of
# tests/defects.txt puts one known defect back into a copy of the tree, builds the program, and tries the fabrics of seeds
# 1 to 20 (those of the row first) until one of them is said something false of. A defect that stays unseen fails. Where
# several places prevent one, each has a row, all of the same name: those before the last have "+" for their seeds.
#
# DEFECTS_ONLY=apply: only that every row still fits the tree, those of tests/points.txt too; seeds: only the fabrics of the row's
# own seeds.
build=$1
shift
work=.build/defects
. tests/tools/put_back.sh

# test_facts replays recordings itself: it is built of the same tree. What is first said falsely of these fabrics, several at once: "seed N, TEST: SENTENCE"; nothing when all holds.
false_of() {
	FABCON_BUILD="$tree/$build" NASTY_SEEDS="$1" "$tree/$build/tests/trials/test_facts" 2>&1 | awk '
		/^FALSE/ && !said { said = $0 }
		/^seed / && said { sub(",", "", $2); print "seed " $2 ", test_facts: " said; exit }' >"$work/said"
	[ -s "$work/said" ] ||
		FABCON_BUILD="$tree/$build" STORY=nasty NASTY_SEEDS="$1" "$build/tests/tui/test_stories" 2>&1 |
		sed -n 's/^.*nasty \(seed [0-9]*\), .*\(FALSE .*\)/\1, test_stories: \2/p' | head -n 1 >"$work/said"
	cat "$work/said"
}

first_false() {
	for seeds in "$1" "1 2 3 4" "5 6 7 8" "9 10 11 12" "13 14 15 16" "17 18 19 20"; do
		[ "$seeds" != - ] || continue
		said=$(false_of "$seeds")
		[ -z "$said" ] || { echo "$said"; return; }
		[ "$DEFECTS_ONLY" != seeds ] || return
	done
}

unseen_words() {
	[ "$DEFECTS_ONLY" = seeds ] && echo "UNSEEN in seeds $1" || echo "UNSEEN in 20 seeds"
}

try() {
	name=$1 seeds=$5
	edit "$@" || return
	[ "$seeds" != + ] || return
	if "$make" -C "$tree" --no-print-directory DEPS=no all "$build/tests/trials/test_facts" >"$work/log" 2>&1; then
		said=$(first_false "$seeds")
	else
		said=
		tail -n 5 "$work/log"
	fi
	[ -n "$said" ] || { said=$(unseen_words "$seeds"); unseen=$((unseen + 1)); }
	printf '%-20s %s\n' "$name" "$said"
	put_back
}

mkdir -p "$work"
[ "$DEFECTS_ONLY" = apply ] || copy_tree
while IFS='	' read -r name file text other seeds what; do
	case $name in '' | '#'*) continue ;; esac
	[ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	[ "$seeds" = + ] || tried=$((tried + 1))
	try "$name" "$file" "$text" "$other" "$seeds" </dev/null
done <tests/defects.txt
[ "$DEFECTS_ONLY" != apply ] || [ $# != 0 ] || sh tests/tools/points.sh "$build" || unseen=$((unseen + 1))
tell_unseen
