#include "tests/lib/shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const names[] = { "SHIM_ALLOC", "SHIM_ALLOC_ON", "SHIM_WRITE", "SHIM_WRITE_ON", "SHIM_WHILE", "SHIM_ERRNO",
				     "SHIM_UNDER", "SHIM_CLOCK", "SHIM_TELL" };

/* A sanitizer's own library wants to be the first that is loaded, and what ends early has given nothing back. */
#define SANITIZER	"verify_asan_link_order=0:detect_leaks=0"

static const char *shim_path(void)
{
	static char path[1024];
	const char *build = getenv("FABCON_BUILD");
	char here[512] = "";

	if (!build || *build != '/')
		if (!getcwd(here, sizeof(here)))
			*here = '\0';
	snprintf(path, sizeof(path), "%s%s%s/tests/promises/shim.so", here, *here ? "/" : "", build ? build : ".build/release");
	return path;
}

void shim_put(const char *const *pairs)
{
	setenv("LD_PRELOAD", shim_path(), 1);
	setenv("ASAN_OPTIONS", SANITIZER, 1);
	for (; *pairs; pairs += 2)
		setenv(pairs[0], pairs[1], 1);
}

void shim_clear(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unsetenv(names[i]);
	unsetenv("LD_PRELOAD");
	unsetenv("ASAN_OPTIONS");
}

const char *shim_words(const char *const *pairs)
{
	static struct buf words;

	buf_clear(&words);
	buf_printf(&words, "LD_PRELOAD=%s ASAN_OPTIONS=%s", shim_path(), SANITIZER);
	for (; *pairs; pairs += 2)
		buf_printf(&words, " %s=%s", pairs[0], pairs[1]);
	return words.text;
}

bool shim_told(const char *path, unsigned long *allocs, unsigned long *writes)
{
	FILE *f = fopen(path, "re");
	bool done = f && fscanf(f, "%lu %lu", allocs, writes) == 2;

	if (f)
		fclose(f);
	return done;
}
