#include "tui/fixing/plans.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/fixer/fixer.h"
#include "remote/ssh/clock.h"
#include "tui/fixing/write_mode.h"
#include "tui/text/files.h"
#include "tui/text/human.h"

static bool from_file(const char *name, struct fix_plan *p, struct err *err)
{
	struct buf text = { 0 };
	struct err why = { "" };
	bool done = file_read(name, &text, err);

	if (done && !fix_plan_read(p, buf_span(&text), &why))
		done = err_set(err, "%.150s: %.300s", name, why.text);
	buf_done(&text);
	return done;
}

static bool from_audit(const char *id, struct fix_plan *p, struct err *err)
{
	bool is_there = audit_path() && access(audit_path(), F_OK) == 0, done = false;
	struct audit *a = is_there ? audit_of_user(false, err) : NULL;
	char *text = a ? audit_plan(a, id) : NULL;

	if (text)
		done = fix_plan_read(p, span_of(text), err);
	else if (a || !is_there)
		err_set(err, "%.80s: no such file, and no such plan in the audit (fabcon audit show)", id);
	audit_close(a);
	free(text);
	return done;
}

bool plan_is_on_record(const struct fix_plan *p)
{
	char here[FIX_HASH_SIZE], there[FIX_HASH_SIZE] = "";
	struct fix_plan known;

	fix_plan_init(&known);
	fix_plan_hash(p, here);
	if (from_audit(p->id, &known, NULL))
		fix_plan_hash(&known, there);
	fix_plan_done(&known);
	return !strcmp(here, there);
}

bool plan_named(const char *name, struct fix_plan *p, struct err *err)
{
	if (strchr(name, '/') || access(name, F_OK) == 0)
		return from_file(name, p, err);
	return from_audit(name, p, err);
}

/* -- those that have not ended -- */

/* Of a state that is one of the fixer's and leaves nothing to be settled: it has ended, or nothing was done yet. */
static bool is_settled(const char *word)
{
	for (unsigned s = 0; s < FIX_STATES; s++)
		if (strcmp(fix_state_word((enum fix_state)s), word) == 0)
			return s == FIX_PLANNED || (fix_state_is_final((enum fix_state)s) && s != FIX_UNKNOWN && s != FIX_MIXED);
	return false;
}

/* The ends that a step was reported to have come to since the last thing was sent to it. */
enum { CAME_TO_PLANNED = 1 << 0, CAME_TO_BEFORE = 1 << 1 };

struct last_state {
	char device[64], word[32];
	int64_t at_us;
	int64_t rolls_back_us;	/* its timer, as reported when it was armed; 0: not known, or it was reported gone */
	bool is_committed;	/* and nothing was said since that it is not */
	unsigned came_to;
};

struct last_states {
	struct last_state *list;	/* by step */
	size_t n, cap;
};

static bool is_word(const struct last_state *s, enum fix_state state)
{
	return !strcmp(s->word, fix_state_word(state));
}

static bool is_back(const struct last_state *s)
{
	return is_word(s, FIX_UNDONE) || is_word(s, FIX_BEFORE);
}

/* "armed: rollback in 598 s by systemd"; of a step that is committed or rolled back, none runs any more. */
static void note_timer(struct last_state *last, const struct audit_entry *e)
{
	struct span rest = span_of(e->text ? e->text : "");
	uint64_t s;

	if (!strcmp(e->kind, "arm") || last->is_committed || is_back(last) || is_word(last, FIX_NOTHING_TO_DO))
		last->rolls_back_us = 0;
	else if (span_skip(&rest, "armed: rollback in ") && span_take_u64(&rest, &s) && s < 1000000)
		last->rolls_back_us = e->at_us + (int64_t)s * SECOND;
}

#define COMMITTING "committing"	/* its keep was sent, and no answer is on record */

/* What an entry says of its step's state; empty: nothing. */
static struct span state_word(const struct audit_entry *e)
{
	struct span text = span_of(e->text ? e->text : "");

	if (!strcmp(e->kind, "arm"))
		return span_of(AUDIT_ARMING);
	if (!strcmp(e->kind, "disarm") && span_is(text, "keep"))
		return span_of(COMMITTING);
	return strcmp(e->kind, "state") ? span_of("") : (struct span){ text.p, strcspn(text.p, ":") };
}

/* What may arm its timer, or change it. */
static bool is_sent(const struct audit_entry *e)
{
	return !strcmp(e->kind, "arm") || !strcmp(e->kind, "inverse") ||
	       (!strcmp(e->kind, "disarm") && e->text && (!strcmp(e->text, "keep") || !strcmp(e->text, "undo")));
}

static void note_end(struct last_state *last)
{
	bool is_kept = is_word(last, FIX_KEPT) || is_word(last, FIX_SAVED);

	if (is_kept || is_word(last, FIX_NOTHING_TO_DO))
		last->came_to |= CAME_TO_PLANNED;
	if (is_back(last))
		last->came_to |= CAME_TO_BEFORE;
	last->is_committed = is_kept || (last->is_committed && !is_back(last) && !is_word(last, FIX_MIXED) &&
					 !is_word(last, FIX_UNKNOWN));
}

static struct last_state *last_of(struct last_states *s, long step)
{
	for (; s->n <= (size_t)step; s->n++)
		(void)GROW(s->list, s->n, s->cap);
	return &s->list[step];
}

static bool take_state(void *ctx, const struct audit_entry *e)
{
	struct span word = state_word(e);
	struct last_state *last;

	if ((!word.n && !is_sent(e)) || e->step < 0 || e->step > 4096)
		return true;
	last = last_of(ctx, e->step);
	if (is_sent(e)) {
		last->came_to = 0;
		last->is_committed = false;
	}
	if (!word.n)
		return true;
	snprintf(last->device, sizeof(last->device), "%s", e->device ? e->device : "?");
	snprintf(last->word, sizeof(last->word), "%.*s", (int)word.n, word.p);
	last->at_us = e->at_us;
	if (!is_sent(e))
		note_end(last);
	note_timer(last, e);
	return true;
}

/* A step that was begun, whose end nobody has seen. */
struct open_step {
	const char *id;
	const struct fix_plan *plan;	/* without steps: its text is not kept, or cannot be read */
	const struct last_state *last;
	const struct last_states *all;	/* of that plan */
	size_t step;		/* its index in that plan */
	bool is_first;		/* of its plan */
};

typedef bool (*each_open)(void *ctx, const struct open_step *s);

static bool was_read(const struct last_state *s)
{
	return is_word(s, FIX_MIXED) || is_word(s, FIX_HALF) || is_back(s) || is_word(s, FIX_NOTHING_TO_DO) ||
	       is_word(s, FIX_KEPT) || is_word(s, FIX_SAVED);
}

/*
 * All devices of the unit were committed, or all rolled back, each as it reported after the last thing that was sent to it: no timer
 * and no lock of the plan is there. Each was read since, and one is in a state that the plan does not know: somebody has changed it,
 * and the plan can neither finish nor undo that.
 */
static bool was_changed_since(const struct last_states *all, const struct fix_unit *unit)
{
	unsigned came_to = CAME_TO_PLANNED | CAME_TO_BEFORE;
	bool is_any_mixed = false;

	for (size_t i = unit->first; i < unit->first + unit->n; i++) {
		if (i >= all->n || !was_read(&all->list[i]))
			return false;
		came_to &= all->list[i].came_to;
		is_any_mixed |= is_word(&all->list[i], FIX_MIXED);
	}
	return came_to && is_any_mixed;
}

static const struct fix_unit *unit_of(const struct fix_plan *p, size_t step)
{
	for (size_t u = 0; u < p->n_units; u++)
		if (step >= p->units[u].first && step < p->units[u].first + p->units[u].n)
			return &p->units[u];
	return NULL;
}

static bool is_open(const struct last_states *all, size_t step, const struct fix_plan *p)
{
	const struct last_state *s = &all->list[step];
	const struct fix_unit *unit = unit_of(p, step);

	return s->at_us && !is_settled(s->word) && !(unit && was_changed_since(all, unit));
}

void plan_of_audit(struct audit *a, const char *id, struct fix_plan *p)
{
	char *text = audit_plan(a, id);

	fix_plan_init(p);
	if (text && !fix_plan_read(p, span_of(text), NULL)) {
		fix_plan_done(p);
		fix_plan_init(p);
	}
	free(text);
}

static bool each_of_plan(struct audit *a, const char *id, each_open each, void *ctx)
{
	struct last_states s = { 0 };
	struct fix_plan p;
	struct open_step open = { .id = id, .all = &s, .plan = &p, .is_first = true };
	bool go_on = true;

	plan_of_audit(a, id, &p);
	audit_each(a, 0, id, take_state, &s, NULL);
	for (size_t i = 0; go_on && i < s.n; i++) {
		open.last = &s.list[i];
		open.step = i;
		if (!is_open(&s, i, &p))
			continue;
		go_on = each(ctx, &open);
		open.is_first = false;
	}
	free(s.list);
	fix_plan_done(&p);
	return go_on;
}

/* False, with the reason: whether there are any is not known. */
static bool each_not_ended(each_open each, void *ctx, struct err *err)
{
	struct span rest, line;
	struct buf ids = { 0 };
	struct audit *a;
	bool go_on = true;

	if (!audit_path() || access(audit_path(), F_OK) != 0)
		return true;
	a = audit_of_user(false, err);
	if (!a)
		return false;
	audit_open_plans(a, is_settled, &ids);
	rest = buf_span(&ids);
	while (go_on && span_line(&rest, &line)) {
		char *id = xstrndup(line.p, line.n);

		go_on = each_of_plan(a, id, each, ctx);
		free(id);
	}
	audit_close(a);
	buf_done(&ids);
	return true;
}

/* The word of an audit's state, as people read it. */
static const char *word_says(const char *word)
{
	if (strcmp(word, AUDIT_ARMING) == 0)
		return "may be armed: not answered";
	if (strcmp(word, COMMITTING) == 0)
		return "may be committed: not answered";
	for (unsigned s = 0; s < FIX_STATES; s++)
		if (strcmp(fix_state_word((enum fix_state)s), word) == 0)
			return fix_state_says((enum fix_state)s);
	return word;
}

static bool say_open(void *ctx, const struct open_step *s)
{
	struct buf *out = ctx;
	char ago[HUMAN_MAX];

	if (s->is_first)
		buf_printf(out, "%s%s was started and not finished (fabcon verify %s): ", out->n ? "\n" : "", s->id, s->id);
	else
		buf_str(out, ", ");
	buf_printf(out, "%s %s %s ago", s->last->device, word_says(s->last->word), human_age(ago, clock_us() - s->last->at_us));
	return true;
}

struct listing {
	struct open_plan *list;
	size_t n, most;
};

static void add_text(char *out, size_t size, const char *text)
{
	size_t n = strlen(out);

	snprintf(out + n, size - n, "%s%s", n ? ", " : "", text);
}

static void earlier(int64_t *first_us, int64_t at_us)
{
	if (at_us && (!*first_us || at_us < *first_us))
		*first_us = at_us;
}

/* "half" says of it that the other end of its link is in another state. */
static bool is_committed_end(const struct last_state *s)
{
	return s->is_committed && !is_word(s, FIX_UNDOING);
}

static void add_device(struct open_plan *p, const struct last_state *s)
{
	char state[128];

	add_text(p->devices, sizeof(p->devices), s->device);
	snprintf(state, sizeof(state), "%s %s", s->device, word_says(is_committed_end(s) ? fix_state_word(FIX_KEPT) : s->word));
	add_text(p->state, sizeof(p->state), state);
}

/* An end of its link that is committed; one that was read as half is listed by itself. True when there is one. */
static bool add_committed(struct open_plan *p, const struct fix_unit *unit, const struct open_step *s)
{
	const struct last_state *all = s->all->list;
	bool is_named = false, is_there = false;

	for (size_t i = unit->first; i < s->step; i++)
		is_named |= is_open(s->all, i, s->plan);
	for (size_t i = unit->first; i < unit->first + unit->n && i < s->all->n; i++) {
		if (!is_committed_end(&all[i]))
			continue;
		is_there = true;
		if (is_named)
			continue;
		if (!is_open(s->all, i, s->plan))
			add_device(p, &all[i]);
		add_text(p->committed, sizeof(p->committed), all[i].device);
	}
	return is_there;
}

static struct open_plan *listed_plan(struct listing *l, const struct open_step *s)
{
	struct open_plan *p = &l->list[s->is_first ? l->n++ : l->n - 1];

	if (!s->is_first)
		return p;
	*p = (struct open_plan){ .id = "" };
	snprintf(p->id, sizeof(p->id), "%s", s->id);
	return p;
}

static bool list_open(void *ctx, const struct open_step *s)
{
	struct listing *l = ctx;
	const struct fix_unit *unit = unit_of(s->plan, s->step);
	struct open_plan *p;

	if (s->is_first && l->n == l->most)
		return false;
	p = listed_plan(l, s);
	if (unit && add_committed(p, unit, s) && s->last->rolls_back_us) {
		add_text(p->half, sizeof(p->half), s->last->device);
		earlier(&p->half_us, s->last->rolls_back_us);
	}
	add_device(p, s->last);
	earlier(&p->rolls_back_us, s->last->rolls_back_us);
	return true;
}

size_t plans_open_list(struct open_plan *list, size_t most)
{
	struct listing l = { .list = list, .most = most };

	each_not_ended(list_open, &l, NULL);
	return l.n;
}

void plans_not_ended(struct buf *out)
{
	struct buf said = { 0 };
	struct err err;

	if (!each_not_ended(say_open, &said, &err))
		buf_printf(out, "whether a plan is unfinished is not known: %s\n", err.text);
	else if (said.n)
		buf_printf(out, "%s\n", said.text);
	buf_done(&said);
}

static bool add_id(void *ctx, const struct open_step *s)
{
	if (s->is_first)
		buf_printf(ctx, "%s\n", s->id);
	return true;
}

void plans_open(struct buf *ids)
{
	each_not_ended(add_id, ids, NULL);
}

struct letting {
	const struct fix_plan *plan;
	struct err *err;
	bool is_refused;
};

static bool has_device(const struct fix_plan *p, const char *device)
{
	for (size_t i = 0; i < p->n_steps; i++)
		if (strcmp(p->steps[i].device, device) == 0)
			return true;
	return false;
}

/* The unit is blocked as a whole: a device of the plan is the other end of a link whose one end is open. Its name, or NULL. */
static const char *blocked_device(const struct fix_plan *p, const struct fix_plan *open, size_t step)
{
	const struct fix_unit *unit = unit_of(open, step);

	for (size_t i = 0; unit && i < unit->n; i++)
		if (has_device(p, open->steps[unit->first + i].device))
			return open->steps[unit->first + i].device;
	return NULL;
}

static bool let_one(void *ctx, const struct open_step *s)
{
	struct letting *l = ctx;
	const char *device;

	if (strcmp(s->id, l->plan->id) == 0)
		return true;	/* goes on with what it began */
	/* its text not readable: its own device is blocked all the same */
	device = has_device(l->plan, s->last->device) ? s->last->device : blocked_device(l->plan, s->plan, s->step);
	l->is_refused = device != NULL;
	if (l->is_refused)
		err_set(l->err, "%s has not ended (%s %s%s%s): verify it first (fabcon verify %s)", s->id, s->last->device, s->last->word,
			device != s->last->device ? ", the other end of a link of " : "",
			device != s->last->device ? device : "", s->id);
	return !l->is_refused;
}

bool plans_let(const struct fix_plan *p, struct err *err)
{
	struct letting l = { .plan = p, .err = err };

	return each_not_ended(let_one, &l, err) && !l.is_refused;
}

void plan_timers(const char *id, int64_t *rolls_back_us, size_t n_steps)
{
	struct audit *a = audit_path() && access(audit_path(), F_OK) == 0 ? audit_of_user(false, NULL) : NULL;
	struct last_states s = { 0 };

	if (a)
		audit_each(a, 0, id, take_state, &s, NULL);
	for (size_t i = 0; i < n_steps; i++)
		rolls_back_us[i] = i < s.n && !is_settled(s.list[i].word) ? s.list[i].rolls_back_us : 0;
	free(s.list);
	audit_close(a);
}

static bool take_last(void *ctx, const struct audit_entry *e)
{
	if (e->step >= 0)
		*(int64_t *)ctx = e->id;
	return true;
}

int64_t plan_last_entry(const char *id)
{
	struct audit *a = audit_path() && access(audit_path(), F_OK) == 0 ? audit_of_user(false, NULL) : NULL;
	int64_t last = 0;

	if (a)
		audit_each(a, 0, id, take_last, &last, NULL);
	audit_close(a);
	return last;
}

static uint64_t stamp_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return 0;
	return ((uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec) ^ ((uint64_t)st.st_size << 40);
}

/* sqlite writes to the log beside the file first. */
bool plans_have_moved(uint64_t *stamp)
{
	char *path = audit_path() ? xstrdup(audit_path()) : NULL, *log = path ? xasprintf("%s-wal", path) : NULL;
	uint64_t was = *stamp;

	*stamp = path ? stamp_of(path) * 31 + stamp_of(log) : 0;
	free(path);
	free(log);
	return *stamp != was;
}

/* -- those made here -- */

#define MADE_MAX 500	/* the latest */

static char *made_path(void)
{
	return data_path("plans-made");
}

static bool is_listed(struct span list, const char *hash)
{
	struct span line;

	while (span_line(&list, &line))
		if (span_is(line, hash))
			return true;
	return false;
}

/* The latest of them, a whole hash a line, and this one. A plan that cannot be noted is approved by its hash. */
void plans_note_made(const struct fix_plan *p)
{
	char *path = made_path(), hash[FIX_HASH_SIZE];
	struct buf text = { 0 };
	size_t most = (size_t)MADE_MAX * FIX_HASH_SIZE;
	struct span latest;

	fix_plan_hash(p, hash);
	if (path && access(path, F_OK) == 0 && !file_read(path, &text, NULL))
		buf_clear(&text);
	latest = buf_span(&text);
	if (latest.n > most)
		latest = (struct span){ latest.p + latest.n - most, most };
	if (path && !is_listed(latest, hash)) {
		struct buf all = { 0 };

		buf_printf(&all, "%.*s%s\n", (int)latest.n, latest.n ? latest.p : "", hash);
		make_folders(path);
		file_replace(path, buf_span(&all), NULL);
		buf_done(&all);
	}
	buf_done(&text);
	free(path);
}

bool plans_made_here(const struct fix_plan *p)
{
	char *path = made_path(), hash[FIX_HASH_SIZE];
	struct buf text = { 0 };
	bool is_made = path && access(path, F_OK) == 0 && file_read(path, &text, NULL);

	fix_plan_hash(p, hash);
	is_made = is_made && is_listed(buf_span(&text), hash);
	buf_done(&text);
	free(path);
	return is_made;
}

bool plans_known(const struct fix_plan *p)
{
	struct buf mine = { 0 };
	struct err err;
	struct audit *a = audit_path() && access(audit_path(), F_OK) == 0 ? audit_of_user(false, &err) : NULL;
	char *text = a ? audit_plan(a, p->id) : NULL;
	bool is_known;

	fix_plan_write(p, &mine);
	is_known = text && mine.text && !strcmp(text, mine.text);
	buf_done(&mine);
	audit_close(a);
	free(text);
	return is_known;
}
