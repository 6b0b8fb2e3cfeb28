#include "tests/trials/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned crew_number(const char *name, unsigned usual)
{
	const char *text = getenv(name);

	return text && *text ? (unsigned)strtoul(text, NULL, 10) : usual;
}

static void work(const char *title, unsigned nth, bool (*job)(void *ctx, unsigned nth, struct buf *words), void *ctx)
{
	struct buf words = { NULL }, block = { NULL };
	bool done = job(ctx, nth, &words);

	if (!done || getenv("CREW_VERBOSE"))
		buf_printf(&block, "%s %u: %s\n%s", title, nth, done ? "done" : "FAILED", words.text ? words.text : "");
	/* One write, so that blocks of several workers stay whole. */
	if (block.n && write(STDERR_FILENO, block.text, block.n) < 0)
		done = false;
	_exit(done ? 0 : 1);
}

static unsigned wait_one(void)
{
	int status = 0;

	return wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

unsigned crew_run(const char *title, unsigned n, unsigned at_once, bool (*job)(void *ctx, unsigned nth, struct buf *words), void *ctx)
{
	unsigned running = 0, failed = 0, from = crew_number("CREW_FROM", 0);

	for (unsigned i = from; i < from + n; i++) {
		if (running == at_once) {
			failed += wait_one();
			running--;
		}
		fflush(NULL);
		if (fork() == 0)
			work(title, i, job, ctx);
		running++;
	}
	for (; running; running--)
		failed += wait_one();
	return failed;
}
