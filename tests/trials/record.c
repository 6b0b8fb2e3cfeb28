/* A scenario's lab, read over SSH as a person reads a fabric: once, and recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/trials/scenario.h"

#define READ_S		"60"
#define READ_SLOW_S	"40"	/* what answers byte by byte is said to by then */

static char *directory(void)
{
	const char *dir = getenv("SCENARIOS_DIR");

	return xstrdup(dir && *dir ? dir : ".build/scenarios");
}

char *scenario_file(const struct scenario *s)
{
	char *dir = directory();
	char *file = xasprintf("%s/%s.db", dir, s->name);

	free(dir);
	return file;
}

static bool start_lab(struct lab *lab, const struct scenario *s)
{
	const char *args[32] = {
		"--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", s->spines == 2 ? "2" : "1", "--with-parent",
		"--switch-os", s->os, "--traffic", s->traffic, "--seed",
	};
	size_t n = 14;
	char seed[16];

	snprintf(seed, sizeof(seed), "%u", s->seed);
	args[n++] = seed;
	if (s->with_bond)
		args[n++] = "--bond";
	for (size_t i = 0; i < s->n_faults; i++) {
		args[n++] = "--fault";
		args[n++] = s->faults[i].text;
	}
	return lab_start(lab, args);
}

static bool is_slow(const struct scenario *s)
{
	for (size_t i = 0; i < s->n_faults; i++)
		if (s->faults[i].kind->is_slow)
			return true;
	return false;
}

/* Gets its name once it is whole, so that one cut short is never taken for the scenario's. */
static bool read_once(const struct scenario *s, const struct lab *lab, const char *file, struct err *err)
{
	char *part = xasprintf("%s.part", file);
	struct run r;
	bool is_read;

	unlink(part);
	r = LAB_FABCON(lab, "--timeout", is_slow(s) ? READ_SLOW_S : READ_S, "--record", part, "-o", "json", "check");
	is_read = r.code <= 4 && access(part, R_OK) == 0 && rename(part, file) == 0;
	if (!is_read)
		err_set(err, "%s: not recorded: exit %d: %s", s->name, r.code, r.err.text ? r.err.text : "");
	run_done(&r);
	free(part);
	return is_read;
}

bool scenario_record(const struct scenario *s, bool reuse, struct err *err)
{
	char *file = scenario_file(s), *dir = directory();
	bool is_there = reuse && access(file, R_OK) == 0;
	struct lab lab;

	mkdir(dir, 0777);
	if (!is_there && start_lab(&lab, s)) {
		is_there = read_once(s, &lab, file, err);
		lab_stop(&lab);
	} else if (!is_there) {
		err_set(err, "%s: the lab did not start", s->name);
	}
	free(dir);
	free(file);
	return is_there;
}
