#!/bin/sh
# promises.sh of a table with planted rows: one that holds, and each way to fall. usage: promises_test.sh BUILD
dir=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-promises.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cat >"$dir/table" <<'ROWS'
goal S1 holds
short echo "12 things, 0 wrong"
figure ([0-9]+) things | >= 12 | >= 12 | things
figure things, ([0-9]+) wrong | = 0 | = 0 | wrong
goal S2 a bar is missed
short echo "11 things"
figure ([0-9]+) things | >= 12 | >= 12 | things
goal S3 has no command
figure ([0-9]+) things | >= 12 | >= 12 | things
goal S4 its command fails
short echo "12 things" && false
figure ([0-9]+) things | >= 12 | >= 12 | things
goal S5 says no figure
short echo "no things"
figure ([0-9]+) things | >= 12 | >= 12 | things
goal S6 its test is not run
short echo "[       OK ] another_test"
test the_test
goal S7 measures nothing
short true
ROWS
export PROMISES_TABLE="$dir/table" PROMISES_LOGS="$dir/logs"
wrong=0
for goal in S1 S2 S3 S4 S5 S6 S7; do
	sh "${0%/*}/promises.sh" "$1" make $goal >"$dir/said" 2>&1 && ends=ok || ends=missed
	case $goal=$ends in
	S1=ok | S[2-7]=missed) ;;
	*) wrong=$((wrong + 1)) && echo "promises.sh: $goal is $ends" && cat "$dir/said" ;;
	esac
done
sh "${0%/*}/promises.sh" "$1" make >"$dir/said" 2>&1 && wrong=$((wrong + 1)) && echo "promises.sh: 29 goals without a row are not missed"
grep -q '7 goals in the short form: 35 missed' "$dir/said" || { wrong=$((wrong + 1)) && tail -n 1 "$dir/said"; }
[ $wrong -eq 0 ] && echo "promises.sh sees each of 7 planted rows as it is"
