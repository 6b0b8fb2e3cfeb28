/* Interfaces: /sys/class/net, "ip -d link" (JSON and text), /proc/net/bonding. */
#include "remote/linux/linux.h"

#include "remote/platform/tool_output.h"

/* "/sys/class/net/IF/WHAT:VALUE": false for any other line. */
static bool net_line(struct span line, struct span *name, struct span *what, struct span *value)
{
	struct span path;

	return span_skip(&line, "/sys/class/net/") && span_cut(line, ':', &path, value) && span_cut(path, '/', name, what);
}

static void add_up(struct obs *o, uint16_t port, struct span state)
{
	if (says_lately(o, port, FIELD_UP, 0))	/* by its carrier */
		return;
	if (span_is_nocase(state, "up"))
		obs_bool(o, port, FIELD_UP, 0, true);
	else if (span_is_nocase(state, "down") || span_is_nocase(state, "lowerlayerdown") ||
		 span_is_nocase(state, "notpresent") || span_is_nocase(state, "dormant"))
		obs_bool(o, port, FIELD_UP, 0, false);
	else
		obs_unknown(o, port, FIELD_UP, 0, "the driver does not tell");
}

static void add_mbps(struct obs *o, uint16_t port, struct span value)
{
	uint64_t mbps;

	/* -1, and 4294967295 in old kernels: the driver does not know */
	if (span_u64(value, &mbps) && mbps > 0 && mbps < UINT32_MAX)
		obs_number(o, port, FIELD_SPEED, 0, mbps * 1000000);
	else
		obs_unknown(o, port, FIELD_SPEED, 0, "the driver does not tell");
}

/* Hardware address of six bytes, in lower case; others (InfiniBand, none, all zero) are not said. */
static void add_mac(struct obs *o, uint16_t port, struct span value)
{
	char mac[17];

	if (value.n != sizeof(mac) || says_lately(o, port, FIELD_MAC, 0))
		return;
	for (size_t i = 0; i < sizeof(mac); i++) {
		char c = value.p[i] >= 'A' && value.p[i] <= 'F' ? (char)(value.p[i] | 0x20) : value.p[i];

		if (i % 3 == 2 ? c != ':' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return;
		mac[i] = c;
	}
	if (memcmp(mac, "00:00:00:00:00:00", sizeof(mac)) != 0)
		obs_text(o, port, FIELD_MAC, (struct span){ mac, sizeof(mac) });
}

static void add_number(struct obs *o, uint16_t port, enum field f, struct span value)
{
	uint64_t n;

	if (span_u64(value, &n))
		obs_number(o, port, f, 0, n);
	else
		o->missed++;
}

/* The members of a bond, each told whose it is. */
static void add_members(struct obs *o, struct span bond, struct span list)
{
	struct span member;

	while (span_word(&list, &member)) {
		uint16_t port = obs_port(o, member);

		if (port != OBS_DEVICE)
			obs_text(o, port, FIELD_BOND, bond);
	}
}

static bool net_value(struct obs *o, struct span name, struct span what, struct span value)
{
	uint16_t port = obs_port(o, name);

	if (port == OBS_DEVICE)
		return false;
	if (span_is(what, "carrier"))
		obs_bool(o, port, FIELD_UP, 0, span_is(value, "1"));
	else if (span_is(what, "operstate"))
		add_up(o, port, value);
	else if (span_is(what, "carrier_changes"))
		obs_counter(o, port, FIELD_LINK_CHANGES, 0, value, 32);
	else if (span_is(what, "statistics/rx_bytes"))
		obs_counter(o, port, FIELD_RX_TOTAL, 0, value, 0);
	else if (span_is(what, "statistics/tx_bytes"))
		obs_counter(o, port, FIELD_TX_TOTAL, 0, value, 0);
	else if (span_is(what, "role"))
		obs_word(o, port, FIELD_ROLE, 0, value);
	else if (span_is(what, "mtu"))
		add_number(o, port, FIELD_MTU, value);
	else if (span_is(what, "address") || span_is(what, "bonding_slave/perm_hwaddr"))
		add_mac(o, port, value);
	else if (span_is(what, "speed"))
		add_mbps(o, port, value);
	else if (span_is(what, "ifalias"))
		obs_text(o, port, FIELD_ALIAS, value);
	else if (span_is(what, "device/sriov_numvfs"))
		add_number(o, port, FIELD_VF, value);
	else if (span_is(what, "bonding/slaves"))
		add_members(o, name, value);
	else
		return false;
	return true;
}

/*
 * Lines "/sys/class/net/IF/WHAT:VALUE". A carrier line stands only where the driver has one; operstate adds
 * nothing then. A bond member's permanent address comes before the one it borrows from the bond.
 */
size_t linux_net(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, name, what, value;

	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (!net_line(line, &name, &what, &value) || !net_value(o, name, what, value))
			obs_missed(o, line);
	}
	o->cite = CITE_NONE;
	return o->n;
}

static void ip_role(struct obs *o, uint16_t port, const json_t *link)
{
	const json_t *info = json_object_get(link, "linkinfo");
	const json_t *slave = json_object_get(info, "info_slave_data");

	if (span_is(json_span(json_object_get(info, "info_kind")), "bond"))
		obs_number(o, port, FIELD_ROLE, 0, ROLE_BOND);
	if (!span_is(json_span(json_object_get(info, "info_slave_kind")), "bond"))
		return;
	obs_number(o, port, FIELD_ROLE, 0, ROLE_MEMBER);
	obs_text(o, port, FIELD_BOND, json_span(json_object_get(link, "master")));
	add_mac(o, port, json_span(json_object_get(slave, "perm_hwaddr")));
}

static void ip_link_json(struct obs *o, const json_t *link)
{
	const json_t *mtu = json_object_get(link, "mtu"), *vfs = json_object_get(link, "vfinfo_list");
	uint16_t port = obs_port(o, json_span(json_object_get(link, "ifname")));

	if (port == OBS_DEVICE)
		return;
	if (json_is_integer(mtu) && json_integer_value(mtu) > 0)
		obs_number(o, port, FIELD_MTU, 0, (uint64_t)json_integer_value(mtu));
	if (json_array_size(vfs) > 0)
		obs_number(o, port, FIELD_VF, 0, json_array_size(vfs));
	ip_role(o, port, link);
	add_mac(o, port, json_span(json_object_get(link, "permaddr")));
	add_mac(o, port, json_span(json_object_get(link, "address")));
}

/* The word after key in a line of "key value key value …". */
static bool word_after(struct span line, const char *key, struct span *value)
{
	struct span word;

	while (span_word(&line, &word))
		if (span_is(word, key))
			return span_word(&line, value);
	return false;
}

/* "4: eth0@if7: <BROADCAST,…> mtu 1500 … master bond0 state UP": the port, or OBS_DEVICE. */
static uint16_t ip_head_line(struct obs *o, struct span line)
{
	struct span number, rest, name, word;
	uint64_t index, mtu;
	uint16_t port;

	if (!span_cut(line, ':', &number, &rest) || !span_u64(number, &index) || !span_word(&rest, &name) || name.n < 2)
		return OBS_DEVICE;
	name.n--;			/* its colon */
	span_cut(name, '@', &name, &word);
	port = obs_port(o, name);
	if (port == OBS_DEVICE)
		return port;
	if (word_after(rest, "mtu", &word) && span_u64(word, &mtu))
		obs_number(o, port, FIELD_MTU, 0, mtu);
	if (word_after(rest, "state", &word))
		add_up(o, port, word);
	if (span_word(&rest, &word) && span_find(word, "SLAVE") && word_after(rest, "master", &word)) {
		obs_number(o, port, FIELD_ROLE, 0, ROLE_MEMBER);
		obs_text(o, port, FIELD_BOND, word);
	}
	return port;
}

struct ip_text {
	uint16_t port;		/* of the indented lines */
	unsigned vfs;		/* seen of it */
	struct span mac;	/* held back: a permanent address may follow */
};

static void ip_end_port(struct obs *o, struct ip_text *t)
{
	if (t->port != OBS_DEVICE) {
		add_mac(o, t->port, t->mac);
		if (t->vfs > 0)
			obs_number(o, t->port, FIELD_VF, 0, t->vfs);
	}
	*t = (struct ip_text){ .port = OBS_DEVICE };
}

static void ip_indented_line(struct obs *o, struct ip_text *t, struct span line)
{
	struct span rest = line, first, word;

	if (!span_word(&rest, &first))
		return;
	if (span_is(first, "vf"))
		t->vfs++;
	else if (span_is(first, "link/ether"))
		span_word(&rest, &t->mac);
	else if (span_is(first, "bond"))
		obs_number(o, t->port, FIELD_ROLE, 0, ROLE_BOND);
	if (word_after(line, "permaddr", &word) || (span_is(first, "bond_slave") && word_after(line, "perm_hwaddr", &word)))
		add_mac(o, t->port, word);
}

static void ip_link_text(struct obs *o, struct span rest)
{
	struct ip_text t = { .port = OBS_DEVICE };
	struct span line;

	while (span_line(&rest, &line)) {
		if (line.n > 0 && *line.p >= '0' && *line.p <= '9') {
			ip_end_port(o, &t);
			obs_cite(o, line);
			t.port = ip_head_line(o, line);
		} else if (t.port != OBS_DEVICE) {
			obs_cite(o, line);
			ip_indented_line(o, &t, line);
		}
	}
	ip_end_port(o, &t);
}

/* "ip -j -d link", or its text as a person may have saved it. */
size_t linux_ip_link(const struct answer *a, struct obs *o)
{
	struct span rest = span_trim(a->text);
	json_t *links;
	size_t i;
	json_t *link;

	if (rest.n > 0 && *rest.p != '[') {
		ip_link_text(o, rest);
		return o->n;
	}
	links = next_json(&rest);
	json_array_foreach(links, i, link)
		ip_link_json(o, link);
	json_decref(links);
	return o->n;
}

static bool bond_member_value(struct obs *o, uint16_t port, struct span key, struct span value)
{
	uint64_t mbps;

	if (span_is(key, "MII Status"))
		obs_bool(o, port, FIELD_UP, 0, span_is(value, "up"));
	else if (span_is(key, "Permanent HW addr"))
		add_mac(o, port, value);
	else if (span_is(key, "Speed") && span_take_u64(&value, &mbps) && span_is(value, " Mbps") && mbps < UINT32_MAX)
		obs_number(o, port, FIELD_SPEED, 0, mbps * 1000000);
	else
		return false;
	return true;
}

/* /proc/net/bonding/BOND; it does not name the bond itself: answer.port does. */
size_t linux_bonding(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t bond = answer_port(a, o), port = bond;

	while (span_line(&rest, &line)) {
		if (!key_value(line, &key, &value))
			continue;
		obs_cite(o, line);
		if (span_is(key, "Bonding Mode") && bond != OBS_DEVICE) {
			obs_number(o, bond, FIELD_ROLE, 0, ROLE_BOND);
		} else if (span_is(key, "Slave Interface")) {
			port = obs_port(o, value);
			if (port == OBS_DEVICE)
				continue;
			obs_number(o, port, FIELD_ROLE, 0, ROLE_MEMBER);
			if (a->port)
				obs_text(o, port, FIELD_BOND, span_of(a->port));
		} else if (port != OBS_DEVICE) {
			bond_member_value(o, port, key, value);
		}
	}
	return o->n;
}
