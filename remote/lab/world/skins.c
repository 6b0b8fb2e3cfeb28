#include "remote/lab/world/skins.h"

#include <stdlib.h>

#define LEAST 6	/* skins of a device that is not tidy, where so many fit it */

_Static_assert(SKIN_COUNT <= 64, "a device's skins are the bits of one number");

#define ROW(id, name, of, odds, group, help, seen) { name, of, odds, group, help, seen },
const struct skin_row skin_table[SKIN_COUNT] = { SKIN_LIST(ROW) };

static bool is_kind(struct span word, const struct lab_device *d)
{
	return span_is(word, "device") || span_is(word, d->system->is_switch ? "switch" : "host") || span_is(word, d->system->name);
}

/* d NULL: the fabric. */
static bool fits(const struct skin_row *row, const struct lab_device *d)
{
	struct span rest = span_of(row->of), word;

	while (span_word(&rest, &word))
		if (d ? is_kind(word, d) : span_is(word, "fabric"))
			return true;
	return false;
}

/* The same for the same seed, device and skin, whatever rows are added: FNV-1a of the names, mixed. */
static uint64_t draw(uint64_t seed, const char *device, const char *skin)
{
	uint64_t hash = 0xcbf29ce484222325u ^ seed * 0x9e3779b97f4a7c15u;

	for (const char *c = device; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
	for (const char *c = skin; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccdu;
	return hash ^ hash >> 33;
}

static bool has_of_group(uint64_t skins, const char *group)
{
	for (unsigned i = 0; *group && i < SKIN_COUNT; i++)
		if (skins >> i & 1 && !strcmp(skin_table[i].group, group))
			return true;
	return false;
}

/* The luckiest row of [from, to) that fits and is not worn yet; SKIN_COUNT when none is left. Luck: below 1 it is worn anyway. */
static unsigned next_skin(uint64_t seed, const struct lab_device *d, unsigned from, unsigned to, uint64_t skins, double *luck)
{
	unsigned best = SKIN_COUNT;

	for (unsigned i = from; i < to; i++) {
		const struct skin_row *row = &skin_table[i];
		double its;

		if (skins >> i & 1 || !fits(row, d) || has_of_group(skins, row->group))
			continue;
		its = (double)(draw(seed, d ? d->name : "", row->name) % 10000) / (row->odds * 100.0);
		if (best < SKIN_COUNT && its >= *luck)
			continue;
		best = i;
		*luck = its;
	}
	return best;
}

/* What a seed drew before the later rows were there, it draws; they come on top of it. */
static uint64_t drawn(uint64_t seed, const struct lab_device *d)
{
	unsigned n = 0, skin;
	uint64_t skins = 0;
	double luck = 0;

	while ((skin = next_skin(seed, d, 0, SKIN_FIRST_LATER, skins, &luck)) < SKIN_COUNT && (luck < 1 || (d && n < LEAST))) {
		skins |= (uint64_t)1 << skin;
		n++;
	}
	while ((skin = next_skin(seed, d, SKIN_FIRST_LATER, SKIN_COUNT, skins, &luck)) < SKIN_COUNT && luck < 1)
		skins |= (uint64_t)1 << skin;
	return skins;
}

/* "NAME" of all that it fits, "NAME@DEVICE" of one. */
static bool put_on(struct fabric *f, const char *text, struct err *err)
{
	struct span name = span_of(text), place = { NULL, 0 };
	bool is_one = span_cut(span_of(text), '@', &name, &place);
	unsigned skin = 0;
	bool is_worn = false;

	while (skin < SKIN_COUNT && !span_is(name, skin_table[skin].name))
		skin++;
	if (skin == SKIN_COUNT)
		return err_set(err, "%.*s: no such skin; fabcon-lab --help lists them", (int)name.n, name.p);
	if (!is_one && fits(&skin_table[skin], NULL)) {
		f->skins |= (uint64_t)1 << skin;
		return true;
	}
	for (size_t i = 0; i < f->n_devices; i++) {
		struct lab_device *d = &f->devices[i];

		if ((is_one && !span_is(place, d->name)) || !fits(&skin_table[skin], d))
			continue;
		d->skins |= (uint64_t)1 << skin;
		is_worn = true;
	}
	return is_worn || err_set(err, "%s: no device that could wear it", text);
}

bool skins_dress(struct fabric *f, const struct skin_wish *wish, struct err *err)
{
	for (size_t i = 0; wish && i < wish->n; i++)
		if (!put_on(f, wish->names[i], err))
			return false;
	if (!wish || wish->is_tidy || wish->n)
		return true;
	f->skins = drawn(f->seed, NULL);
	for (size_t i = 0; i < f->n_devices; i++)
		f->devices[i].skins = drawn(f->seed, &f->devices[i]);
	return true;
}

static void print_one(const char *name, uint64_t skins, struct buf *out)
{
	if (skins)
		buf_printf(out, "# %s wears", name);
	for (unsigned i = 0; i < SKIN_COUNT; i++)
		if (skins >> i & 1)
			buf_printf(out, " %s", skin_table[i].name);
	buf_str(out, skins ? "\n" : "");
}

void skins_print(const struct fabric *f, struct buf *out)
{
	print_one("the fabric", f->skins, out);
	for (size_t i = 0; i < f->n_devices; i++)
		print_one(f->devices[i].name, f->devices[i].skins, out);
}
