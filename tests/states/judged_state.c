#include "tests/states/judged_state.h"

static struct findings *judge(struct judged_state *j, struct findings *f)
{
	f = f ? f : findings_new();
	findings_judge(f, j->s.model, &j->s.links, j->s.policy, &j->s.inventory);
	return f;
}

void judged_state_anew(struct judged_state *j)
{
	findings_free(j->fresh);
	j->fresh = judge(j, NULL);
	j->n_open = findings_open(j->fresh, &j->open);
}

void judged_state_go_on(struct judged_state *j)
{
	j->going = judge(j, j->going);
}

void judged_state_init(struct judged_state *j, uint64_t seed)
{
	*j = (struct judged_state){ .fresh = NULL };
	states_draw(&j->s, seed);
	judged_state_anew(j);
	judged_state_go_on(j);
}

void judged_state_done(struct judged_state *j)
{
	findings_free(j->fresh);
	findings_free(j->going);
	states_done(&j->s);
}

enum verdict judged_state_worst(const struct judged_state *j, const struct check *check)
{
	enum verdict worst = VERDICT_OK, v;
	bool is_lost;

	for (size_t i = 0; check->of == OF_DEVICE && i < model_devices(j->s.model); i++) {
		v = findings_said(j->fresh, check, model_device(j->s.model, i), NULL, &is_lost);
		worst = v > worst && v != VERDICT_NA ? v : worst;
	}
	for (size_t i = 0; check->of != OF_DEVICE && i < model_ports(j->s.model); i++) {
		const struct port *p = model_port(j->s.model, i);

		v = findings_said(j->fresh, check, p->device, p, &is_lost);
		worst = v > worst && v != VERDICT_NA ? v : worst;
	}
	return worst;
}

enum verdict judged_state_said_at(const struct judged_state *j, const char *id, const struct port *p)
{
	unsigned lossless = policy_lossless(j->s.policy, false) | policy_lossless(j->s.policy, true);
	const struct check *check = check_find(id);
	const struct link *l = links_of_port(&j->s.links, p);
	bool is_lost;

	if (check->each_priority && lossless & (lossless - 1))
		return VERDICT_NA;
	if (check->of == OF_LINK)
		p = l ? l->a : p;
	return findings_said(j->fresh, check, p->device, p, &is_lost);
}

void judged_state_diagnose(const struct judged_state *j, struct diagnosis *d, const char *symptom, const struct device *device)
{
	const struct decision_tree *tree = decision_tree_find(NULL);

	diagnosis_make(d, &(struct diagnosis_of){ .model = j->s.model, .links = &j->s.links, .findings = j->fresh,
						  .policy = j->s.policy, .inventory = &j->s.inventory, .tree = tree,
						  .device = device, .symptom = symptom ? symptom_find(tree, symptom) : NULL });
}
