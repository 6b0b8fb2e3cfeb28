#!/bin/sh
# Runs every test program of a build, quietly when green, and ends with "N passed, N failed". Most wait for devices and
# timers rather than for the processor, so that three more than there are processors run at a time (TEST_JOBS): consoles read as
# often on a machine that is late, so that more at once make it later. ONLY: these. TEST_SHARE=K/N: of the slowest each N-th test
# (tests/lib/only.c), which is said at the end.
build=$1
slowest="test_chaos test_fixer_dies test_facts test_fixer_again test_fixer test_fixer_half test_cmd_apply test_cmd_bringup_traffic
	test_bringup_cut test_technician test_stories test_fixes test_fixer_unit test_device_undo_ends test_fixer_others test_surfaces test_scenarios
	test_bringup_rack test_cmd_plan test_fixer_reads test_openssh test_read_only test_paths
	test_fixer_ends test_skins_linux test_manifest test_hosts test_remedies test_ssh_config
	test_os10_fixes test_remedy_table test_hostile_commands test_fixer_proof
	test_device_undo test_calm test_forged test_hostile_pty test_device_undo_runs test_emit_hosts test_failure_texts test_fixer_slow
	test_clocks test_canary_files test_memory"	# begun first, in this order

if [ $# = 2 ]; then	# one of them
	program=$2 log=$2.log
	begin=$(date +%s)
	echo 0 1 >"$program.count"
	case " $(echo $slowest) " in *" ${program##*/} "*) ;; *) unset TEST_SHARE ;; esac
	FABCON_BUILD=$build timeout "${TEST_TIMEOUT:-3600}" "$program" >"$log" 2>&1
	status=$?
	times >"$program.times"
	spent=$(awk -F '[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) "s" }' "$program.times")
	ok=$(grep -c '^\[       OK \]' "$log")
	bad=$(grep '^\[  FAILED  \] [a-z_0-9]*$' "$log" | sort -u | grep -c .)
	[ $status -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ $status -eq 0 ] && bad=0
	echo "$ok $bad" >"$program.count"
	{
		# The time of the processor is that of what the program waited for; what it left to run on its own is not in it.
		printf '%-28s %3d passed, %d failed  %ds, %s of the processor\n' "${program##*/}" "$ok" "$bad" $(($(date +%s) - begin)) "$spent"
		grep -h '^skip:' "$log"
		[ "$bad" -eq 0 ] || { echo "--- $log (exit $status)"; tail -n "${TEST_TAIL:-60}" "$log"; }
	} >"$program.said"
	cat "$program.said"
	exit 0
fi

rm -f "$build"/tests/*/*.count
for program in ${ONLY:-"$build"/tests/*/test_*}; do
	case ${program##*/} in *.*) continue ;; esac
	[ -x "$program" ] || continue
	place=0
	for slow in $slowest last; do
		[ "$slow" = "${program##*/}" ] && break
		place=$((place + 1))
	done
	echo "$place $program"
done | sort -s -n -k 1,1 | cut -d ' ' -f 2 | xargs -P "${TEST_JOBS:-$(($(nproc) + 3))}" -n 1 sh "$0" "$build"
[ -z "$TEST_SHARE" ] || echo "of the $(echo $slowest | wc -w) slowest programs share $TEST_SHARE of the tests was run; without TEST_SHARE all are"
cat "$build"/tests/*/*.count | {
	passed=0 failed=0
	while read -r ok bad; do
		passed=$((passed + ok)) failed=$((failed + bad))
	done
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
