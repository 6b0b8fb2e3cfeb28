#!/bin/bash
# kernel_says.sh: what the kernel of this node says, in lines "PORT FIELD VALUE" with the names of the console's fields; "-" for
# the node itself. Runs on the node, with bash and sed alone, from sysfs, procfs and the kernel's own tools. Nothing of it is the
# console's: where both are wrong, they are wrong in two ways. Few programs are started: the processor is emulated.

say() { echo "$1 $2 $3"; }

# The first line of a file, in $it.
first_of() { it=; { read -r it <"$1"; } 2>/dev/null; }

# The value of a line "Word: value" of a tool's text, in $it.
line_of() {
	local word=$1 line
	it=
	while read -r line; do
		case $line in "$word:"*)
			it=${line#"$word:"}
			it=${it#"${it%%[![:space:]]*}"}
			return ;;
		esac
	done <<<"$2"
}

on_off() { case $it in on | true) say "$1" "$2" yes ;; off | false) say "$1" "$2" no ;; esac; }

of_node() {
	first_of /proc/sys/kernel/hostname && say - hostname "$it"
	first_of /proc/sys/kernel/random/boot_id && say - boot "$it"
	first_of /proc/sys/net/ipv4/tcp_ecn && say - tcp_ecn "$it"
	say - memlock $(($(ulimit -l) * 1024))
	while read -r it; do	# sysctl has no name of the release: os-release and uname have
		case $it in PRETTY_NAME=*) it=${it#*=} && say - version "${it//\"/} ($(uname -sr))" ;; esac
	done </etc/os-release
}

# What `ip -d` says of the kind: of what the interface is part, and the MAC that the hardware has.
of_link() {
	local port=$1 d=/sys/class/net/$1 text word before=
	first_of "$d/operstate"
	[ "$it" = up ] && say "$port" up yes || say "$port" up no
	first_of "$d/speed"
	[ "${it:--1}" -gt 0 ] && say "$port" speed $((it * 1000000))
	first_of "$d/mtu" && say "$port" mtu "$it"
	first_of "$d/carrier_changes" && say "$port" link.changes "$it"
	first_of "$d/address"
	local mac=$it role=pf
	text=$(ip -d -o link show dev "$port")
	[ -e "$d/device/physfn" ] && role=vf
	for word in $text; do
		case $before in permaddr | perm_hwaddr) mac=$word ;; esac
		case $word in bond) role=bond ;; bond_slave) role=member ;; esac
		[ "$before" = master ] && say "$port" bond "$word"
		before=$word
	done
	say "$port" mac "$mac"
	say "$port" role $role
}

of_ethtool() {
	local text
	driver=
	[ ! -e "/sys/class/net/$1/bonding" ] || return	# what drives a bond is no NIC's driver
	text=$(ethtool -i "$1" 2>/dev/null) && {
		line_of firmware-version "$text" && case $it in '' | N/A) ;; *) say "$1" firmware "$it" ;; esac
		line_of driver "$text" && say "$1" driver "$it"
		driver=$it
	}
	text=$(ethtool -a "$1" 2>/dev/null) && {	# not --json: ethtool 6.1 prints true for whatever the kernel answers
		line_of RX "$text" && on_off "$1" pause.rx
		line_of TX "$text" && on_off "$1" pause.tx
	}
	text=$(ethtool --show-fec "$1" 2>/dev/null) && line_of 'Active FEC encoding' "$text" && say "$1" fec "$it"
}

# list PORT FIELD JSON KEY: "KEY":[a,b,…] of one line of JSON, a line an element.
list() {
	local i=0 value values
	case $3 in *"\"$4\":["*) ;; *) return ;; esac
	values=${3#*"\"$4\":["}
	values=${values%%]*}
	for value in ${values//,/ }; do
		case $value in true) value=yes ;; false) value=no ;; esac
		say "$1" "$2[$i]" "${value//\"/}"
		i=$((i + 1))
	done
}

# The share of a class that is strict means nothing: only those of ETS are said.
shares() {
	local line
	while read -r line; do
		case $line in *ets.share*) shares+=("${line##* }") ;; *" ets") algos+=(ets) ;; *) algos+=(other) ;; esac
	done <<<"$(list "$1" ets.algo "$2" tc_tsa; list "$1" ets.share "$2" tc_bw)"	# the node has no /dev/fd
	for i in "${!algos[@]}"; do
		[ "${algos[i]}" != ets ] || say "$1" "ets.share[$i]" "${shares[i]}"
	done
}

of_dcb() {
	local json app pair algos=() shares=()
	json=$(dcb -j pfc show dev "$1" 2>/dev/null) || return
	list "$1" pfc.on "$json" prio_pfc
	json=$(dcb -j ets show dev "$1" 2>/dev/null) && {
		list "$1" prio.tc "$json" prio_tc
		list "$1" ets.algo "$json" tc_tsa
		shares "$1" "$json"
		case $json in *'"willing":true'*) say "$1" dcbx.willing yes ;; *'"willing":false'*) say "$1" dcbx.willing no ;; esac
	}
	json=$(dcb -j buffer show dev "$1" 2>/dev/null) && {
		list "$1" prio.pg "$json" prio_buffer
		list "$1" buffer.size "$json" buffer_size
	}
	json=$(dcb -j dcbx show dev "$1" 2>/dev/null) && case $json in *'"host":true'*) say "$1" dcbx os ;; esac
	# mlx5 trusts DSCP from the first DSCP row that is set to the last that is taken away (en_dcbnl.c of Linux 6.1)
	[ "$driver" = mlx5_core ] && app=$(dcb -j app show dev "$1" 2>/dev/null) && {
		case $app in *dscp_prio*) say "$1" trust dscp ;; *) say "$1" trust pcp ;; esac
		for pair in $(sed -n 's/.*"dscp_prio":\[\(\[.*\]\)\].*/\1/p' <<<"$app" | sed 's/\],\[/ /g; s/[][]//g'); do
			say "$1" "dscp.prio[${pair%,*}]" "${pair#*,}"
		done
	}
}

# Counters by the names of mlx5 (Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst), of e1000e, and
# where a driver has no name for its bytes, by the kernel's own.
of_counters() {
	local name
	ethtool -S "$1" 2>/dev/null | sed -n "
		s/^ *\([rt]x\)_prio\([0-7]\)_bytes: /$1 \1.bytes[\2] /p
		s/^ *\([rt]x\)_prio\([0-7]\)_packets: /$1 \1.packets[\2] /p
		s/^ *\([rt]x\)_prio\([0-7]\)_pause: /$1 pfc.\1[\2] /p
		s/^ *\([rt]x\)_prio\([0-7]\)_pause_duration: /$1 pfc.\1_us[\2] /p
		s/^ *rx_prio\([0-7]\)_pause_transition: /$1 pfc.rx_xon[\1] /p
		s/^ *rx_prio\([0-7]\)_discards: /$1 rx.drop[\1] /p
		s/^ *rx_prio\([0-7]\)_buf_discard: /$1 rx.drop.buffer[\1] /p
		s/^ *rx_prio\([0-7]\)_cong_discard: /$1 rx.drop.congestion[\1] /p
		s/^ *\([rt]x\)_discards_phy: /$1 \1.discard /p
		s/^ *\([rt]x\)_bytes_phy: /$1 \1.total /p
		s/^ *\([rt]x\)_global_pause: /$1 pause.\1_frames /p
		s/^ *\([rt]x\)_flow_control_xoff: /$1 pause.\1_frames /p
		s/^ *rx_corrected_bits_phy: /$1 fec.corr /p
		s/^ *link_down_events_phy: /$1 link.downs /p
		s/^ *tx_pause_storm_warning_events: /$1 storm.warn /p
		s/^ *tx_pause_storm_error_events: /$1 storm.err /p"
	[ -e "/sys/class/net/$1/bonding" ] || for name in rx tx; do	# without the four bytes that a frame ends with
		first_of "/sys/class/net/$1/statistics/${name}_bytes" && say "$1" "$name.total/stack" "$it"
	done
}

# RDMA: by the interface that rdma(8) names; without it, of soft devices alone, by their parent.
of_rdma() {
	local d port name net at index best gid soft links
	links=$(rdma link 2>/dev/null)
	for d in /sys/class/infiniband/*/ports/*; do
		[ -e "$d" ] || continue
		port=${d##*/} name=${d%/ports/*} name=${name##*/} best=
		net=
		[[ $links =~ "link $name/$port "[^$'\n']*" netdev "([^ $'\n']+) ]] && net=${BASH_REMATCH[1]}
		first_of "/sys/class/infiniband/$name/parent"
		soft=$it net=${net:-$it}
		first_of "/sys/class/infiniband/$name/node_type"
		case $it in *RNIC*)	# iWARP has no GIDs that say an interface; the console shows such a device as a port of its own
			first_of "$d/state"
			case $it in *ACTIVE) say "$name" rdma.state active ;; *DOWN) say "$name" rdma.state down ;; esac
			say "$name" rdma.iwarp yes
			continue ;;
		esac
		[ -n "$net" ] || continue
		say "$net" rdma.iwarp no
		[ "$port" = 1 ] && say "$net" rdma "$name"
		[ -n "$soft" ] && say "$net" rdma.soft yes
		first_of "$d/state"
		case $it in *ACTIVE) say "$net" rdma.state active ;; *DOWN) say "$net" rdma.state down ;; esac
		first_of "$d/link_layer"
		case $it in Ethernet) say "$net" rdma.layer ethernet ;; esac
		for at in "$d"/gid_attrs/types/*; do
			index=${at##*/}
			first_of "$at"
			case $it in *v2*) say "$net" "gid.type[$index]" v2 ;; *RoCE*) say "$net" "gid.type[$index]" v1 ;; *) continue ;; esac
			case $it in *v2*) ;; *) continue ;; esac
			first_of "$d/gids/$index"
			case $it in fe80:* | 0000:0000:0000:0000:0000:0000:*) continue ;; esac
			[ -n "$best" ] && [ "$best" -lt "$index" ] || best=$index
		done
		case $best in '') ;; *) say "$net" gid.v2 yes && say "$net" gid.index "$best" ;; esac
		for at in out_of_seq_request:oos rcvd_seq_err:seq.err rcvd_rnr_err:rnr; do
			[ ! -e "$d/hw_counters/${at%:*}" ] || { first_of "$d/hw_counters/${at%:*}" && say "$net" "${at#*:}" "$it"; }
		done
		at=/sys/kernel/config/rdma_cm/$name/ports/$port/default_roce_tos
		[ ! -e "$at" ] || { first_of "$at" && say "$net" tos.cma "$it"; }
		ibv_devinfo -d "$name" 2>/dev/null | sed -n "s/^[[:space:]]*active_mtu:[[:space:]]*\([0-9]*\) .*/$net rdma.mtu \1/p"
	done
}

# What lldpd heard; where more than one neighbor is on a port, which of them counts is not for the kernel to say.
of_lldp() {
	lldpcli -f keyvalue show neighbors 2>/dev/null | sed -n '
		s/^lldp\.\([^.]*\)\.chassis\.name=/\1 peer.name /p
		s/^lldp\.\([^.]*\)\.chassis\.mac=/\1 peer.chassis /p
		s/^lldp\.\([^.]*\)\.port\.ifname=/\1 peer.port /p'
}

of_node
for d in /sys/class/net/*; do
	port=${d##*/}
	[ "$port" != lo ] && [ -e "$d/device" -o -e "$d/bonding" ] || continue
	of_link "$port"
	of_ethtool "$port"
	of_dcb "$port"
	of_counters "$port"
done
of_rdma
[ "$(id -u)" != 0 ] || of_lldp
exit 0
