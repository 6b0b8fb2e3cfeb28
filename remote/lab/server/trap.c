#include "remote/lab/server/trap.h"

#include <stdio.h>

#include "remote/lab/server/reboot.h"
#include "remote/lab/world/settings.h"

/* -- what may happen -- */

static bool spring_lie(struct server *s, struct lab_device *d, const struct setup *was)
{
	setup_put(server_fabric(s), d, was);
	return true;
}

/* One of the first port's, that nobody asked for. */
static bool spring_lie_other(struct server *s, struct lab_device *d, const struct setup *was)
{
	struct fabric *f = server_fabric(s);

	setup_put(f, d, was);
	d->system->lie(d, &f->ports[d->first]);
	fabric_refresh(f, d);
	return true;
}

static bool spring_cut(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)s;
	setup_free(d->trap.before);
	d->trap.before = setup_copy(was);
	d->is_cut = true;
	return true;
}

static bool spring_stall(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)was;
	server_stall(s, d);
	return true;
}

static bool spring_reset(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)was;
	server_reset(s, d);
	return true;
}

static bool spring_garbage(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)was;
	server_garble(s, d);
	return true;
}

static bool spring_reboot(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)was;
	reboot_device(s, d, REBOOT_MS);
	return true;
}

static bool spring_refuse(struct server *s, struct lab_device *d, const struct setup *was)
{
	setup_put(server_fabric(s), d, was);
	return false;
}

/* From the next write on every one is refused. */
static bool spring_tools_gone(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)s;
	(void)was;
	d->trap.has_lost_tools = true;
	return true;
}

/* iproute2's dcb does at times what it is told and reports that it could not (remote/linux/dialect.c). */
static bool spring_misread(struct server *s, struct lab_device *d, const struct setup *was)
{
	(void)s, (void)was;
	d->trap.has_misread = true;
	return true;
}

const struct trap trap_table[] = {
	{ "lie",	spring_lie,	"the command is taken, and nothing changes" },
	{ "lie-other",	spring_lie_other, "the command is taken, and another setting changes in its place" },
	{ "cut",	spring_cut,	"nothing passes to or from the device until its settings are as before" },
	{ "stall",	spring_stall,	"open sessions are answered no more" },
	{ "reset",	spring_reset,	"open sessions are cut" },
	{ "garbage",	spring_garbage,	"noise and binary in what open sessions are told" },
	{ "reboot",	spring_reboot,	"the device starts again" },
	{ "refuse",	spring_refuse,	"the command fails" },
	{ "misread",	spring_misread,	"dcb does what it is told, and reports a protocol error" },
	{ "no-undo-tool", spring_tools_gone, "commands fail from the one after it on" },
	{ "no-systemd",	NULL,		"systemd-run is not installed" },
	{ "no-timer",	NULL,		"neither systemd-run nor setsid is installed" },
	{ "in-band",	NULL,		"our session comes in by the first port" },
	{ "no-sudo",	NULL,		"the login is not root, and sudo asks for a password" },
};
const size_t trap_count = sizeof(trap_table) / sizeof(*trap_table);

/* -- setting them -- */

bool trap_is(const struct lab_device *d, const char *name)
{
	return d->trap.kind && !strcmp(d->trap.kind->name, name);
}

static const struct trap *find_trap(struct span name)
{
	for (size_t i = 0; i < trap_count; i++)
		if (span_is(name, trap_table[i].name))
			return &trap_table[i];
	return NULL;
}

bool trap_set(struct fabric *f, const char *text, const char *nth, struct err *err)
{
	struct span name = span_of(text), place = { NULL, 0 };
	const struct trap *kind;
	struct lab_device *d;
	uint64_t n = 1;

	span_cut(span_of(text), '@', &name, &place);
	kind = find_trap(name);
	d = fabric_device(f, place);
	if (!kind)
		return err_set(err, "%.*s: no such trap; fabcon-lab --help lists them", (int)name.n, name.p);
	if (!d)
		return err_set(err, "%.*s: no such device", (int)place.n, place.n ? place.p : "");
	if (nth && (!span_u64(span_of(nth), &n) || !n || n > 1000000))
		return err_set(err, "%s: which write? 1 is the next", nth);
	trap_done(d);
	d->trap.base = setup_take(f, d);
	d->trap.kind = kind;
	d->trap.left = n;
	return true;
}

void trap_done(struct lab_device *d)
{
	setup_free(d->trap.base);
	setup_free(d->trap.before);
	d->trap = (struct lab_trap){ NULL };
	d->is_cut = false;
}

void trap_clear(struct fabric *f)
{
	for (size_t i = 0; i < f->n_devices; i++)
		trap_done(&f->devices[i]);
}

void trap_list(const struct fabric *f, struct buf *out)
{
	for (size_t i = 0; i < f->n_devices; i++) {
		const struct lab_device *d = &f->devices[i];

		if (d->trap.kind)
			buf_printf(out, "%s@%s %u\n", d->trap.kind->name, d->name, d->trap.left);
		if (d->is_cut)
			buf_printf(out, "%s is cut off\n", d->name);
		if (d->trap.has_lost_tools)
			buf_printf(out, "%s has lost its tools\n", d->name);
	}
}

/* -- springing -- */

bool trap_spring(struct server *s, struct lab_device *d, const struct setup *was)
{
	const struct trap *kind = d->trap.kind;

	if (!kind || !kind->spring || --d->trap.left)
		return true;
	d->trap.kind = NULL;
	return kind->spring(s, d, was);
}

void trap_mend(struct lab_device *d, const struct setup *now)
{
	if (!d->trap.before || (!setup_reads_same(d->trap.before, now) && !setup_reads_same(d->trap.base, now)))
		return;
	setup_free(d->trap.before);
	d->trap.before = NULL;
	d->is_cut = false;
}
