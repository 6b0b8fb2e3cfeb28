#include "tests/trials/chaos.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/audit/audit.h"
#include "tests/trials/crew.h"
#include "tests/trials/mend.h"
#include "tests/trials/unarmed.h"

#define UNDO_S		6		/* the devices' timers, shortened */
#define SETTLE_S	(UNDO_S + 10)	/* the longest wait for every device to settle */

/* What is broken in the trials: one of each way to be set, on each system. */
static const struct subject {
	const char *fault, *os;
	const char *meanwhile[3];	/* what somebody else may do to what the plan reads: a fault, or a tool with its arguments */
} subjects[] = {
	{ "trust-pcp", "os10" },
	{ "pfc-off-host", "sonic", { "mlnx_qos -i eth2 --pfc 0,0,0,0,0,1,0,0", "mlnx_qos -i eth2 --pfc 1,0,0,0,0,0,0,0" } },
	{ "dscp-map-lossy", "os10", { "mlnx_qos -i eth2 --dscp2prio set,26,5", "mlnx_qos -i eth2 --dscp2prio set,26,1" } },
	{ "mtu-small-host", "sonic", { "ip link set dev eth2 mtu 4000", "ip link set dev eth2 mtu 1400" } },
	{ "tos-104", "os10", { "cma_roce_tos -d mlx5_0 -t 96", "cma_roce_tos -d mlx5_0 -t 24" } },
	{ "ets-starved-cnp", "os10", { "mlnx_qos -i eth2 --tcbw 30,0,0,50,10,0,10,0", "fault ets-starved-roce" } },
	{ "global-pause", "sonic", { "ethtool -A eth2 rx off tx on", "ethtool -A eth2 rx on tx off" } },
	{ "np-off", "sonic" },
	{ "pfc-off-switch", "os10", { "fault pfc-wrong-switch", "fault mtu-small-switch" } },
	{ "ecn-off-switch", "os10", { "fault ecn-weak", "fault trust-off-switch" } },
	{ "mtu-small-switch", "os10", { "fault pfc-off-switch", "fault link-pause-switch" } },
	{ "kmin-over-xoff", "os10", { "fault ecn-early", "fault queue-map-wrong" } },
	{ "pfc-off-switch", "sonic", { "config interface pfc priority Ethernet0 4 on", "config interface pfc priority Ethernet0 5 on" } },
	{ "ecn-off-switch", "sonic", { "fault ecn-weak", "fault kmin-over-xoff" } },
	{ "mtu-small-switch", "sonic", { "config interface mtu Ethernet0 4000", "config interface mtu Ethernet0 9000" } },
	{ "kmin-over-xoff", "sonic", { "fault ecn-early", "fault ecn-weak" } },
};
#define SUBJECTS (sizeof(subjects) / sizeof(*subjects))

struct trial {
	const struct subject *subject;
	struct site site;
	char other_home[sizeof(((struct site *)0)->home)];	/* of a second console that has its own; or "" */
	struct mending mending;
	struct buf *words;
	char *before, *after;		/* of all devices */
	char *finding;			/* as plan takes it */
	unsigned ms;			/* that a whole apply takes */
	unsigned long writes;		/* that it has */
	unsigned long noted[PLANNED_MAX];	/* writes of its devices before it */
	int64_t restarted_us;		/* when a host had restarted under way, by the wall's clock */
	uint64_t random;
};

static unsigned draw(struct trial *t, unsigned below)
{
	return crew_draw(&t->random, below);
}

static void pause_ms(unsigned ms)
{
	usleep(ms * 1000);
}

/* -- a trial's set-up -- */

static char *learnt_path(const char *dir, const struct subject *s)
{
	const char *skins = getenv("LAB_NASTY");

	return xasprintf("%s/%s-%s-%s", dir, s->fault, s->os, skins ? skins : "tidy");
}

/* "MS WRITES\nCHECK@WHERE\n" and the setups after. */
static bool read_learnt(struct trial *t, const char *path)
{
	FILE *f = fopen(path, "re");
	struct buf text = { NULL };
	struct span rest, numbers, finding;
	char bytes[4096];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(&text, bytes, n);
	fclose(f);
	rest = buf_span(&text);
	if (span_line(&rest, &numbers) && span_line(&rest, &finding) && sscanf(numbers.p, "%u %lu", &t->ms, &t->writes) == 2) {
		t->finding = xstrndup(finding.p, finding.n);
		t->after = xstrndup(rest.p, rest.n);
	}
	buf_done(&text);
	return t->after != NULL;
}

/* There whole, or not at all. */
static bool write_learnt(const struct trial *t, const char *path)
{
	char *half = xasprintf("%s.half", path);
	FILE *f = fopen(half, "we");
	bool done = f && fprintf(f, "%u %lu\n%s@%s\n%s", t->ms, t->writes, t->mending.check, t->mending.where, t->after) > 0;

	done = f && fclose(f) == 0 && done && rename(half, path) == 0;
	free(half);
	return done;
}

static bool begin_site(struct trial *t)
{
	if (!site_open(&t->site, t->subject->os, "off", false) || !SITE_CTL(&t->site, "fault", "add", t->subject->fault)) {
		buf_str(t->words, "  the lab did not come up\n");
		return false;
	}
	t->before = mend_setups(&t->site);
	return true;
}

static bool end(struct trial *t, bool done)
{
	if (t->mending.n && !unarmed_join(&t->site, t->other_home[0] ? t->other_home : NULL, &t->mending.plans[0], t->noted, t->words))
		done = false;
	site_close(&t->site);
	free(t->before);
	free(t->after);
	free(t->finding);
	return done;
}

/* To the plan's devices so far. */
static unsigned long writes_of(const struct trial *t)
{
	const struct planned_fix *p = &t->mending.plans[0];
	unsigned long n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += site_writes(&t->site, p->devices[i]);
	return n;
}

/* The fault, named and mended without a mishap: what is it then called, how long does it take, and what comes of it? */
static bool learn(const struct subject *subject, const char *path, struct buf *words)
{
	struct trial t = { .subject = subject, .words = words };
	struct buf seen = { NULL };
	unsigned long before;
	int64_t began;
	bool done = begin_site(&t) && mend_plan(&t.site, &t.mending, &seen);

	if (!done)
		buf_printf(words, "  no plan came of it; found:\n%s", seen.text ? seen.text : "  nothing\n");
	buf_done(&seen);
	began = crew_now_ms();
	before = done ? writes_of(&t) : 0;
	done = done && mend_apply(&t.site, &t.mending, 0, words);
	t.ms = (unsigned)(crew_now_ms() - began);
	t.writes = done ? writes_of(&t) - before : 0;
	t.after = done ? mend_setups(&t.site) : NULL;
	return end(&t, done && write_learnt(&t, path));
}

/* Learnt once for all trials in the same skins, by the first of them. */
static bool know(struct trial *t, const char *dir)
{
	char *path = learnt_path(dir, t->subject), *lock = xasprintf("%s.lock", path);
	int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	bool done = fd >= 0 && flock(fd, LOCK_EX) == 0 &&
		    (read_learnt(t, path) || (learn(t->subject, path, t->words) && read_learnt(t, path)));

	if (fd >= 0)
		close(fd);
	free(path);
	free(lock);
	return done;
}

bool chaos_is_possible(const char *dir, unsigned nth, struct buf *words)
{
	struct trial t = { .subject = &subjects[nth % SUBJECTS], .words = words };
	bool done = know(&t, dir);

	free(t.after);
	free(t.finding);
	return done;
}

static bool begin(struct trial *t, const char *dir, unsigned nth, struct buf *words)
{
	*t = (struct trial){ .subject = &subjects[nth % SUBJECTS], .words = words, .random = nth * UINT64_C(7919) + 20261121 };
	buf_printf(words, "  %s, %s\n", t->subject->fault, t->subject->os);
	if (!know(t, dir) || !begin_site(t))
		return false;
	if (mend_plan_of(&t->site, t->finding, &t->mending, words)) {
		unarmed_note(&t->site, &t->mending.plans[0], t->noted);
		return true;
	}
	buf_printf(words, "  no plan came of %s this time\n", t->finding);
	return false;
}

static const char *file_of(const struct trial *t)
{
	return t->mending.files[0];
}

static const char *hash_of(const struct trial *t)
{
	return t->mending.plans[0].hash;
}

/* One of the devices that the plan touches. */
static const char *device_of(struct trial *t)
{
	return t->mending.plans[0].devices[draw(t, (unsigned)t->mending.plans[0].n)];
}

/* -- where a device stands -- */

enum stands { BEFORE, AFTER, ELSEWHERE };

static struct span section(const char *setups, const char *device)
{
	char *head = xasprintf("== %s\n", device);
	const char *from = strstr(setups, head), *to;

	free(head);
	if (!from)
		return (struct span){ NULL, 0 };
	to = strstr(from + 3, "\n== ");
	return span_trim((struct span){ from, to ? (size_t)(to - from) : strlen(from) });
}

static enum stands stand_of(const struct trial *t, const char *setups, const char *device)
{
	struct span now = section(setups, device);

	return span_same(now, section(t->before, device)) ? BEFORE :
	       span_same(now, section(t->after, device)) ? AFTER : ELSEWHERE;
}

/* All of the plan's devices; ELSEWHERE when one is, and *differ when they are not all in one state. */
static enum stands all_stand(const struct trial *t, bool *differ)
{
	const struct planned_fix *p = &t->mending.plans[0];
	enum stands all = BEFORE;

	*differ = false;
	for (size_t i = 0; i < p->n; i++) {
		char *setup = mend_setup(&t->site, p->devices[i]);
		enum stands one = stand_of(t, setup, p->devices[i]);

		*differ |= i && one != all;
		all = i && all == ELSEWHERE ? ELSEWHERE : one;
		free(setup);
	}
	return all;
}

/*
 * Until nothing is under way any more: no timer, no process, no session, and everything up, twice in a row. Who stands still
 * for good never ends; then, until every device has been where it is for as long as a timer runs.
 */
static enum stands settle(const struct trial *t, bool *differ)
{
	int64_t until = crew_now_ms() + SETTLE_S * 1000, since = crew_now_ms();
	enum stands was = all_stand(t, differ), is;
	unsigned idle = 0;

	while (crew_now_ms() < until && crew_now_ms() - since < (UNDO_S + 2) * 1000 && idle < 2) {
		pause_ms(400);
		idle = site_is_busy(&t->site) ? 0 : idle + 1;
		is = all_stand(t, differ);
		if (is != was)
			since = crew_now_ms();
		was = is;
	}
	return was;
}

static const char *const stand_words[] = { "as before", "as planned", "neither as before nor as planned" };

static void tell_elsewhere(const struct trial *t)
{
	const struct planned_fix *p = &t->mending.plans[0];
	char *setups = mend_setups(&t->site);

	for (size_t i = 0; i < p->n; i++) {
		struct span is = section(setups, p->devices[i]), was = section(t->before, p->devices[i]), x, y;

		if (stand_of(t, setups, p->devices[i]) != ELSEWHERE)
			continue;
		while (span_line(&is, &x) && span_line(&was, &y))
			if (!span_same(x, y)) {
				buf_printf(t->words, "  %s: was \"%.*s\", is \"%.*s\"\n", p->devices[i], (int)y.n, y.p, (int)x.n, x.p);
				break;
			}
	}
	free(setups);
}

/* -- what was reported -- */

/* What an exit status of apply says of the devices: 0 planned (or to be, when it is left armed), 7 and 9 and 4 before. */
static bool code_is_true(int code, enum stands is)
{
	switch (code) {
	case 0:
		return is == AFTER;
	case 4:
	case 7:
	case 9:
		return is == BEFORE;
	case 8:		/* in doubt: a person is to look, and that is no wrong report */
		return true;
	default:
		return false;
	}
}

/* The console, asked by somebody who was not there. */
static bool verify_is_true(const struct trial *t, enum stands is)
{
	struct run r = SITE(&t->site, "verify", file_of(t));
	const char *text = r.out.text ? r.out.text : "";
	bool says_before = strstr(text, "as before") != NULL, says_after = strstr(text, "as planned") != NULL;
	bool done = is == BEFORE ? says_before && !says_after : is == AFTER ? says_after && !says_before : false;

	if (!done)
		buf_printf(t->words, "  verify: exit %d: %s%s\n", r.code, text, r.err.text ? r.err.text : "");
	run_done(&r);
	return done;
}

static bool note_kept(void *ctx, const struct audit_entry *e)
{
	if (e->kind && e->text && !strcmp(e->kind, "state") && span_starts(span_of(e->text), "kept"))
		*(int64_t *)ctx = e->at_us;
	return true;
}

/* A host forgets at its boot what was kept before it: then "kept" was true. */
static bool was_kept_before_it_restarted(const struct trial *t)
{
	char *path = xasprintf("%s/fabcon/audit.db", t->site.home);
	struct audit *a = t->restarted_us ? audit_read(path, NULL) : NULL;
	int64_t kept_us = INT64_MAX;

	if (a)
		audit_each(a, 0, t->mending.plans[0].id, note_kept, &kept_us, NULL);
	audit_close(a);
	free(path);
	return kept_us <= t->restarted_us;
}

/* Ends a trial: everything in one state, and what was reported true. code < 0: nobody was there to report. */
static bool judge(struct trial *t, int code)
{
	bool differ, done;
	enum stands is = settle(t, &differ);

	if (is == ELSEWHERE || differ) {
		buf_printf(t->words, "  the devices are %s\n", differ ? "in different states" : stand_words[is]);
		tell_elsewhere(t);
		return false;
	}
	done = code < 0 || code_is_true(code, is) || (code == 0 && is == BEFORE && was_kept_before_it_restarted(t));
	if (!done)
		buf_printf(t->words, "  exit %d was reported, and the devices are %s\n", code, stand_words[is]);
	return verify_is_true(t, is) && done;
}

/* -- mishaps -- */

static const char *const traps[] = { "cut", "stall", "reset", "garbage", "reboot", "refuse", "lie" };
#define TRAPS (sizeof(traps) / sizeof(*traps))

#define TEXT_OF(number) #number
#define SECONDS(number) TEXT_OF(number) "s"

static pid_t begin_apply(struct trial *t)
{
	return SITE_BEGIN(&t->site, NULL, "apply", file_of(t), "--rw", "--reason", "test", "--approve", hash_of(t), "--undo-after",
			  SECONDS(UNDO_S));
}

static int status_of(pid_t pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* kill -9 somewhere on the way. */
static int killed(struct trial *t)
{
	pid_t pid = begin_apply(t);
	unsigned after = draw(t, t->ms + 200);

	buf_printf(t->words, "  killed after %u of %u ms\n", after, t->ms);
	pause_ms(after);
	kill(pid, SIGKILL);
	status_of(pid);
	return -1;
}

/* What a person's Ctrl-C, or a lost terminal, does. */
static int interrupted(struct trial *t)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	pid_t pid = begin_apply(t);
	unsigned after = draw(t, t->ms);
	int code;

	buf_printf(t->words, "  interrupted after %u of %u ms\n", after, t->ms);
	pause_ms(after);
	kill(pid, signals[draw(t, 3)]);
	code = status_of(pid);
	return code > 128 ? -1 : code;
}

static int rebooted(struct trial *t)
{
	pid_t pid = begin_apply(t);
	const char *device = device_of(t);
	unsigned after = draw(t, t->ms);

	buf_printf(t->words, "  %s rebooted after %u of %u ms\n", device, after, t->ms);
	pause_ms(after);
	SITE_CTL(&t->site, "reboot", device);
	if (span_starts(span_of(device), "node")) {
		struct timespec now;

		clock_gettime(CLOCK_REALTIME, &now);
		t->restarted_us = now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
	}
	return status_of(pid);
}

static int trapped(struct trial *t)
{
	char *trap = xasprintf("%s@%s", traps[draw(t, TRAPS)], device_of(t)), nth[8];
	int code;

	snprintf(nth, sizeof(nth), "%u", 1 + draw(t, 3));
	buf_printf(t->words, "  %s at write %s\n", trap, nth);
	if (!SITE_CTL(&t->site, "trap", trap, nth))
		buf_str(t->words, "  the lab did not take it\n");
	code = status_of(begin_apply(t));
	SITE_CTL(&t->site, "trap", "clear");
	free(trap);
	return code;
}

bool chaos_mishap(const char *dir, unsigned nth, struct buf *words)
{
	static int (*const mishaps[])(struct trial *t) = { killed, trapped, killed, trapped, rebooted, trapped, interrupted };
	struct trial t;
	int code;

	if (!begin(&t, dir, nth, words))
		return end(&t, false);
	draw(&t, 1 + nth / SUBJECTS);
	code = mishaps[(nth / SUBJECTS + nth) % (sizeof(mishaps) / sizeof(*mishaps))](&t);
	return end(&t, judge(&t, code));
}

/* -- our own path -- */

bool chaos_cut(const char *dir, unsigned nth, struct buf *words)
{
	struct trial t;
	char *trap;
	int code;

	if (!begin(&t, dir, nth, words))
		return end(&t, false);
	trap = xasprintf("cut@%s", t.mending.plans[0].devices[0]);
	SITE_CTL(&t.site, "trap", trap, "1");
	free(trap);
	code = status_of(begin_apply(&t));
	buf_printf(words, "  cut by our own change: exit %d\n", code);
	return end(&t, judge(&t, code) && code != 0);
}

/* -- stale plans -- */

/* "fault NAME" at the place of the first, or a tool and its arguments at the plan's device. */
static bool change(struct trial *t, const char *what)
{
	char *device = xasprintf("%s", t->mending.plans[0].devices[0]), *line = xstrdup(what), *place = site_fault(&t->site);
	const char *words[16] = { "do", device };
	size_t n = 2;
	bool done;

	for (char *word = strtok(line, " "); word && n < 15; word = strtok(NULL, " "))
		words[n++] = word;
	if (!strcmp(words[2], "fault")) {
		char *fault = xasprintf("%s%s", words[3], strchr(place, '@'));

		done = SITE_CTL(&t->site, "fault", "add", fault);
		free(fault);
	} else {
		done = site_ctl(&t->site, words);
	}
	buf_printf(t->words, "  meanwhile: %s%s\n", what, done ? "" : ": the lab did not take it");
	free(device);
	free(line);
	free(place);
	return done;
}

/* Somebody else changes what the plan reads: refused. Every other time nobody does: not refused. */
bool chaos_stale(const char *dir, unsigned nth, struct buf *words)
{
	bool is_changed = nth % 2 == 0, done;
	unsigned turn = nth / 2;
	struct trial t;
	char *before, *after;
	struct run r;

	is_changed = is_changed && subjects[turn % SUBJECTS].meanwhile[0];
	if (!begin(&t, dir, turn, words))
		return end(&t, false);
	done = !is_changed || change(&t, t.subject->meanwhile[turn / SUBJECTS % 2]);
	unarmed_note(&t.site, &t.mending.plans[0], t.noted);	/* what somebody else wrote is not ours */
	before = mend_setups(&t.site);
	r = SITE(&t.site, "apply", file_of(&t), "--rw", "--reason", "test", "--approve", hash_of(&t));
	after = mend_setups(&t.site);
	done = done && r.code == (is_changed ? 9 : 0) && strcmp(after, is_changed ? before : t.after) == 0;
	if (!done)
		buf_printf(words, "  %s: exit %d: %s%s\n", is_changed ? "changed" : "not changed", r.code,
			   r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	run_done(&r);
	free(before);
	free(after);
	return end(&t, done);
}

/* -- two consoles -- */

/* A console with a home, and so an audit, of its own or of another one; with all the time that an apply may take. */
struct console {
	struct site site;
	char told[128];
	pid_t pid;
	int code;
};

static void begin_console(struct trial *t, struct console *c, unsigned nth, bool is_elsewhere)
{
	c->site = t->site;
	snprintf(c->told, sizeof(c->told), "%s/console-%u", t->site.home, nth);
	if (is_elsewhere) {
		snprintf(c->site.home, sizeof(c->site.home), "%.48s/%u", t->site.home, nth);
		snprintf(t->other_home, sizeof(t->other_home), "%s", c->site.home);
	}
	c->pid = SITE_BEGIN(&c->site, c->told, "apply", file_of(t), "--rw", "--reason", "test", "--approve", hash_of(t));
}

static char *told_to(const struct console *c)
{
	FILE *f = fopen(c->told, "re");
	char text[4096] = "";
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	return xstrndup(text, n);
}

/*
 * Done, or come when it was done already; or refused, and told who holds it, that another run has applied it, that it has just been
 * made, or that a link was down: what it read while the other one changed it, and that one may have ended before it could be asked for.
 */
static bool is_true_to_itself(struct trial *t, const struct console *c, pid_t other)
{
	char *told = told_to(c), *holder = xasprintf("pid %d", (int)other);
	bool is_told = strstr(told, holder) || strstr(told, "another operator has just made this change") ||
		       strstr(told, "already applied by another run") ||
		       (strstr(told, " is down: ") && strstr(told, "nothing was sent"));
	bool done = c->code == 0 || (c->code == 9 && is_told);

	buf_printf(t->words, "  exit %d%s\n", c->code, c->code == 9 && is_told ? ", told why" : "");
	if (!done)
		buf_printf(t->words, "%s\n", told);
	free(told);
	free(holder);
	return done;
}

bool chaos_race(const char *dir, unsigned nth, struct buf *words)
{
	struct console a = { .code = -1 }, b = { .code = -1 };
	unsigned long before, after;
	struct trial t;
	bool done, differ;

	if (!begin(&t, dir, nth, words))
		return end(&t, false);
	before = writes_of(&t);
	begin_console(&t, &a, 1, false);
	pause_ms(draw(&t, t.ms / 2));
	begin_console(&t, &b, 2, nth / SUBJECTS % 2 ^ nth % 2);
	a.code = status_of(a.pid);
	b.code = status_of(b.pid);
	after = writes_of(&t);
	done = is_true_to_itself(&t, &a, b.pid);
	done = is_true_to_itself(&t, &b, a.pid) && done && (a.code == 0 || b.code == 0);
	if (after - before != t.writes)
		buf_printf(words, "  %lu writes, and one apply has %lu\n", after - before, t.writes);
	done = all_stand(&t, &differ) == AFTER && !differ && done && after - before == t.writes;
	return end(&t, done);
}

/* -- liars -- */

bool chaos_liar(const char *dir, unsigned nth, struct buf *words)
{
	static const char *const lies[] = { "lie", "lie-other", "no-timer", "no-systemd" };
	const char *lie = lies[nth % 4];
	struct trial t;
	struct run r;
	char *trap;
	int code;
	bool done;

	if (!begin(&t, dir, nth, words))
		return end(&t, false);
	trap = xasprintf("%s@%s", lie, t.mending.plans[0].devices[0]);
	SITE_CTL(&t.site, "trap", trap);
	/* No timer is waited for here: this one outlasts the verification of a slow machine, too. */
	r = SITE(&t.site, "apply", file_of(&t), "--rw", "--reason", "test", "--approve", hash_of(&t), "--undo-after", "60s");
	code = r.code;
	buf_printf(words, "  %s: exit %d\n%s%s", trap, code, r.out.text ? r.out.text : "", r.err.text ? r.err.text : "");
	run_done(&r);
	free(trap);
	if (!strcmp(lie, "no-systemd"))
		done = judge(&t, code) && (code == 0 || code == 7);	/* the shell's timer serves, and may come first */
	else if (!strcmp(lie, "no-timer"))
		done = judge(&t, code) && code == 9;	/* cannot be armed: not touched */
	else
		done = code == 7 || code == 8;		/* never "done" */
	return end(&t, done);
}
