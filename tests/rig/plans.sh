#!/bin/sh
# plans.sh BUILD: plans on a real Linux kernel without systemd, at the default pace: each row of setters.txt is kept; kept and undone;
# killed (kill -9 of the console at a random moment); or rebooted in the middle (the machine is reset, and boots again). Then the
# kernel itself is asked, through ip, dcb, ethtool and configfs: it must be before or after, and what fabcon said, its exit status and
# "fabcon verify" must be true. RUNS: how many plans (one for each row and end: 36); MACHINES: how many machines work at a time (2);
# ONLY: rows by name; ENDS: "kept undone killed rebooted".
#
# RIG: the folder of the machines, default .build/rig, as rig.sh builds them. Ends with "N passed, N failed".
build=$1
here=$(cd "$(dirname "$0")" && pwd)
made=${RIG:-$PWD/.build/rig}
makers=$here/../../../shared/rig
vm=$makers/run-vm.sh
first=${FIRST:-5}	# the machines' numbers: rig.sh has 1 and 2
undo_s=45

[ -d "$makers" ] || { echo "skip: ../shared/rig is not here"; exit 0; }
RIG=$made sh "$here/rig.sh" "$build" --build || exit 1
export RIG=$made-plans
work=$RIG/work

# The machines of rig.sh, with a base from which every row has something to change; an initramfs may be several archives in a row.
build_machines() {
	rm -rf "$work" && mkdir -p "$work" "$RIG/extra"
	ln -sfn "$made/vmlinux" "$RIG/vmlinux" && ln -sfn "$made/keys" "$RIG/keys"
	cat >"$RIG/extra/rc.local" <<-'END'
		#!/bin/bash
		dcb ets set dev rf1 tc-tsa 0:ets 3:ets tc-bw 0:50 3:50
		ethtool -A rf1 rx on tx on
		mkdir /sys/kernel/config/rdma_cm/rxe0
	END
	chmod 755 "$RIG/extra/rc.local"
	(cat "$made/initrd.cpio" && cd "$RIG/extra" && find . | cpio -o -H newc -R 0:0 --quiet) >"$RIG/initrd.cpio"
}

start() {	# ID
	FAKE=1 IDS=$1 nice -n 5 "$vm" start 1 >"$work/$1/start" 2>&1 || { cat "$work/$1/start"; return 1; }
}

on() {	# ID COMMANDS
	timeout 30 "$vm" ssh "$1" "PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin; $2"
}

# What the kernel says, in one line.
says() {	# ID
	on "$1" "$ask" 2>&1 | tr -s ' \n' '  ' | sed 's/^ //; s/ $//'
}

of_fabcon() {	# ID ARGUMENTS...
	id=$1
	shift
	HOME=$work/$id/home exec "$build/fabcon" -i "$work/$id/inventory.yml" -p "$work/$id/wanted.policy" --timeout 10m --no-input "$@"
}

prepare() {	# ID
	mkdir -p "$work/$1/home/.ssh"
	echo "[127.0.0.1]:$((22000 + $1)) $(cut -d ' ' -f 1,2 "$RIG/keys/host.pub")" >"$work/$1/home/.ssh/known_hosts"
	echo "all: { hosts: { gpu-node-0$1: { ansible_host: 127.0.0.1, ansible_port: $((22000 + $1)), ansible_user: root," \
		"ansible_ssh_private_key_file: $RIG/keys/id } } }" >"$work/$1/inventory.yml"
}

# A number below N.
draw() {
	od -An -N4 -tu4 /dev/urandom | awk -v n="$1" '{ print $1 % n }'
}

reboot() {	# ID
	kill -9 "$(cat "$RIG/run/vm$1.pid")"
	while kill -0 "$(cat "$RIG/run/vm$1.pid")" 2>/dev/null; do sleep 0.1; done
	(exec 2>/dev/null; ssh -O exit -o "ControlPath=$RIG/run/cm-root-$((22000 + $1))" x)
	rm -f "$RIG/run/cm-root-$((22000 + $1))"
	start "$1"
}

# On a busy machine a read may not come whole, which the console says and plans nothing: it is asked again.
make_plan() {	# ID
	{ echo "name rig"; echo "$lines" | sed 's/; */\n/g'; } >"$work/$1/wanted.policy"
	rm -f "$work/$1/plan"
	for try in 1 2 3 4; do
		(of_fabcon "$1" plan "gpu-node-0$1:$port" -O "$work/$1/plan") >"$work/$1/planned" 2>&1
		[ ! -s "$work/$1/plan" ] || break
		cat "$work/$1/planned" >>"$work/$1/not-planned"
	done
	[ -s "$work/$1/plan" ] || return 1
	hash=$(sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p' "$work/$1/plan" | head -n 1)
	plan=$(sed -n 's/.*\(P-[0-9]*-[0-9a-f]*\).*/\1/p' "$work/$1/plan" | head -n 1)
	[ -n "$hash" ]
}

apply() {	# ID
	(of_fabcon "$1" apply "$work/$1/plan" --rw --reason rig --approve "$hash" --undo-after "$2") >"$work/$1/applied" 2>&1
}

wrong() {
	why="${why:+$why; }$*"
}

# "neither as before nor as planned" is neither.
told() {	# FILE WORDS
	grep '^gpu-node' "$1" | tail -n 1 | grep -v neither | grep -q "$2"
}

# What fabcon says on its next start, and what the kernel says: "as planned" is the state after, "as before" the one before, else neither.
hold_verify() {	# ID
	(of_fabcon "$1" verify "$plan") >"$work/$1/verified" 2>&1
	status=$?
	kernel=$(says "$1")
	case $kernel in
	"$before") told "$work/$1/verified" "as before" || wrong "it is as before, and verify says: $(tail -n 1 "$work/$1/verified")" ;;
	"$after") told "$work/$1/verified" "as planned" || wrong "it is as planned, and verify says: $(tail -n 1 "$work/$1/verified")" ;;
	*) wrong "the kernel is neither before nor after: '$kernel'" ;;
	esac
	[ $status -eq 0 ] || wrong "verify ended with $status"
}

is_now() {	# ID WANTED WHAT
	kernel=$(says "$1")
	[ "$kernel" = "$2" ] || wrong "$3: the kernel says '$kernel', not '$2'"
}

end_kept() {
	apply "$1" 10m
	status=$?
	[ $status -eq 0 ] || wrong "apply ended with $status: $(tail -n 1 "$work/$1/applied")"
	is_now "$1" "$after" "kept"
	hold_verify "$1"
}

end_undone() {
	end_kept "$1"
	(of_fabcon "$1" undo "$plan" --rw --reason rig) >"$work/$1/undone" 2>&1
	status=$?
	[ $status -eq 0 ] || wrong "undo ended with $status: $(tail -n 1 "$work/$1/undone")"
	is_now "$1" "$before" "undone"
	hold_verify "$1"
}

begin_apply() {	# ID
	(of_fabcon "$1" apply "$work/$1/plan" --rw --reason rig --approve "$hash" --undo-after ${undo_s}s) >"$work/$1/applied" 2>&1 &
	console=$!
	at=$(draw 250)
	sleep "$((at / 10)).$((at % 10))"
	at="$((at / 10)).$((at % 10)) s, $(tail -n 1 "$work/$1/applied" | cut -d ' ' -f 2-4)"
}

end_killed() {
	begin_apply "$1"
	kill -9 "$console" 2>/dev/null
	wait "$console" 2>/dev/null
	sleep $((undo_s + 10))
	hold_verify "$1"
}

# Where the kept change was verified before the reset, exit 0 and "committed" were true then; after it nothing of the plan is left.
end_rebooted() {
	begin_apply "$1"
	reboot "$1" || { wrong "it did not come up again"; return; }
	wait "$console"
	status=$?
	case $status in
	0) grep -q "committed" "$work/$1/applied" || wrong "apply ended with 0 without a commit" ;;
	esac
	is_now "$1" "$before" "rebooted"
	hold_verify "$1"
}

one_plan() {	# ID END
	why= at=
	on "$1" "$back" >/dev/null 2>&1
	is_now "$1" "$before" "at the begin"
	if [ -z "$why" ] && make_plan "$1"; then
		"end_$2" "$1"
	else
		wrong "no plan: $(tail -n 1 "$work/$1/planned")"
	fi
	printf '%-8s %-9s %-5s %s%s\n' "$name" "$2" "$([ -z "$why" ] && echo ok || echo WRONG)" "${at:+at $at }" "$why"
	[ -z "$why" ] || { grep -hE '^gpu-node|: (rolled|done|unknown)' "$work/$1/applied" 2>/dev/null | tail -n 3 | sed 's/^/    /'; on "$1" "$back"; }
	on "$1" "$back" >/dev/null 2>&1
}

# Every MACHINES-th plan of the list is this machine's.
work_off() {	# ID TURN
	mkdir -p "$work/$1"
	start "$1" || return
	prepare "$1"
	n=0
	while [ "$n" -lt "$runs" ]; do
		for end in ${ENDS:-kept undone killed rebooted}; do
			while IFS='	' read -r name port lines ask before after back <&3; do
				case $name in '' | '#'*) continue ;; esac
				case " ${ONLY:-$name} " in *" $name "*) ;; *) continue ;; esac
				n=$((n + 1))
				[ "$n" -le "$runs" ] && [ $((n % machines)) -eq "$2" ] || continue
				one_plan "$1" "$end"
			done 3<"$here/setters.txt"
		done
	done
}

stop() {
	"$vm" stop >/dev/null 2>&1
}

runs=${RUNS:-36} machines=${MACHINES:-2}
build_machines
trap stop EXIT
trap 'exit 1' INT TERM
turn=0 workers=
while [ "$turn" -lt "$machines" ]; do
	work_off $((first + turn)) "$turn" >"$work/said.$turn" 2>&1 &
	workers="$workers $!"
	turn=$((turn + 1))
done
for worker in $workers; do wait "$worker"; done
cat "$work"/said.*
passed=$(cat "$work"/said.* | grep -cE '^[a-z]+ +[a-z]+ +ok')
echo "$passed passed, $((runs - passed)) failed"
[ "$passed" -eq "$runs" ]
