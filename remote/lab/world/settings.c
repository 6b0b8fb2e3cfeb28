#include "remote/lab/world/settings.h"

#include <stdlib.h>

struct setup {
	const struct lab_settings *how;	/* lent by the device's system */
	void *settings;			/* owned; of its form */
};

static struct setup *setup_of(const struct lab_settings *how, void *settings)
{
	struct setup *s = xmalloc(sizeof(*s));

	*s = (struct setup){ how, settings };
	return s;
}

struct setup *setup_take(const struct fabric *f, const struct lab_device *d)
{
	const struct lab_settings *how = d->system->settings;

	return setup_of(how, how->take(f, d));
}

struct setup *setup_copy(const struct setup *s)
{
	return setup_of(s->how, s->how->copy(s->settings));
}

void setup_free(struct setup *s)
{
	if (!s)
		return;
	s->how->free(s->settings);
	free(s);
}

bool setup_same(const struct setup *a, const struct setup *b)
{
	return a->how->same(a->settings, b->settings);
}

bool setup_reads_same(const struct setup *a, const struct setup *b)
{
	return a->how->reads_same ? a->how->reads_same(a->settings, b->settings) : setup_same(a, b);
}

void setup_put(struct fabric *f, struct lab_device *d, const struct setup *s)
{
	s->how->put(f, d, s->settings);
	fabric_refresh(f, NULL);
}

void setup_merge(struct setup *boot, const struct setup *was, const struct setup *now)
{
	if (boot->how->merge)
		boot->how->merge(boot->settings, was->settings, now->settings);
}

void setup_boot(struct fabric *f, struct lab_device *d, const struct setup *boot)
{
	if (!boot->how->boot)
		return setup_put(f, d, boot);
	boot->how->boot(d);
	fabric_refresh(f, NULL);
}

void setup_print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out)
{
	d->system->settings->print(f, d, is_saved, out);
}
