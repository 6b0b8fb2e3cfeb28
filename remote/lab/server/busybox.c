#include "remote/lab/server/busybox.h"

#include <stdio.h>
#include <string.h>

#include "core/base/span.h"

/* The lines that explain each option follow on a real one. */
#define HEAD	"BusyBox v1.36.1 (2023-11-07 18:53:09 UTC) multi-call binary.\n\n"

/* Alpine's, as published: "grep: unrecognized option: z", "find: unrecognized: -lname". Debian's is built with grep -z. */
static const struct applet {
	const char *name;
	const char *flags, *with_value;	/* options of one letter, and those of them that are followed by a value */
	const char *unknown;		/* instead: words that it does not know, of those that GNU's does */
	const char *usage;
	int status;
} applets[] = {
	{ "grep", "HhnlLoqvsrRiwFExcaI", "mABCef", NULL,
	  "Usage: grep [-HhnlLoqvsrRiwFE] [-m N] [-A|B|C N] { PATTERN | -e PATTERN... | -f FILE... } [FILE]...\n", 2 },
	{ "find", NULL, NULL, "-lname -ilname -printf -fprintf -fprint -readable -writable -execdir -newermt",
	  "Usage: find [-HL] [PATH]... [OPTIONS] [ACTIONS]\n", 1 },
};
#define N_APPLETS	(sizeof(applets) / sizeof(*applets))

const char *const busybox_names[] = { "grep", "find", NULL };

static const struct applet *applet_of(const char *name)
{
	for (size_t i = 0; i < N_APPLETS; i++)
		if (!strcmp(applets[i].name, name))
			return &applets[i];
	return NULL;
}

bool busybox_has(const char *name)
{
	return applet_of(name) != NULL;
}

static int refuse(const struct applet *a, const char *what, const char *word, int n)
{
	fprintf(stderr, "%s: unrecognized%s: %.*s\n" HEAD "%s", a->name, what, n, word, a->usage);
	return a->status;
}

/* "-sHz"; in *takes_next: the last is followed by its value. */
static int check_letters(const struct applet *a, const char *letters, bool *takes_next)
{
	for (; *letters; letters++) {
		if (strchr(a->with_value, *letters)) {
			*takes_next = !letters[1];
			return 0;
		}
		if (!strchr(a->flags, *letters))
			return refuse(a, " option", letters, 1);
	}
	return 0;
}

static int check_options(const struct applet *a, char *const *argv)
{
	for (; *argv && strcmp(*argv, "--"); argv++) {
		bool takes_next = false;
		int status;

		if (**argv != '-' || !argv[0][1])
			continue;
		if (argv[0][1] == '-')
			return refuse(a, " option", *argv + 2, (int)strlen(*argv + 2));
		status = check_letters(a, *argv + 1, &takes_next);
		if (status)
			return status;
		if (takes_next && argv[1])
			argv++;
	}
	return 0;
}

int busybox_refusal(const char *name, char *const *argv)
{
	const struct applet *a = applet_of(name);

	if (!a->unknown)
		return check_options(a, argv + 1);
	for (argv++; *argv; argv++)
		if (span_is_among(span_of(*argv), a->unknown))
			return refuse(a, "", *argv, (int)strlen(*argv));
	return 0;
}
