/* What people write, and others may have written for them. An input's first line names its reader: "policy". */
#include <stdlib.h>

#include "core/application/nccl.h"
#include "core/application/perftest.h"
#include "core/inventory/inventory.h"
#include "core/model/obs.h"
#include "core/policy/policy.h"
#include "core/route/routes.h"
#include "core/ssh_config/ssh_config.h"
#include "tui/text/filter.h"
#include "tui/text/safe.h"
#include "tui/widgets/theme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_inventory(struct span text)
{
	struct inventory inv;
	struct err err;

	inventory_init(&inv);
	inventory_read(&inv, text, "inventory.yml", &err);
	inventory_done(&inv);
}

static void read_range(struct span text)
{
	char *range = xstrndup(text.p, text.n);
	struct inventory inv;
	struct err err;

	inventory_init(&inv);
	inventory_add_range(&inv, range, &err);
	inventory_done(&inv);
	free(range);
}

/* The text is every file there is, so that it also includes itself. */
static enum ssh_file_is same_text(void *ctx, const char *path, bool is_checked, struct buf *text, struct err *why)
{
	const struct span *all = ctx;

	(void)path, (void)is_checked, (void)why;
	buf_add(text, all->p, all->n);
	return SSH_FILE_READ;
}

static bool one_file(void *ctx, const char *pattern, struct buf *paths)
{
	(void)ctx;
	if (!strchr(pattern, '\n'))
		buf_printf(paths, "%s\n", pattern);
	return true;
}

static const char *no_variable(void *ctx, const char *name)
{
	(void)ctx;
	return *name == 'H' ? "home" : NULL;
}

static enum ssh_ran runs(void *ctx, const char *place, const char *written, const char *command, struct err *why)
{
	(void)ctx, (void)place, (void)why;
	return strlen(written) % 2 ? SSH_RAN_YES : strlen(command) % 3 ? SSH_RAN_NO : SSH_RAN_FAILED;
}

/* No address that could be an option of a program comes out. */
static void read_ssh_config(struct span text)
{
	struct ssh_source source = { .ctx = &text, .user = "ops", .home = "/home/ops", .machine = "console", .uid = 1000,
				     .user_file = "/home/ops/.ssh/config", .read = same_text, .list = one_file, .run = runs,
				     .env = no_variable };
	char *args = xstrndup(text.p, strnlen(text.p ? text.p : "", text.n < 200 ? text.n : 200));
	struct inventory inv;
	struct err err;

	inventory_init(&inv);
	inventory_add_range(&inv, "node[1-2],leaf1", &err);
	inv.hosts[0].ssh_args = args;
	routes_settle(&inv.routes, &inv, &source);
	for (size_t i = 0; i < inv.routes.n; i++)
		if (!inv.routes.list[i]->trouble && *inv.routes.list[i]->address == '-')
			abort();
	inventory_done(&inv);
	free(args);
}

static void read_policy(struct span text)
{
	struct policy_target target = { "leaf1", "ethernet1/1/1", true, NULL };
	struct policy *p;
	struct value v;
	struct err err;

	p = policy_read(text, "site.policy", &err);
	for (unsigned f = 0; p && f < FIELD_COUNT; f++)
		policy_wants(p, &target, (enum field)f, 3, &v, NULL);
	policy_free(p);
}

static void read_theme(struct span text)
{
	struct theme theme;
	struct err err;

	theme_read(&theme, text, "site.theme", &err);
}

static void whole_text(const void *ctx, const void *row, struct buf *out)
{
	(void)ctx;
	buf_str(out, row);
}

static bool one_field(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number)
{
	(void)ctx;
	*is_number = span_is(name, "mtu");
	*number = 9000;
	buf_str(text, row);
	return *is_number || span_is(name, "trust");
}

static void read_filter(struct span text)
{
	static const char *const names[] = { "trust", "mtu", NULL };
	struct filter_row row = { "node1 eth2 dscp", NULL, whole_text, one_field };
	char *copy = xstrndup(text.p, text.n);
	struct filter *f;
	struct err err;

	f = filter_new(copy, names, &err);
	if (f)
		filter_match(f, &row);
	filter_free(f);
	free(copy);
}

/* What was read is written, and that is read as the same again. */
static void read_facts(struct span text)
{
	struct buf once = { 0 }, twice = { 0 };
	struct obs o, again;
	struct err err;

	obs_init(&o, "node1", "import");
	obs_init(&again, "node1", "import");
	if (obs_read(&o, text, &err)) {
		obs_print(&o, &once);
		if (!obs_read(&again, buf_span(&once), &err))
			abort();
		obs_print(&again, &twice);
		if (once.n != twice.n || (once.n && memcmp(once.text, twice.text, once.n) != 0))
			abort();
	}
	buf_done(&once);
	buf_done(&twice);
	obs_done(&o);
	obs_done(&again);
}

/* Nothing that acts on a terminal comes out, and the columns are those of all that came in. */
static void read_safe(struct span text)
{
	struct buf out = { 0 };

	safe_add(&out, text, text.n % 2);
	for (size_t i = 0; i < out.n; i++)
		if ((unsigned char)out.text[i] < ' ' || out.text[i] == 0x7f)
			abort();
	buf_done(&out);
}

/* Whatever the log says, each host's facts cite lines that are there. */
static void read_log(struct span text)
{
	struct nccl_log log = { 0 };

	nccl_read(&log, text);
	for (size_t i = 0; i < log.n; i++) {
		struct buf excerpt = { 0 };
		struct obs o;

		obs_init(&o, "node1", "nccl-log");
		nccl_facts(&log, log.list[i].host, &excerpt, &o);
		for (size_t k = 0; k < o.n; k++)
			if (o.facts[k].cite != CITE_NONE && o.facts[k].cite >= o.raw.n)
				abort();
		obs_done(&o);
		buf_done(&excerpt);
	}
	nccl_done(&log);
}

static void read_perf(struct span text)
{
	static struct perf_result results[PERF_RESULTS_MAX];

	perf_read(text, results);
}

static const struct {
	const char *name;
	void (*read)(struct span text);
} readers[] = {
	{ "log", read_log }, { "perf", read_perf },
	{ "inventory", read_inventory }, { "range", read_range }, { "ssh_config", read_ssh_config }, { "policy", read_policy },
	{ "theme", read_theme },	 { "filter", read_filter }, { "facts", read_facts },	     { "safe", read_safe },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size }, name;
	char *text;

	if (!span_line(&rest, &name))
		return 0;
	text = malloc(rest.n + 1);	/* of its own, so that a read past the end is seen */
	if (rest.n)
		memcpy(text, rest.p, rest.n);
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (span_is(name, readers[i].name))
			readers[i].read((struct span){ text, rest.n });
	free(text);
	return 0;
}
