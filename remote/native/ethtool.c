/* SIOCETHTOOL, in the form of ethtool -S, -i and -a. */
#include "remote/native/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/ethtool.h>

#define STATISTICS_MOST	16384	/* counters of one port; mlx5 has some hundreds, and some for each queue */

static int fail(struct buf *out, const char *what, int error, int status)
{
	buf_printf(out, "%s: %s\n", what, strerror(error));
	return status;
}

/* How many counters it has; 0: none. */
static uint32_t count_statistics(struct native *n, const char *port, int *error)
{
	uint64_t room[sizeof(struct ethtool_sset_info) / sizeof(uint64_t) + 1] = { 0 };	/* the count stands behind it */
	struct ethtool_sset_info *request = (void *)room;

	request->cmd = ETHTOOL_GSSET_INFO;
	request->sset_mask = 1ull << ETH_SS_STATS;
	*error = machine_ethtool(n->machine, port, request);
	return *error || !request->sset_mask ? 0 : request->data[0];
}

int native_statistics(struct native *n, const char *port, struct buf *out)
{
	int error;
	uint32_t count = count_statistics(n, port, &error);
	struct ethtool_gstrings *names;
	struct ethtool_stats *values;

	if (error && error != EOPNOTSUPP)
		return fail(out, "Cannot get stats strings information", error, 96);
	if (!count || count > STATISTICS_MOST) {
		buf_str(out, "no stats available\n");
		return 94;
	}
	names = xcalloc(1, sizeof(*names) + (size_t)count * ETH_GSTRING_LEN);
	values = xcalloc(1, sizeof(*values) + (size_t)count * sizeof(uint64_t));
	*names = (struct ethtool_gstrings){ .cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_STATS, .len = count };
	*values = (struct ethtool_stats){ .cmd = ETHTOOL_GSTATS, .n_stats = count };
	error = machine_ethtool(n->machine, port, names);
	if (!error)
		error = machine_ethtool(n->machine, port, values);
	/* A set that has changed meanwhile has other names: the next reading has both of one kind. */
	if (!error && (names->len != count || values->n_stats != count))
		error = EAGAIN;
	if (!error)
		buf_str(out, "NIC statistics:\n");
	for (uint32_t i = 0; !error && i < count; i++)
		buf_printf(out, "     %.*s: %llu\n", ETH_GSTRING_LEN, (const char *)names->data + (size_t)i * ETH_GSTRING_LEN,
			   (unsigned long long)values->data[i]);
	free(names);
	free(values);
	return error ? fail(out, "Cannot get stats information", error, 97) : 0;
}

int native_driver(struct native *n, const char *port, struct buf *out)
{
	struct ethtool_drvinfo d = { .cmd = ETHTOOL_GDRVINFO };
	int error = machine_ethtool(n->machine, port, &d);

	if (error)
		return fail(out, "Cannot get driver information", error, 71);
	buf_printf(out, "driver: %.*s\nversion: %.*s\nfirmware-version: %.*s\nexpansion-rom-version: %.*s\nbus-info: %.*s\n",
		   (int)sizeof(d.driver), d.driver, (int)sizeof(d.version), d.version, (int)sizeof(d.fw_version), d.fw_version,
		   (int)sizeof(d.erom_version), d.erom_version, (int)sizeof(d.bus_info), d.bus_info);
	return 0;
}

int native_fec(struct native *n, const char *port, struct buf *out)
{
	static const struct { uint32_t bit; const char *name; } encodings[] = {
		{ ETHTOOL_FEC_NONE, "None" }, { ETHTOOL_FEC_AUTO, "Auto" }, { ETHTOOL_FEC_OFF, "Off" }, { ETHTOOL_FEC_BASER, "BaseR" },
		{ ETHTOOL_FEC_RS, "RS" }, { ETHTOOL_FEC_LLRS, "LLRS" },
	};
	struct ethtool_fecparam p = { .cmd = ETHTOOL_GFECPARAM };
	int error = machine_ethtool(n->machine, port, &p);

	if (error)
		return fail(out, "netlink error", error, 1);
	buf_printf(out, "FEC parameters for %s:\nActive FEC encoding:", port);
	for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++)
		if (p.active_fec & encodings[i].bit)
			buf_printf(out, " %s", encodings[i].name);
	buf_str(out, "\n");
	return 0;
}

int native_pause(struct native *n, const char *port, struct buf *out)
{
	struct ethtool_pauseparam p = { .cmd = ETHTOOL_GPAUSEPARAM };
	int error = machine_ethtool(n->machine, port, &p);

	if (error)
		return fail(out, "netlink error", error, 1);
	buf_printf(out, "Pause parameters for %s:\nAutonegotiate:\t%s\nRX:\t\t%s\nTX:\t\t%s\n", port, p.autoneg ? "on" : "off",
		   p.rx_pause ? "on" : "off", p.tx_pause ? "on" : "off");
	return 0;
}
