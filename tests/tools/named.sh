#!/bin/sh
# Where a platform, a screen or a system of the lab is named outside of its own folder and its table: each such place is one
# more to find when another is added. Those that stay have their reason below; any other fails.
#
#   platforms	an id in a quoted text, which something could be compared with; the address of a platform's row compared; a switch
#   screens	SCREEN_… compared or in a case (SCREEN_COUNT and SCREEN_PAGE are of all screens); a switch
#   lab	LAB_OS…, a system's row or its name compared; a switch
#
# named.sh FILE...: these files instead of the tree's, for trying the patterns.
[ $# -gt 0 ] || set -- core remote db tui

switches='os10|sonic|cumulus|enterprise-sonic|os9|os6|eos|nxos|onyx|junos'
own=$(grep -lE '^const struct (platform|lab_system) [a-z0-9_]+ = ' remote/*/*.c remote/lab/*/*.c | awk -F / '{ printf "%s%s", sep, $(NF - 1); sep = "|" }')
own_platform="^remote/((lab/)?($own)/|platforms\.c|platform/identify\.c)"
own_screen='^tui/(screens/screens\.[ch]|widgets/screen_list\.h)'

lines_of() {	# PATTERN FILE...: without comments
	pattern=$1
	shift
	grep -rnE --include='*.[ch]' "$pattern" /dev/null "$@" | grep -vE ':[0-9]+: \* ' | sed 's|/\*.*\*/||; s|/\*.*||' | grep -E ":[0-9]+:.*($pattern)"
}

found() {
	lines_of "\"linux\"|\"[^\"]*\\b($switches)\\b|[!=]= *&[a-z0-9_]+_platform\\b|switch \\([^)]*platform" "$@" | grep -vE "$own_platform"
	lines_of '([!=<>]=|[<>]|\bcase) *SCREEN_[A-Z]|SCREEN_[A-Z]+ *([!=<>]=|[<>])|DO_GO_[A-Z]|[!=]= *&screen_|switch \([^)]*screen' "$@" |
		grep -vE 'SCREEN_(COUNT|PAGE|CHUNK)' | grep -vE "$own_screen"
	lines_of '\bLAB_OS|[!=]= *&lab_|(cmp|span_is)\([^)]*system->name|switch \([^)]*system' "$@" |
		grep -vE '^remote/lab/systems\.c'
}

# FILE TEXT-OF-THE-LINE|why it stays
reasons() {
	cat <<'END'
core/manifest/manifest.c { "|a manifest is called like the system that it is for; it has a row of its own, and a system may have none
core/fabric/link.c strcmp(platform, "linux")|what is no Linux host is a switch: right for each switch; core knows no table of platforms
core/fabric/link.c strcmp(h->platform, "linux")|the same, of the inventory's hint
core/diagnose/acquittal.c "sonic"|that a system has no setting is of the system: another system without one is not acquitted without it
core/inventory/settle.c known[] =|words of Ansible's network_os, as hints: a system without one is found out by what it prints
core/inventory/settle.c enterprise_sonic|the same
core/remedy/remedies.c { "|a command is of the system that it is typed at
core/remedy/remedies.c --var-json|SONiC's own tool
core/remedy/changes.c { "|a command is of the system that it is typed at
core/roce/headroom.c { "|a calculator's row, called like the system whose rule it is
remote/lab/main.c .switch_os =|what the lab's switches run unless it is said
tui/screens/fix_manifest.c "systemd"|what keeps a host's settings where no fix names it; a switch's is called like its system
tui/screens/fix_manifest.c is_of_switch|the same
tui/console/stage.c SCREEN_OVERVIEW|the top level: Esc ends there
core/fix/fixes.c EMIT|names of emitters: which can keep the settings of a finding
core/fix/fixes.c .emit =|the same
core/manifest/manifest.c sonic-cfggen|how the row's manifest is applied
core/roce/headroom.c buffer_headroom_mellanox|the source of the row's figures
remote/lab/help.c switch-os|the default of that option
remote/lab/server/pace.c cost->system|finds the rows of a device's system
remote/lab/world/faults.c .hidden_by = "no-ethtool/os10"|the system of the switch where that skin hides the fault
remote/lab/world/skins.h "|a row names the system that wears the skin, and where it was seen
remote/lab/world/skins.c span_is(word, "device")|a skin's row may name the system that wears it
remote/lab/server/pace.c { "|what commands cost on it; a system without rows answers at once
remote/platform/mask_tools.c users[]|a name that SONiC's images log in with is among the users that everybody knows
remote/bundle/bundle.c "|a kind of bundle names the system that it is of
remote/talk/collector.c sonic_version.yml|the file that tells a SONiC apart, with the others that identify a shell's system
tui/cli/commands.c "emit"|examples of emitters, in a help text
tui/commands/calc.c (sonic)|inputs of the calculator's row of that name
END
}

status=0 n=0
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT
found "$@" >"$list"
while IFS= read -r line; do
	n=$((n + 1))
	file=${line%%:*}
	why=$(reasons | while IFS='|' read -r place reason; do
		[ "${place%% *}" = "$file" ] || continue
		case $line in *"${place#* }"*) echo "$reason"; break ;; esac
	done)
	if [ -z "$why" ]; then
		why="NEW: put it into the table, or give its reason in tests/tools/named.sh"
		status=1
	fi
	echo "$line" | sed 's/^\([^:]*:[^:]*\):[[:blank:]]*/  \1: /' | cut -c 1-120
	echo "      $why"
done <"$list"
echo "platforms, screens and systems named outside of their tables: $n places"
exit $status
