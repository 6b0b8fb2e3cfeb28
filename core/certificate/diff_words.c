#include "core/certificate/diff.h"

#include "core/certificate/internal.h"

static const char *const kind_words[CHANGE_KINDS] = {
	[CHANGE_RACK] = "rack",		[CHANGE_FILE] = "file",		[CHANGE_LIMIT] = "limit",	[CHANGE_DEVICE] = "device",
	[CHANGE_FACT] = "fact",		[CHANGE_LINK] = "link",		[CHANGE_CABLE] = "cable",	[CHANGE_SETTING] = "setting",
	[CHANGE_STAGE] = "stage",	[CHANGE_STATE] = "state",	[CHANGE_TEST] = "test",		[CHANGE_RATE] = "rate",
};

const char *certificate_change_word(enum certificate_change_kind kind)
{
	return kind_words[kind];
}

const char *certificate_turn_word(enum certificate_turn turn)
{
	static const char *const words[] = { [TURN_OTHER] = "changed", [TURN_WORSE] = "worse", [TURN_BETTER] = "better" };

	return words[turn];
}

static void add_place(const struct certificate_change *c, struct arena *a, struct buf *out)
{
	buf_str(out, c->kind == CHANGE_LIMIT ? "limit " : "");
	if (!c->device)
		return;
	FILL(out, certificate_plain, "{}", certificate_name(a, c->device, c->port));
	if (c->to_device)
		FILL(out, certificate_plain, " to {}", certificate_name(a, c->to_device, c->to_port));
	buf_str(out, ": ");
}

/* none: what stands for a value that is not there. */
static void add_values(const struct certificate_change *c, const char *none, const char *none_now, struct buf *out)
{
	FILL(out, certificate_plain, "{}{}{} -> {}", c->name ? c->name : "", c->name ? " " : "", c->was ? c->was : none,
	     c->now ? c->now : none_now);
}

/* Of a link, a device or a test that one certificate alone has. was and now as there. */
static void add_lone(const struct certificate_change *c, const char *gone, const char *new, struct buf *out)
{
	FILL(out, certificate_plain, c->was ? gone : new, c->was ? c->was : c->now);
}

static void add_test(const struct certificate_change *c, struct buf *out)
{
	FILL(out, certificate_plain, "{}, ", c->name);
	if (c->kind == CHANGE_RATE || (c->was && c->now))
		FILL(out, certificate_plain, "{} -> {}", c->was ? c->was : "not reported", c->now ? c->now : "not reported now");
	else
		add_lone(c, "{} -> not tested now", "not tested before -> {}", out);
}

void certificate_change_words(const struct certificate_change *c, struct buf *out)
{
	struct arena arena = { 0 };

	add_place(c, &arena, out);
	if (c->kind == CHANGE_DEVICE)
		add_lone(c, "{} is gone", "new {}", out);
	else if (c->kind == CHANGE_LINK)
		add_lone(c, "link to {} is gone", "new link to {}", out);
	else if (c->kind == CHANGE_CABLE && c->was && c->now)
		FILL(out, certificate_plain, "moved from {} to {}", c->was, c->now);
	else if (c->kind == CHANGE_CABLE)
		FILL(out, certificate_plain, "far end {} -> {}", c->was ? c->was : "not reported", c->now ? c->now : "not reported now");
	else if (c->kind == CHANGE_TEST || c->kind == CHANGE_RATE)
		add_test(c, out);
	else if (c->kind == CHANGE_LIMIT || c->kind == CHANGE_FILE || c->kind == CHANGE_RACK)
		add_values(c, "none", "none", out);
	else
		add_values(c, "not reported", "not reported now", out);
	if (c->why)
		FILL(out, certificate_plain, ": {}", c->why);
	arena_done(&arena);
}
