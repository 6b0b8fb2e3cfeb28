#include "tests/states/verdicts.h"

#include <stdlib.h>

#include "core/judge/judge_context.h"

const char *verdicts_class_name(enum verdict_class c)
{
	static const char *const names[] = { "ok", "n/a", "not reported", "unknown", "wrong" };

	return names[c];
}

static enum verdict_class class_of(enum verdict v, bool is_lost)
{
	if (v >= VERDICT_LOOK)
		return CLASS_BAD;
	if (v == VERDICT_UNKNOWN)
		return CLASS_UNKNOWN;
	return v == VERDICT_OK ? CLASS_OK : is_lost ? CLASS_LOST : CLASS_NA;
}

static struct applies applies_to(const struct judged_state *j, const struct port *p)
{
	const struct judge_context *c = findings_scene(j->fresh);
	const struct link *l = links_of_port(&j->s.links, p);
	const struct port *far = l ? link_far(l, p) : NULL;

	return (struct applies){ .a = l ? l->a : NULL, .b = l ? l->b : NULL, .roce = c->ports[p->id].roce,
				 .far_roce = far ? c->ports[far->id].roce : 0, .is_switch = c->parties[p->device->id].is_switch,
				 .is_far_switch = far && c->parties[far->device->id].is_switch, .is_fabric = l && l->is_fabric };
}

static enum verdict_class said(const struct judged_state *j, const struct findings *f, const struct check *check,
			       const struct device *d, const struct port *p)
{
	const struct link *l = p && check->of == OF_LINK ? links_of_port(&j->s.links, p) : NULL;
	bool is_lost = false;
	enum verdict v;

	if (check->of == OF_LINK && (!l || l->a != p))
		return CLASS_NA;
	if ((check->of == OF_DEVICE || check->of == OF_FABRIC) != !p)
		return CLASS_NA;
	v = findings_said(f, check, d, p, &is_lost);
	return class_of(v, is_lost);
}

void verdicts_of(const struct judged_state *j, struct verdicts *v)
{
	const struct findings *ledgers[] = { j->fresh, j->going };

	v->n_ports = model_ports(j->s.model);
	v->n_devices = model_devices(j->s.model);
	v->applies = xcalloc(v->n_ports + 1, sizeof(*v->applies));
	for (size_t i = 0; i < v->n_ports; i++)
		v->applies[i] = applies_to(j, model_port(j->s.model, i));
	for (size_t k = 0; k < 2; k++) {
		uint8_t *to = v->classes[k] = xcalloc((v->n_ports + v->n_devices + 1) * check_count, 1);

		for (size_t i = 0; i < v->n_ports * check_count; i++)
			*to++ = (uint8_t)said(j, ledgers[k], &check_table[i % check_count], model_port(j->s.model, i / check_count)->device,
					     model_port(j->s.model, i / check_count));
		for (size_t i = 0; i < v->n_devices * check_count; i++)
			*to++ = (uint8_t)(check_table[i % check_count].of == OF_DEVICE ?
					 said(j, ledgers[k], &check_table[i % check_count], model_device(j->s.model, i / check_count), NULL) :
					 CLASS_NA);
		for (size_t i = 0; i < check_count; i++)
			*to++ = (uint8_t)(check_table[i].of == OF_FABRIC ? said(j, ledgers[k], &check_table[i], NULL, NULL) : CLASS_NA);
	}
}

void verdicts_done(struct verdicts *v)
{
	free(v->classes[0]);
	free(v->classes[1]);
	free(v->applies);
}

bool verdicts_are_of_the_same(const struct verdicts *before, const struct verdicts *after, size_t port)
{
	return memcmp(&before->applies[port], &after->applies[port], sizeof(*before->applies)) == 0;
}
