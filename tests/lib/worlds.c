#include "tests/lib/worlds.h"

#include <stdio.h>

const char *known_name(enum known k)
{
	static const char *const names[KNOWN_COUNT] = { "well", "full", "partial", "all unknown", "empty", "1024 links" };

	return names[k];
}

struct view_of world_view(const struct world *w)
{
	static uint64_t serial;

	return (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				 .inventory = &w->inventory, .fabric = "gpu-a", .lanes = model_lanes(w->model), .serial = ++serial };
}

static void break_some(struct world *w)
{
	world_set(w, "node1 eth2 trust = pcp");
	world_set(w, "node1 lldpad = yes");
	world_set(w, "node1 eth2 phy.err = unknown \"not root\"");
	world_set(w, "node1 eth3 phy.err = unknown \"not root\"");
	world_set(w, "leaf1 ethernet1/1/1 mtu = 1500");
	world_set(w, "leaf2 state = retrying");
	world_set(w, "leaf2 error = \"connect: refused; is sshd running?\"");
}

static void reach_hosts_only(struct world *w)
{
	for (size_t i = 0; i < w->n_facts; i++)
		w->facts[i].is_gone = !strncmp(w->facts[i].what, "leaf", 4);
	world_set(w, "leaf1 state = retrying");
	world_set(w, "leaf1 error = \"timeout: no answer in 10 s\"");
}

/* Only who is connected to whom is told. */
static void refuse_all(struct world *w)
{
	for (size_t i = 0; i < w->n_facts; i++) {
		struct world_fact *f = &w->facts[i];

		f->is_gone = f->is_counter;
		if (!strstr(f->what, "peer") && !strstr(f->what, "mac"))
			snprintf(f->value, sizeof(f->value), "unknown \"not root\"");
	}
}

/* Devices are named, and none has answered. */
static void name_only(struct world *w)
{
	struct err err;

	w->n_facts = 0;
	if (!inventory_read(&w->inventory, SPAN("all: {hosts: {node1: {}, leaf1: {}}}\n"), "names.yml", &err))
		fail_msg("%s", err.text);
}

/* The large one: each node and port as those of the small fabric */

static bool is_faulty(const char *what, unsigned node, unsigned rail, const char **value)
{
	static const struct {
		const char *what, *value;
		unsigned node, rail;
	} faults[] = {
		{ "node1 eth2 trust", "pcp", 7, 3 },
		{ "leaf1 ethernet1/1/1 mtu", "1500", 20, 5 },
		{ "node1 eth2 pfc.on[3]", "no", 90, 0 },
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (faults[i].node == node && faults[i].rail == rail && !strcmp(faults[i].what, what)) {
			*value = faults[i].value;
			return true;
		}
	return false;
}

/* The facts that begin with a place of the small fabric, said of another place. */
static void say_as(const struct world *w, const char *of, const char *place, unsigned node, unsigned rail, unsigned second,
		   struct buf *out)
{
	size_t n = strlen(of);

	for (size_t i = 0; i < w->n_facts; i++) {
		const struct world_fact *f = &w->facts[i];
		const char *value = f->value;

		if (strncmp(f->what, of, n) || strstr(f->what, " peer.") || strstr(f->what, " mac") ||
		    strspn(f->what + n, "abcdefghijklmnopqrstuvwxyz_.0123456789[]") != strlen(f->what + n))
			continue;
		if (f->is_counter && !is_faulty(f->what, node, rail, &value))
			buf_printf(out, "%s%s = %llu\n", place, f->what + n, (unsigned long long)(f->per_s * second));
		else if (is_faulty(f->what, node, rail, &value) || *value)
			buf_printf(out, "%s%s = %s\n", place, f->what + n, value);
	}
}

static void say_node(struct world *w, unsigned node, unsigned second)
{
	struct buf text = { 0 };
	char place[64];

	snprintf(place, sizeof(place), "node%u ", node);
	if (node == 100)	/* nobody reached it */
		buf_printf(&text, "%sstate = retrying\n%serror = \"connect: refused\"\n", place, place);
	else
		say_as(w, "node1 ", place, node, 0, second, &text);
	for (unsigned rail = 0; rail < LARGE_RAILS && node != 100; rail++) {
		snprintf(place, sizeof(place), "node%u eth%u ", node, rail + 2);
		say_as(w, "node1 eth2 ", place, node, rail, second, &text);
		buf_printf(&text, "%speer.name = \"leaf%u\"\n%speer.port = \"ethernet1/1/%u\"\n", place, rail + 1, place, node);
	}
	model_say(w->model, text.text, w->now_us);
	buf_done(&text);
}

static void say_leaf(struct world *w, unsigned rail, unsigned second)
{
	struct buf text = { 0 };
	char place[64];

	snprintf(place, sizeof(place), "leaf%u ", rail + 1);
	say_as(w, "leaf1 ", place, 0, rail, second, &text);
	for (unsigned node = 1; node <= LARGE_NODES; node++) {
		snprintf(place, sizeof(place), "leaf%u ethernet1/1/%u ", rail + 1, node);
		say_as(w, "leaf1 ethernet1/1/1 ", place, node, rail, second, &text);
		buf_printf(&text, "%speer.name = \"node%u\"\n%speer.port = \"eth%u\"\n", place, node, place, rail + 2);
	}
	model_say(w->model, text.text, w->now_us);
	buf_done(&text);
}

static void grow_large(struct world *w)
{
	for (unsigned second = 1; second <= 3; second++) {
		w->now_us += SECOND;
		for (unsigned rail = 0; rail < LARGE_RAILS; rail++)
			say_leaf(w, rail, second);
		for (unsigned node = 1; node <= LARGE_NODES; node++)
			say_node(w, node, second);
		model_set_now(w->model, w->now_us);
	}
	links_update(&w->links, w->model, &w->inventory);
	findings_judge(w->findings, w->model, &w->links, w->policy, &w->inventory);
}

void world_known(struct world *w, enum known k)
{
	world_init(w);
	switch (k) {
	case KNOWN_FULL:	break_some(w); break;
	case KNOWN_PARTLY:	reach_hosts_only(w); break;
	case KNOWN_UNKNOWN:	refuse_all(w); break;
	case KNOWN_NOTHING:	name_only(w); break;
	case KNOWN_LARGE:	grow_large(w); return;
	default:		break;
	}
	world_run(w, 5);
}
