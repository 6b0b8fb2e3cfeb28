#!/bin/sh
# R2: which lines and branches of the parsers their corpus reaches: the captures, fixtures, mutants and hostile texts that the
# tests give them, and the inputs that the fuzzers kept (tests/fuzz/corpus). gcov over a build of its own. Not counted: the branches
# inside uthash's macros (HASH_ADD, HASH_FIND, HASH_DELETE), some forty a line, of a library and of no parser; and files that only
# write (yaml_write.c, setters.c, dialect.c) or only free (route.c).
# usage: cover.sh short|full. short: the fuzzers' inputs alone, which need no test to be built. full: the tests that feed parsers too.
form=$1
make=${MAKE:-make}
log=.build/promises/cover.log json=.build/promises/cover.json
parsers='remote/linux/ remote/os10/(ports|show|xml|config|tree|os10)\.c remote/sonic/(config|ports|rows|settings|show|sonic)\.c
	remote/platform/(mask|tool_output|identify|mac_lists|whole) remote/talk/(read_|collector_frames|cli_session|prompt) remote/bundle/
	remote/ssh/known_hosts core/inventory/ core/policy/policy core/roce/packet core/base/(csv|span) core/fabric/cable_plan
	core/ssh_config/ core/application/(nccl|perftest) core/model/read'
writers='core/inventory/(yaml_write|route)\.c remote/linux/(setters|dialect)\.c'
fuzzers='parse text mask read_cli read_sh known_hosts cable_plan packet dialect'
programs=
[ "$form" != full ] || programs='core/test_cable_plan core/test_inventory core/test_literal core/test_hosts core/test_policy core/test_packet
	core/test_nccl core/test_ssh_config core/test_route core/test_template core/test_model core/test_application remote/test_fixtures
	remote/test_captures remote/test_linux remote/test_os10 remote/test_sonic remote/test_read_cli remote/test_read_sh
	remote/test_mask remote/test_canaries remote/test_known_hosts remote/test_identify remote/test_bundle
	remote/test_linux_dialect remote/test_os10_dialect remote/test_sonic_dialect mutants/test_mutants'
fail() {
	tail -n 20 $log
	exit 1
}

mkdir -p .build/promises
targets=
[ "$form" != full ] || targets='.build/cover/fabcon .build/cover/fabcon-lab .build/cover/fabcon-lab-stand-in'	# some tests call them
for p in $programs; do targets="$targets .build/cover/tests/$p"; done
for f in $fuzzers; do targets="$targets .build/cover/tests/fuzz/plain_$f"; done
$make KIND=cover DEPS=no $targets >$log 2>&1 || fail
find .build/cover -name '*.gcda' -delete	# of another run
for p in $programs; do
	FABCON_BUILD=.build/cover .build/cover/tests/"$p" >$log 2>&1 || fail
done
for f in $fuzzers; do
	sh tests/fuzz/seeds.sh "fuzz_$f" ".build/corpus/fuzz_$f-seeds" &&
		SECONDS_EACH=0 .build/cover/tests/fuzz/plain_"$f" "$f" ".build/corpus/fuzz_$f-seeds" >$log 2>&1 || fail
done
filters= not=
for p in $parsers; do filters="$filters -f $p"; done
for p in $writers; do not="$not -e $p"; done
gcovr -r . --object-directory .build/cover $filters $not --exclude-branches-by-pattern '.*HASH_.*' --json-summary >$json 2>$log || fail
# One "name": number a line, by name: of all files first the branches, last the lines.
tr '{,' '\n\n' <$json | awk -F '[:}]' '
	{ gsub(/[" ]/, "", $1) }
	$1 == "branch_percent" { if (!n++) branches = $2; of_file = $2 }
	$1 == "line_percent" { lines = $2 }
	$1 == "filename" { files++; gsub(/[" ]/, "", $2); print of_file + 0, $2 | least }
	END {
		close(least)
		if (!files) exit 1
		printf "parsers: %.1f %% of lines, %.1f %% of branches, of %d files of parsers\n", lines, branches, files
	}' least='sort -n | head -n 12 | sed "s/^/  least branches, %: /"' || fail
