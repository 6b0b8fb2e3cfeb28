/*
 * Loaded before the C library (LD_PRELOAD) into the program that is tried. The environment says what is to fail:
 *	SHIM_ALLOC=N	the Nth allocation, and with SHIM_ALLOC_ON all after it; but none inside getpwuid(), where glibc 2.36 ends the
 *			program by an assertion or reads a null pointer (nss_database.c), nor inside pthread_create(), without which
 *			libuv aborts
 *	SHIM_WRITE=N	the Nth write to a file of the data folder SHIM_UNDER (write, pwrite, fsync, fdatasync, ftruncate), with
 *			SHIM_ERRNO (28: no space, 5: an I/O error); SHIM_WRITE_ON: and all after it while the file SHIM_WHILE is there
 *	SHIM_CLOCK=FILE	microseconds that are added to the time of day, or "stop": read anew each time
 *	SHIM_TELL=FILE	how many allocations and writes there were, at the end
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN_BYTES	(64 << 10)

static atomic_ulong allocs, writes;
static unsigned long alloc_at, write_at;
static bool alloc_on, write_on, is_ready;
static int write_errno = ENOSPC;
static const char *under, *while_there, *clock_file;
static char tell_path[256];

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);

/* dlsym() itself may ask for memory while the real functions are looked up. */
static _Alignas(16) char hidden[HIDDEN_BYTES];
static size_t hidden_n;

static void *take_hidden(size_t size)
{
	char *p = hidden + hidden_n;

	hidden_n += (size + 15) & ~(size_t)15;
	return hidden_n <= sizeof(hidden) ? p : NULL;
}

static unsigned long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : 0;
}

static void tell(void)
{
	char line[64];
	int fd, n;

	if (!*tell_path)
		return;
	n = snprintf(line, sizeof(line), "%lu %lu\n", atomic_load(&allocs), atomic_load(&writes));
	fd = (int)syscall(SYS_openat, AT_FDCWD, tell_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		syscall(SYS_write, fd, line, n);
		close(fd);
	}
}

/* Only the program itself: what it starts is left alone. */
__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("SHIM_TELL");

	real_malloc = dlsym(RTLD_NEXT, "malloc");
	real_calloc = dlsym(RTLD_NEXT, "calloc");
	real_realloc = dlsym(RTLD_NEXT, "realloc");
	alloc_at = number("SHIM_ALLOC");
	alloc_on = getenv("SHIM_ALLOC_ON");
	write_at = number("SHIM_WRITE");
	write_on = getenv("SHIM_WRITE_ON");
	if (number("SHIM_ERRNO"))
		write_errno = (int)number("SHIM_ERRNO");
	under = getenv("SHIM_UNDER");
	while_there = getenv("SHIM_WHILE");
	clock_file = getenv("SHIM_CLOCK");
	snprintf(tell_path, sizeof(tell_path), "%s", path ? path : "");
	unsetenv("LD_PRELOAD");
	is_ready = true;
}

__attribute__((destructor)) static void end(void)
{
	tell();
}

/* -- memory -- */

static _Thread_local bool is_excepted;

struct passwd *getpwuid(uid_t id)
{
	static struct passwd *(*real)(uid_t);
	struct passwd *found;

	if (!real)
		real = dlsym(RTLD_NEXT, "getpwuid");
	is_excepted = true;
	found = real(id);
	is_excepted = false;
	return found;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *ctx)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int result;

	if (!real)
		real = dlsym(RTLD_NEXT, "pthread_create");
	is_excepted = true;
	result = real(thread, how, run, ctx);
	is_excepted = false;
	return result;
}

static bool alloc_fails(void)
{
	unsigned long n;

	if (!is_ready || is_excepted)
		return false;
	n = atomic_fetch_add(&allocs, 1) + 1;
	if (!alloc_at || n < alloc_at || (n > alloc_at && !alloc_on))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	if (alloc_fails())
		return NULL;
	return real_malloc ? real_malloc(size) : take_hidden(size);
}

void *calloc(size_t n, size_t size)
{
	if (alloc_fails())
		return NULL;
	return real_calloc ? real_calloc(n, size) : take_hidden(n * size);
}

void *realloc(void *old, size_t size)
{
	if (alloc_fails())
		return NULL;
	return real_realloc ? real_realloc(old, size) : take_hidden(size);
}

void free(void *p)
{
	static void (*real_free)(void *);

	if ((char *)p >= hidden && (char *)p < hidden + sizeof(hidden))
		return;
	if (!real_free)
		real_free = dlsym(RTLD_NEXT, "free");
	real_free(p);
}

/* -- the disk -- */

/* What the kernel calls the file is below the folder. */
static bool is_under(int fd)
{
	char link[64], path[512];
	ssize_t n;

	if (!under)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	return strncmp(path, under, strlen(under)) == 0;
}

static bool write_fails(int fd)
{
	int before = errno;
	unsigned long n;

	if (!is_ready || !is_under(fd)) {
		errno = before;
		return false;
	}
	n = atomic_fetch_add(&writes, 1) + 1;
	errno = before;
	if (!write_at || n < write_at || (n > write_at && !write_on))
		return false;
	if (while_there && syscall(SYS_faccessat, AT_FDCWD, while_there, F_OK) != 0) {
		errno = before;
		return false;
	}
	errno = write_errno;
	return true;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	return write_fails(fd) ? -1 : syscall(SYS_write, fd, bytes, n);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
	return write_fails(fd) ? -1 : syscall(SYS_writev, fd, parts, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	return write_fails(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
	return write_fails(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, n, at);
}

int fsync(int fd)
{
	return write_fails(fd) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return write_fails(fd) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t n)
{
	return write_fails(fd) ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

int ftruncate64(int fd, off64_t n)
{
	return write_fails(fd) ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

/* -- the time of day -- */

static long long shift_us(void)
{
	static long long stopped_at;
	char text[32] = "";
	struct timespec t;
	ssize_t n;
	int fd;

	if (!clock_file)
		return 0;
	fd = (int)syscall(SYS_openat, AT_FDCWD, clock_file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = syscall(SYS_read, fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0 || strncmp(text, "stop", 4) != 0)
		return strtoll(text, NULL, 10);
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
	if (!stopped_at)
		stopped_at = t.tv_sec * 1000000LL + t.tv_nsec / 1000;
	return stopped_at - (t.tv_sec * 1000000LL + t.tv_nsec / 1000);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	int result = (int)syscall(SYS_clock_gettime, id, t), before = errno;

	if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
		long long us = t->tv_sec * 1000000LL + t->tv_nsec / 1000 + shift_us();

		t->tv_sec = us / 1000000;
		t->tv_nsec = us % 1000000 * 1000 + t->tv_nsec % 1000;
	}
	errno = before;
	return result;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct timeval){ .tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000 };
	return 0;
}

time_t time(time_t *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}
