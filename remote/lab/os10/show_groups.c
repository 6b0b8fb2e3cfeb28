#include "remote/lab/os10/show_groups.h"

static void management(const struct lab_device *d, const char *age, struct buf *out)
{
	buf_printf(out,
		   "Management 1/1/1 is up, line protocol is up\nHardware is Eth, address is %s\n    Current address is %s\n"
		   "Interface index is 10\nInternet address is not set\nMode of IPv4 Address Assignment: DHCP\n"
		   "    Interface IPv6 oper status: Enabled\nVirtual-IP is not set\nVirtual-IP IPv6 address is not set\n"
		   "MTU 1532 bytes, IP MTU 1500 bytes\nLineSpeed 1G\nFlowcontrol rx off tx off\nARP type: ARPA, ARP Timeout: 60\n"
		   "Last clearing of \"show interface\" counters: %s\nQueuing strategy: fifo\nInput statistics:\n"
		   "     Input 7310442 packets, 1120843372 bytes, 60117 multicast\n     Received 2 errors, 417 discarded\n"
		   "Output statistics:\n     Output 904417 packets, 98117230 bytes, 0 multicast\n     Output 0 errors, Output  invalid protocol\n"
		   "Time since last interface status change: %s\n\n", d->mac, d->mac, age, age);
}

static void port_channel(const struct lab_device *d, const char *age, struct buf *out)
{
	buf_printf(out,
		   "Port-channel 128 is up, line protocol is up\nAddress is %s, Current address is %s\nInterface index is 87\n"
		   "Internet address is not set\nMode of IPv4 Address Assignment: not set\n    Interface IPv6 oper status: Disabled\n"
		   "IP Unreachables status: Disabled\nMTU 1532 bytes, IP MTU 1500 bytes\nLineSpeed 200G\n"
		   "Minimum number of links to bring Port-channel up is 1\n"
		   "Maximum active members that are allowed in the portchannel is 32\nMembers in this channel:\n"
		   "ARP type: ARPA, ARP Timeout: 60\nTag Protocol IDentifier (TPID) value: 0x8100\n"
		   "Last clearing of \"show interface\" counters: %s\nQueuing strategy: fifo\n", d->mac, d->mac, age);
	buf_printf(out,
		   "Input statistics:\n     254919711 packets, 24681968772 octets\n"
		   "     76902 64-byte pkts, 2278850 over 64-byte pkts, 8917 over 127-byte pkts\n"
		   "     1562 over 255-byte pkts, 1796 over 511-byte pkts, 2.19768048786e+11 over 1023-byte pkts\n"
		   "     139156 Multicasts, 11612 Broadcasts, 254768943 Unicasts\n     0 runts, 0 giants, 0 throttles\n"
		   "     7 CRC, 0 overrun, 31 discarded\nOutput statistics:\n     207289680 packets, 19147113155 octets\n"
		   "     101158 64-byte pkts, 2604147 over 64-byte pkts, 9108 over 127-byte pkts\n"
		   "     1796 over 255-byte pkts, 1148 over 511-byte pkts, 1.690930112862e+12 over 1023-byte pkts\n"
		   "     137422 Multicasts, 24082 Broadcasts, 207128176 Unicasts\n"
		   "     0 throttles, 2097709 discarded, 0 Collisions,  wred drops\nRate Info(interval 30 seconds):\n"
		   "     Input 124 Mbits/sec, 18546 packets/sec, 0%% of line rate\n"
		   "     Output 102 Mbits/sec, 16437 packets/sec, 0%% of line rate\n"
		   "Time since last interface status change: %s\n\n", age);
}

static void vlan(const struct lab_device *d, const char *age, struct buf *out)
{
	buf_printf(out,
		   "Vlan 7 is down, line protocol is down\nDescription: Infra\nAddress is %s, Current address is %s\nMac Learning is enabled\n"
		   "Interface index is 83\nInternet address is not set\nMode of IPv4 Address Assignment: MANUAL\n"
		   "    Interface IPv6 oper status: Enabled\nIP Unreachables status: Disabled\nMTU 1532 bytes, IP MTU 1500 bytes\nLineSpeed 0\n"
		   "ARP type: ARPA, ARP Timeout: 60\nLast clearing of \"show interface\" counters: %s\nQueuing strategy: fifo\n"
		   "Input statistics:\n    23145850 packets, 22840615715 octets\nOutput statistics:\n    23395494 packets, 23207148991 octets\n"
		   "Time since last interface status change: %s\n\n", d->mac, d->mac, age, age);
}

void show_groups(const struct lab_device *d, const char *age, struct buf *out)
{
	management(d, age, out);
	port_channel(d, age, out);
	vlan(d, age, out);
}

void show_groups_status(struct buf *out)
{
	buf_str(out, "Po 128          Uplink-Po..     up       200G     full     T    1    6,7,201,301,401,501-516,3939\n"
		     "Vl 7                            down     --       --       --   --\n");
}
