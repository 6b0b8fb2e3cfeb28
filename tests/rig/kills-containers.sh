# Sourced by kills.sh: two containers of systemd-nspawn, each with systemd as PID 1 and a network of its own. A veth joins their rails;
# the console runs in a third network, from which their management addresses are reached. Nothing of it is in this machine's network.
undo_s=${UNDO_S:-30}
net=fabcon-rig
enter="ip netns exec $net-0"
wanted='host rf0 mtu = 9000'

machines_start() {
	command -v systemd-nspawn >/dev/null || { echo "kills: no systemd-nspawn: package systemd-container"; return 1; }
	machines_stop
	ip netns add "$net-0"
	for n in $a $b; do
		ip netns add "$net-$n"
		ip -n "$net-0" link add "mgmt$n" type veth peer name mgmt0 netns "$net-$n"
		ip -n "$net-0" addr add "198.18.$n.1/30" dev "mgmt$n"
		ip -n "$net-0" link set "mgmt$n" up
		ip -n "$net-$n" addr add "198.18.$n.2/30" dev mgmt0
		for nic in lo mgmt0; do ip -n "$net-$n" link set "$nic" up; done
	done
	ip -n "$net-$a" link add rf0 type veth peer name rf0 netns "$net-$b"
	for n in $a $b; do
		ip -n "$net-$n" addr add "192.0.2.$n/26" dev rf0
		ip -n "$net-$n" link set rf0 up
		rm -rf "$RIG/container$n" && cp -a "$RIG/root" "$RIG/container$n" || return 1
		echo "gpu-node-0$n" >"$RIG/container$n/etc/hostname"
		systemd-nspawn --quiet --directory="$RIG/container$n" --machine="$net-$n" --boot --register=no --keep-unit \
			--network-namespace-path="/run/netns/$net-$n" --capability=CAP_NET_ADMIN </dev/null >"$work/container$n.log" 2>&1 &
		echo $! >"$RIG/container$n.pid"
	done
	for n in $a $b; do
		for try in $(seq 60); do
			case $(on "$n" 'systemctl is-system-running' 2>/dev/null) in running | degraded) continue 2 ;; esac
			sleep 1
		done
		echo "kills: container $n did not boot"
		return 1
	done
}

# Of a container that is killed at once nothing is left: its processes are in a PID namespace of their own.
machines_stop() {
	for n in $a $b; do
		[ ! -f "$RIG/container$n.pid" ] || kill -9 "$(cat "$RIG/container$n.pid")" 2>/dev/null
		rm -f "$RIG/container$n.pid"
	done
	for n in 0 $a $b; do ip netns del "$net-$n" 2>/dev/null; done
}

host_of() {	# ID
	echo "198.18.$1.2"
}

port_of() {
	echo 22
}

on() {	# ID COMMANDS
	timeout 60 $enter ssh -n -F none -i "$RIG/keys/id" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR \
		"root@$(host_of "$1")" "$2"
}

set_before() {	# ID
	on "$1" 'ip link set dev rf0 mtu 1500'
}

state_of() {	# ID
	says=$(on "$1" 'cat /sys/class/net/rf0/mtu')
	case $says in
	1500) echo before ;;
	9000) echo after ;;
	*) echo "'$says'" ;;
	esac
}
