#!/bin/sh
# points.sh BUILD [POINT|NAME...]: does each thing that was said wrongly have a quick test that would see it again? Each row of
# tests/points.txt puts one defect back into a copy of the tree, builds the test program of that row alone (and fabcon, where it runs
# that) and runs it: the test named there has to fail, with a failed assertion, not by the program's end. One that passes, or a tree
# that does not build, is told and fails. Where several places prevent a defect, each has a row, all of the same name: those before the last have "+" for the program.
#
# DEFECTS_ONLY=apply: only that every row still fits the tree, and that its test is there.
build=$1
shift
work=.build/points
. tests/tools/put_back.sh

# The test fails in the copy, by an assertion: "RED", or what it does instead.
color_of() {
	programs=
	grep -q '"fabcon"' "tests/$1.c" && programs="$build/fabcon"	# which the test runs
	"$make" -C "$tree" --no-print-directory DEPS=no "$build/tests/$1" $programs >"$work/log" 2>&1 || { echo "DOES NOT BUILD"; return; }
	# The tests of the fix engine are slow, and none needs another: one is run alone.
	case $1 in remote/test_fixer* | tui/test_fix_console) export TEST_NAME="$2" ;; *) unset TEST_NAME ;; esac
	(cd "$tree" && FABCON_BUILD=$build XDG_CONFIG_HOME=/dev/null timeout 300 "$build/tests/$1") >"$work/log" 2>&1 </dev/null
	status=$?
	if [ $status = 0 ]; then
		echo "NOT SEEN"
	elif [ $status -ge 124 ]; then
		echo "ENDED WITH $status"
	elif grep -qE "^\[  FAILED  \] $2\$" "$work/log"; then
		echo "RED"
	else
		echo "NOT SEEN, but by $(sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' "$work/log" | sort -u | tr '\n' ' ')"
	fi
}

try() {
	point=$1 name=$2 program=$6 test=$7
	shift
	edit "$@" || return
	[ "$program" != + ] || return
	color=$(color_of "$program" "$test")
	printf '%-4s %-26s %-26s %s  %s\n' "$point" "$name" "$program:" "$test" "$color"
	[ "$color" = RED ] || { unseen=$((unseen + 1)); tail -n 5 "$work/log"; }
	put_back
}

# A row's test is there to fail.
is_there() {
	[ "$2" = + ] || grep -qE "^static void $3\(void" "tests/$2.c" || { echo "$1: tests/$2.c has no test $3"; unseen=$((unseen + 1)); }
}

mkdir -p "$work"
[ "$DEFECTS_ONLY" = apply ] || { copy_tree; ln -sfn "$(cd .. && pwd)/shared" "$work/shared"; }
while IFS='	' read -r point name file text other program test what; do
	case $point in '' | '#'*) continue ;; esac
	[ $# = 0 ] || case " $* " in *" $point "* | *" $name "*) ;; *) continue ;; esac
	[ "$program" = + ] || tried=$((tried + 1))
	is_there "$name" "$program" "$test"
	try "$point" "$name" "$file" "$text" "$other" "$program" "$test" </dev/null
done <tests/points.txt
tell_unseen
