#include "tests/trials/leave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remote/lab/world/faults.h"
#include "tests/trials/site.h"

#define FLEET 8

/* Those that another way than a plain reading shows. */
static const struct leavable special[] = {
	{ "vf-unset",		.of_fleet = true },
	{ "wrong-firmware",	.of_fleet = true },
	{ "nccl-retry-errors",	.by_log = true },
};

static struct leavable leavable_of(const struct fault *fault)
{
	struct leavable l = { fault->name };

	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (!strcmp(special[i].fault, fault->name))
			l = special[i];
	l.found = fault->check;
	l.says = fault->left_to;
	return l;
}

const struct leavable *leavables(size_t *n)
{
	static struct leavable *list;
	static size_t count, cap;

	if (!list)
		for (const struct fault *fault = fault_table; fault < fault_table + fault_count; fault++)
			if (fault->left_to) {
				*GROW(list, count, cap) = leavable_of(fault);
				count++;
			}
	*n = count;
	return list;
}

static struct run plan(const struct site *s, const struct leavable *l, const char *file)
{
	char log[128];

	snprintf(log, sizeof(log), "%s/nccl.log", s->lab.dir);
	return l->by_log ? SITE(s, "-q", "--nccl", log, "plan", "-O", file, l->found) : SITE(s, "-q", "plan", "-O", file, l->found);
}

static bool is_refused(const struct site *s, const struct leavable *l, struct buf *words)
{
	char *file = xasprintf("%s/plan.json", s->home);
	struct run r = plan(s, l, file);
	bool done = r.code == 9 && r.err.text && strstr(r.err.text, l->says) && strstr(r.err.text, "no plan: ") &&
		    access(file, F_OK) != 0;

	if (!done)
		buf_printf(words, "  plan %s: exit %d: %.600s%.1200s\n", l->found, r.code, r.out.text ? r.out.text : "",
			   r.err.text ? r.err.text : "");
	run_done(&r);
	free(file);
	return done;
}

static bool is_untouched(const struct site *s, struct buf *words)
{
	static const char *const devices[] = { "node1", "node2", "leaf1", "leaf2", "spine1" };
	unsigned long n = 0;

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		n += site_writes(s, devices[i]);
	if (n)
		buf_printf(words, "  a plan sent %lu writes\n", n);
	return !n;
}

bool leave_story(const struct leavable *l, const char *os, struct buf *words)
{
	struct site s;
	bool done = l->of_fleet ? site_open_wide(&s, FLEET) : site_open(&s, os, "ring", false);

	if (!done || !SITE_CTL(&s, "fault", "add", l->fault)) {
		buf_str(words, "  the lab did not take it\n");
		site_close(&s);
		return false;
	}
	done = is_refused(&s, l, words);
	done = is_untouched(&s, words) && done;
	site_close(&s);
	return done;
}
