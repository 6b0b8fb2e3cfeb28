#!/bin/sh
# usage: seeds_dialect.sh FOLDER: settings of each platform as they are read, and edits of them.
set -e
switch_edits() {
	for port in "$@"; do
		printf 'leaf1 %s mtu = 9000 (was 9194)\nleaf1 %s trust = dscp (was pcp)\nleaf1 %s dscp.prio[26] = 3 (was 0)\n' \
			"$port" "$port" "$port"
		printf 'leaf1 %s pfc.on[3] = yes (was no)\nleaf1 %s pfc.on[4] = no (was yes)\nleaf1 %s ecn.on[3] = yes (was no)\n' \
			"$port" "$port" "$port"
		printf 'leaf1 %s ecn.kmin[3] = 200 KB (was 150 KB)\nleaf1 %s wd.on[3] = yes (was no)\nleaf1 %s up = yes (was no)\n' \
			"$port" "$port" "$port"
	done
	printf 'leaf1 config.saved = yes (was no)\n--\n'
}

for raw in tests/fixtures/os10/running-config/*.raw; do
	{ echo os10; switch_edits ethernet1/1/1 ethernet1/1/2; cat "$raw"; } >"$1/os10_$(basename "$raw")"
done
for raw in tests/fixtures/sonic/config-db/*.raw; do
	{ echo sonic; switch_edits Ethernet0 Ethernet4; cat "$raw"; } >"$1/sonic_$(basename "$raw")"
done

edits='node1 tcp_ecn = 0 (was 2)
node1 eth2 trust = dscp (was pcp)
node1 eth2 pfc.on[3] = yes (was no)
node1 eth2 dscp.prio[26] = 3 (was 0)
node1 eth2 ets.share[3] = 50 (was 60)
node1 eth2 mtu = 9000 (was 1500)
node1 eth2 pause.rx = no (was yes)
node1 eth2 ecn.np[3] = yes (was no)
node1 eth2 cable = 100 (was 5)
node1 eth2 tos.cma = 106 (was 0)'
facts='node1 tcp_ecn = 2
# node1 eth2 rdma = "mlx5_0"
node1 eth2 trust = pcp
node1 eth2 mtu = 1500
node1 eth2 pause.rx = yes
node1 eth2 pause.tx = yes
node1 eth2 cable = 5
node1 eth2 tos.cma = 0'
for i in 0 1 2 3 4 5 6 7; do
	facts="$facts
node1 eth2 pfc.on[$i] = no
node1 eth2 prio.tc[$i] = $i
node1 eth2 ets.algo[$i] = ets
node1 eth2 ets.share[$i] = 0
node1 eth2 ecn.np[$i] = no"
done
{ echo linux; echo "$edits"; echo --; echo "$facts"; } >"$1/linux_setup"
{ echo linux; echo "$edits"; echo --; echo "$facts" | sed 's/^# //'; } >"$1/linux_facts"
{ echo linux; echo "$edits"; echo --; echo "$facts" | sed 's/^\(node1 eth2\)/# \1 by dcb\n\1/'; echo --; echo "$facts"; } >"$1/linux_dcb"
