# Sourced by kills.sh: two machines in qemu, whose rails are joined.
undo_s=${UNDO_S:-120}	# without /dev/kvm it takes 80 s from the first timer to the first keep
enter=
wanted='host rf0 pfc.on[3] = yes'

machines_start() {
	MEM=1024 FAKE=1 IDS="$a $b" WAIT=2400 nice -n 5 "$makers/run-vm.sh" start >"$work/start" 2>&1 || { cat "$work/start"; return 1; }
}

machines_stop() {
	"$makers/run-vm.sh" stop >/dev/null 2>&1
}

host_of() {
	echo 127.0.0.1
}

port_of() {	# ID
	echo $((22000 + $1))
}

on() {	# ID COMMANDS
	timeout 60 "$makers/run-vm.sh" ssh "$1" "$2"
}

set_before() {	# ID
	on "$1" 'dcb pfc set dev rf0 prio-pfc all:off'
}

state_of() {	# ID
	says=$(on "$1" 'dcb pfc show dev rf0 prio-pfc' | tr -s ' \n' '  ' | sed 's/ $//')
	case $says in
	"prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off") echo before ;;
	"prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off") echo after ;;
	*) echo "'$says'" ;;
	esac
}
