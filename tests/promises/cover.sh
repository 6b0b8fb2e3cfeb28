#!/bin/sh
# R2: which lines and branches of the parsers their corpus reaches: the captures, fixtures, mutants and hostile texts that the
# tests give them, and the seeds of the fuzzers. gcov over a build of its own. usage: cover.sh short|full
# short: one program, to see that it can be measured at all, without a bar; full: all programs that feed parsers.
form=$1
make=${MAKE:-make}
parsers='remote/linux/ remote/os10/(ports|show|xml|config|tree|os10)\.c remote/sonic/(config|ports|rows|settings|show|sonic)\.c
	remote/platform/(mask|tool_output|identify|mac_lists|whole) remote/talk/(read_|collector_frames|cli_session|prompt) remote/bundle/
	remote/ssh/known_hosts core/inventory/ core/policy/policy core/roce/packet core/base/(csv|span|yaml_text) core/fabric/cable_plan
	core/ssh_config/ core/application/(nccl|perftest) core/model/(written|read)'
if [ "$form" = full ]; then
	programs='core/test_cable_plan core/test_inventory core/test_hosts core/test_policy core/test_packet core/test_nccl core/test_ssh_config
		core/test_route core/test_template core/test_model core/test_application remote/test_fixtures
		remote/test_captures remote/test_linux remote/test_os10 remote/test_sonic remote/test_read_cli remote/test_read_sh
		remote/test_mask remote/test_canaries remote/test_known_hosts remote/test_identify remote/test_bundle
		remote/test_linux_dialect remote/test_os10_dialect remote/test_sonic_dialect mutants/test_mutants'
else
	programs='core/test_cable_plan core/test_inventory remote/test_fixtures'
fi
targets=
for p in $programs; do targets="$targets .build/cover/tests/$p"; done
$make KIND=cover DEPS=no $targets >.build/promises/cover.log 2>&1 || { tail -n 20 .build/promises/cover.log; exit 1; }
for p in $programs; do
	FABCON_BUILD=.build/cover .build/cover/tests/"$p" >.build/promises/cover.log 2>&1 || { tail -n 20 .build/promises/cover.log; exit 1; }
done
filters=
for p in $parsers; do filters="$filters -f $p"; done
gcovr -r . --object-directory .build/cover $filters --json-summary 2>/dev/null >.build/promises/cover.json || exit 1
awk -F '[:,]' '
	/"branch_covered"/ { b = $2 } /"branch_total"/ { bt = $2 }
	/"line_covered"/ { l = $2 } /"line_total"/ { lt = $2 }
	/"filename"/ { files++ }
	END { printf "parsers: %.1f %% of lines, %.1f %% of branches, of %d files of parsers\n", 100 * l / lt, 100 * b / bt, files; exit !lt }' \
	.build/promises/cover.json || exit 1
[ "$form" != full ] || python3 - <<'END' 2>/dev/null || true
import json
for f in sorted(json.load(open(".build/promises/cover.json"))["files"], key=lambda f: f["line_percent"])[:12]:
    print("  least: %-40s %5.1f %% lines %5.1f %% branches" % (f["filename"], f["line_percent"], f["branch_percent"]))
END
