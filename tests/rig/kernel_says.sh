#!/bin/bash
# kernel_says.sh: what the kernel of this node says, in lines "PORT FIELD VALUE" with the names of the console's fields; "-" for
# the node itself. Runs on the node, with bash and sed alone, from sysfs, procfs and the kernel's own tools. Nothing of it is the
# console's: where both are wrong, they are wrong in two ways.

say() { echo "$1 $2 $3"; }

of_node() {
	say - hostname "$(cat /proc/sys/kernel/hostname)"
	say - boot "$(cat /proc/sys/kernel/random/boot_id)"
	say - tcp_ecn "$(cat /proc/sys/net/ipv4/tcp_ecn)"
}

# A line "Word: value" of a tool's text.
line_of() { sed -n "s/^$1:[[:space:]]*//p" | head -n 1; }

on_off() { case $1 in on | true) echo yes ;; off | false) echo no ;; esac; }

of_link() {
	local d=/sys/class/net/$1 mbps
	[ "$(cat "$d/operstate")" = up ] && say "$1" up yes || say "$1" up no
	mbps=$(cat "$d/speed" 2>/dev/null)
	[ "${mbps:--1}" -gt 0 ] && say "$1" speed $((mbps * 1000000))
	say "$1" mtu "$(cat "$d/mtu")"
	say "$1" mac "$(cat "$d/address")"
	say "$1" link.changes "$(cat "$d/carrier_changes")"
}

of_ethtool() {
	local text
	text=$(ethtool -i "$1" 2>/dev/null) && say "$1" driver "$(line_of driver <<<"$text")"
	text=$(ethtool -a "$1" 2>/dev/null) && {	# not --json: ethtool 6.1 prints true for whatever the kernel answers
		say "$1" pause.rx "$(on_off "$(line_of RX <<<"$text")")"
		say "$1" pause.tx "$(on_off "$(line_of TX <<<"$text")")"
	}
	text=$(ethtool --show-fec "$1" 2>/dev/null) && say "$1" fec "$(line_of 'Active FEC encoding' <<<"$text")"
}

# list PORT FIELD JSON KEY: "KEY":[a,b,…] of one line of JSON, a line an element.
list() {
	local i=0 value
	for value in $(sed -n "s/.*\"$4\":\[\([^]]*\)\].*/\1/p" <<<"$3" | tr ',' ' '); do
		case $value in true) value=yes ;; false) value=no ;; esac
		say "$1" "$2[$i]" "${value//\"/}"
		i=$((i + 1))
	done
}

of_dcb() {
	local json app
	json=$(dcb -j pfc show dev "$1" 2>/dev/null) && list "$1" pfc.on "$json" prio_pfc
	json=$(dcb -j ets show dev "$1" 2>/dev/null) && {
		list "$1" prio.tc "$json" prio_tc
		list "$1" ets.algo "$json" tc_tsa
	}
	json=$(dcb -j buffer show dev "$1" 2>/dev/null) && {
		list "$1" prio.pg "$json" prio_buffer
		list "$1" buffer.size "$json" buffer_size
	}
	# mlx5 trusts DSCP from the first DSCP row that is set to the last that is taken away (en_dcbnl.c of Linux 6.1)
	app=$(dcb -j app show dev "$1" 2>/dev/null) && [ "$(ethtool -i "$1" 2>/dev/null | line_of driver)" = mlx5_core ] && {
		case $app in *dscp_prio*) say "$1" trust dscp ;; *) say "$1" trust pcp ;; esac
		for pair in $(sed -n 's/.*"dscp_prio":\[\(\[.*\]\)\].*/\1/p' <<<"$app" | sed 's/\],\[/ /g; s/[][]//g'); do
			say "$1" "dscp.prio[${pair%,*}]" "${pair#*,}"
		done
	}
}

# Counters by the names of mlx5 (Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst).
of_counters() {
	ethtool -S "$1" 2>/dev/null | sed -n "
		s/^ *rx_prio\([0-7]\)_bytes: /$1 rx.bytes[\1] /p
		s/^ *tx_prio\([0-7]\)_bytes: /$1 tx.bytes[\1] /p
		s/^ *rx_prio\([0-7]\)_packets: /$1 rx.packets[\1] /p
		s/^ *tx_prio\([0-7]\)_packets: /$1 tx.packets[\1] /p
		s/^ *rx_prio\([0-7]\)_pause: /$1 pfc.rx[\1] /p
		s/^ *tx_prio\([0-7]\)_pause: /$1 pfc.tx[\1] /p
		s/^ *rx_prio\([0-7]\)_pause_duration: /$1 pfc.rx_us[\1] /p
		s/^ *tx_prio\([0-7]\)_pause_duration: /$1 pfc.tx_us[\1] /p
		s/^ *rx_prio\([0-7]\)_discards: /$1 rx.drop[\1] /p
		s/^ *rx_discards_phy: /$1 rx.discard /p
		s/^ *tx_discards_phy: /$1 tx.discard /p
		s/^ *rx_bytes_phy: /$1 rx.total /p
		s/^ *tx_bytes_phy: /$1 tx.total /p
		s/^ *link_down_events_phy: /$1 link.downs /p
		s/^ *tx_pause_storm_warning_events: /$1 storm.warn /p
		s/^ *tx_pause_storm_error_events: /$1 storm.err /p"
}

# RDMA: by the interface of each GID, which the driver itself tells; not by the name of the device.
of_rdma() {
	local d port name net at index
	for d in /sys/class/infiniband/*/ports/*; do
		[ -e "$d" ] || continue
		port=${d##*/} name=${d%/ports/*} name=${name##*/}
		net=$(cat "$d"/gid_attrs/ndevs/* 2>/dev/null | sort -u | head -n 1)
		[ -n "$net" ] || net=$(cat "/sys/class/infiniband/$name/parent" 2>/dev/null)
		[ -n "$net" ] || continue
		[ "$port" = 1 ] && say "$net" rdma "$name"
		case $(cat "$d/state") in *ACTIVE) say "$net" rdma.state active ;; *DOWN) say "$net" rdma.state down ;; esac
		case $(cat "$d/link_layer") in Ethernet) say "$net" rdma.layer ethernet ;; esac
		for at in "$d"/gid_attrs/types/*; do
			index=${at##*/}
			case $(cat "$at" 2>/dev/null) in *v2*) say "$net" "gid.type[$index]" v2 ;; *RoCE*) say "$net" "gid.type[$index]" v1 ;; esac
		done
		[ ! -r "$d/hw_counters/out_of_seq_request" ] || say "$net" oos "$(cat "$d/hw_counters/out_of_seq_request")"
		[ ! -r "$d/hw_counters/rcvd_seq_err" ] || say "$net" seq.err "$(cat "$d/hw_counters/rcvd_seq_err")"
	done
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
exit 0
