#include "core/policy/policy.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/policy/shipped.h"

#define CNP_DSCP	48	/* what NICs mark CNPs with unless told otherwise */
#define POLICY_MAX_RULES 10000
#define READ_ONLY_MAX	200	/* bytes of a reason */
#define NAME_LONGEST	63

struct rule {
	const char *device, *port;	/* selectors; port NULL: the field is of the device */
	enum field field;
	uint64_t indices;
	struct value value;
	const char *text;
	struct rule *earlier;		/* of the same field */
};

struct policy {
	const char *name;
	const char *read_only;		/* the whole sentence once all is read */
	struct rule *latest[FIELD_COUNT];
	uint64_t indices[FIELD_COUNT];
	size_t n_rules;
	double limits[LIMIT_COUNT];
	unsigned lossless[2], cnp_priority;
	struct arena arena;
};

const struct limit_info limit_table[LIMIT_COUNT] = {
#define X(id, name, normal, unit, source) [LIMIT_##id] = { name, normal, unit, source },
	LIMITS(X)
#undef X
};

/* -- selectors -- */

/* * stands for any text, ? for one character. Goes back to the last * only, so it is never slow. */
static bool glob_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			from = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool in_group(const struct host *h, const char *group)
{
	for (size_t i = 0; h && i < h->n_groups; i++)
		if (strcmp(h->groups[i], group) == 0)
			return true;
	return false;
}

static bool device_matches(const char *selector, const struct policy_target *t)
{
	if (strcmp(selector, "*") == 0)
		return true;
	if (strcmp(selector, "switch") == 0)
		return t->is_switch;
	if (strcmp(selector, "host") == 0)
		return !t->is_switch;
	if (*selector == '@')
		return in_group(t->host, selector + 1);
	return t->device && glob_matches(selector, t->device);
}

#define PART_SELECTOR	"part:"
#define DRIVER_SELECTOR	"driver:"
#define LONGEST_PART	64

/* "part:MT_0000000838": what is behind the colon; NULL: the selector does not begin so. */
static const char *after(const char *selector, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(selector, prefix, n) == 0 ? selector + n : NULL;
}

static bool part_matches(const char *pattern, struct span part)
{
	char text[LONGEST_PART + 1];

	if (!part.n || part.n > LONGEST_PART)
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)part.n, part.p);
	return glob_matches(pattern, text);
}

static bool port_matches(const char *selector, const struct policy_target *t)
{
	const char *name;

	if (selector && (name = after(selector, PART_SELECTOR)))
		return part_matches(name, t->part);
	if (selector && (name = after(selector, DRIVER_SELECTOR)))
		return t->driver && glob_matches(name, t->driver);
	if (!selector || strcmp(selector, "*") == 0)
		return true;
	return t->port && glob_matches(selector, t->port);
}

bool policy_wants(const struct policy *p, const struct policy_target *t, enum field f, unsigned index,
		  struct value *out, const char **text)
{
	for (const struct rule *r = p->latest[f]; r; r = r->earlier) {
		if (index > 63 || !(r->indices >> index & 1))
			continue;
		if (!device_matches(r->device, t) || !port_matches(r->port, t))
			continue;
		*out = r->value;
		if (text)
			*text = r->text;
		return true;
	}
	return false;
}

/* -- reading -- */

/* "1", "0.5", "1e-6", with "%" or without. Not strtod(): that reads by the locale. */
static bool read_limit(struct span s, double *out)
{
	uint64_t whole, exponent = 0;
	double value, scale = 1;
	bool is_small;

	if (!span_take_u64(&s, &whole))
		return false;
	value = (double)whole;
	if (span_skip(&s, "."))
		for (; s.n && *s.p >= '0' && *s.p <= '9'; s.p++, s.n--) {
			scale /= 10;
			value += scale * (*s.p - '0');
		}
	if (span_skip(&s, "e")) {
		is_small = span_skip(&s, "-");
		if (!span_take_u64(&s, &exponent) || exponent > 30)
			return false;
		for (; exponent > 0; exponent--)
			value = is_small ? value / 10 : value * 10;
	}
	s = span_trim(s);
	if (span_skip(&s, "%"))
		value /= 100;
	*out = value;
	return s.n == 0;
}

static void list_limits(struct buf *out)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		buf_printf(out, "%s%s", i ? ", " : "", limit_table[i].name);
}

static bool add_limit(struct policy *p, struct span line, struct err *err)
{
	struct span name, value;
	struct buf all = { 0 };

	if (!span_cut(line, '=', &name, &value))
		return err_set(err, "a limit line is: limit NAME = NUMBER");
	name = span_trim(name);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		if (span_is(name, limit_table[i].name))
			return read_limit(span_trim(value), &p->limits[i]) ||
				err_set(err, "%s needs a number, or a percentage: %.*s", limit_table[i].name,
					(int)value.n, value.p);
	list_limits(&all);
	err_set(err, "no limit is named %.*s; limits: %s", (int)name.n, name.p, all.text);
	buf_done(&all);
	return false;
}

static bool can_be_wanted(enum field f, struct err *err)
{
	const struct field_info *info = &field_table[f];

	if (!field_is_setting(f))
		return err_set(err, "%s is measured: a policy cannot set it", info->name);
	return true;
}

/* Only the checks of versions know the part and the driver of a NIC. */
static bool can_select(const char *selector, enum field f, struct err *err)
{
	const char *name = selector ? after(selector, PART_SELECTOR) : NULL;

	if (selector && !name)
		name = after(selector, DRIVER_SELECTOR);
	if (!name)
		return true;
	if (!*name)
		return err_set(err, "%s needs a name behind it: part:MT_0000000838 (in brackets in ethtool -i), driver:mlx5_core", selector);
	return f == FIELD_FIRMWARE ||
	       err_set(err, "%.40s is for firmware alone: %s needs names of ports, or *", selector, field_table[f].name);
}

static bool add_rule(struct policy *p, struct span line, struct err *err)
{
	struct fact_text t;
	struct rule *r;
	struct rule rule = { 0 };

	if (!fact_split(line, &t, err) || !can_be_wanted(t.field, err) ||
	    !fact_indices(t.field, t.indices, &rule.indices, err) ||
	    !value_parse(t.field, t.value, &p->arena, &rule.value, err))
		return false;
	if (rule.value.is != VALUE_KNOWN)
		return err_set(err, "a policy line needs a value: %.*s", (int)t.value.n, t.value.p);
	if (p->n_rules++ >= POLICY_MAX_RULES)
		return err_set(err, "more than %d lines", POLICY_MAX_RULES);
	rule.device = arena_text(&p->arena, t.device.p, t.device.n);
	rule.port = t.port.n ? arena_text(&p->arena, t.port.p, t.port.n) : NULL;
	if (!can_select(rule.port, t.field, err))
		return false;
	rule.field = t.field;
	rule.text = arena_text(&p->arena, line.p, line.n);
	rule.earlier = p->latest[t.field];
	r = xmalloc(sizeof(*r));
	*r = rule;
	p->latest[t.field] = r;
	p->indices[t.field] |= rule.indices;
	return true;
}

/* Who meets the refusal has nobody to ask but these words. */
static bool set_read_only(struct policy *p, struct span reason, struct err *err)
{
	if (reason.n == 0 || *reason.p == '#')
		return err_set(err, "read-only needs a reason: read-only change freeze until Monday");
	p->read_only = arena_text(&p->arena, reason.p, reason.n < READ_ONLY_MAX ? reason.n : READ_ONLY_MAX);
	return true;
}

/* It is written into manifests, as a comment of a script, a unit, a switch's lines: nothing in it may end that line. */
static bool take_name(struct policy *p, struct span name, struct err *err)
{
	if (name.n == 0)
		return err_set(err, "name needs a value");
	if (name.n > NAME_LONGEST)
		return err_set(err, "a name of more than %d characters", NAME_LONGEST);
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] < ' ' || name.p[i] > '~')
			return err_set(err, "a name may contain letters, digits and signs");
	p->name = arena_text(&p->arena, name.p, name.n);
	return true;
}

static bool add_line(struct policy *p, struct span line, struct err *err)
{
	struct span rest = line, word;

	if (!span_word(&rest, &word) || *word.p == '#')
		return true;
	if (span_is(word, "name")) {
		return take_name(p, span_trim(rest), err);
	}
	if (span_is(word, "read-only"))
		return set_read_only(p, span_trim(rest), err);
	if (span_is(word, "limit"))
		return add_limit(p, span_trim(rest), err);
	return add_rule(p, line, err);
}

/* What the policy says of every switch (or host), whatever its name. */
static bool wants_of_all(const struct policy *p, bool is_switch, enum field f, unsigned index, uint64_t *out)
{
	struct policy_target t = { .is_switch = is_switch };
	struct value v;

	if (!policy_wants(p, &t, f, index, &v, NULL))
		return false;
	*out = v.n;
	return true;
}

static void say_read_only(struct policy *p)
{
	struct buf text = { 0 };

	buf_printf(&text, "the policy %.100s is read-only: %s", p->name, p->read_only);
	p->read_only = arena_text(&p->arena, text.text, text.n);
	buf_done(&text);
}

static void sum_up(struct policy *p)
{
	uint64_t n;

	if (p->read_only)
		say_read_only(p);

	for (unsigned is_switch = 0; is_switch < 2; is_switch++)
		for (unsigned prio = 0; prio < 8; prio++)
			if (wants_of_all(p, is_switch, FIELD_PFC_ON, prio, &n) && n)
				p->lossless[is_switch] |= 1u << prio;
	p->cnp_priority = 8;
	if (wants_of_all(p, true, FIELD_DSCP_PRIO, CNP_DSCP, &n) || wants_of_all(p, false, FIELD_DSCP_PRIO, CNP_DSCP, &n))
		p->cnp_priority = n < 8 ? (unsigned)n : 8;
}

struct policy *policy_read(struct span text, const char *file, struct err *err)
{
	struct policy *p = xcalloc(1, sizeof(*p));
	struct span line;
	struct err why;

	p->name = arena_text(&p->arena, file, strlen(file));
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		p->limits[i] = limit_table[i].normal;
	for (size_t number = 1; span_line(&text, &line); number++) {
		if (add_line(p, span_trim(line), &why))
			continue;
		err_set(err, "%s:%zu: %s", file, number, why.text);
		policy_free(p);
		return NULL;
	}
	sum_up(p);
	return p;
}

void policy_free(struct policy *p)
{
	struct rule *earlier;

	if (!p)
		return;
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (struct rule *r = p->latest[f]; r; r = earlier) {
			earlier = r->earlier;
			free(r);
		}
	arena_done(&p->arena);
	free(p);
}

const char *policy_builtin_name(size_t i)
{
	for (size_t n = 0; shipped_policies[n].name; n++)
		if (n == i)
			return shipped_policies[n].name;
	return NULL;
}

const char *policy_builtin_text(const char *name)
{
	for (size_t n = 0; shipped_policies[n].name; n++)
		if (strcmp(shipped_policies[n].name, name) == 0)
			return shipped_policies[n].text;
	return NULL;
}

struct policy *policy_builtin(const char *name)
{
	const char *text = policy_builtin_text(name);

	return text ? policy_read(span_of(text), name, NULL) : NULL;
}

const char *policy_name(const struct policy *p)
{
	return p->name;
}

const char *policy_read_only(const struct policy *p)
{
	return p->read_only;
}

double policy_limit(const struct policy *p, enum limit limit)
{
	return p->limits[limit];
}

const char *limit_text(char out[LIMIT_TEXT], double limit)
{
	size_t n = (size_t)snprintf(out, LIMIT_TEXT, "%.9f", limit);

	while (n && out[n - 1] == '0')
		out[--n] = '\0';
	if (n && out[n - 1] == '.')
		out[n - 1] = '\0';
	return out;
}

uint64_t policy_indices(const struct policy *p, enum field f)
{
	return p->indices[f];
}

unsigned policy_lossless(const struct policy *p, bool is_switch)
{
	return p->lossless[is_switch];
}

unsigned policy_cnp_priority(const struct policy *p)
{
	return p->cnp_priority;
}
