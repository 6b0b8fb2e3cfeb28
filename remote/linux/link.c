/* Interfaces: /sys/class/net, "ip -d link" (JSON and text), /proc/net/bonding. */
#include "remote/linux/linux.h"

#include "remote/platform/tool_output.h"

/* "/sys/class/net/IF/WHAT:VALUE": false for any other line. */
static bool net_line(struct span line, struct span *name, struct span *what, struct span *value)
{
	struct span path;

	if (!span_skip(&line, "/sys/class/net/") || !span_cut(line, ':', &path, value) || !span_cut(path, '/', name, what))
		return false;
	*value = span_trim(*value);
	return true;
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
		obs_unknown(o, port, FIELD_UP, 0, "the driver does not report it");
}

static void add_carrier(struct obs *o, uint16_t port, struct span value)
{
	if (span_is(value, "1") || span_is(value, "0"))
		obs_bool(o, port, FIELD_UP, 0, *value.p == '1');
	else
		obs_unknown(o, port, FIELD_UP, 0, "a carrier that is neither 0 nor 1");
}

static void add_mbps(struct obs *o, uint16_t port, struct span value)
{
	uint64_t mbps;

	/* -1, and 4294967295 in old kernels: the driver does not know */
	if (span_u64(value, &mbps) && mbps > 0 && mbps < UINT32_MAX)
		obs_number(o, port, FIELD_SPEED, 0, mbps * 1000000);
	else
		obs_unknown(o, port, FIELD_SPEED, 0, "the driver does not report it");
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

/* The permanent address of a bond's member, whose other one is borrowed from the bond: where it cannot be read none is known. */
static void add_own_mac(struct obs *o, uint16_t port, struct span value)
{
	add_mac(o, port, value);
	if (!says_lately(o, port, FIELD_MAC, 0))
		obs_unknown(o, port, FIELD_MAC, 0, "its permanent address could not be parsed, and the other one is its bond's");
}

static bool is_told_member(const struct obs *o, uint16_t port)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].port == port && o->facts[i].field == FIELD_ROLE)
			return o->facts[i].value.n == ROLE_MEMBER;
	return false;
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
		add_carrier(o, port, value);
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
	else if (span_is(what, "address") && is_told_member(o, port) && !says_lately(o, port, FIELD_MAC, 0))
		obs_unknown(o, port, FIELD_MAC, 0, "its permanent address is not reported, and the other one is its bond's");
	else if (span_is(what, "address"))
		add_mac(o, port, value);
	else if (span_is(what, "bonding_slave/perm_hwaddr"))
		add_own_mac(o, port, value);
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

static bool has_flag(const json_t *link, const char *name)
{
	const json_t *flag;
	size_t i;

	json_array_foreach(json_object_get(link, "flags"), i, flag)
		if (span_is(json_span(flag), name))
			return true;
	return false;
}

/* A member's address is borrowed from its bond; who has a master of a kind that is not known may be one. */
static bool has_own_address(const json_t *link)
{
	static const char *const kinds[] = { "bridge", "vrf", "openvswitch" };
	const json_t *info = json_object_get(link, "linkinfo");
	struct span kind = json_span(json_object_get(info, "info_slave_kind"));

	if (has_flag(link, "SLAVE"))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (span_is(kind, kinds[i]))
			return true;
	return !json_object_get(link, "master") && !json_object_get(info, "info_slave_kind") && !json_object_get(info, "info_slave_data");
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
	if (json_string_length(json_object_get(link, "master")) > 0)
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
	if (has_own_address(link))
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

#define VFS_MAX 256

struct ip_text {
	uint16_t port;		/* of the indented lines */
	bool is_member;		/* of a bond, whose address it has */
	bool vf[VFS_MAX];	/* seen of it */
	unsigned vfs;		/* one more than the highest */
	bool vf_unread;		/* a line of one that was not understood */
	struct span mac, own;	/* held back: another line of the kind says that the lines are of two */
};

/* Virtual functions are numbered from 0: where one lacks, the list was not read whole. */
static void ip_say_vfs(struct obs *o, const struct ip_text *t, bool is_cut)
{
	bool is_whole = !t->vf_unread && !is_cut;

	for (unsigned i = 0; i < t->vfs; i++)
		is_whole &= t->vf[i];
	if (t->vfs > 0 && !is_whole)
		return obs_unknown(o, t->port, FIELD_VF, 0, "its list of virtual functions is incomplete");
	if (t->vfs > 0)
		obs_number(o, t->port, FIELD_VF, 0, t->vfs);
}

/* is_cut: the text ends here, and more of the port may have stood behind it. */
static void ip_end_port(struct obs *o, struct ip_text *t, bool is_cut)
{
	if (t->port != OBS_DEVICE) {
		add_mac(o, t->port, t->own);
		if (!t->is_member && !is_cut)
			add_mac(o, t->port, t->mac);
		ip_say_vfs(o, t, is_cut);
	}
	*t = (struct ip_text){ .port = OBS_DEVICE };
}

static void ip_vf_line(struct ip_text *t, struct span rest)
{
	struct span word;
	uint64_t n;

	if (!span_word(&rest, &word) || !span_u64(word, &n) || n >= VFS_MAX)
		n = VFS_MAX - 1;	/* one that is not understood is not the last of a whole list */
	t->vf[n] = true;
	if (n >= t->vfs)
		t->vfs = (unsigned)n + 1;
}

static void ip_indented_line(struct obs *o, struct ip_text *t, struct span line)
{
	struct span rest = line, first, word;

	if (!span_word(&rest, &first))
		return;
	if (span_is(first, "vf"))
		ip_vf_line(t, rest);
	else if (span_find(line, "spoof checking"))
		t->vf_unread = true;
	else if (span_is(first, "link/ether") && !t->mac.n)
		span_word(&rest, &t->mac);
	else if (span_starts(first, "link/") && t->mac.n)
		*t = (struct ip_text){ .port = OBS_DEVICE };	/* another's, whose first line is not there */
	else if (span_is(first, "bond"))
		obs_number(o, t->port, FIELD_ROLE, 0, ROLE_BOND);
	if (word_after(line, "permaddr", &word) || (span_is(first, "bond_slave") && word_after(line, "perm_hwaddr", &word)))
		t->own = word;
}

static void ip_link_text(struct obs *o, struct span rest, bool is_partial)
{
	struct ip_text t = { .port = OBS_DEVICE };
	struct span line;

	while (span_line(&rest, &line)) {
		if (line.n > 0 && *line.p != ' ' && *line.p != '\t') {	/* also one that is not understood ends what stood before */
			ip_end_port(o, &t, *line.p < '0' || *line.p > '9');
			obs_cite(o, line);
			t.port = ip_head_line(o, line);
			t.is_member = span_find(line, ",SLAVE");
		} else if (t.port != OBS_DEVICE) {
			obs_cite(o, line);
			ip_indented_line(o, &t, line);
		}
	}
	ip_end_port(o, &t, is_partial);
}

/* "ip -j -d link", or its text as a person may have saved it. */
size_t linux_ip_link(const struct answer *a, struct obs *o)
{
	struct span rest = span_trim(a->text);
	json_t *links;
	size_t i;
	json_t *link;

	if (rest.n > 0 && *rest.p != '[') {
		ip_link_text(o, rest, a->is_partial);
		return o->n;
	}
	links = next_json(&rest);
	json_array_foreach(links, i, link)
		ip_link_json(o, link);
	json_decref(links);
	return o->n;
}

/* Also "going down" and "going back", for as long as its delays are. */
static void add_mii(struct obs *o, uint16_t port, struct span value)
{
	if (span_is(value, "up") || span_is(value, "down"))
		obs_bool(o, port, FIELD_UP, 0, value.n == 2);
	else
		obs_unknown(o, port, FIELD_UP, 0, "an MII status that is neither up nor down");
}

static bool bond_member_value(struct obs *o, uint16_t port, struct span key, struct span value)
{
	uint64_t mbps;

	if (span_is(key, "MII Status"))
		add_mii(o, port, value);
	else if (span_is(key, "Permanent HW addr"))
		add_mac(o, port, value);
	else if (span_is(key, "Speed") && span_take_u64(&value, &mbps) && span_is(value, " Mbps") && mbps < UINT32_MAX)
		obs_number(o, port, FIELD_SPEED, 0, mbps * 1000000);
	else
		return false;
	return true;
}

/*
 * /proc/net/bonding/BOND; it does not name the bond itself: answer.port does. Sections end with an empty line: what stands in
 * one that does not say whose it is is nobody's.
 */
size_t linux_bonding(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t bond = answer_port(a, o), port = bond;

	while (span_line(&rest, &line)) {
		if (span_trim(line).n == 0)
			port = OBS_DEVICE;
		if (!key_value(line, &key, &value))
			continue;
		obs_cite(o, line);
		if (span_is(key, "Bonding Mode") && bond != OBS_DEVICE) {
			port = bond;
			obs_number(o, bond, FIELD_ROLE, 0, ROLE_BOND);
		} else if (span_is(key, "Slave Interface")) {
			port = obs_port(o, value);
			if (port == OBS_DEVICE)
				continue;
			obs_number(o, port, FIELD_ROLE, 0, ROLE_MEMBER);
			if (a->port)
				obs_text(o, port, FIELD_BOND, span_of(a->port));
		} else if (port != OBS_DEVICE && (port != bond || span_is(key, "MII Status"))) {
			if (span_is(key, "MII Status") && says_lately(o, port, FIELD_UP, 0))
				port = OBS_DEVICE;	/* another's, whose heading was not understood */
			else
				bond_member_value(o, port, key, value);
		}
	}
	return o->n;
}
