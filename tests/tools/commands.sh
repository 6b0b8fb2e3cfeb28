#!/bin/sh
# Every Linux command that fabcon prints or sends, given to the real tool: is its command line accepted? usage: commands.sh BUILD
# Prints a row for each call of a tool (the answer's first line, and the verdict), then what the same tools say to commands that are
# wrong (tests/fixtures/commands/wrong.txt), and ends with "commands: N run, N wrong". Fails when one is wrong.
#
# Nothing on this machine changes: all runs in a network namespace of its own, with eth2 a veth there; modprobe and rmmod are asked
# with -n, systemctl changes an empty folder (--root), files of the system are not written. dcb and rdma read the rest of a command line
# only after a NIC has answered: tests/commands/nic.c answers for one. Tools of NVIDIA's packages, and dcb apptrust, which is newer than
# Debian 12's iproute2, are held against their published options alone (tests/core/test_commands.c).
set -u
here=$(dirname "$0")/../fixtures/commands build=$1
tools='ip dcb rdma ethtool systemctl modprobe lsmod dmesg sysctl lldpcli ibv_devinfo ib_write_bw grep cat'
by_table='mlnx_qos|cma_roce_tos|cma_roce_mode|show_gids|export|unset|fabcon'

package_of() {
	case $1 in
	ip | dcb | rdma) echo iproute2 ;;
	modprobe | lsmod) echo kmod ;;
	dmesg) echo util-linux ;;
	sysctl) echo procps ;;
	lldpcli) echo lldpd ;;
	ibv_devinfo) echo ibverbs-utils ;;
	ib_write_bw) echo perftest ;;
	*) echo "$1" ;;
	esac
}

# -- in the namespace --

# A tool's name in front of the real one's: writes down how it was called, what it said and its status, and says the same.
wrapper() {
	cat <<'END'
#!/bin/sh
# Given by commands.sh: $ROOM, $TOOL_PATH.
tool=${0##*/}
PATH=$TOOL_PATH
call="$tool $*"
case $tool in
sudo) PATH=$ROOM/bin:$TOOL_PATH; [ "${1:-}" != -n ] || shift; exec "$@" ;;
timeout)
	shift
	PATH=$ROOM/bin:$TOOL_PATH "$REAL_TIMEOUT" 2 "$@"
	status=$?
	printf 'call\ttimeout\t%s\t%s\n' "$status" "$call" >>"$ROOM/calls"
	exit $status ;;
rmmod | modprobe) set -- -n "$@"; tool=modprobe ;;
lldpcli) set -- -u "$ROOM/lldpd.socket" "$@" ;;
systemctl)
	case ${1:-} in
	status | is-active) ;;
	*) set -- --root="$ROOM/root" "$@" ;;
	esac ;;
esac
case $tool in dcb | rdma) export LD_PRELOAD="$ROOM/nic.so" ;; esac
if [ -t 0 ] || [ "$tool" != grep ]; then exec </dev/null; fi
said=$(timeout 10 "$tool" "$@" 2>&1)
status=$?
{
	printf 'call\t%s\t%s\t%s\n' "${0##*/}" "$status" "$call"
	printf '%s\n' "$said" | head -40 | sed 's/^/said\t/'
} >>"$ROOM/calls"
printf '%s\n' "$said"
exit $status
END
}

# system, command a line: each run; its calls are in $ROOM/calls behind a line with the command.
run_all() {
	ip link add eth2 type veth peer name eth3 2>/dev/null || ip link add eth2 type dummy 2>/dev/null
	ip link set eth2 up 2>/dev/null
	lldpd -d -r -u "$ROOM/lldpd.socket" >"$ROOM/lldpd.log" 2>&1 &
	lldpd=$!
	for i in 1 2 3 4 5 6 7 8 9 10; do [ -S "$ROOM/lldpd.socket" ] || sleep 0.3; done
	[ -S "$ROOM/lldpd.socket" ] || { rm -f "$ROOM/bin/lldpcli"; echo "skip: lldpcli has no lldpd to ask: it needs root" >"$ROOM/no-lldpd"; }
	PATH=$ROOM/bin:$PATH
	while IFS='	' read -r system command; do
		printf 'command\t%s\n' "$command" >>"$ROOM/calls"
		case $command in
		*' > '*)	# files of the system: what may be written is in the tables
			if said=$(sh -n -c "$command" 2>&1); then printf 'syntax\tsh -n\n'; else printf 'call\tsh\t2\tsh -n\nsaid\t%s\n' "$said"; fi >>"$ROOM/calls" ;;
		*) "$REAL_TIMEOUT" 20 sh -c "$command" >/dev/null 2>>"$ROOM/errors" </dev/null ;;
		esac
	done
	kill "$lldpd" 2>/dev/null
	wait "$lldpd" 2>/dev/null
}

if [ "${COMMANDS_ROOM:-}" ]; then
	ROOM=$COMMANDS_ROOM
	run_all <"$2"
	exit 0
fi

# -- outside --

room=$(mktemp -d) || exit 1
trap '[ "${KEEP:-}" ] && cp -r "$room" "$KEEP"; rm -rf "$room"' EXIT
mkdir -p "$room/bin" "$room/root"
chmod 755 "$room"	# lldpd and lldpcli are of another user
REAL_TIMEOUT=$(command -v timeout)
export REAL_TIMEOUT TOOL_PATH="$PATH:/usr/sbin:/sbin" ROOM="$room"
PATH=$TOOL_PATH
cp "$build/tests/commands/nic.so" "$room/nic.so" || exit 1
skipped=
for tool in $tools; do
	if command -v "$tool" >/dev/null; then
		wrapper >"$room/bin/$tool"
		chmod +x "$room/bin/$tool"
	else
		echo "skip: $tool is not on this machine, or not for this login (Debian: apt install $(package_of "$tool"))"
		skipped="$skipped$tool|"
	fi
done
for tool in sudo timeout rmmod; do
	wrapper >"$room/bin/$tool"
	chmod +x "$room/bin/$tool"
done
case $skipped in *'lldpcli|'*) ;; *) command -v lldpd >/dev/null || skipped="${skipped}lldpcli|" ;; esac
command -v unshare >/dev/null || { echo "skip: unshare is not on this machine (Debian: apt install util-linux)"; exit 0; }
enter='unshare -n'
[ "$(id -u)" = 0 ] || enter='unshare -rn'
$enter true 2>/dev/null || { echo "skip: no network namespace can be made here ($enter)"; exit 0; }

rows_of() {	# FILE: its rows of Linux, as a system and a command
	sed -n 's|^\(linux[a-z0-9_/]*\)[[:blank:]][[:blank:]]*|\1	|p' "$1"
}

# Each call with its verdict: "command, tool, answer, verdict" by tabs. A test of the shell itself, which called nothing after it, is one
# of the table.
judge() {	# CALLS
	awk -F '\t' -v skipped="^(${skipped}-)$" -v by_table="^($by_table)$" -v answers="$here/answers.txt" '
	BEGIN {
		while ((getline row < answers) > 0) {
			if (row ~ /^[ \t]*(#|$)/)
				continue
			tool = verdict = pattern = row
			sub(/[ \t].*/, "", tool)
			sub(/^[^ \t]+[ \t]+/, "", verdict); sub(/[ \t].*/, "", verdict)
			sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", pattern)
			n++; tools[n] = tool; verdicts[n] = verdict; patterns[n] = pattern
		}
		tool = ""
	}
	function first_fit(    i, k) {
		for (i = 1; i <= n; i++)
			if (tools[i] == tool)
				for (k = 1; k <= n_said; k++)
					if (said[k] ~ patterns[i]) {
						shown = said[k]
						return verdicts[i]
					}
		return status == 0 ? "accepted" : "unknown"
	}
	function finish(    verdict) {
		if (tool == "")
			return
		if (!n_said)
			said[++n_said] = "(nothing, status " status ")"
		shown = said[1]
		verdict = tool ~ skipped ? "skipped" : first_fit()
		n_calls++
		printf "%s\t%s\t%s\t%s\n", command, tool, shown, verdict
		tool = ""
	}
	function leave() {
		finish()
		if (command != "" && !n_calls)
			printf("%s\t%s\t%s\t%s\n", command, word, is_syntax ? "sh -n" : "",
				is_syntax || word == "[" || word ~ by_table ? "by table" : word ~ skipped ? "skipped" : "unknown")
	}
	$1 == "command" {
		leave(); command = $2; n_calls = is_syntax = 0
		word = command; sub(/^sudo /, "", word); sub(/ .*/, "", word)
		next
	}
	$1 == "syntax" { is_syntax = 1; next }
	$1 == "call" { finish(); tool = $2 == "rmmod" ? "modprobe" : $2; status = $3; n_said = 0; next }
	$1 == "said" { if ($2 != "") said[++n_said] = $2; next }
	END { leave() }' "$1"
}

run() {	# LIST: in the namespace; prints the judged calls
	: >"$room/calls"
	: >"$room/errors"
	COMMANDS_ROOM=$room $enter sh "$0" "$build" "$1"
	case $skipped in *'lldpcli|'*) ;; *) [ ! -e "$room/no-lldpd" ] || skipped="${skipped}lldpcli|" ;; esac
	judge "$room/calls"
}

# dcb apptrust is iproute2 6.2 and newer; an older tool does not know the word.
has_apptrust=yes
LD_PRELOAD="$room/nic.so" dcb apptrust help 2>&1 | grep -q unknown && has_apptrust=

{
	COMMANDS=list "$build/tests/core/test_commands"
	COMMANDS=list "$build/tests/remote/test_set_commands"
	rows_of "$here/samples.txt"
} | grep '^linux' | sort -u >"$room/all"
if [ "$has_apptrust" ]; then cp "$room/all" "$room/list"; else grep -v 'dcb apptrust' "$room/all" >"$room/list"; fi
run "$room/list" >"$room/verdicts"
[ "$has_apptrust" ] || grep 'dcb apptrust' "$room/all" | while IFS='	' read -r system command; do
	printf '%s\tdcb\tthis dcb is older than apptrust: the man page'\''s table\tby table\n' "$command"
done >>"$room/verdicts"

cat "$room/no-lldpd" 2>/dev/null
awk -F '\t' '{
	verdict = $4 == "accepted" || $4 == "by table" || $4 == "skipped" ? $4 : "WRONG"
	printf("%-70s %-11s %-50s %s\n", short($1, 70), $2, short($3, 50), verdict)
}
function short(text, n) { return length(text) > n ? substr(text, 1, n - 3) "..." : text }' "$room/verdicts"
# A shell that cannot read a command says so where no tool was called.
grep -iE 'syntax error|unterminated|not found$' "$room/errors" | grep -vE "($by_table): (command )?not found" >"$room/shell"
sed 's/^/sh: /' "$room/shell"

# What is wrong must be refused: by the tool itself where it is here, else by the tables (test_commands holds all of them against those).
echo
rows_of "$here/wrong.txt" | grep -vE '>|; \||\|$|'"'"'mlx5_core$|apptrust' >"$room/wrong"
run "$room/wrong" >"$room/refusals"
awk -F '\t' '$4 == "refused" { printf("refused: %-60s %.70s\n", $1, $3) }' "$room/refusals"

run=$(cut -f 1 "$room/verdicts" | sort -u | wc -l)
called=$(grep -cE '	accepted$' "$room/verdicts")
tables=$(grep -cE '	by table$' "$room/verdicts")
skips=$(grep -cE '	skipped$' "$room/verdicts")
wrong=$(($(grep -cE '	(refused|unknown)$' "$room/verdicts") + $(wc -l <"$room/shell")))
refused=$(cut -f 1,4 "$room/refusals" | grep '	refused$' | cut -f 1 | sort -u | wc -l)
echo
echo "$called calls accepted by the real tools, $tables commands held against published tables alone, $skips skipped"
echo "$refused of $(wc -l <"$room/wrong") wrong commands refused by the real tools themselves"
echo "commands: $run run, $wrong wrong"
[ "$wrong" -eq 0 ] && { [ "$skipped" ] || [ "$refused" -ge 20 ]; }
