#!/bin/sh
# kills.sh BUILD: a plan with a step at each end of one link, killed (kill -9 of the console) on machines that systemd booted, with dash
# as /bin/sh: the rollback timers are units of systemd-run. Every second plan is killed as soon as one end is committed and the other
# is not; the others at a random moment. After the timers and ten seconds, and one more start of the console ("fabcon verify --finish"
# where there is one), the kernels are asked: both ends must be before, or both after; and what "fabcon verify" said, and its exit
# status, must be true. RUNS: how many plans (50).
#
# MACHINE: what the machines are, a file kills-MACHINE.sh each. containers (default): Debian's systemd as PID 1 over the kernel of this
# machine, and the plan is of the MTU of a veth. qemu: another kernel with a DCB NIC, and the plan is of PFC; there a plan takes four
# minutes where no /dev/kvm is.
#
# RIG: the folder of rig.sh's machines, default .build/rig. Ends with "N passed, N failed".
build=$1
here=$(cd "$(dirname "$0")" && pwd)
made=${RIG:-$PWD/.build/rig}
makers=$here/../../../shared/rig
machine=${MACHINE:-containers}
a=7 b=8
runs=${RUNS:-50}

[ -d "$makers" ] || { echo "skip: ../shared/rig is not here"; exit 0; }
[ -f "$here/kills-$machine.sh" ] || { echo "kills: no such MACHINE: $machine"; exit 2; }
RIG=$made sh "$here/rig.sh" "$build" --build || exit 1
export RIG=$made-systemd
RIG=$RIG MADE=$made sh "$here/systemd.sh" || { echo "kills: the machines were not built"; exit 1; }
work=$RIG/work
rm -rf "$work" && mkdir -p "$work/home/.ssh"

# machines_start, machines_stop, host_of ID, port_of ID, on ID COMMANDS, enter (before a command of this machine), undo_s, wanted,
# set_before ID, and state_of ID: "before", "after", or what the kernel says else.
. "$here/kills-$machine.sh"

prepare() {
	for n in $a $b; do
		echo "[$(host_of "$n")]:$(port_of "$n") $(cut -d ' ' -f 1,2 "$RIG/keys/host.pub")" | sed 's/^\[\(.*\)\]:22 /\1 /'
	done >"$work/home/.ssh/known_hosts"
	{
		echo "all: { hosts: {"
		for n in $a $b; do
			echo "  gpu-node-0$n: { ansible_host: $(host_of "$n"), ansible_port: $(port_of "$n"), ansible_user: root," \
				"ansible_ssh_private_key_file: $RIG/keys/id,"
			echo "    fabcon_cables: [ { port: rf0, peer: gpu-node-0$((a + b - n)), peer_port: rf0 } ] },"
		done
		echo "} }"
	} >"$work/inventory.yml"
	printf 'name rig\n%s\n' "$wanted" >"$work/wanted.policy"
}

of_fabcon() {
	HOME=$work/home exec $enter "$build/fabcon" -i "$work/inventory.yml" -p "$work/wanted.policy" --timeout 10m --no-input "$@"
}

wrong() {
	why="${why:+$why; }$*"
}

# Both ends, which the cable of the inventory joins, decide together.
is_one_unit() {
	[ "$(grep -c '^step [12]:' "$work/planned")" -eq 2 ] && [ "$(grep -c '^batch ' "$work/planned")" -eq 1 ]
}

# On a busy machine a read may not come whole, which the console says and plans nothing: it is asked again.
make_plan() {
	for try in 1 2 3 4; do
		rm -f "$work/plan"
		(of_fabcon plan "gpu-node-0$a:rf0" "gpu-node-0$b:rf0" -O "$work/plan") >"$work/planned" 2>&1
		is_one_unit && break
		cat "$work/planned" >>"$work/not-planned"
	done
	hash=$(sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p' "$work/plan" | head -n 1)
	plan=$(sed -n 's/.*\(P-[0-9]*-[0-9a-f]*\).*/\1/p' "$work/plan" | head -n 1)
	is_one_unit
}

# The console is killed when one end is committed: the commit of the second is asked for in the same moment.
wait_for_first_keep() {
	while kill -0 "$console" 2>/dev/null && ! grep -q '^gpu-node[^ ]*: committed' "$work/applied"; do sleep 0.05; done
}

wait_at_random() {
	at=$(od -An -N4 -tu4 /dev/urandom | awk '{ print $1 % 300 }')
	sleep "$((at / 10)).$((at % 10))"
}

# The row of a device in what was printed: its state, two blanks or more, and words. Of half a link a row names the other end, too.
after_is='(half +committed,|committed  |nothing to do +already committed|[a-z ]+  as planned)'
before_is='(half +as before|rolled back  |as before  |[a-z ]+  as before)'

told() {	# FILE ID PATTERN
	grep "^gpu-node-0$2 " "$1" | tail -n 1 | grep -qE "^gpu-node-0$2 +$3"
}

# A timer that was about to be armed when the console died is there within some seconds; what it waits for is told by systemd.
wait_for_timers() {
	sleep 10
	for n in $a $b; do
		until=$(($(date +%s) + undo_s))
		while [ "$(date +%s)" -lt "$until" ] && on "$n" 'systemctl list-timers --all --no-legend' | grep -q fabcon; do sleep 1; done
	done
	sleep 10
}

# Killed before it had recorded anything, and so before it had sent anything: nobody knows of the plan, and both must be before.
is_unrecorded() {	# FILE STATUS
	[ "$2" -eq 2 ] && grep -q "no plan $plan in the audit" "$1"
}

# Each device's word against its kernel's.
hold_words() {	# FILE STATUS [OTHER-STATUS]
	if is_unrecorded "$1" "$2"; then
		for n in $a $b; do states="$states $(state_of "$n")"; done
		[ "$states" = ' before before' ] || wrong "the console has no record of it, and the ends are$states"
		return
	fi
	for n in $a $b; do
		state=$(state_of "$n")
		case $state in
		before) told "$1" "$n" "$before_is" || wrong "node $n is as before, and said: $(grep "^gpu-node-0$n " "$1" | tail -n 1)" ;;
		after) told "$1" "$n" "$after_is" || wrong "node $n is as planned, and said: $(grep "^gpu-node-0$n " "$1" | tail -n 1)" ;;
		*) wrong "node $n is neither before nor after: $state" ;;
		esac
		states="$states $state"
	done
	case $states in
	' before before' | ' after after') [ "$2" -eq 0 ] || [ "$2" -eq "${3:-0}" ] || wrong "both ends are$states, and the exit status is $2" ;;
	*) [ "$2" -ne 0 ] || wrong "the exit status hides it" ;;
	esac
}

has_finish() {
	("$build/fabcon" --help; "$build/fabcon" help verify) 2>/dev/null | grep -q -- '--finish'
}

one_kill() {	# NUMBER
	why= states= when=random
	for n in $a $b; do set_before "$n"; done
	make_plan || { wrong "no plan of both ends: $(tail -n 1 "$work/planned")"; return; }
	(of_fabcon apply "$work/plan" --rw --reason rig --approve "$hash" --undo-after ${undo_s}s) >"$work/applied" 2>&1 &
	console=$!
	if [ $(($1 % 2)) -eq 1 ]; then wait_for_first_keep; else wait_at_random; fi
	kill -9 "$console" 2>/dev/null
	wait "$console" 2>/dev/null
	keeps=$(grep -c '^gpu-node[^ ]*: committed' "$work/applied")
	[ "$keeps" -ne 1 ] || { when=between between=$((between + 1)); }
	wait_for_timers
	(of_fabcon verify "$plan") >"$work/verified" 2>&1
	status=$?
	hold_words "$work/verified" $status
	found=$states
	if has_finish; then
		states=
		(of_fabcon verify --finish "$plan" --rw --reason rig) >"$work/finished" 2>&1
		status=$?
		hold_words "$work/finished" $status 7	# it could not be finished, and was rolled back
	fi
	case $states in
	' before before' | ' after after') ;;
	*) wrong "half a link: node $a, node $b:$states" ;;
	esac
}

trap machines_stop EXIT
trap 'exit 1' INT TERM
machines_start || exit 1
prepare
on "$a" 'cat /proc/1/comm; readlink /bin/sh; systemctl is-system-running; systemd-run --version | head -n 1; uname -r' | tr '\n' ' '
echo
passed=0 between=0 run=0
while [ "$run" -lt "$runs" ]; do
	run=$((run + 1))
	one_kill "$run"
	printf '%-3d %-8s%-14s -> %-14s %s\n' "$run" "$when" "${found:-}" "$states" "${why:-ok}"
	[ -n "$why" ] || passed=$((passed + 1))
done
echo "$between of $runs were killed between the first and the last keep"
echo "$passed passed, $((runs - passed)) failed"
[ "$passed" -eq "$runs" ]
