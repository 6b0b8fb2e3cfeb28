/* An OS10 switch's settings: its running configuration; the saved one is with the device. */
#include "remote/lab/os10/os10.h"

static void *take(const struct fabric *f, const struct lab_device *d)
{
	(void)f;
	return dell_config_copy(dell_of(d));
}

static void *copy(const void *settings)
{
	return dell_config_copy(settings);
}

static void done(void *settings)
{
	dell_config_free(settings);
}

static bool same(const void *a, const void *b)
{
	struct buf texts[2] = { { NULL }, { NULL } };
	bool is_same;

	dell_config_print(a, "", &texts[0]);
	dell_config_print(b, "", &texts[1]);
	is_same = span_same(buf_span(&texts[0]), buf_span(&texts[1]));
	buf_done(&texts[0]);
	buf_done(&texts[1]);
	return is_same;
}

static void put(struct fabric *f, struct lab_device *d, const void *settings)
{
	(void)f;
	dell_config_put(dell_of(d), settings);
}

static void boot(struct lab_device *d)
{
	dell_config_boot(dell_of(d));
}

static void print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out)
{
	const struct dell_config *c = dell_of(d);

	(void)f;
	if (is_saved)
		buf_add(out, c->startup.text, c->startup.n);
	else
		dell_config_print(c, "", out);
}

static bool is_saved(const struct lab_device *d)
{
	return dell_config_is_saved(dell_of(d));
}

static void save(struct lab_device *d)
{
	dell_config_save(dell_of(d));
}

const struct lab_settings lab_os10_settings = {
	.take = take, .copy = copy, .free = done, .same = same, .put = put, .boot = boot, .print = print, .is_saved = is_saved,
	.save = save,
};
