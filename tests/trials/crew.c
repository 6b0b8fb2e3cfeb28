#include "tests/trials/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
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

/* splitmix64 */
unsigned crew_draw(uint64_t *random, unsigned below)
{
	uint64_t z = (*random += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return below ? (unsigned)((z ^ (z >> 31)) % below) : 0;
}

int64_t crew_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}
