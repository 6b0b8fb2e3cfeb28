/* The host itself: who it is, and its settings that matter to RDMA. */
#include "remote/linux/linux.h"

#include <stdio.h>

#include "remote/platform/tool_output.h"

static const struct {
	const char *key;
	enum field field;
} texts[] = {
	{ "boot", FIELD_BOOT }, { "hostname", FIELD_HOSTNAME }, { "version", FIELD_VERSION }, { "model", FIELD_MODEL },
	{ "modules", FIELD_MODULES }, { "persist.policy", FIELD_PERSIST_POLICY }, { "owner", FIELD_OWNER },
};

/* "Ubuntu 22.04.4 LTS (Linux 5.15.0)": what was not to be had leaves nothing behind, nor its brackets. */
static struct span without_empty(struct span value)
{
	if (value.n >= 2 && value.p[value.n - 1] == ')' && value.p[value.n - 2] == '(')
		value.n -= 2;
	return span_trim(value);
}

static bool text_line(struct obs *o, struct span key, struct span value)
{
	value = without_empty(value);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (span_is(key, texts[i].key)) {
			if (value.n > 0)
				obs_text(o, OBS_DEVICE, texts[i].field, value);
			return true;
		}
	return false;
}

/* ulimit -l prints KiB or "unlimited". */
static void add_memlock(struct obs *o, struct span value)
{
	uint64_t kib;

	if (span_is(value, "unlimited"))
		obs_number(o, OBS_DEVICE, FIELD_MEMLOCK, 0, UINT64_MAX);
	else if (span_u64(value, &kib) && kib < UINT64_MAX / 1024)
		obs_number(o, OBS_DEVICE, FIELD_MEMLOCK, 0, kib * 1024);
	else
		obs_unknown(o, OBS_DEVICE, FIELD_MEMLOCK, 0, "this shell's ulimit cannot report it");
}

static void add_yes_no(struct obs *o, enum field f, struct span value)
{
	if (span_is(value, "yes") || span_is(value, "no"))
		obs_bool(o, OBS_DEVICE, f, 0, value.n == 3);
	else
		o->missed++;
}

static bool setting_line(struct obs *o, struct span key, struct span value)
{
	uint64_t n;

	if (span_is(key, "memlock"))
		add_memlock(o, value);
	else if (span_is(key, "tcp_ecn") && span_u64(value, &n))
		obs_number(o, OBS_DEVICE, FIELD_TCP_ECN, 0, n);
	else if (span_is(key, "tcp_ecn"))
		obs_unknown(o, OBS_DEVICE, FIELD_TCP_ECN, 0, "/proc/sys/net/ipv4/tcp_ecn cannot be read");
	else if (span_is(key, "driver.ready"))
		add_yes_no(o, FIELD_DRIVER_READY, value);
	else if (span_is(key, "persist.unit"))
		add_yes_no(o, FIELD_PERSIST_UNIT, value);
	else if (span_is(key, "lldpad"))
		add_yes_no(o, FIELD_LLDPAD, value);
	else
		return false;
	return true;
}

/* Lines "key=value" of the collector. */
size_t linux_settings(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;

	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (!span_cut(line, '=', &key, &value)) {
			obs_missed(o, line);
			continue;
		}
		value = span_trim(value);
		if (!text_line(o, key, value) && !setting_line(o, key, value))
			obs_missed(o, line);
	}
	o->cite = CITE_NONE;
	return o->n;
}

size_t linux_host(const struct answer *a, struct obs *o)
{
	if (linux_settings(a, o) == 0)
		return 0;
	obs_text(o, OBS_DEVICE, FIELD_PLATFORM, SPAN("linux"));
	return o->n;
}

/* Modules that say whether and how RDMA works here. */
static bool matters(struct span name)
{
	static const char *const prefixes[] = {
		"mlx5_", "mlx4_", "bnxt_", "irdma", "ice", "i40e", "ionic", "ib_", "rdma_", "iw_cm", "siw", "nvidia_peermem",
		"nv_peer_mem", "gdrdrv", "efa", "hns_roce", "8021q", "bonding",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (span_starts(name, prefixes[i]))
			return true;
	return false;
}

static bool has_word(struct span list, struct span name)
{
	struct span word;

	while (span_word(&list, &word))
		if (span_same(word, name))
			return true;
	return false;
}

/* lsmod, or /proc/modules: the names that matter, in their order. Of a list that was cut nobody knows what it lacks. */
size_t linux_lsmod(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, name;
	struct buf list = { 0 };
	char reason[REASON_MAX];

	while (span_line(&rest, &line))
		if (span_word(&line, &name) && matters(name) && !has_word(buf_span(&list), name)) {
			buf_str(&list, list.n ? " " : "");
			buf_add(&list, name.p, name.n);
		}
	if (list.n > 0 && !a->is_partial)
		obs_text(o, OBS_DEVICE, FIELD_MODULES, buf_span(&list));
	else if (list.n > 0)
		obs_unknown(o, OBS_DEVICE, FIELD_MODULES, 0, "the list of modules was truncated");
	else if (refusal(a, "lsmod", reason))
		obs_unknown(o, OBS_DEVICE, FIELD_MODULES, 0, reason);
	buf_done(&list);
	return o->n;
}

/*
 * What grep printed of the files that a boot reads: "places=" with those that there are, a path a file that names what sets QoS of
 * NICs, the words of find and grep where one could not be read, and "end". One file that names it is enough; that there is none is
 * known only where all were read.
 */
size_t linux_persist(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value, places = { 0 }, error = { 0 };
	bool has_ended = false;
	char reason[REASON_MAX];
	struct buf files = { 0 };

	while (span_line(&rest, &line)) {
		line = span_trim(line);
		has_ended |= span_is(line, "end");
		if (span_is(line, "end"))
			continue;
		if (span_cut(line, '=', &key, &value) && span_is(key, "places"))
			places = span_trim(value);
		else if (span_starts(line, "/"))
			buf_printf(&files, "%s%.*s", files.n ? " " : "", (int)line.n, line.p);
		else if (line.n)
			error = error.n ? error : line;
	}
	if (!span_trim(a->text).n)
		return o->n;
	if (error.n)
		snprintf(reason, sizeof(reason), "%.*s", (int)(error.n < 100 ? error.n : 100), error.p);
	if (files.n || (has_ended && places.n && !error.n))
		obs_bool(o, OBS_DEVICE, FIELD_PERSIST_QOS, 0, files.n > 0);
	else if (error.n || !has_ended)
		obs_unknown(o, OBS_DEVICE, FIELD_PERSIST_QOS, 0, error.n ? reason : "the search did not finish");
	else
		obs_unknown(o, OBS_DEVICE, FIELD_PERSIST_QOS, 0, "none of the searched places exists");
	if (files.n || places.n)
		obs_text(o, OBS_DEVICE, FIELD_PERSIST_WHERE, files.n ? buf_span(&files) : places);
	buf_done(&files);
	return o->n;
}
