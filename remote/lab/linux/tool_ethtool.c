/* ethtool 6.1 on a port, and the little that lo and bond0 answer: plain, -S, -i, -a, -A, --show-fec. */

#include <stdio.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/nic_counters.h"
#include "remote/lab/linux/tools.h"

static int statistics(struct tool_call *t, const struct lab_port *p)
{
	buf_str(t->out, "NIC statistics:\n");
	nic_counters_print(t->fabric, p, t->out);
	return 0;
}

static int driver(struct tool_call *t, const struct lab_port *p)
{
	const struct breed *b = breed_of(t->device);
	bool on_mellanox = !strcmp(b->vendor, "0x15b3");
	char pci[16], board[32] = "";

	port_pci(p, pci);
	if (*b->board && !b->netdev_driver)
		snprintf(board, sizeof(board), " (%s)", b->board);
	buf_printf(t->out,
		   "driver: %s\nversion: %s\nfirmware-version: %s%s\nexpansion-rom-version: \nbus-info: %s\nsupports-statistics: yes\n"
		   "supports-test: yes\nsupports-eeprom-access: %s\nsupports-register-dump: %s\nsupports-priv-flags: %s\n",
		   b->netdev_driver ? b->netdev_driver : b->driver, b->version, firmware_of(t->device, p), board, pci, on_mellanox ? "no" : "yes",
		   on_mellanox ? "no" : "yes", on_mellanox || !strcmp(b->driver, "ice") ? "yes" : "no");
	return 0;
}

static const char *on_off(bool on)
{
	return on ? "on" : "off";
}

static int pause_shown(struct tool_call *t, const struct lab_port *p)
{
	buf_printf(t->out, "Pause parameters for %s:\nAutonegotiate:\toff\nRX:\t\t%s\nTX:\t\t%s\n\n", p->name,
		   on_off(p->nic.pause_rx), on_off(p->nic.pause_tx));
	return 0;
}

/* mlx5 leaves PFC when the link pause is switched on: the two exclude each other. */
static int pause_set(struct tool_call *t, struct lab_port *p)
{
	for (int i = 3; i + 1 < t->argc; i += 2) {
		bool on = is_word(t->argv[i + 1], "on");

		if (is_word(t->argv[i], "rx"))
			p->nic.pause_rx = on;
		else if (is_word(t->argv[i], "tx"))
			p->nic.pause_tx = on;
		else if (!is_word(t->argv[i], "autoneg")) {
			buf_printf(t->errors, "ethtool: bad command line argument(s)\nFor more information run ethtool -h\n");
			return 1;
		}
	}
	if (p->nic.pause_rx || p->nic.pause_tx)
		memset(p->nic.pfc, 0, sizeof(p->nic.pfc));
	t->is_changed = true;
	return 0;
}

static int fec(struct tool_call *t, const struct lab_port *p)
{
	buf_printf(t->out, "FEC parameters for %s:\nSupported/Configured FEC encodings: RS\nActive FEC encoding: RS\n", p->name);
	return 0;
}

static int plain(struct tool_call *t, const struct lab_port *p)
{
	unsigned long long mbps = p->speed_bps / 1000000;
	bool is_up = port_is_up(t->fabric, p);

	buf_printf(t->out, "Settings for %s:\n\tSupported ports: [ FIBRE ]\n\tSupported link modes:   %llubaseCR4/Full\n"
		   "\tSupported pause frame use: Symmetric\n\tSupports auto-negotiation: Yes\n"
		   "\tSupported FEC modes: None\t RS\n\tAdvertised link modes:  %llubaseCR4/Full\n"
		   "\tAdvertised pause frame use: Symmetric\n\tAdvertised auto-negotiation: Yes\n\tAdvertised FEC modes: RS\n",
		   p->name, mbps, mbps);
	if (is_up)
		buf_printf(t->out, "\tSpeed: %lluMb/s\n\tDuplex: Full\n", mbps);
	else
		buf_str(t->out, "\tSpeed: Unknown!\n\tDuplex: Unknown! (255)\n");
	buf_printf(t->out, "\tAuto-negotiation: on\n\tPort: Direct Attach Copper\n\tPHYAD: 0\n\tTransceiver: internal\n"
		   "\tSupports Wake-on: d\n\tWake-on: d\n\tCurrent message level: 0x00000004 (4)\n"
		   "\t\t\t       link\n\tLink detected: %s\n", is_up ? "yes" : "no");
	return 0;
}

static bool is_either(const char *word, const char *letter, const char *name)
{
	return is_word(word, letter) || is_word(word, name);
}

static int no_device(struct tool_call *t, const char *option)
{
	if (is_either(option, "-S", "--statistics")) {
		buf_str(t->errors, "Cannot get stats strings information: No such device\n");
		return 96;
	}
	if (is_either(option, "-i", "--driver")) {
		buf_str(t->errors, "Cannot get driver information: No such device\n");
		return 71;
	}
	buf_str(t->errors, "netlink error: no device matches name (offset 24)\nnetlink error: No such device\n"
			   "No data available\n");
	return 75;
}

/* A bond's speed is the sum of its members' that are up (Linux, bond_ethtool_get_link_ksettings). */
static int plain_bond(struct tool_call *t)
{
	uint64_t mbps = 0;

	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = &t->fabric->ports[t->device->first + i];

		mbps += p->is_member && port_is_up(t->fabric, p) ? p->speed_bps / 1000000 : 0;
	}
	buf_str(t->out, "Settings for bond0:\n\tSupported ports: [  ]\n\tSupported link modes:   Not reported\n"
		"\tSupported pause frame use: No\n\tSupports auto-negotiation: No\n\tSupported FEC modes: Not reported\n"
		"\tAdvertised link modes:  Not reported\n\tAdvertised pause frame use: No\n\tAdvertised auto-negotiation: No\n"
		"\tAdvertised FEC modes: Not reported\n");
	if (mbps)
		buf_printf(t->out, "\tSpeed: %lluMb/s\n\tDuplex: Full\n", (unsigned long long)mbps);
	else
		buf_str(t->out, "\tSpeed: Unknown!\n\tDuplex: Unknown! (255)\n");
	buf_printf(t->out, "\tAuto-negotiation: off\n\tPort: Other\n\tPHYAD: 0\n\tTransceiver: internal\n\tLink detected: %s\n",
		   mbps ? "yes" : "no");
	return 0;
}

/* lo and bond0 have no hardware to ask; the bonding driver has a name. */
static int no_hardware(struct tool_call *t, const char *option, bool is_bond)
{
	if (is_bond && *option != '-')
		return plain_bond(t);
	if (is_either(option, "-S", "--statistics")) {
		buf_str(t->errors, "no stats available\n");
		return 94;
	}
	if (is_either(option, "-i", "--driver") && is_bond) {
		buf_str(t->out, "driver: bonding\nversion: 5.15.0-91-generic\nfirmware-version: 2\nexpansion-rom-version: \nbus-info: \n"
				"supports-statistics: no\nsupports-test: no\nsupports-eeprom-access: no\nsupports-register-dump: no\n"
				"supports-priv-flags: no\n");
		return 0;
	}
	if (is_either(option, "-i", "--driver")) {
		buf_str(t->errors, "Cannot get driver information: Operation not supported\n");
		return 71;
	}
	buf_str(t->errors, "netlink error: Operation not supported\n");
	return 75;
}

int tool_ethtool(struct tool_call *t)
{
	static const struct {
		const char *letter, *name;
		int (*show)(struct tool_call *t, const struct lab_port *p);
	} options[] = {
		{ "-S", "--statistics", statistics },
		{ "-i", "--driver", driver },
		{ "-a", "--show-pause", pause_shown },
		{ "--show-fec", "--show-fec", fec },
	};
	const char *first = t->argc > 1 ? t->argv[1] : NULL, *name;
	struct lab_port *p;

	if (is_word(first, "--version")) {
		buf_str(t->out, "ethtool version 6.1\n");
		return 0;
	}
	if (is_word(first, "-p") && t->argc == 4)	/* no light: it is over at once */
		return tool_port(t, t->argv[2]) ? 0 : no_device(t, first);
	if (!first || (*first == '-' && t->argc < 3) || is_word(first, "--json")) {
		buf_str(t->errors, "ethtool: bad command line argument(s)\nFor more information run ethtool -h\n");
		return 1;
	}
	name = t->argv[*first == '-' ? 2 : 1];
	p = tool_port(t, name);
	if (!p && (is_word(name, "lo") || (t->device->has_bond && is_word(name, "bond0"))))
		return no_hardware(t, first, !is_word(name, "lo"));
	if (!p)
		return no_device(t, first);
	if (*first != '-')
		return plain(t, p);
	if (is_word(first, "-A") || is_word(first, "--pause"))
		return pause_set(t, p);
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (is_either(first, options[i].letter, options[i].name))
			return options[i].show(t, p);
	buf_str(t->errors, "netlink error: Operation not supported\n");
	return 1;
}
