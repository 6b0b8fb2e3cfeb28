/*
 * Plans that somebody forged, and honest ones. Fabrics of every platform are read over SSH, twice each; plans are drawn from a
 * seed, made by the planner from the first read, written, read back and proved against the second: none may be refused. Then
 * files of such plans are mutated, their hash is made to fit, and what the fixer would send of the ones that are not refused is
 * held against what the planner makes of their edits: no other line may be among it.
 *
 * HONEST_PLANS, FORGED_PLANS: how many (make forged: 500, 10 000); FORGED_SEED.
 */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>
#include <openssl/evp.h>

#include "core/fix/want.h"
#include "remote/fixer/planner.h"
#include "remote/fixer/proof.h"
#include "remote/poll/reach.h"
#include "remote/platforms.h"
#include "remote/ssh/clock.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"

#define PATIENCE_US	INT64_C(120000000)
#define AT_US		INT64_C(1795000000000000)
#define CANARY		"canary"
#define POOL		64	/* honest plans that are mutated */

static uint64_t seed = 15;

static size_t draw(size_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return n ? seed % n : 0;
}

/* -- a fabric, read -- */

struct fabric_read {
	struct inventory inv;
	struct model *models[2];
	struct links links;
	size_t n_devices;
	struct model *target;
	uv_loop_t loop;
};

static void on_observed(void *ctx, struct obs *o)
{
	model_apply(((struct fabric_read *)ctx)->target, o);
}

static void on_tick(uv_timer_t *timer)
{
	(void)timer;
}

static bool is_read(const struct fabric_read *f, struct poller *p)
{
	for (size_t i = 0; i < f->inv.n_hosts; i++)
		if (!poller_rounds(p, f->inv.hosts[i].name, CADENCE_CONFIG) || !poller_rounds(p, f->inv.hosts[i].name, CADENCE_ONCE))
			return false;
	return poller_count(p).first_round == f->inv.n_hosts;
}

static struct model *read_once(struct fabric_read *f, const struct lab *lab)
{
	char known_hosts[128], identity[128];
	struct poller_options options = { .hostkey = HOSTKEY_STRICT, .known_hosts = known_hosts, .identity = identity, .seed = 7 };
	uint64_t end_ns = uv_hrtime() + (uint64_t)PATIENCE_US * 1000;
	struct poller *p;
	uv_timer_t tick;

	snprintf(known_hosts, sizeof(known_hosts), "%s/known_hosts", lab->dir);
	snprintf(identity, sizeof(identity), "%s/client_key", lab->dir);
	f->target = model_new();
	uv_loop_init(&f->loop);
	uv_timer_init(&f->loop, &tick);
	uv_timer_start(&tick, on_tick, 20, 20);
	p = poller_new(&f->loop, &f->inv, &options, &(struct poller_hooks){ .ctx = f, .observed = on_observed });
	poller_start(p);
	while (uv_hrtime() < end_ns && !is_read(f, p))
		uv_run(&f->loop, UV_RUN_ONCE);
	if (!is_read(f, p))
		fail_msg("the lab was not read in time");
	poller_stop(p);
	poller_free(p);
	uv_close((uv_handle_t *)&tick, NULL);
	uv_run(&f->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&f->loop), 0);
	model_set_now(f->target, clock_us());
	return f->target;
}

static void fabric_done(struct fabric_read *f)
{
	links_done(&f->links);
	for (size_t i = 0; i < 2; i++)
		model_free(f->models[i]);
	inventory_done(&f->inv);
}

/* -- plans -- */

struct drawn {
	struct edits edits;
	struct fix_plan plan;
	struct fabric_read *fabric;
	char *text;			/* its file */
};

/* Another value of the field that a device may take; false: none is drawn. */
static bool draw_value(enum field f, const struct value *was, struct value *want)
{
	*want = (struct value){ .is = VALUE_KNOWN };
	switch (field_table[f].kind) {
	case KIND_BOOL:
		want->n = !was->n;
		return true;
	case KIND_ENUM:
		want->n = 1 + draw(3);
		return true;
	case KIND_INT:
		want->n = f == FIELD_MTU ? 1500 + draw(7700) : f == FIELD_ETS_SHARE ? 5 + draw(50) : draw(2) ? draw(8) : draw(64);
		return true;
	default:
		return false;
	}
}

static const struct cell *cell_at(const struct device *d, const struct port *p, enum field f, unsigned i)
{
	return p ? port_cell(p, f, i) : device_cell(d, f, i);
}

/* Of a field with words, a number without one is no value. */
static bool is_written(const struct edit *e)
{
	struct arena arena = { 0 };
	struct buf text = { 0 };
	struct edit back;
	bool ok;

	edit_print(e, &text);
	ok = edit_parse(buf_span(&text), &arena, &back, NULL);
	buf_done(&text);
	arena_done(&arena);
	return ok;
}

static void draw_edit(struct drawn *dr, const struct device *d, const struct port *p)
{
	const char *platform = device_text(d, FIELD_PLATFORM);
	enum field f = (enum field)draw(FIELD_COUNT);
	unsigned index = (unsigned)draw(field_table[f].width);
	const struct cell *c = cell_at(d, p, f, index);
	struct edit e = { .device = d->name, .port = p ? p->name : NULL, .field = f, .index = index, .why = "drawn" };

	if (!platform || !c || c->value.is != VALUE_KNOWN || (field_table[f].scope == SCOPE_PORT) != (p != NULL) ||
	    !dialect_can_set(platform, f, p != NULL) || !draw_value(f, &c->value, &e.want))
		return;
	e.was = c->value;
	if (is_written(&e))
		edits_add(&dr->edits, &e);
}

/* Some settings of a few devices, or of both ends of a link. */
static void draw_edits(struct drawn *dr, const struct model *m)
{
	size_t places = 1 + draw(4);

	while (places--) {
		const struct device *d = model_device(m, draw(model_devices(m)));
		const struct port *p = d->n_ports && draw(8) ? d->ports[draw(d->n_ports)] : NULL, *far = NULL;
		const struct link *l = p ? links_of_port(&dr->fabric->links, p) : NULL;

		far = l && draw(2) ? link_far(l, p) : NULL;
		for (unsigned i = 0; i < 200; i++) {
			draw_edit(dr, d, p);
			if (far)
				draw_edit(dr, far->device, far);
			if (dr->edits.n > 1 + draw(12))
				break;
		}
	}
}

static struct fix_scene scene_of(const struct fabric_read *f, const struct policy *policy)
{
	return (struct fix_scene){ f->models[0], &f->links, policy, &f->inv, dialect_can_set };
}

static void drawn_done(struct drawn *dr)
{
	edits_done(&dr->edits);
	fix_plan_done(&dr->plan);
	free(dr->text);
}

/* A plan as the planner makes it, as its file; false: of those edits it makes none. */
static bool make_honest(struct drawn *dr, struct fabric_read *f, const struct policy *policy)
{
	const struct fix_scene scene = scene_of(f, policy);
	struct buf text = { 0 };
	struct err err;

	*dr = (struct drawn){ .fabric = f };
	fix_plan_init(&dr->plan);
	draw_edits(dr, f->models[0]);
	if (!dr->edits.n || !planner_make(&scene, &dr->edits, "drawn", NULL, AT_US + (int64_t)draw(100000), &dr->plan, &err) ||
	    !dr->plan.n_units) {
		drawn_done(dr);
		return false;
	}
	fix_plan_write(&dr->plan, &text);
	dr->text = text.text;
	return true;
}

static bool is_first_of_device(const struct fix_plan *p, size_t step)
{
	for (size_t i = 0; i < step; i++)
		if (!strcmp(p->steps[i].device, p->steps[step].device))
			return false;
	return true;
}

/* -- honest plans -- */

struct sums {
	size_t plans, steps, later, refused;
	size_t by_platform[8];
	const char *platforms[8];
};

static void count_platform(struct sums *s, const char *platform)
{
	size_t i = 0;

	while (i < 7 && s->platforms[i] && strcmp(s->platforms[i], platform) != 0)
		i++;
	s->platforms[i] = platform_find(platform)->id;
	s->by_platform[i]++;
}

/* A device's later steps begin where its earlier ones end: the trials that apply for real see those. */
static void prove_honest(const struct drawn *dr, const struct policy *policy, struct sums *sums)
{
	const struct proof_scene scene = { dr->fabric->models[1], policy, &dr->fabric->inv };
	struct fix_plan back;
	struct err err = { "" };
	bool ok;

	fix_plan_init(&back);
	ok = fix_plan_read(&back, span_of(dr->text), &err) && proof_of_order(&scene, &back, &err);
	for (size_t i = 0; ok && i < back.n_steps; i++) {
		if (!is_first_of_device(&back, i)) {
			sums->later++;
			continue;
		}
		ok = proof_of_step(&scene, &back, i, &err);
		sums->steps++;
		count_platform(sums, back.steps[i].platform);
	}
	sums->plans++;
	sums->refused += !ok;
	if (!ok)
		print_message("refused: %s\n%s\n", err.text, dr->text);
	fix_plan_done(&back);
}

/* -- mutations -- */

/* Every node of a document, with where it hangs. */
struct node {
	json_t *parent, *value;
	const char *key;	/* of an object; NULL: */
	size_t index;		/* of a list */
};

struct nodes {
	struct node *list;
	size_t n, cap;
};

static void add_nodes(struct nodes *ns, json_t *parent)
{
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach(parent, key, value) {
		*GROW(ns->list, ns->n, ns->cap) = (struct node){ parent, value, key, 0 };
		ns->n++;
		add_nodes(ns, value);
	}
	json_array_foreach(parent, i, value) {
		*GROW(ns->list, ns->n, ns->cap) = (struct node){ parent, value, NULL, i };
		ns->n++;
		add_nodes(ns, value);
	}
}

static void put(const struct node *n, json_t *value)
{
	if (n->key)
		json_object_set_new(n->parent, n->key, value);
	else
		json_array_set_new(n->parent, n->index, value);
}

static void replace_text(const struct node *n, const char *text)
{
	json_t *value = json_string_nocheck(text);

	put(n, json_string(text) ? value : json_string("?"));
}

static void append_text(const struct node *n, const char *more)
{
	char *text = xasprintf("%s%s", json_string_value(n->value), more);

	put(n, json_string(text));
	free(text);
}

/* One byte is another, gone, or there twice. */
static void garble_text(const struct node *n)
{
	char *text = xasprintf("%s ", json_string_value(n->value));
	size_t len = strlen(text) - 1, at = draw(len + 1);

	if (draw(3) == 0)
		text[at] = (char)(0x21 + draw(94));
	else if (draw(2))
		memmove(text + at, text + at + 1, len - at + 1);
	text[len] = text[len] == ' ' ? '\0' : text[len];
	put(n, json_string(text) ? json_string(text) : json_string("x"));
	free(text);
}

static const char *const injections[] = {
	"; touch /root/" CANARY, " && touch " CANARY, "`touch " CANARY "`", "$(touch " CANARY ")", "\ntouch " CANARY, " | tee " CANARY,
	" # " CANARY, "\nFABCON_END\ntouch " CANARY, "' ; touch " CANARY " ; '",
};

static const char *const file_names[] = {
	"undo", "lock", "path", "decided", "fires", "sleeper", "runner.1", "line", "log", "undone", "tidied", "unarmed", "started", "lane",
	"patch.json", "undo.json", "base.json", "x.json", "../x.json", "undo.new",
};

static const char *const names[] = {
	"device", "platform", "lines", "undo", "save", "save_note", "files", "disturbs", "ports", "base", "after", "edits", "id", "wave",
	"verify_us", "name", "text", "fact", "policy", "fabric",
};

static json_t *node_of_key(const struct nodes *ns, const char *key)
{
	size_t from = draw(ns->n);

	for (size_t i = 0; i < ns->n; i++) {
		const struct node *n = &ns->list[(from + i) % ns->n];

		if (n->key && !strcmp(n->key, key))
			return n->value;
	}
	return NULL;
}

static void mutate_node(const struct node *n, const struct nodes *own, const struct nodes *other)
{
	const struct node *from = &other->list[draw(other->n)], *mine = &own->list[draw(own->n)];
	const char *text = json_string_value(n->value);

	if (text) {
		switch (draw(7)) {
		case 0: append_text(n, injections[draw(sizeof(injections) / sizeof(*injections))]); return;
		case 1: garble_text(n); return;
		case 2: replace_text(n, file_names[draw(sizeof(file_names) / sizeof(*file_names))]); return;
		case 3: put(n, json_string("touch /root/" CANARY)); return;
		case 4:
			if (json_is_string(mine->value)) {
				put(n, json_deep_copy(mine->value));
				return;
			}
			break;
		case 5:
			if (json_is_string(from->value)) {
				put(n, json_deep_copy(from->value));
				return;
			}
			break;
		default: break;
		}
	}
	if (json_is_integer(n->value)) {
		put(n, json_integer(json_integer_value(n->value) + (json_int_t)draw(5) - 2));
		return;
	}
	if (json_is_array(n->value) && draw(2)) {
		size_t size = json_array_size(n->value), i = draw(size), k = draw(size);

		switch (size ? draw(4) : 3) {
		case 0: json_array_remove(n->value, i); return;
		case 1: json_array_insert_new(n->value, k, json_deep_copy(json_array_get(n->value, i))); return;
		case 2: {
			json_t *a = json_deep_copy(json_array_get(n->value, i));

			json_array_set_new(n->value, i, json_deep_copy(json_array_get(n->value, k)));
			json_array_set_new(n->value, k, a);
			return;
		}
		default: json_array_append_new(n->value, json_string("touch /root/" CANARY)); return;
		}
	}
	switch (draw(3)) {
	case 0:
		if (n->key)
			json_object_del(n->parent, n->key);
		else
			json_array_remove(n->parent, n->index);
		return;
	case 1: {
		json_t *same = n->key ? node_of_key(other, n->key) : NULL;	/* the same member of another plan */

		put(n, json_deep_copy(same ? same : from->value));
		return;
	}
	default: put(n, json_deep_copy(from->value));
	}
}

/* One to three nodes; half of the time of the members that are sent. */
static void mutate(json_t *plan, const json_t *other)
{
	size_t times = 1 + draw(3);

	while (times--) {
		struct nodes own = { 0 }, theirs = { 0 };
		const char *key = names[draw(sizeof(names) / sizeof(*names))];
		const struct node *n;

		add_nodes(&own, plan);
		add_nodes(&theirs, (json_t *)other);
		n = own.n ? &own.list[draw(own.n)] : NULL;
		for (size_t i = 0, from = draw(own.n); draw(2) && i < own.n; i++)
			if (own.list[(from + i) % own.n].key && !strcmp(own.list[(from + i) % own.n].key, key))
				n = &own.list[(from + i) % own.n];
		if (n && theirs.n)
			mutate_node(n, &own, &theirs);
		free(own.list);
		free(theirs.list);
	}
}

/* The hash fits: of the canonical text, which is the document as it is written, without the hash. */
static char *with_hash(json_t *plan)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	char hash[FIX_HASH_SIZE], *text;
	unsigned n = 0;

	json_object_del(plan, "hash");
	text = json_dumps(plan, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER);
	EVP_Digest(text, strlen(text), digest, &n, EVP_sha256(), NULL);
	free(text);
	for (unsigned i = 0; i < 32; i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
	json_object_set_new(plan, "hash", json_string(hash));
	return json_dumps(plan, JSON_INDENT(1));
}

/* -- what would be sent -- */

struct outcome {
	size_t when_read, by_hash, by_order, by_proof, same, other;	/* other: a line that is none of the planner's */
};

static bool same_list(const struct fix_lines *a, const struct fix_lines *b, const char *waits)
{
	size_t i = waits && a->n && !strcmp(a->list[0], waits), k = waits && b->n && !strcmp(b->list[0], waits);

	for (; i < a->n && k < b->n; i++, k++)
		if (strcmp(a->list[i], b->list[k]) != 0)
			return false;
	return i == a->n && k == b->n;
}

static bool same_step(const struct fix_step *a, const struct fix_step *b)
{
	const char *waits = dialect_find(a->platform)->waits;
	bool ok = !strcmp(a->device, b->device) && same_list(&a->lines, &b->lines, waits) && same_list(&a->undo, &b->undo, waits) &&
		  (!a->save.n || same_list(&a->save, &b->save, NULL)) && a->n_files == b->n_files;

	for (size_t i = 0; ok && i < a->n_files; i++)
		ok = !strcmp(a->files[i].name, b->files[i].name) && !strcmp(a->files[i].text, b->files[i].text);
	return ok;
}

/* What the planner makes of this step's edits alone, in a plan of the same name: an opinion that does not come from the proof. */
static bool planner_agrees(const struct fabric_read *f, const struct policy *policy, const struct fix_plan *p, size_t step)
{
	struct fix_scene scene = scene_of(f, policy);
	struct edits edits = { 0 };
	struct fix_plan honest;
	struct err err;
	char from[64], to[64];
	bool ok;

	scene.model = f->models[1];
	fix_plan_init(&honest);
	for (size_t i = 0; i < p->steps[step].n_edits; i++)
		edits_add(&edits, &p->steps[step].edits[i]);
	ok = planner_make(&scene, &edits, "again", NULL, AT_US, &honest, &err) && honest.n_steps == 1;
	if (ok) {
		struct fix_step *s = &honest.steps[0];

		fix_step_dir(&honest, 0, from);
		fix_step_dir(p, step, to);
		if (s->n_files) {	/* the names of its directory and its checkpoint are in its lines */
			char *line = xasprintf("config apply-patch %s/patch.json", to);

			s->lines.list[0] = arena_text(&honest.arena, line, strlen(line));
			free(line);
			fix_step_name(p, step, from);
			line = xasprintf("{ config apply-patch %s/base.json || config apply-patch %s/undo.json || config rollback %s; } && "
					 "{ config delete-checkpoint %s || :; }", to, to, from, from);
			s->undo.list[0] = arena_text(&honest.arena, line, strlen(line));
			free(line);
		}
		ok = same_step(&p->steps[step], s);
	}
	fix_plan_done(&honest);
	edits_done(&edits);
	return ok;
}

static bool list_has_canary(const struct fix_lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (strstr(l->list[i], CANARY))
			return true;
	return false;
}

static bool has_canary(const struct fix_step *s)
{
	for (size_t i = 0; i < s->n_files; i++)
		if (strstr(s->files[i].text, CANARY) || strstr(s->files[i].name, CANARY))
			return true;
	return list_has_canary(&s->lines) || list_has_canary(&s->undo) || list_has_canary(&s->save);
}

/* As the fixer's preflight does: the first batch is read, compared and proved; what passes would be sent. */
static void judge(const struct fabric_read *f, const struct policy *policy, const char *text, struct outcome *o)
{
	const struct proof_scene scene = { f->models[1], policy, &f->inv };
	struct fix_plan p;
	struct err err = { "" };
	bool ok = true;

	fix_plan_init(&p);
	if (!fix_plan_read(&p, span_of(text), &err)) {
		o->when_read++;
		o->by_hash += strstr(err.text, "hash") != NULL;
		return;
	}
	if (!proof_of_order(&scene, &p, &err)) {
		o->by_order++;
		fix_plan_done(&p);
		return;
	}
	for (size_t i = 0; ok && i < p.n_steps; i++) {
		ok = !is_first_of_device(&p, i) || proof_of_step(&scene, &p, i, &err);
		o->by_proof += !ok;
		if (!ok || !is_first_of_device(&p, i) || (planner_agrees(f, policy, &p, i) && !has_canary(&p.steps[i])))
			continue;
		o->other++;
		ok = false;
		print_message("a line would be sent that is none of the planner's: step %zu of\n%s\n", i + 1, text);
	}
	o->same += ok;
	fix_plan_done(&p);
}

/* -- the trial -- */

static const struct {
	const char *os, *skin;
	const char *bond;
} fabrics[] = {
	{ "os10", NULL, NULL }, { "sonic", NULL, NULL }, { "mixed", NULL, "--bond" },
	{ "os10", "no-mlnx-qos", NULL }, { "sonic", "breed-bnxt", NULL }, { "mixed", "breed-inbox", NULL },
};
#define N_FABRICS (sizeof(fabrics) / sizeof(*fabrics))

static void read_fabric_of(struct fabric_read *f, size_t which)
{
	char seed_text[16];
	struct lab lab;
	struct err err;
	size_t n;
	char *text;

	*f = (struct fabric_read){ 0 };
	snprintf(seed_text, sizeof(seed_text), "%zu", which + 1);
	if (!LAB(&lab, "--nodes", "3", "--rails", "2", "--leaves", "2", "--pace", "off", "--switch-os", fabrics[which].os, "--seed", seed_text,
		 fabrics[which].bond ? "--bond" : fabrics[which].skin ? "--skin" : NULL, fabrics[which].bond ? NULL : fabrics[which].skin))
		fail_msg("no lab");
	text = file_text(lab.inventory, &n);
	inventory_init(&f->inv);
	if (!inventory_read(&f->inv, (struct span){ text, n }, lab.inventory, &err))
		fail_msg("%s", err.text);
	free(text);
	f->models[0] = read_once(f, &lab);
	f->models[1] = read_once(f, &lab);	/* each is held against its own time: of the first, much would be old by now */
	links_update(&f->links, f->models[0], &f->inv);
	lab_stop(&lab);
}

static size_t wanted(const char *name, size_t otherwise)
{
	return getenv(name) ? strtoul(getenv(name), NULL, 10) : otherwise;
}

static void one_fabric(size_t which, size_t honest, size_t forged, const struct policy *policy, struct sums *sums, struct outcome *o)
{
	struct fabric_read f;
	struct drawn pool[POOL];
	json_t *documents[POOL];
	size_t n = 0, made = 0;

	read_fabric_of(&f, which);
	for (size_t tries = 0; made < honest && tries < 400 * honest; tries++) {
		struct drawn dr;

		if (!make_honest(&dr, &f, policy))
			continue;
		prove_honest(&dr, policy, sums);
		made++;
		if (n < POOL)
			pool[n++] = dr;
		else
			drawn_done(&dr);
	}
	if (made < honest)
		fail_msg("fabric %zu: %zu plans were drawn, not %zu", which, made, honest);
	for (size_t i = 0; i < n; i++)
		documents[i] = json_loads(pool[i].text, 0, NULL);
	for (size_t i = 0; i < forged; i++) {
		json_t *plan = json_deep_copy(documents[draw(n)]);
		char *text;

		mutate(plan, documents[draw(n)]);
		text = with_hash(plan);
		judge(&f, policy, text, o);
		free(text);
		json_decref(plan);
	}
	for (size_t i = 0; i < n; i++) {
		json_decref(documents[i]);
		drawn_done(&pool[i]);
	}
	fabric_done(&f);
}

static void no_forged_line_reaches_a_shell_and_no_honest_plan_is_refused(void **state)
{
	size_t honest = wanted("HONEST_PLANS", 36), forged = wanted("FORGED_PLANS", 600);
	struct policy *policy = policy_builtin("roce-lossless");
	struct outcome o = { 0 };
	struct sums sums = { 0 };

	(void)state;
	seed = wanted("FORGED_SEED", 15);
	for (size_t i = 0; i < N_FABRICS; i++)
		one_fabric(i, honest * (i + 1) / N_FABRICS - honest * i / N_FABRICS, forged * (i + 1) / N_FABRICS - forged * i / N_FABRICS,
			   policy, &sums, &o);
	print_message("%zu honest plans: %zu refused (%zu steps proved, %zu later ones of the same devices not;", sums.plans, sums.refused,
		      sums.steps, sums.later);
	for (size_t i = 0; sums.platforms[i]; i++)
		print_message(" %s %zu", sums.platforms[i], sums.by_platform[i]);
	print_message(")\n%zu mutated plans: %zu refused when read (%zu of them by their hash), %zu by their order, %zu by the proof; "
		      "%zu send what the planner sends; %zu lines reached a shell\n", forged, o.when_read, o.by_hash, o.by_order, o.by_proof,
		      o.same, o.other);
	policy_free(policy);
	assert_int_equal(sums.refused, 0);
	assert_int_equal(o.other, 0);
	assert_true(o.by_proof > forged / 20 && o.by_order > 0 && o.when_read > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_forged_line_reaches_a_shell_and_no_honest_plan_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
