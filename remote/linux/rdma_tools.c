/* Tools about RDMA devices: ibv_devinfo, rdma (iproute2), show_gids, show_counters, ibdev2netdev. */
#include "remote/linux/linux.h"

#include "remote/linux/rdma.h"
#include "remote/linux/rdma_map.h"
#include "remote/platform/tool_output.h"

static void mtu_unknown(struct rdma_map *m, struct obs *o, const char *reason)
{
	for (size_t i = 0; i < m->n; i++) {
		uint16_t port = obs_port(o, m->joints[i].netdev);

		if (port != OBS_DEVICE && !joint_is_guess(m, &m->joints[i]))
			obs_unknown(o, port, FIELD_RDMA_MTU, 0, reason);
	}
}

static void devinfo_value(struct obs *o, uint16_t port, struct span key, struct span value)
{
	uint64_t bytes;
	struct span word = value;

	if (span_is(key, "active_mtu") && span_take_u64(&value, &bytes) && (value.n == 0 || *value.p == ' ')) {	/* "4096 (5)" */
		obs_number(o, port, FIELD_RDMA_MTU, 0, bytes);
	} else if (span_is(key, "state") && span_skip(&word, "PORT_") && span_word(&word, &value)) {
		rdma_state(o, port, value);
	} else if (span_is(key, "link_layer")) {
		rdma_layer(o, port, value);
	}
}

/* What ibv_devinfo -v or show_gids lists of one port's GIDs. */
struct gids {
	bool any, fits;
	bool unread;		/* a row of it was not understood: it may be any */
	uint64_t index;
};

static void take_gid_row(struct gids *g, uint64_t index, bool is_v2, bool is_address)
{
	if (!g->fits && is_v2 && is_address) {
		g->index = index;
		g->fits = true;
	}
	g->any = true;
}

/*
 * "GID[  3]:   ::ffff:192.168.1.11, RoCE v2"; only with -v, and not in old versions. The type is not printed for what is no
 * RoCE. False: it is none.
 */
static bool gid_line(struct span line, struct gids *g)
{
	struct span gid, type = SPAN("");
	uint64_t index;

	line = span_trim(line);
	if (!span_starts(line, "GID") && !span_find(line, "RoCE v"))
		return false;
	if (!span_skip(&line, "GID[") || !span_cut(line, ']', &gid, &line) || !span_u64(span_trim(gid), &index)) {
		g->any = g->unread = true;
		return true;
	}
	span_skip(&line, ":");
	gid = line;
	span_cut(line, ',', &gid, &type);
	gid = span_trim(gid);
	type = span_trim(type);
	g->unread |= !gid_is_text(gid) || (type.n && !span_is(type, "RoCE v2") && !span_is(type, "IB/RoCE v1") && !span_is(type, "RoCE v1"));
	take_gid_row(g, index, span_is(type, "RoCE v2"), gid_is_address(gid));
	return true;
}

/* is_cut: the text ends here, and more rows may have stood behind it. */
static void end_gids(struct obs *o, uint16_t port, struct gids *g, bool is_cut)
{
	if (g->any && port != OBS_DEVICE && (g->unread || (is_cut && !g->fits))) {
		obs_unknown(o, port, FIELD_GID_V2, 0, "its GID table is incomplete");
	} else if (g->any && port != OBS_DEVICE) {
		obs_bool(o, port, FIELD_GID_V2, 0, g->fits);
		if (g->fits)
			obs_number(o, port, FIELD_GID_INDEX, 0, g->index);
	}
	*g = (struct gids){ 0 };
}

size_t linux_ibv_devinfo(const struct answer *a, struct obs *o)
{
	struct rdma_map m;
	struct span rest = a->text, line, key, value, device = { 0 };
	uint16_t port = answer_port(a, o);
	struct gids gids = { 0 };
	char reason[REASON_MAX];
	uint64_t last = 0;	/* port of the device */

	rdma_map_init(&m, a);
	while (span_line(&rest, &line)) {
		uint64_t n;

		obs_cite(o, line);
		if (gid_line(line, &gids) || span_trim(line).n == 0) {
			continue;
		} else if (*line.p != ' ' && *line.p != '\t') {	/* another device, also where that is not understood */
			device = key_value(line, &key, &value) && span_is(key, "hca_id") ? value : SPAN("");
			end_gids(o, port, &gids, device.n == 0);
			port = OBS_DEVICE;
			last = 0;
		} else if (!key_value(line, &key, &value)) {
			continue;
		} else if (span_is(key, "port") && span_u64(value, &n) && device.n > 0) {
			end_gids(o, port, &gids, false);
			port = n > last ? rdma_map_port(&m, o, device, n) : OBS_DEVICE;	/* else another's, which is not named */
			last = n;
			if (port != OBS_DEVICE)
				obs_text(o, port, FIELD_RDMA, device);
		} else if (port != OBS_DEVICE) {
			devinfo_value(o, port, key, value);
		}
	}
	end_gids(o, port, &gids, a->is_partial);
	o->cite = CITE_NONE;
	if (o->n == 0 && refusal(a, "ibv_devinfo", reason))
		mtu_unknown(&m, o, reason);
	rdma_map_done(&m);
	return o->n;
}

/* "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens6f0np0" */
static void rdma_link_line(struct obs *o, struct span line)
{
	struct span key, value, device = { 0 }, state = { 0 }, netdev = { 0 };
	uint16_t port;

	while (span_word(&line, &key) && span_word(&line, &value))
		if (span_is(key, "link"))
			device = value;
		else if (span_is(key, "state"))
			state = value;
		else if (span_is(key, "netdev"))
			netdev = value;
	span_cut(device, '/', &device, &value);
	port = netdev.n ? obs_port(o, netdev) : OBS_DEVICE;
	if (port == OBS_DEVICE || device.n == 0)
		return;
	obs_text(o, port, FIELD_RDMA, device);
	if (state.n > 0)
		rdma_state(o, port, state);
}

static void rdma_link_json(struct obs *o, const json_t *link)
{
	uint16_t port = obs_port(o, json_span(json_object_get(link, "netdev")));
	struct span device = json_span(json_object_get(link, "ifname")), state = json_span(json_object_get(link, "state"));

	if (port == OBS_DEVICE || device.n == 0)
		return;
	obs_text(o, port, FIELD_RDMA, device);
	if (state.n > 0)
		rdma_state(o, port, state);
}

size_t linux_rdma_link(const struct answer *a, struct obs *o)
{
	struct span rest = span_trim(a->text), line;
	json_t *links, *link;
	size_t i;

	if (rest.n > 0 && *rest.p == '[') {
		links = next_json(&rest);
		json_array_foreach(links, i, link)
			rdma_link_json(o, link);
		json_decref(links);
		return o->n;
	}
	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (span_starts(span_trim(line), "link "))
			rdma_link_line(o, line);
		else
			obs_missed(o, line);
	}
	return o->n;
}

/* Statistics name no interface: the RDMA device stands in for it, unless the port is given. */
static uint16_t statistic_port(struct rdma_map *m, struct obs *o, struct span device, struct span number)
{
	uint64_t n = 1;

	span_u64(number, &n);
	return rdma_map_port(m, o, device, n < 256 ? n : 1);
}

/*
 * What follows "link mlx5_0/1". Where that goes on below by pairs that are not indented, a terminal has wrapped it, inside
 * of a number for all that is known: is_wrapped, and the last pair is not told.
 */
static void statistic_pairs(struct obs *o, uint16_t port, struct span line, bool is_wrapped)
{
	struct span name, value;

	while (port != OBS_DEVICE && span_word(&line, &name) && span_word(&line, &value) && (!is_wrapped || span_trim(line).n))
		rdma_counter(o, port, name, value);
}

static uint16_t statistic_line(struct rdma_map *m, struct obs *o, struct span line, bool is_wrapped)
{
	struct span device, number = { 0 };
	uint16_t port;

	if (!span_word(&line, &device) || !span_word(&line, &device))
		return OBS_DEVICE;
	span_cut(device, '/', &device, &number);
	port = statistic_port(m, o, device, number);
	statistic_pairs(o, port, line, is_wrapped);
	return port;
}

/* A line that goes on with what the one before began, and of which the beginning may lack. */
static bool is_continued(struct span rest)
{
	struct span line;

	return span_line(&rest, &line) && span_trim(line).n && *line.p != '\t' && *line.p != ' ' && !span_starts(line, "link ");
}

static void statistic_json(struct rdma_map *m, struct obs *o, const json_t *link)
{
	const json_t *number = json_object_get(link, "port");
	struct span device = json_span(json_object_get(link, "ifname"));
	struct buf text = { 0 };
	const char *name;
	json_t *value;
	uint16_t port;

	if (device.n == 0)
		return;
	buf_printf(&text, "%lld", json_is_integer(number) ? (long long)json_integer_value(number) : 1);
	port = statistic_port(m, o, device, buf_span(&text));
	json_object_foreach((json_t *)link, name, value) {
		if (port == OBS_DEVICE || !json_is_integer(value) || json_integer_value(value) < 0)
			continue;
		buf_clear(&text);
		buf_printf(&text, "%lld", (long long)json_integer_value(value));
		rdma_counter(o, port, span_of(name), buf_span(&text));
	}
	buf_done(&text);
}

/* "rdma statistic show", a line a port; with -p a line a counter, indented below its port; or -j. */
size_t linux_rdma_statistic(const struct answer *a, struct obs *o)
{
	struct span rest = span_trim(a->text), line;
	uint16_t port = OBS_DEVICE;
	struct rdma_map m;
	json_t *links, *link;
	size_t i;

	rdma_map_init(&m, a);
	if (rest.n > 0 && *rest.p == '[') {
		links = next_json(&rest);
		json_array_foreach(links, i, link)
			statistic_json(&m, o, link);
		json_decref(links);
	}
	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (span_starts(span_trim(line), "link "))
			port = statistic_line(&m, o, line, is_continued(rest));
		else if (port != OBS_DEVICE && (*line.p == '\t' || *line.p == ' '))
			statistic_pairs(o, port, line, false);
		else
			obs_missed(o, line);
	}
	rdma_map_done(&m);
	return o->n;
}

/* "Port 1 hw counters:" and "name: value" lines; the port must be given. */
size_t linux_show_counters(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t port = answer_port(a, o);

	while (port != OBS_DEVICE && span_line(&rest, &line)) {
		obs_cite(o, line);
		if (key_value(line, &key, &value) && value.n > 0)
			rdma_counter(o, port, key, value);
		else if (!span_starts(line, "Port "))
			obs_missed(o, line);
	}
	return o->n;
}

/* A row: device, port, index, GID, its IPv4 address if it is one, version, interface; InfiniBand rows lack the last. */
struct gid_row {
	struct span device, netdev;
	uint64_t port, index;
	bool is_v2, is_address;
};

enum row_is { ROW_NONE, ROW_OTHER, ROW_READ, ROW_STRANGE };

/* A heading, dashes, "n_gids_found=4" and rows of InfiniBand are no rows of ours. */
static enum row_is gid_row(struct span line, struct gid_row *out)
{
	struct span port, index, gid, version;

	if (!span_word(&line, &out->device) || !span_word(&line, &port) || !span_word(&line, &index) || !span_word(&line, &gid) ||
	    span_is(out->device, "DEV") || span_starts(port, "-"))
		return ROW_NONE;
	if (!span_u64(port, &out->port) || !span_u64(index, &out->index) || !gid_is_text(gid) || !span_word(&line, &version))
		return ROW_STRANGE;
	out->is_address = gid_is_address(gid);
	if (*version.p != 'v' && !span_word(&line, &version))
		return ROW_STRANGE;
	out->is_v2 = span_is(version, "v2");
	if (!out->is_v2 && !span_is(version, "v1"))
		return ROW_STRANGE;
	return span_word(&line, &out->netdev) ? ROW_READ : ROW_OTHER;
}

/* Another maker's script of that name has other columns, and their numbers may mean something else. */
static bool is_of_others(struct span line)
{
	static const char *const columns[] = { "DEV", "PORT", "INDEX", "GID", "IPv4", "VER", "DEV" };
	struct span word;

	if (!span_find(line, "GID") || span_find(line, ":") || span_find(line, "="))
		return false;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (!span_word(&line, &word) || !span_is(word, columns[i]))
			return true;
	return span_trim(line).n > 0;
}

/* The table's last line counts its rows. A row that is not understood, or is not there, may be of any interface. */
static void check_table(struct span text, bool *has_end, bool *is_unread)
{
	struct gid_row row;
	struct span line;
	uint64_t rows = 0, said;

	*has_end = *is_unread = false;
	while (span_line(&text, &line)) {
		enum row_is is = gid_row(line, &row);

		line = span_trim(line);
		rows += is != ROW_NONE;
		*is_unread |= is == ROW_STRANGE;
		if (span_skip(&line, "n_gids_found=")) {
			*has_end = true;
			*is_unread |= !span_u64(line, &said) || said != rows;
		}
	}
}

/*
 * The GIDs of one port of a device. Rows may name other interfaces, VLANs above the device's own, which is that of its first GID: an
 * address on a VLAN is a GID of the device, as it is by gid_attrs/ndevs/0.
 */
struct gid_table {
	struct gid_row first;
	struct span line, best;		/* the first row, and that of the GID that fits */
	struct gids gids;
	bool has_others;		/* rows of other interfaces */
	bool is_shared;			/* rows of another device name its interface: members of a bond */
};

static void tell_table(struct obs *o, uint16_t port, struct gid_table *t, bool is_cut)
{
	if (t->is_shared) {
		obs_unknown(o, port, FIELD_GID_V2, 0, "several RDMA devices have GIDs of this interface");
	} else if (t->has_others && t->first.index > 0) {
		obs_unknown(o, port, FIELD_GID_V2, 0, "the first GID of its RDMA device is not listed: it may belong to another interface");
	} else {
		obs_cite(o, t->line);
		obs_text(o, port, FIELD_RDMA, t->first.device);
		obs_cite(o, t->best);
		end_gids(o, port, &t->gids, is_cut);
	}
}

static void end_table(struct obs *o, struct gid_table *t, bool is_cut)
{
	uint16_t port = t->line.n ? obs_port(o, t->first.netdev) : OBS_DEVICE;

	if (port != OBS_DEVICE)
		tell_table(o, port, t, is_cut);
	*t = (struct gid_table){ 0 };
}

size_t linux_show_gids(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line;
	struct gid_table t = { 0 };
	bool has_end, unread;

	check_table(a->text, &has_end, &unread);
	while (span_line(&rest, &line)) {
		struct gid_row row;
		bool is_same;

		if (is_of_others(line)) {
			obs_missed(o, line);
			break;
		}
		if (gid_row(line, &row) != ROW_READ)
			continue;
		is_same = t.line.n && span_same(row.device, t.first.device) && row.port == t.first.port;
		if (!is_same && t.line.n && span_same(row.netdev, t.first.netdev)) {
			t.is_shared = true;
			continue;
		}
		if (!is_same) {
			end_table(o, &t, !has_end);
			t = (struct gid_table){ .first = row, .line = line, .gids.unread = unread };
		}
		t.has_others |= !span_same(row.netdev, t.first.netdev);
		if (!t.gids.fits)
			t.best = line;
		take_gid_row(&t.gids, row.index, row.is_v2, row.is_address);
	}
	end_table(o, &t, !has_end);
	return o->n;
}

/* "mlx5_0 port 1 ==> ens6 (Up)"; with -v the PCI address stands before, and a free description between. */
static bool netdev_line(struct obs *o, struct span line)
{
	const char *arrow = span_find(line, " ==> ");
	struct span left, right, device, netdev, state;
	uint16_t port;

	if (!arrow)
		return false;
	left = (struct span){ line.p, (size_t)(arrow - line.p) };
	right = (struct span){ arrow + 5, line.n - left.n - 5 };
	if (!span_word(&left, &device) || (memchr(device.p, ':', device.n) && !span_word(&left, &device)))
		return false;
	if (!span_word(&right, &netdev) || (port = obs_port(o, netdev)) == OBS_DEVICE)
		return false;
	obs_text(o, port, FIELD_RDMA, device);
	state = span_trim(right);
	if (span_is(state, "(Up)") || span_is(state, "(Down)"))
		obs_bool(o, port, FIELD_UP, 0, state.n == 4);
	return true;
}

size_t linux_ibdev2netdev(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line;

	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (!netdev_line(o, line))
			obs_missed(o, line);
	}
	return o->n;
}
