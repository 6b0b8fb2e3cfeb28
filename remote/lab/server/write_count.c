#include "remote/lab/server/write_count.h"

#include <stdlib.h>

#include "remote/lab/server/trap.h"
#include "remote/lab/server/view.h"
#include "remote/lab/world/settings.h"

struct row {
	struct setup *is, *boot;	/* owned; as it was last seen, and comes up again */
	uint64_t count;
};

struct write_count {
	struct server *server;
	struct fabric *fabric;
	struct row *rows;		/* one a device */
};

struct write_count *write_count_new(struct server *s)
{
	struct write_count *w = xcalloc(1, sizeof(*w));

	w->server = s;
	w->fabric = server_fabric(s);
	w->rows = xcalloc(w->fabric->n_devices, sizeof(*w->rows));
	for (size_t i = 0; i < w->fabric->n_devices; i++) {
		w->rows[i].is = setup_take(w->fabric, &w->fabric->devices[i]);
		w->rows[i].boot = setup_take(w->fabric, &w->fabric->devices[i]);
	}
	return w;
}

void write_count_free(struct write_count *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->fabric->n_devices; i++) {
		setup_free(w->rows[i].is);
		setup_free(w->rows[i].boot);
	}
	free(w->rows);
	free(w);
}

static struct row *row_of(const struct write_count *w, const struct lab_device *d)
{
	return &w->rows[d - w->fabric->devices];
}

void write_count_look(struct write_count *w, struct lab_device *d)
{
	struct row *row = row_of(w, d);

	setup_free(row->is);
	row->is = setup_take(w->fabric, d);
}

static bool settle(struct write_count *w, struct lab_device *d, struct row *row)
{
	bool has_lost_tools = d->trap.has_lost_tools, was_set = d->trap.kind != NULL, is_taken = false;

	if (has_lost_tools) {
		setup_put(w->fabric, d, row->is);
	} else {
		struct setup *was = row->is;

		row->count++;
		row->is = setup_take(w->fabric, d);
		is_taken = trap_spring(w->server, d, was);
		setup_free(was);
	}
	if (has_lost_tools || was_set) {
		write_count_look(w, d);
		if (d->refreshed)
			view_settings(w->fabric, d, server_dir(w->server));
	}
	trap_mend(d, row->is);
	return is_taken;
}

bool write_count_settle(struct write_count *w, struct lab_device *d)
{
	struct row *row = row_of(w, d);
	struct setup *now = setup_take(w->fabric, d);
	bool is_same = setup_same(row->is, now);

	setup_free(now);
	if (is_same)
		return true;
	fabric_refresh(w->fabric, d);
	return settle(w, d, row);
}

void write_count_accept(struct write_count *w)
{
	for (size_t i = 0; i < w->fabric->n_devices; i++) {
		struct lab_device *d = &w->fabric->devices[i];
		struct setup *now = setup_take(w->fabric, d);

		setup_merge(w->rows[i].boot, w->rows[i].is, now);
		setup_free(w->rows[i].is);
		w->rows[i].is = now;
		trap_mend(d, now);
	}
}

uint64_t write_count_count(const struct write_count *w, const struct lab_device *d)
{
	return row_of(w, d)->count;
}

const struct setup *write_count_boot(const struct write_count *w, const struct lab_device *d)
{
	return row_of(w, d)->boot;
}
