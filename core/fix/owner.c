#include "core/fix/owner.h"

#include <stdio.h>
#include <string.h>

#include "core/base/template.h"

/* All that the script emitted by systemd, machineconfig and daemonset sets. */
#define BY_SCRIPT \
	"trust dcbx dscp.prio prio.tc ets.algo ets.share pfc.on pause.rx pause.tx ecn.np ecn.rp cnp.dscp cnp.prio tos.cma"
/* Settings that no manifest covers. */
#define BY_NOBODY "cable prio.pg buffer.size tos.force"

/*
 * Operators whose pods are visible on a host. fields: the settings that the operator's objects publish; only the cluster
 * knows whether one of its objects selects this NIC.
 */
static const struct operator {
	const char *word;	/* in the fact "owner" */
	const char *fields;
	const char *manifest;
} operators[] = {
	{ "nic-configuration-operator", "trust pfc.on tos.cma tos.force cnp.dscp cnp.prio", "nicconfigurationtemplate" },
	{ "sriov-network-operator", "mtu vf", "sriovnetworknodepolicy" },
	{ "machine-config-operator", "modules", "machineconfig" },
	{ "fabcon-roce-daemonset", BY_SCRIPT, "daemonset" },
};

static bool is_seen(const struct device *d, const char *owner)
{
	const char *seen = device_text(d, FIELD_OWNER);

	return span_is_among(span_of(owner), seen);
}

static size_t count(const struct edit *edits, size_t n, const char *fields)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += span_is_among(span_of(field_table[edits[i].field].name), fields);
	return found;
}

const char *owner_manifest(const struct device *d)
{
	return is_seen(d, "machine-config-operator") ? "machineconfig" : is_seen(d, "fabcon-roce-daemonset") ? "daemonset" : "systemd";
}

static void say(struct buf *out, size_t from, const char *text)
{
	buf_printf(out, "%s%s", out->n > from ? "; " : "", text);
}

static void say_operators(const struct device *d, const struct edit *edits, size_t n, struct buf *out, size_t from)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		const struct operator *o = &operators[i];
		char text[400];

		if (!is_seen(d, o->word) || !count(edits, n, o->fields))
			continue;
		snprintf(text, sizeof(text), "owned by an operator, %s: change its manifest (fabcon emit %s %.64s); a direct change "
					     "lasts until the operator's next reconcile", o->word, o->manifest, d->name);
		say(out, from, text);
	}
}

/* Our own unit, and the policy it enforces. True when that is this policy. */
static bool say_unit(const struct model *m, const struct device *d, const char *policy, struct buf *out, size_t from)
{
	const char *held = device_text(d, FIELD_PERSIST_POLICY);
	char text[400];
	uint64_t is_on;

	if (!device_number(m, d, FIELD_PERSIST_UNIT, 0, &is_on) || !is_on)
		return false;
	if (held && policy && !strcmp(held, policy)) {
		say(out, from, "persistent: fabcon-roce.service sets it at boot");
		return true;
	}
	if (held && template_is_name(held))
		snprintf(text, sizeof(text), "fabcon-roce.service sets what the policy %.64s requires at each boot and reports "
					     "drift: fabcon emit %s %.64s writes it again", held, owner_manifest(d), d->name);
	else
		snprintf(text, sizeof(text), "fabcon-roce.service is enabled, but its settings are not known: fabcon emit %s %.64s "
					     "writes it again", owner_manifest(d), d->name);
	say(out, from, text);
	return false;
}

/* Settings that the emitted script does not cover. */
static bool is_nobodys(enum field f)
{
	return span_is_among(span_of(field_table[f].name), BY_NOBODY) || !strncmp(field_table[f].name, "cc.", 3);
}

/* Returns the number of such edits. */
static size_t say_nobodys(const struct edit *edits, size_t n, struct buf *out, size_t from)
{
	struct buf names = { 0 };
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = field_table[edits[i].field].name;

		found += is_nobodys(edits[i].field);
		if (is_nobodys(edits[i].field) && !span_is_among(span_of(name), names.text))
			buf_printf(&names, "%s%s", names.n ? " " : "", name);
	}
	if (names.n) {
		say(out, from, "no manifest covers ");
		buf_printf(out, "%s: a local systemd unit must run these commands at boot", names.text);
	}
	buf_done(&names);
	return found;
}

void owner_words(const struct model *m, const struct device *d, const struct edit *edits, size_t n, const char *policy,
		 const char *otherwise, struct buf *out)
{
	size_t from = out->n, told = 0, by_script = count(edits, n, BY_SCRIPT);

	say_operators(d, edits, n, out, from);
	if (by_script && say_unit(m, d, policy, out, from))
		told += by_script;
	told += say_nobodys(edits, n, out, from);
	if (!otherwise || told == n)
		return;
	say(out, from, told ? "the other settings: " : "");
	buf_str(out, otherwise);
}
