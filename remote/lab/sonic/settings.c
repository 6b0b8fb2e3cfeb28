/* A SONiC switch's settings: its CONFIG_DB; the saved one is with the device. */
#include <stdlib.h>

#include "remote/lab/sonic/sonic.h"

static void *take(const struct fabric *f, const struct lab_device *d)
{
	(void)f;
	return json_deep_copy(confdb_of(d));
}

static void *copy(const void *settings)
{
	return json_deep_copy(settings);
}

static void done(void *settings)
{
	json_decref(settings);
}

static bool same(const void *a, const void *b)
{
	return json_equal(a, b);
}

static void put(struct fabric *f, struct lab_device *d, const void *settings)
{
	(void)f;
	confdb_replace(d, json_deep_copy(settings));
}

/* What sonic-clear saved is in /tmp. */
static void boot(struct lab_device *d)
{
	caches_done(&sonic_of(d)->caches);
	confdb_boot(d);
}

static void print(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out)
{
	char *text = json_dumps(is_saved ? sonic_of(d)->saved : confdb_of(d), JSON_INDENT(1) | JSON_SORT_KEYS);

	(void)f;
	buf_printf(out, "%s\n", text ? text : "");
	free(text);
}

const struct lab_settings lab_sonic_settings = {
	.take = take, .copy = copy, .free = done, .same = same, .put = put, .boot = boot, .print = print,
	.save = confdb_save,
};
