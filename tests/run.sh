#!/bin/sh
# Runs every test program of a build, quietly when green, and ends with "N passed, N failed".
build=$1
passed=0 failed=0
for program in "$build"/tests/test_*; do
	case $program in *.o|*.d) continue ;; esac
	[ -x "$program" ] || continue
	log=$program.log
	begin=$(date +%s)
	FABCON_BUILD=$build timeout "${TEST_TIMEOUT:-300}" "$program" >"$log" 2>&1
	status=$?
	ok=$(grep -c '^\[       OK \]' "$log")
	bad=$(grep '^\[  FAILED  \] [a-z_0-9]*$' "$log" | sort -u | grep -c .)
	[ $status -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ $status -eq 0 ] && bad=0
	passed=$((passed + ok))
	failed=$((failed + bad))
	printf '%-28s %3d passed, %d failed  %ds\n' "$(basename "$program")" "$ok" "$bad" $(($(date +%s) - begin))
	grep -h '^skip:' "$log"
	[ "$bad" -eq 0 ] || { echo "--- $log (exit $status)"; tail -n "${TEST_TAIL:-60}" "$log"; }
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
