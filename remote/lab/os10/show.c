#include "remote/lab/os10/show.h"

#include <stdio.h>

#include "remote/lab/os10/config.h"
#include "remote/lab/os10/show_groups.h"
#include "remote/lab/world/ages.h"
#include "remote/lab/world/neighbor.h"
#include "remote/lab/world/skins.h"

struct show {
	struct fabric *f;
	const struct lab_device *d;
	const char *rest;		/* what follows the row's words */
	struct buf *out;
};

static const struct lab_port *named_port(const struct show *s)
{
	return fabric_port(s->f, s->d, span_trim(span_of(s->rest)));
}

/* "48 weeks 4 days 23:11:15", "1 day 00:11:14", "00:03:39". */
static void print_age(struct buf *out, int64_t us)
{
	long long s = us / 1000000, weeks = s / 604800, days = s / 86400 % 7;

	if (weeks)
		buf_printf(out, "%lld week%s ", weeks, weeks == 1 ? "" : "s");
	if (days)
		buf_printf(out, "%lld day%s ", days, days == 1 ? "" : "s");
	buf_printf(out, "%02lld:%02lld:%02lld", s / 3600 % 24, s / 60 % 60, s % 60);
}

static bool version(struct show *s)
{
	buf_str(s->out, "Dell SmartFabric OS10 Enterprise\nCopyright (c) 1999-2024 by Dell Inc. All Rights Reserved.\n"
			"OS Version: 10.5.6.1\nBuild Version: 10.5.6.1.100\nBuild Time: 2024-01-29T01:32:18+0000\n"
			"System Type: S5232F-ON\nArchitecture: x86_64\nUp Time: ");
	print_age(s->out, device_up_us(s->f, s->d));
	buf_str(s->out, "\n");
	return true;
}

/* What can follow "show running-configuration"; of interfaces, one that is there. */
static bool is_section(const struct show *s, struct span section)
{
	static const char *const sections[] = {
		"class-map", "interface", "policy-map", "qos-map", "snmp", "system-qos", "trust-map", "users", "wred",
	};
	struct span rest = section, word;

	if (span_skip(&rest, "interface ") && span_trim(rest).n)
		return fabric_port(s->f, s->d, span_trim(rest)) != NULL;
	if (!span_word(&section, &word))
		return false;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (span_is(word, sections[i]))
			return true;
	return false;
}

static bool running(struct show *s)
{
	struct span section = span_trim(span_of(s->rest));
	char header[160];

	if (!section.n) {
		buf_str(s->out, "! Version 10.5.6.1\n! Last configuration change at Nov  21 05:00:00 2026\n!\n");
		dell_config_print(dell_of(s->d), "", s->out);
		return true;
	}
	if (!is_section(s, section)) {
		buf_str(s->out, "% Error: Illegal parameter.\n");
		return true;
	}
	snprintf(header, sizeof(header), "%.*s", (int)section.n, section.p);
	for (char *p = header; *p; p++)
		if (!strcmp(header, "system-qos") && *p == '-')
			*p = ' ';
	dell_config_print(dell_of(s->d), !strcmp(header, "trust-map") ? "trust " : header, s->out);
	return true;
}

static bool startup(struct show *s)
{
	buf_str(s->out, "! Version 10.5.6.1\n! Last configuration change at Nov  21 05:00:00 2026\n!\n");
	buf_add(s->out, dell_of(s->d)->startup.text, dell_of(s->d)->startup.n);
	return true;
}

/* "ethernet1/1/1" as "Ethernet 1/1/1", or "Eth 1/1/1" in tables. */
static const char *unit(const struct lab_port *p)
{
	return p->name + strlen("ethernet");
}

/* Large counters are printed as floats, as the device does: with as many digits as there are. */
static void print_large(struct buf *out, uint64_t n)
{
	char text[40], *end, power[8];

	if (n <= UINT64_C(100000000000)) {
		buf_printf(out, "%llu", (unsigned long long)n);
		return;
	}
	snprintf(text, sizeof(text), "%.14e", (double)n);
	end = strchr(text, 'e');
	snprintf(power, sizeof(power), "%s", end);
	while (end[-1] == '0' && end[-2] != '.')
		end--;
	buf_printf(out, "%.*s%s", (int)(end - text), text, power);
}

static void print_rate(struct show *s, const char *name, double bps, double pps, uint64_t speed_bps)
{
	buf_printf(s->out, "     %s %.0f Mbits/sec, %.0f packets/sec, %.0f%% of line rate\n", name, bps / 1e6, pps,
		   bps * 100 / (double)speed_bps);
}

/* Frames by size. Of each priority they are alike: data, or CNPs. */
static void print_sizes(struct buf *out, const uint64_t *packets, const uint64_t *bytes)
{
	static const unsigned least[] = { 0, 65, 128, 256, 512, 1024 };
	uint64_t n[6] = { 0 };

	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		unsigned bin = 5;

		while (bin && packets[i] && bytes[i] / packets[i] < least[bin])
			bin--;
		n[bin] += packets[i];
	}
	buf_str(out, "     ");
	for (unsigned i = 0; i < 6; i++) {
		print_large(out, n[i]);
		if (i)
			buf_printf(out, " over %u-byte pkts%s", least[i] - 1, i == 2 ? "\n     " : i == 5 ? "\n" : ", ");
		else
			buf_str(out, " 64-byte pkts, ");
	}
}

static void print_statistics(struct show *s, const struct sim_counters *c)
{
	uint64_t rx = sim_all_prios(c->rx_packets), tx = sim_all_prios(c->tx_packets);

	buf_printf(s->out, "Input statistics:\n     %llu packets, %llu octets\n",
		   (unsigned long long)rx, (unsigned long long)sim_all_prios(c->rx_bytes));
	print_sizes(s->out, c->rx_packets, c->rx_bytes);
	buf_printf(s->out, "     0 Multicasts, 0 Broadcasts, %llu Unicasts\n"
		   "     0 runts, 0 giants, 0 throttles\n     %llu CRC, 0 overrun, %llu discarded\n",
		   (unsigned long long)rx, (unsigned long long)c->phy_err, (unsigned long long)sim_all_prios(c->rx_drop));
	buf_printf(s->out, "Output statistics:\n     %llu packets, %llu octets\n",
		   (unsigned long long)tx, (unsigned long long)sim_all_prios(c->tx_bytes));
	print_sizes(s->out, c->tx_packets, c->tx_bytes);
	buf_printf(s->out, "     0 Multicasts, 0 Broadcasts, %llu Unicasts\n"
		   "     0 throttles, %llu discarded, 0 Collisions,  wred drops\n",
		   (unsigned long long)tx, (unsigned long long)sim_all_prios(c->tx_drop));
}

static void print_rates_and_age(struct show *s, const struct lab_port *p)
{
	struct port_rates rates;

	fabric_rates(s->f, p, &rates);
	buf_str(s->out, "Rate Info(interval 30 seconds):\n");
	print_rate(s, "Input", rates.rx_bps, rates.rx_pps, p->speed_bps);
	print_rate(s, "Output", rates.tx_bps, rates.tx_pps, p->speed_bps);
	buf_str(s->out, "Time since last interface status change: ");
	print_age(s->out, link_age_us(s->f, p));
	buf_str(s->out, "\n\n");
}

static void print_interface(struct show *s, const struct lab_port *p)
{
	struct sim_counters c;
	struct sim_qos qos;
	bool is_up = port_is_up(s->f, p);
	const char *description = dell_if_value(dell_of(s->d), p->name, "description ");

	sim_qos_factory(&qos, p->speed_bps, true);
	dell_to_sim(dell_of(s->d), p->name, &qos);
	fabric_counters(s->f, p, &c);
	buf_printf(s->out, "Ethernet %s is %s, line protocol is %s\n", unit(p), is_up ? "up" : "down", is_up ? "up" : "down");
	if (description)
		buf_printf(s->out, "Description: %s\n", description);
	buf_printf(s->out, "Hardware is Eth, address is %s\n    Current address is %s\n"
		   "Pluggable media present, QSFP28 type is QSFP28 100GBASE-CR4-3.0M\n    Wavelength is 64\n"
		   "    Configured media fec option is none\nInterface index is %u\nInternet address is not set\n"
		   "Mode of IPv4 Address Assignment: not set\n    Interface IPv6 oper status: Disabled\n"
		   "IP Unreachables status: Disabled\nMTU %u bytes, IP MTU %u bytes\n",
		   p->mac, p->mac, p->number + 15, qos.mtu, qos.mtu - 32);
	if (is_up)
		buf_printf(s->out, "LineSpeed %lluG, Auto-Negotiation on, Link-Training on\n"
			   "Configured FEC is cl91-rs, Negotiated FEC is cl91-rs\n", (unsigned long long)p->speed_bps / 1000000000);
	else
		buf_str(s->out, "LineSpeed 0, Auto-Negotiation off, Link-Training off\n"
				"Configured FEC is off, Negotiated FEC is off\n");
	buf_printf(s->out, "Flowcontrol rx %s tx %s\nARP type: ARPA, ARP Timeout: 60\n"
		   "Tag Protocol IDentifier (TPID) value: 0x8100\nLast clearing of \"show interface\" counters: ",
		   qos.pause_rx ? "on" : "off", qos.pause_tx ? "on" : "off");
	print_age(s->out, counters_age_us(s->f, p));
	buf_str(s->out, "\nQueuing strategy: fifo\n");
	print_statistics(s, &c);
	print_rates_and_age(s, p);
}

static void print_groups(struct show *s)
{
	struct buf age = { NULL };

	print_age(&age, device_up_us(s->f, s->d));
	show_groups(s->d, age.text, s->out);
	buf_done(&age);
}

static bool interface(struct show *s)
{
	const struct lab_port *p = named_port(s);

	if (!*s->rest) {
		for (unsigned i = 0; i < s->d->n; i++)
			print_interface(s, &s->f->ports[s->d->first + i]);
		if (wears(s->d, SKIN_INTERFACE_GROUPS))
			print_groups(s);
		return true;
	}
	if (p)
		print_interface(s, p);
	else
		buf_str(s->out, "% Error: Illegal parameter.\n");
	return true;
}

static bool interface_status(struct show *s)
{
	static const char rule[] =
		"--------------------------------------------------------------------------------------------------\n";

	buf_printf(s->out, "%sPort            Description     Status   Speed    Duplex   Mode Vlan Tagged-Vlans\n%s", rule, rule);
	for (unsigned i = 0; i < s->d->n; i++) {
		const struct lab_port *p = &s->f->ports[s->d->first + i];
		bool is_up = port_is_up(s->f, p), has_groups = wears(s->d, SKIN_INTERFACE_GROUPS);
		char name[24], speed[16];

		snprintf(name, sizeof(name), "Eth %s", unit(p));
		snprintf(speed, sizeof(speed), "%lluG", (unsigned long long)p->speed_bps / 1000000000);
		buf_printf(s->out, "%-15s %-15s %-8s %-8s %-8s %s\n", name, has_groups ? "Switched-Comp.." : "", is_up ? "up" : "down",
			   is_up ? speed : "--", is_up ? "full" : "--", has_groups ? "T    7    6,201,301,401,501-516,3939" : "A    1    -");
	}
	if (wears(s->d, SKIN_INTERFACE_GROUPS))
		show_groups_status(s->out);
	return true;
}

static bool pfc_details(struct show *s)
{
	const struct lab_port *p;
	struct sim_counters c;
	struct sim_qos qos;
	char name[64];
	const char *comma = "";
	bool is_any = false;

	if (sscanf(s->rest, "%63s", name) != 1 || !strstr(s->rest, " priority-flow-control"))
		return false;
	p = fabric_port(s->f, s->d, span_of(name));
	if (!p) {
		buf_str(s->out, "% Error: Illegal parameter.\n");
		return true;
	}
	sim_qos_factory(&qos, p->speed_bps, true);
	dell_to_sim(dell_of(s->d), p->name, &qos);
	fabric_counters(s->f, p, &c);
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		is_any = is_any || qos.pfc[i];
	buf_printf(s->out, "%s\nAdmin Mode : %s\nOperstatus: %s\nPFC Priorities: ", p->name,
		   is_any ? "true" : "false", is_any ? "true" : "false");
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		if (qos.pfc[i]) {
			buf_printf(s->out, "%s%u", comma, i);
			comma = ",";
		}
	buf_printf(s->out, "\nTotal Rx PFC Frames: %llu\nTotal Tx PFC frames: %llu\nCos     Rx                  Tx\n"
		   "-----------------------------------------------\n",
		   (unsigned long long)sim_all_prios(c.pfc_rx), (unsigned long long)sim_all_prios(c.pfc_tx));
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		buf_printf(s->out, "%-7u %-19llu %llu\n", i, (unsigned long long)c.pfc_rx[i], (unsigned long long)c.pfc_tx[i]);
	return true;
}

static bool interface_or_pfc(struct show *s)
{
	return strstr(s->rest, "priority-flow-control") ? pfc_details(s) : interface(s);
}

/* The layout with marks is not published anywhere: the plain table is all there is. */
static bool queuing(struct show *s)
{
	const struct lab_port *p = named_port(s);
	struct sim_counters c;

	if (strstr(s->rest, " wred"))
		return false;
	if (!p) {
		buf_str(s->out, "% Error: Illegal parameter.\n");
		return true;
	}
	fabric_counters(s->f, p, &c);
	buf_printf(s->out, "Interface %s\n%-5s %-24s %-24s %-24s %-24s \n", p->name, "Queue", "Packets", "Bytes",
		   "Dropped-Packets", "Dropped-Bytes");
	for (unsigned i = 0; i < SIM_PRIOS; i++)
		buf_printf(s->out, "%-5u %-24llu %-24llu %-24llu %-24llu \n", i, (unsigned long long)c.tx_packets[i],
			   (unsigned long long)c.tx_bytes[i], (unsigned long long)c.tx_drop[i],
			   (unsigned long long)c.tx_drop[i] * 4178);
	return true;
}

/* -- LLDP -- */

#define NOT_ADVERTISED	"Not Advertised"

static const char *subtype(const char *port_type)
{
	return !strcmp(port_type, "mac") ? "Mac address (3)" : !strcmp(port_type, "local") ? "Locally assigned (7)" : "Interface name (5)";
}

/* name, system NULL: it says neither. index: of no order. */
static void print_neighbor(struct show *s, const char *local, unsigned index, const struct neighbor *n, unsigned ttl_s, unsigned valid_s,
			   int64_t age_us)
{
	buf_printf(s->out,
		   "Remote Chassis ID Subtype: Mac address (4)\nRemote Chassis ID: %s\n"
		   "Remote Port Subtype: %s\nRemote Port ID: %s\nRemote Port Description: %s\n"
		   "Local Port ID: %s\nLocally assigned remote Neighbor Index: %u\nRemote TTL: %u\n"
		   "Information valid for next %u seconds\nTime since last information change of this neighbor: ",
		   n->chassis, subtype(n->port_type), n->port, *n->description ? n->description : NOT_ADVERTISED, local, index, ttl_s, valid_s);
	print_age(s->out, age_us);
	buf_printf(s->out, "\nRemote System Name: %s\nRemote System Desc: %s\nRemote Max Frame Size: 0\n"
		   "Remote Aggregation Status: false\nMAC PHY Configuration:\n    Auto-neg supported: 0\n"
		   "    Auto-neg enabled: 0\n"
		   "---------------------------------------------------------------------------\n\n",
		   n->name ? n->name : NOT_ADVERTISED, n->system ? n->system : NOT_ADVERTISED);
}

/* Who the management port is plugged to: a switch of no fabric. */
static void management_neighbor(struct neighbor *n)
{
	*n = (struct neighbor){ .name = "lab-oob-r1", .chassis = "00:01:e8:81:e3:45", .system = "Dell EMC Networking OS6", .port_type = "ifname",
				.port = "Gi1/0/7" };
}

static bool lldp_detail(struct show *s)
{
	struct neighbor n;

	for (unsigned i = 0; i < s->d->n; i++) {
		const struct lab_port *p = &s->f->ports[s->d->first + i];
		unsigned ttl_s;

		if (!port_is_up(s->f, p) || !switch_neighbor(s->f, p, &n, &ttl_s))
			continue;
		print_neighbor(s, p->name, 1 + (unsigned)(port_draw(s->f, p, "lldp index") % 90), &n, ttl_s, lldp_valid_s(s->f, p, ttl_s),
			       link_age_us(s->f, p));
	}
	if (!wears(s->d, SKIN_LLDP_MGMT))
		return true;
	management_neighbor(&n);
	print_neighbor(s, "mgmt1/1/1", 3, &n, LLDP_TTL_S, 101, device_up_us(s->f, s->d));
	return true;
}

/* Names and ids that are too long end in "...". */
static void print_cut(struct buf *out, const char *text, int width)
{
	if ((int)strlen(text) > width)
		buf_printf(out, "%.*s...", width - 3, text);
	else
		buf_printf(out, "%-*s", width, text);
}

static void print_row(struct show *s, const char *local, const struct neighbor *n)
{
	buf_printf(s->out, "%-20s", local);
	print_cut(s->out, n->name ? n->name : NOT_ADVERTISED, 20);
	buf_str(s->out, " ");
	print_cut(s->out, n->port, 30);
	buf_printf(s->out, "%s\n", n->chassis);
}

static bool lldp_table(struct show *s)
{
	struct neighbor n;

	buf_str(s->out, "Loc PortID          Rem Host Name        Rem Port Id                    Rem Chassis Id\n"
			"--------------------------------------------------------------------------------------\n");
	for (unsigned i = 0; i < s->d->n; i++) {
		const struct lab_port *p = &s->f->ports[s->d->first + i];
		unsigned ttl_s;

		if (port_is_up(s->f, p) && switch_neighbor(s->f, p, &n, &ttl_s))
			print_row(s, p->name, &n);
	}
	management_neighbor(&n);
	if (wears(s->d, SKIN_LLDP_MGMT))
		print_row(s, "mgmt1/1/1", &n);
	return true;
}

/* Layer 2 to the hosts: each is learned where it is plugged in. */
static bool mac_address_table(struct show *s)
{
	buf_str(s->out, "Codes: pv <vlan-id> - private vlan where the mac is originally learnt\n"
			"VlanId        Mac Address         Type        Interface\n");
	for (unsigned i = 0; i < s->d->n; i++) {
		const struct lab_port *p = &s->f->ports[s->d->first + i], *peer = port_peer(s->f, p);

		if (port_is_up(s->f, p) && port_is_host(s->f, peer))
			buf_printf(s->out, "%-13u %-19s %-11s %s\n", 1000, peer->mac, "dynamic", p->name);
	}
	return true;
}

static const struct {
	const char *words;
	bool (*print)(struct show *s);
	bool takes_more;		/* words may follow; else they are refused */
} shows[] = {
	{ "version",			version },
	{ "running-configuration",	running, true },
	{ "running-config",		running, true },
	{ "startup-configuration",	startup },
	{ "startup-config",		startup },
	{ "interface status",		interface_status },
	{ "interface",			interface_or_pfc, true },
	{ "queuing statistics interface", queuing, true },
	{ "lldp neighbors detail",	lldp_detail },
	{ "lldp neighbors",		lldp_table },
	{ "mac address-table",		mac_address_table },
};

bool dell_show(struct fabric *f, const struct lab_device *d, const char *words, struct buf *out)
{
	for (size_t i = 0; i < sizeof(shows) / sizeof(*shows); i++) {
		size_t n = strlen(shows[i].words);
		struct show s = { f, d, words + n, out };

		if (strncmp(words, shows[i].words, n) || (words[n] && words[n] != ' '))
			continue;
		s.rest += *s.rest == ' ';
		return (shows[i].takes_more || !*s.rest) && shows[i].print(&s);
	}
	return false;
}
