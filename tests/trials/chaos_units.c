#include "tests/trials/chaos_units.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "db/audit/audit.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/mend.h"

#define UNDO_S		40			/* the devices' timers, shortened; a machine with load 30 takes half a minute to verify */
#define SETTLE_MS	((UNDO_S + 10) * 1000)	/* when every timer and every undo has ended */
#define TEXT_OF(number)	#number
#define SECONDS(number)	TEXT_OF(number) "s"
#define UNITS_MAX	4

static const struct system {
	const char *os;		/* of the switch; NULL: cables from host to host */
	const char *switch_port;	/* of the first unit, and how the others are numbered */
	unsigned port_step;
} systems[] = {
	{ NULL, NULL, 1 },
	{ "os10", "ethernet1/1/%u", 1 },
	{ "sonic", "Ethernet%u", 4 },
};
#define SYSTEMS (sizeof(systems) / sizeof(*systems))

struct end {
	char device[32], port[48];
};

struct trial {
	const struct system *system;
	struct site site;
	struct mending mending;
	struct buf *words;
	struct unit_tally *tally;
	struct end ends[UNITS_MAX][2];
	size_t n_units;
	char *before, *after;		/* setups of all devices */
	unsigned ms;			/* that a whole apply takes */
	int64_t seen;			/* the last entry of the audit that was counted */
	unsigned keeps;			/* answered since apply began */
	unsigned events;		/* journaled since the first keep was about to be sent, itself among them */
	const char *restarted;		/* a device, or NULL */
	unsigned heard;			/* its answers since it restarted */
	uint64_t random;
};

static unsigned draw(struct trial *t, unsigned below)
{
	return crew_draw(&t->random, below);
}

/* -- the fabric -- */

static void set_end(struct end *e, const char *device, unsigned of_device, const char *port, unsigned of_port)
{
	snprintf(e->device, sizeof(e->device), device, of_device);
	snprintf(e->port, sizeof(e->port), port, of_port);
}

static void name_ends(struct trial *t)
{
	const struct system *s = t->system;

	for (unsigned i = 0; i < t->n_units; i++) {
		if (s->os)
			set_end(&t->ends[i][0], "leaf1", 0, s->switch_port, s->port_step == 1 ? i + 1 : i * s->port_step);
		else
			set_end(&t->ends[i][0], "node%u", 1, "eth%u", 2 + i);
		set_end(&t->ends[i][1], "node%u", s->os ? i + 1 : 2, "eth%u", s->os ? 2 : 2 + i);
	}
}

static bool open_site(struct trial *t)
{
	char n[8];

	t->site = (struct site){ .home = "/tmp/fabcon-site.XXXXXX" };
	snprintf(n, sizeof(n), "%zu", t->n_units);
	if (!mkdtemp(t->site.home))
		return false;
	return t->system->os ? LAB(&t->site.lab, "--with-parent", "--nodes", n, "--leaves", "1", "--switch-os", t->system->os, "--traffic", "off")
			     : LAB(&t->site.lab, "--with-parent", "--nodes", "2", "--leaves", "0", "--rails", n, "--traffic", "off");
}

/* Both ends of each link are wrong alike: a link of which one end is set alone does not work. */
static bool break_ends(struct trial *t, const char *kind)
{
	bool done = true;

	for (size_t i = 0; i < t->n_units; i++)
		for (size_t k = 0; k < 2; k++) {
			char *fault = xasprintf("%s-%s@%s:%s", kind, !strcmp(t->ends[i][k].device, "leaf1") ? "switch" : "host",
						t->ends[i][k].device, t->ends[i][k].port);

			done = SITE_CTL(&t->site, "fault", "add", fault) && done;
			free(fault);
		}
	return done;
}

/* -- what the lab has -- */

/* The devices' setups, each once. */
static char *setups(const struct trial *t)
{
	struct buf all = { NULL };

	for (size_t i = 0; i < t->n_units; i++)
		for (size_t k = 0; k < 2; k++) {
			char *head = xasprintf("== %s\n", t->ends[i][k].device), *one;

			if (!all.text || !strstr(all.text, head)) {
				one = mend_setup(&t->site, t->ends[i][k].device);
				buf_str(&all, one);
				free(one);
			}
			free(head);
		}
	return all.text;
}

static struct span setup_of(const char *text, const char *device)
{
	char *head = xasprintf("== %s\n", device);
	const char *at = strstr(text, head), *from = at ? at + strlen(head) : "", *to = strstr(from, "\n== ");

	free(head);
	return (struct span){ from, to ? (size_t)(to - from) : strlen(from) };
}

/* A host: "eth2 pfc.on[3] = 1". OS10: the block that begins with "interface ethernet1/1/1". */
static void add_lines(struct span setup, const char *port, struct buf *out)
{
	char *head = xasprintf("interface %s", port);
	struct span line, word, tail;
	bool in_block = false;

	while (span_line(&setup, &line)) {
		in_block = in_block ? !span_is(line, "!") : span_is(line, head);
		tail = line;
		if (in_block || (span_word(&tail, &word) && span_is(word, port)))
			buf_printf(out, "%.*s\n", (int)line.n, line.p);
	}
	free(head);
}

/* True for "Ethernet0" and "Ethernet0|4". */
static bool is_key_of(const char *key, const char *port)
{
	return !strncmp(key, port, strlen(port)) && strchr("|", key[strlen(port)]);
}

/* SONiC: the rows of its tables. */
static void add_rows(json_t *tables, const char *port, struct buf *out)
{
	const char *table, *key;
	json_t *rows, *row;

	json_object_foreach(tables, table, rows)
		json_object_foreach(rows, key, row)
			if (is_key_of(key, port)) {
				char *text = json_dumps(row, JSON_SORT_KEYS | JSON_ENCODE_ANY);

				buf_printf(out, "%s|%s %s\n", table, key, text);
				free(text);
			}
}

/* What a device's setup has of one port. */
static char *lines_of(const char *text, const struct end *e)
{
	struct span setup = setup_of(text, e->device);
	json_t *tables = json_loadb(setup.p, setup.n, 0, NULL);
	struct buf out = { NULL };

	buf_str(&out, "");
	if (tables)
		add_rows(tables, e->port, &out);
	else
		add_lines(setup, e->port, &out);
	json_decref(tables);
	return out.text;
}

enum stands { BEFORE, AFTER, ELSEWHERE };

static enum stands stand_of(const struct trial *t, const char *now, const struct end *e)
{
	char *is = lines_of(now, e), *before = lines_of(t->before, e), *after = lines_of(t->after, e);
	enum stands s = !strcmp(is, before) ? BEFORE : !strcmp(is, after) ? AFTER : ELSEWHERE;

	free(is);
	free(before);
	free(after);
	return s;
}

/* How many links have ends in two states; where says which. */
static unsigned half_links(const struct trial *t, bool is_half[UNITS_MAX], struct buf *where)
{
	static const char *const words[] = { "before", "after", "elsewhere" };
	char *now = setups(t);
	unsigned n = 0;

	for (size_t i = 0; i < t->n_units; i++) {
		enum stands a = stand_of(t, now, &t->ends[i][0]), b = stand_of(t, now, &t->ends[i][1]);

		is_half[i] = a != b || a == ELSEWHERE;
		n += is_half[i];
		if (is_half[i])
			buf_printf(where, "  %s %s is %s, %s %s is %s\n", t->ends[i][0].device, t->ends[i][0].port, words[a],
				   t->ends[i][1].device, t->ends[i][1].port, words[b]);
	}
	free(now);
	return n;
}

/* -- the console -- */

/* Where an apply says what it says; yours to free. */
static char *told_path(const struct trial *t)
{
	return xasprintf("%s/apply.txt", t->site.home);
}

static pid_t begin_apply(struct trial *t, const char *undo_after)
{
	char *told = told_path(t);
	pid_t pid;

	unlink(told);
	pid = SITE_BEGIN(&t->site, told, "apply", t->mending.files[0], "--rw", "--reason", "test", "--approve", t->mending.plans[0].hash,
			 "--undo-after", undo_after);
	free(told);
	return pid;
}

/* What the apply said that had ended before it was to be killed. */
static void tell_early(struct trial *t, unsigned nth)
{
	char *path = told_path(t), *told;
	size_t n;

	told = file_text(path, &n);
	buf_printf(t->words, "  kill %u: the apply had ended before it:\n%s", nth, told ? told : "");
	__atomic_add_fetch(&t->tally->early, 1, __ATOMIC_RELAXED);
	free(told);
	free(path);
}

static int status_of(pid_t pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool has_died(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

static bool count_entry(void *ctx, const struct audit_entry *e)
{
	struct trial *t = ctx;
	bool is_answer = e->kind && !strcmp(e->kind, "answer"), is_keep = e->text && !strcmp(e->text, "keep");

	t->seen = e->id;
	t->keeps += is_answer && is_keep;
	t->events += t->events || is_keep;
	t->heard += is_answer && t->restarted && e->device && !strcmp(e->device, t->restarted);
	return true;
}

static void count_entries(struct trial *t, struct audit *a)
{
	audit_each(a, t->seen, t->mending.plans[0].id, count_entry, t, NULL);
}

static struct audit *open_audit(struct trial *t)
{
	char *path = xasprintf("%s/fabcon/audit.db", t->site.home);
	struct audit *a = audit_read(path, NULL);

	free(path);
	return a;
}

/* Waits until so many devices have answered a keep, or the process is over. */
static void wait_for_keeps(struct trial *t, struct audit *a, pid_t pid, unsigned wanted)
{
	while (t->keeps < wanted && !has_died(pid)) {
		count_entries(t, a);
		usleep(1000);
	}
}

/* Until nothing is under way any more on any device. */
static void settle(const struct trial *t)
{
	int64_t until = crew_now_ms() + SETTLE_MS;
	unsigned idle = 0;

	while (crew_now_ms() < until && idle < 2) {
		usleep(400000);
		idle = site_is_busy(&t->site) ? 0 : idle + 1;
	}
}

/* -- one kill -- */

/* code < 0: nobody was there to report. */
static bool lied(struct trial *t, const char *who, const struct run *r, unsigned half, const struct buf *where)
{
	bool says_half = (r->out.text && strstr(r->out.text, "half")) || (r->err.text && strstr(r->err.text, "half"));
	bool says_unsaved = r->out.text && strstr(r->out.text, "ended before it was saved");
	bool is_true = half ? r->code == 8 && says_half : r->code == (says_unsaved ? 8 : 0) && !says_half;

	if (is_true)
		return false;
	__atomic_add_fetch(&t->tally->lied, 1, __ATOMIC_RELAXED);
	buf_printf(t->words, "  %u links are half, and %s: exit %d\n%s%s%s\n", half, who, r->code, where->text ? where->text : "",
		   r->out.text ? r->out.text : "", r->err.text ? r->err.text : "");
	return true;
}

static bool look(struct trial *t, const char *when, unsigned *half, bool is_half[UNITS_MAX])
{
	struct buf where = { NULL };
	struct run r = SITE(&t->site, "verify", t->mending.plans[0].id);
	bool done;

	*half = half_links(t, is_half, &where);
	done = !lied(t, when, &r, *half, &where);
	run_done(&r);
	buf_done(&where);
	return done;
}

/* The one who comes next. */
static bool finish(struct trial *t, const bool was_half[UNITS_MAX])
{
	struct run r = SITE(&t->site, "verify", "--finish", t->mending.plans[0].id, "--rw", "--reason", "test");
	struct buf where = { NULL };
	bool is_half[UNITS_MAX], done;
	unsigned half = half_links(t, is_half, &where), rolled_back = 0, kept = 0;
	char *now = setups(t);

	for (size_t i = 0; i < t->n_units; i++) {
		bool is_after = stand_of(t, now, &t->ends[i][0]) == AFTER;

		kept += is_after;
		if (was_half[i] && !is_half[i] && is_after)
			__atomic_add_fetch(&t->tally->finished, 1, __ATOMIC_RELAXED);
		rolled_back += was_half[i] && !is_half[i] && !is_after;
	}
	__atomic_add_fetch(&t->tally->rolled_back, rolled_back, __ATOMIC_RELAXED);
	done = !half && r.code == (!rolled_back ? 0 : kept ? 8 : 7);
	free(now);
	__atomic_add_fetch(&t->tally->left_half, half, __ATOMIC_RELAXED);
	if (!done)
		buf_printf(t->words, "  verify --finish: exit %d, %u links are half\n%s%s%s\n", r.code, half, where.text ? where.text : "",
			   r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	run_done(&r);
	buf_done(&where);
	return done;
}

/* Back to where the next kill begins, by the console's own undo. */
static bool reset(struct trial *t)
{
	struct run r = SITE(&t->site, "undo", t->mending.plans[0].id, "--rw", "--reason", "test");
	char *now = setups(t);
	bool done = r.code == 0 && !strcmp(now, t->before);

	if (!done)
		buf_printf(t->words, "  undo: exit %d, %s\n%s%s\n", r.code, strcmp(now, t->before) ? "not as before" : "as before",
			   r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	free(now);
	run_done(&r);
	return done;
}

/* SIGKILL, or now and then what a person's Ctrl-C does: that one is there to report. */
static bool end_it(struct trial *t, pid_t pid, bool is_interrupt)
{
	struct buf where = { NULL };
	bool is_half[UNITS_MAX], done = true;
	unsigned half;
	int code;

	kill(pid, is_interrupt ? SIGINT : SIGKILL);
	code = status_of(pid);
	if (!is_interrupt)
		return true;
	half = half_links(t, is_half, &where);
	done = half ? code == 8 : true;
	if (!done)
		buf_printf(t->words, "  interrupted: exit %d, and\n%s", code, where.text);
	__atomic_add_fetch(&t->tally->interrupts, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&t->tally->lied, !done, __ATOMIC_RELAXED);
	buf_done(&where);
	return done;
}

/* -- with the keep script of an end -- */

#define KEEPER_YOUNG_S	5

/* A keep script that runs: its process, or 0. Its number may have gone to another process: it began a moment ago, as a shell. */
static pid_t keeper(const char *link)
{
	const char *dot = strrchr(link, '.');
	pid_t pid = dot ? (pid_t)strtol(dot + 1, NULL, 10) : 0;
	char path[64], name[32] = "";
	struct stat made;
	FILE *comm;

	if (pid <= 1 || lstat(link, &made) != 0 || time(NULL) - made.st_mtime > KEEPER_YOUNG_S)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	comm = fopen(path, "r");
	if (!comm)
		return 0;
	if (!fgets(name, sizeof(name), comm))
		name[0] = '\0';
	fclose(comm);
	return strstr(name, "sh") || strstr(name, "busybox") ? pid : 0;
}

/* Files of the plan's steps on all devices. */
static size_t step_files(const struct trial *t, const char *name, glob_t *out)
{
	char *pattern = xasprintf("%s/nodes/*/run/fabcon/%s.*/%s", t->site.lab.dir, t->mending.plans[0].id, name);
	bool has = glob(pattern, 0, NULL, out) == 0;

	free(pattern);
	return has ? out->gl_pathc : 0;
}

/* When so many ends have their decision, whatever keep script runs is killed before it has ended: its timer may go on. */
static bool kill_keepers(const struct trial *t, pid_t console, unsigned wanted)
{
	int64_t until = crew_now_ms() + 2 * t->ms;
	unsigned killed = 0;

	while (!killed && crew_now_ms() < until && !has_died(console)) {
		glob_t decided = { 0 }, keepers = { 0 };
		size_t n = step_files(t, "decided", &decided) >= wanted ? step_files(t, "keeper.*", &keepers) : 0;

		for (size_t i = 0; i < n; i++) {
			pid_t pid = keeper(keepers.gl_pathv[i]);

			killed += pid && kill(pid, SIGKILL) == 0;
		}
		globfree(&decided);
		globfree(&keepers);
		usleep(500);
	}
	return killed;
}

/* Somebody comes before the timers have ended: what he calls done is not half when they have. */
static bool says_done_early(struct trial *t)
{
	struct run r = SITE(&t->site, "verify", "--finish", t->mending.plans[0].id, "--rw", "--reason", "test");
	bool done = r.code == 0;

	buf_printf(t->words, "  verify --finish at once: exit %d\n", r.code);
	run_done(&r);
	return done;
}

/* Three of four by the keeps that were answered, the others anywhere. */
static void wait_to_kill(struct trial *t, struct audit *a, pid_t pid, unsigned nth)
{
	unsigned wanted = 1 + draw(t, (unsigned)t->mending.plans[0].n - 1), delay_ms = draw(t, 60);
	int64_t until = crew_now_ms() + draw(t, t->ms);

	if (nth % 4 < 3) {
		wait_for_keeps(t, a, pid, wanted);
		usleep(wanted % 2 ? 0 : delay_ms * 1000);	/* odd: between the keeps of one link */
	} else {
		while (crew_now_ms() < until && !has_died(pid))
			usleep(5000);
	}
}

static bool kill_one(struct trial *t, unsigned nth)
{
	bool is_interrupt = nth % 10 == 9, ends_keeper = !is_interrupt && nth % 3 == 2, is_half[UNITS_MAX], is_called_done = false, done;
	unsigned steps = (unsigned)t->mending.plans[0].n, half;
	struct audit *a = open_audit(t);
	pid_t pid;

	count_entries(t, a);
	t->keeps = 0;
	pid = begin_apply(t, SECONDS(UNDO_S));
	if (!ends_keeper)
		wait_to_kill(t, a, pid, nth);
	else if (kill_keepers(t, pid, 1 + draw(t, steps - 1)))
		__atomic_add_fetch(&t->tally->keepers, 1, __ATOMIC_RELAXED);
	if (has_died(pid))
		tell_early(t, nth);
	else if (!is_interrupt)
		__atomic_add_fetch(&t->tally->kills, 1, __ATOMIC_RELAXED);
	done = end_it(t, pid, is_interrupt);
	count_entries(t, a);
	audit_close(a);
	if (!is_interrupt && t->keeps && t->keeps < steps)
		__atomic_add_fetch(&t->tally->between, 1, __ATOMIC_RELAXED);
	buf_printf(t->words, "  %s %u: %u of %u keeps were answered\n", is_interrupt ? "interrupt" : "kill", nth, t->keeps, steps);
	if (ends_keeper)
		is_called_done = says_done_early(t);
	settle(t);
	done = look(t, "verify", &half, is_half) && done;
	__atomic_add_fetch(&t->tally->half, half, __ATOMIC_RELAXED);
	__atomic_add_fetch(&t->tally->lied, is_called_done && half, __ATOMIC_RELAXED);
	done = finish(t, is_half) && done && !(is_called_done && half);
	done = look(t, "verify, after it", &half, is_half) && done;
	return reset(t) && done;
}

/* -- one restart of a device -- */

static bool tell_entry(void *ctx, const struct audit_entry *e)
{
	buf_printf(ctx, "    %ld %s: %s: %.300s\n", e->step, e->device ? e->device : "", e->kind, e->text ? e->text : "");
	return true;
}

static void tell_audit(struct trial *t, int64_t after)
{
	struct audit *a = open_audit(t);

	audit_each(a, after, t->mending.plans[0].id, tell_entry, t->words, NULL);
	audit_close(a);
}

static void wait_for_events(struct trial *t, struct audit *a, pid_t pid, unsigned wanted)
{
	while (t->events < wanted && !has_died(pid)) {
		count_entries(t, a);
		usleep(1000);
	}
}

static void restart_one_of_them(struct trial *t)
{
	static const char *const down_ms[] = { "1", "300", "3000" };
	const struct end *e = &t->ends[draw(t, (unsigned)t->n_units)][draw(t, 2)];

	SITE_CTL(&t->site, "reboot", e->device, down_ms[draw(t, 3)]);
	t->restarted = e->device;
	t->heard = 0;
}

/* "Committed" is only said of what is: of a device that answered since it restarted, the console could know. */
static bool claims(struct trial *t, const char *who, int code)
{
	struct buf where = { NULL };
	bool is_half[UNITS_MAX], done = code != 0 || !half_links(t, is_half, &where) || (t->restarted && !t->heard);

	if (!done)
		buf_printf(t->words, "  %s: exit 0, and\n%s", who, where.text);
	__atomic_add_fetch(&t->tally->lied, !done, __ATOMIC_RELAXED);
	buf_done(&where);
	return done;
}

/*
 * A device restarts at an event of the keeps, or short after; the console goes on, or was killed, and then the next one comes: the
 * same plan again at once, while the timers of the first run are running.
 */
static bool restart_one(struct trial *t, unsigned nth)
{
	bool is_killed = nth % 2, comes_at_once = nth % 4 == 1, is_half[UNITS_MAX], done;
	unsigned later = 1 + draw(t, 6 * (unsigned)t->mending.plans[0].n), half;
	unsigned wanted = nth ? later : 6;	/* the first: when the first link has just been committed */
	struct audit *a = open_audit(t);
	int64_t first;
	pid_t pid;
	int code;

	count_entries(t, a);
	first = t->seen;
	t->events = t->heard = 0;
	t->restarted = NULL;
	pid = begin_apply(t, SECONDS(UNDO_S));
	wait_for_events(t, a, pid, wanted);
	if (is_killed)
		kill(pid, SIGKILL);
	restart_one_of_them(t);
	buf_printf(t->words, "  restart %u: %s at event %u%s\n", nth, t->restarted, t->events, is_killed ? ", and the console was killed" : "");
	__atomic_add_fetch(&t->tally->restarts, 1, __ATOMIC_RELAXED);
	code = status_of(pid);
	count_entries(t, a);
	done = claims(t, "apply", code);
	if (comes_at_once)
		done = claims(t, "the second apply", status_of(begin_apply(t, SECONDS(UNDO_S)))) && done;
	count_entries(t, a);
	audit_close(a);
	settle(t);
	done = look(t, "verify", &half, is_half) && done;
	__atomic_add_fetch(&t->tally->half, half, __ATOMIC_RELAXED);
	done = finish(t, is_half) && done;
	done = look(t, "verify, after it", &half, is_half) && done;
	if (!done)
		tell_audit(t, first);
	return reset(t) && done;
}

/* -- a fabric -- */

/* The plan changes each end, so that a half link can be seen. */
static bool each_end_changes(const struct trial *t)
{
	for (size_t i = 0; i < t->n_units; i++)
		for (size_t k = 0; k < 2; k++)
			if (stand_of(t, t->after, &t->ends[i][k]) != AFTER) {
				buf_printf(t->words, "  the plan does not change %s %s\n", t->ends[i][k].device, t->ends[i][k].port);
				return false;
			}
	return true;
}

/* Once without a kill: what comes of it, and how long it takes. */
static bool learn(struct trial *t)
{
	int64_t began = crew_now_ms();

	if (!mend_apply(&t->site, &t->mending, 0, t->words))
		return false;
	t->ms = (unsigned)(crew_now_ms() - began);
	t->after = setups(t);
	return each_end_changes(t) && reset(t);
}

/* On a busy machine a device may not be read whole, which is refused: it is asked again. */
static bool plan_all(struct trial *t)
{
	for (unsigned tries = 0; tries < 3; tries++)
		if (mend_plan_of(&t->site, NULL, &t->mending, t->words))
			return true;
	return false;
}

static bool begin(struct trial *t, unsigned nth)
{
	static const char *const kinds[] = { "pfc-wrong", "mtu-small" };

	name_ends(t);
	if (!open_site(t) || !break_ends(t, kinds[nth / SYSTEMS % 2])) {
		buf_str(t->words, "  the lab did not come up\n");
		return false;
	}
	t->before = setups(t);
	if (!plan_all(t))
		return false;
	if (t->mending.plans[0].n != 2 * t->n_units) {
		buf_printf(t->words, "  the plan has %zu steps for %zu links\n", t->mending.plans[0].n, t->n_units);
		return false;
	}
	return learn(t);
}

static bool on_a_fabric(struct unit_tally *tally, unsigned nth, unsigned n, struct buf *words, bool (*one)(struct trial *t, unsigned nth))
{
	struct trial t = { .system = &systems[nth % SYSTEMS], .words = words, .tally = tally, .n_units = 2 + nth / SYSTEMS % 2,
			   .random = nth * UINT64_C(7919) + 20261126 };
	bool done;

	buf_printf(words, "  %s, %zu links\n", t.system->os ? t.system->os : "host to host", t.n_units);
	done = begin(&t, nth);
	for (unsigned i = 0; done && i < n; i++)
		done = one(&t, i);
	site_close(&t.site);
	free(t.before);
	free(t.after);
	return done;
}

bool chaos_units(struct unit_tally *tally, unsigned nth, unsigned kills, struct buf *words)
{
	return on_a_fabric(tally, nth, kills, words, kill_one);
}

bool chaos_restarts(struct unit_tally *tally, unsigned nth, unsigned restarts, struct buf *words)
{
	return on_a_fabric(tally, nth, restarts, words, restart_one);
}
