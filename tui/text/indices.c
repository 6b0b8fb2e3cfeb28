#include "tui/text/indices.h"

#include "core/fabric/link.h"
#include "tui/text/human.h"

static bool is_shown(const struct policy *policy, enum field f, unsigned index)
{
	uint64_t wanted = f == FIELD_DSCP_PRIO ? policy_indices(policy, f) : 0;

	return !wanted || wanted >> index & 1;
}

void indices_of_port(struct indices *out, const struct model *m, const struct policy *policy, const struct port *p, enum field f)
{
	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < field_table[f].width; i++)
		if (is_shown(policy, f, i))
			out->any |= out->known[i] = port_number(m, p, f, i, &out->n[i]);
}

void indices_of_policy(struct indices *out, const struct policy *policy, const struct inventory *inv, const struct port *p,
		       enum field f)
{
	struct policy_target t = { p->device->name, p->name, device_is_switch(p->device, inv), inventory_find(inv, p->device->name) };
	struct value v;

	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < field_table[f].width; i++) {
		if (!policy_wants(policy, &t, f, i, &v, NULL) || v.is != VALUE_KNOWN)
			continue;
		out->any = out->known[i] = true;
		out->n[i] = v.n;
	}
}

void indices_print(struct buf *out, const struct indices *of, enum field f)
{
	bool is_set = field_table[f].width > 1 && field_table[f].kind == KIND_BOOL;
	char text[HUMAN_MAX];
	size_t begin = out->n;

	for (unsigned i = 0; i < field_table[f].width; i++) {
		unsigned first = i;

		if (!of->known[i] || (is_set && !of->n[i]))
			continue;
		while (i + 1u < field_table[f].width && of->known[i + 1] && of->n[i + 1] == of->n[i])
			i++;
		if (out->n > begin)
			buf_str(out, is_set ? "," : " ");
		if (field_table[f].width > 1)
			buf_printf(out, i > first ? "%u-%u" : "%u", first, i);
		if (!is_set)
			buf_printf(out, "%s%s", field_table[f].width > 1 ? ":" : "", human_value(text, f, of->n[i]));
	}
	if (out->n == begin)
		buf_str(out, of->any ? "-" : "?");
}
