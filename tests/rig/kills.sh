#!/bin/sh
# kills.sh BUILD: a plan with a step at each end of one link, killed (kill -9 of the console) on machines that systemd booted, with dash
# as /bin/sh: the rollback timers are units of systemd-run. Every second plan is killed as soon as one end is committed and the other
# is not; the others at a random moment. After the timers and ten seconds, and one more start of the console ("fabcon verify --finish"
# where there is one), the kernels are asked: both ends must be before, or both after; and what "fabcon verify" said, and its exit
# status, must be true. RUNS: how many plans (50). BOOTED=yes: the machines run already, and stay.
#
# RIG: the folder of rig.sh's machines, default .build/rig. Ends with "N passed, N failed".
build=$1
here=$(cd "$(dirname "$0")" && pwd)
made=${RIG:-$PWD/.build/rig}
makers=$here/../../../shared/rig
vm=$makers/run-vm.sh
a=${FIRST:-7} b=$((${FIRST:-7} + 1))
runs=${RUNS:-50} undo_s=${UNDO_S:-45}

[ -d "$makers" ] || { echo "skip: ../shared/rig is not here"; exit 0; }
RIG=$made sh "$here/rig.sh" "$build" --build || exit 1
export RIG=$made-systemd
RIG=$RIG MADE=$made sh "$here/systemd.sh" || { echo "kills: the machines were not built"; exit 1; }
work=$RIG/work
rm -rf "$work" && mkdir -p "$work/home/.ssh"

on() {	# ID COMMANDS
	timeout 60 "$vm" ssh "$1" "$2"
}

prepare() {
	for n in $a $b; do
		echo "[127.0.0.1]:$((22000 + n)) $(cut -d ' ' -f 1,2 "$RIG/keys/host.pub")"
	done >"$work/home/.ssh/known_hosts"
	{
		echo "all: { hosts: {"
		for n in $a $b; do
			echo "  gpu-node-0$n: { ansible_host: 127.0.0.1, ansible_port: $((22000 + n)), ansible_user: root," \
				"ansible_ssh_private_key_file: $RIG/keys/id,"
			echo "    fabcon_cables: [ { port: rf0, peer: gpu-node-0$((a + b - n)), peer_port: rf0 } ] },"
		done
		echo "} }"
	} >"$work/inventory.yml"
	printf 'name rig\nhost rf0 pfc.on[3] = yes\n' >"$work/wanted.policy"
}

of_fabcon() {
	HOME=$work/home exec "$build/fabcon" -i "$work/inventory.yml" -p "$work/wanted.policy" --timeout 10m --no-input "$@"
}

# "before", "after", or what the kernel says else.
state_of() {	# ID
	says=$(on "$1" 'dcb pfc show dev rf0 prio-pfc' | tr -s ' \n' '  ' | sed 's/ $//')
	case $says in
	"prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off") echo before ;;
	"prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off") echo after ;;
	*) echo "'$says'" ;;
	esac
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
	while kill -0 "$console" 2>/dev/null && ! grep -q '^gpu-node[^ ]*: committed' "$work/applied"; do sleep 0.01; done
}

wait_at_random() {
	at=$(od -An -N4 -tu4 /dev/urandom | awk '{ print $1 % 300 }')
	sleep "$((at / 10)).$((at % 10))"
}

# "neither as before nor as planned" is neither.
told() {	# FILE ID WORDS
	grep "^gpu-node-0$2 " "$1" | tail -n 1 | grep -v neither | grep -q "$3"
}

# Each device's word against its kernel's.
hold_words() {	# FILE STATUS [OTHER-STATUS]
	for n in $a $b; do
		state=$(state_of "$n")
		case $state in
		before) told "$1" "$n" "as before" || wrong "node $n is as before, and said: $(grep "^gpu-node-0$n " "$1" | tail -n 1)" ;;
		after) told "$1" "$n" "as planned" || wrong "node $n is as planned, and said: $(grep "^gpu-node-0$n " "$1" | tail -n 1)" ;;
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
	for n in $a $b; do on "$n" 'dcb pfc set dev rf0 prio-pfc all:off'; done
	make_plan || { wrong "no plan of both ends: $(tail -n 1 "$work/planned")"; return; }
	(of_fabcon apply "$work/plan" --rw --reason rig --approve "$hash" --undo-after ${undo_s}s) >"$work/applied" 2>&1 &
	console=$!
	if [ $(($1 % 2)) -eq 1 ]; then wait_for_first_keep; else wait_at_random; fi
	kill -9 "$console" 2>/dev/null
	wait "$console" 2>/dev/null
	keeps=$(grep -c '^gpu-node[^ ]*: committed' "$work/applied")
	[ "$keeps" -ne 1 ] || { when=between between=$((between + 1)); }
	sleep $((undo_s + 10))
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

[ -n "$BOOTED" ] || trap '"$vm" stop >/dev/null 2>&1' EXIT
trap 'exit 1' INT TERM
[ -n "$BOOTED" ] || MEM=1024 FAKE=1 IDS="$a $b" WAIT=2400 nice -n 5 "$vm" start >"$work/start" 2>&1 || { cat "$work/start"; exit 1; }
prepare
on "$a" 'cat /proc/1/comm; readlink /bin/sh; systemctl is-system-running; systemd-run --version | head -n 1' | tr '\n' ' '
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
