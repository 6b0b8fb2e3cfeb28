#include "tests/trials/unarmed.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "db/audit/audit.h"

static struct unarmed_tally *tally;

struct join {
	bool is_armed[PLANNED_MAX];	/* by step: the last state lets a line be sent */
	bool was_armed[PLANNED_MAX];	/* arming was sent at least */
	unsigned lines, unarmed;
	struct buf *words;
};

bool unarmed_begin(void)
{
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return tally != MAP_FAILED;
}

struct unarmed_tally *unarmed_so_far(void)
{
	return tally;
}

void unarmed_note(const struct site *s, const struct planned_fix *p, unsigned long writes[PLANNED_MAX])
{
	for (size_t i = 0; i < p->n; i++)
		writes[i] = site_writes(s, p->devices[i]);
}

/* Lines of a plan go out while it is armed or applying, those that save it once it is kept. */
static bool lets_lines_out(const char *state)
{
	static const char *const words[] = { "armed", "applying", "kept" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (span_starts(span_of(state), words[i]))
			return true;
	return false;
}

static bool each_entry(void *ctx, const struct audit_entry *e)
{
	struct join *j = ctx;
	size_t step = (size_t)e->step;

	if (e->step < 0 || step >= PLANNED_MAX)
		return true;
	if (!strcmp(e->kind, "arm"))
		j->was_armed[step] = true;
	if (!strcmp(e->kind, "state"))
		j->is_armed[step] = lets_lines_out(e->text);
	if (strcmp(e->kind, "command") != 0)
		return true;
	j->lines++;
	if (j->is_armed[step] && j->was_armed[step])
		return true;
	j->unarmed++;
	buf_printf(j->words, "  sent to %s without an armed rollback: %s\n", e->device, e->text);
	return true;
}

static unsigned untold(const struct site *s, const struct planned_fix *p, const unsigned long *before, struct join *j, unsigned *writes)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->n; i++) {
		unsigned long now = site_writes(s, p->devices[i]);

		*writes += (unsigned)(now - before[i]);
		if (now == before[i] || j->was_armed[i])
			continue;
		n++;
		buf_printf(j->words, "  %s was written to %lu times, and the audit has no arming of it\n", p->devices[i], now - before[i]);
	}
	return n;
}

static void read_audit(const char *home, const struct planned_fix *p, struct join *j)
{
	char *path = xasprintf("%s/fabcon/audit.db", home);
	struct audit *a = audit_read(path, NULL);

	if (a)
		audit_each(a, 0, p->id, each_entry, j, NULL);
	audit_close(a);
	free(path);
}

bool unarmed_join(const struct site *s, const char *other_home, const struct planned_fix *p, const unsigned long writes[PLANNED_MAX],
		  struct buf *words)
{
	struct join j = { .words = words };
	unsigned n_writes = 0, n_untold;

	read_audit(s->home, p, &j);
	if (other_home && strcmp(other_home, s->home))
		read_audit(other_home, p, &j);
	n_untold = untold(s, p, writes, &j, &n_writes);
	__atomic_add_fetch(&tally->trials, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->lines, j.lines, __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->writes, n_writes, __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->unarmed, j.unarmed, __ATOMIC_RELAXED);
	__atomic_add_fetch(&tally->untold, n_untold, __ATOMIC_RELAXED);
	return j.unarmed + n_untold == 0;
}
