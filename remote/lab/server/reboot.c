#include "remote/lab/server/reboot.h"

#include "remote/lab/server/spawn.h"
#include "remote/lab/server/timers.h"
#include "remote/lab/server/trap.h"
#include "remote/lab/server/view.h"
#include "remote/lab/server/write_count.h"
#include "remote/lab/world/settings.h"

void reboot_device(struct server *s, struct lab_device *d, uint64_t down_ms)
{
	struct fabric *f = server_fabric(s);

	timers_forget(server_timers(s), d);
	spawn_kill_left(server_dir(s), d);
	trap_done(d);
	setup_boot(f, d, write_count_boot(server_writes(s), d));
	write_count_look(server_writes(s), d);
	for (unsigned i = 0; i < d->n; i++)
		counters_clear(f, &f->ports[d->first + i]);
	d->booted_us = f->now_us;
	d->boots++;
	view_boot(f, d, server_dir(s));
	server_down(s, d, down_ms);
}
