#include "tests/trials/site.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#define ARGS_MAX 40

bool site_open(struct site *s, const char *os, const char *traffic, bool with_bond)
{
	*s = (struct site){ .home = "/tmp/fabcon-site.XXXXXX" };
	if (!mkdtemp(s->home))
		return false;
	return LAB(&s->lab, "--with-parent", "--nodes", "2", "--rails", "2", "--leaves", "2", "--spines", "1", "--switch-os", os,
		   "--traffic", traffic, with_bond ? "--bond" : NULL);
}

bool site_open_wide(struct site *s, unsigned nodes)
{
	char text[16];

	*s = (struct site){ .home = "/tmp/fabcon-site.XXXXXX" };
	snprintf(text, sizeof(text), "%u", nodes);
	return mkdtemp(s->home) && LAB(&s->lab, "--with-parent", "--nodes", text, "--rails", "1", "--leaves", "2", "--spines", "1",
				       "--switch-os", "os10", "--traffic", "off");
}

void site_close(struct site *s)
{
	char *command = xasprintf("rm -rf %s", s->home);

	lab_stop(&s->lab);
	if (*s->home && system(command))
		perror(s->home);
	free(command);
}

static void words_of(const struct site *s, const char *const *args, const char **argv)
{
	static const char *const head[] = { "fabcon", "-i", NULL, "--no-input" };
	size_t n = 0;

	for (; n < sizeof(head) / sizeof(*head); n++)
		argv[n] = head[n] ? head[n] : s->lab.inventory;
	while (*args && n < ARGS_MAX - 1)
		argv[n++] = *args++;
	argv[n] = NULL;
	setenv("XDG_DATA_HOME", s->home, 1);
	setenv("XDG_STATE_HOME", s->home, 1);
}

struct run site_run(const struct site *s, const char *const *args)
{
	const char *argv[ARGS_MAX];

	words_of(s, args, argv);
	return run_program(argv, NULL);
}

pid_t site_begin(const struct site *s, const char *path, const char *const *args)
{
	const char *argv[ARGS_MAX];
	pid_t pid;

	words_of(s, args, argv);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR), told = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : null;

		dup2(null, STDIN_FILENO);
		dup2(told, STDOUT_FILENO);
		dup2(told, STDERR_FILENO);
		execv(program_path(argv[0]), (char *const *)argv);
		_exit(127);
	}
	return pid;
}

bool site_ctl(const struct site *s, const char *const *args)
{
	struct run r = lab_ctl(&s->lab, args);
	bool done = r.code == 0;

	run_done(&r);
	return done;
}

static char *setup_of(const struct site *s, const char *device, const char *which)
{
	struct run r = LAB_CTL(&s->lab, "setup", device, which);
	char *text = r.code == 0 && r.out.text ? xstrdup(r.out.text) : NULL;

	run_done(&r);
	return text;
}

char *site_setup(const struct site *s, const char *device)
{
	return setup_of(s, device, NULL);
}

char *site_saved(const struct site *s, const char *device)
{
	return setup_of(s, device, "saved");
}

bool site_is_busy(const struct site *s)
{
	struct run r = LAB_CTL(&s->lab, "busy");
	bool is_busy = r.code != 0 || r.out.n;

	run_done(&r);
	return is_busy;
}

unsigned long site_writes(const struct site *s, const char *device)
{
	struct run r = LAB_CTL(&s->lab, "writes", device);
	unsigned long n = r.out.text ? strtoul(r.out.text, NULL, 10) : 0;

	run_done(&r);
	return n;
}

char *site_fault(const struct site *s)
{
	struct run r = LAB_CTL(&s->lab, "fault", "list");
	struct span rest = span_trim(buf_span(&r.out)), line = { NULL, 0 }, name = { "", 0 };
	char *last;

	while (span_line(&rest, &line))
		;
	span_word(&line, &name);
	last = xstrndup(name.p, name.n);
	run_done(&r);
	return last;
}

bool site_read_plan(const char *file, struct planned_fix *p)
{
	json_t *plan = json_load_file(file, 0, NULL), *unit, *step;
	const char *id = json_string_value(json_object_get(plan, "id"));
	const char *hash = json_string_value(json_object_get(plan, "hash"));
	size_t i, k;

	memset(p, 0, sizeof(*p));
	snprintf(p->id, sizeof(p->id), "%s", id ? id : "");
	snprintf(p->hash, sizeof(p->hash), "%s", hash ? hash : "");
	json_array_foreach(json_object_get(plan, "units"), i, unit)
		json_array_foreach(json_object_get(unit, "steps"), k, step) {
			const char *device = json_string_value(json_object_get(step, "device"));

			if (!device || p->n == PLANNED_MAX)
				continue;
			p->waves[p->n] = (unsigned)json_integer_value(json_object_get(unit, "wave"));
			snprintf(p->devices[p->n++], sizeof(p->devices[0]), "%s", device);
		}
	json_decref(plan);
	return *p->id && *p->hash && p->n;
}
