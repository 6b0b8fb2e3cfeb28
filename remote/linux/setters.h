/*
 * How each setting of a Linux host is set: a row a setter, with the fields it writes, the commands it makes of two states
 * of a port, what that disturbs, and who keeps it over a reboot. Commands are run in the order of the rows.
 */
#ifndef REMOTE_LINUX_SETTERS_H
#define REMOTE_LINUX_SETTERS_H

#include "core/fix/plan.h"
#include "remote/linux/settings.h"

/* What a setter works on. */
struct setting_job {
	const struct linux_setup *from, *to;
	const char *port;		/* NULL: the device itself */
	struct arena *arena;
	struct fix_lines *lines;	/* gets the commands */
	struct err *err;
};

struct linux_setter {
	enum field fields[4];		/* the first that is 0 ends them */
	bool is_together;		/* written in one go, so all of them must be known; else each by itself */
	bool (*commands)(struct setting_job *j);
	const char *disturbs;		/* of a port, "%s"; NULL: nothing */
	const char *keeper;		/* who sets it at the next boot; "%s" is the device */
	bool needs_link;		/* asked of physical functions whose link is up */
	bool of_rdma;			/* of the RDMA device, which a bond has too */
};

extern const struct linux_setter linux_setters[];
extern const size_t linux_setter_count;

/* The first row that writes the field, or NULL. */
const struct linux_setter *linux_setter_of(enum field f);
/* Whether a command for field f writes also the other. */
bool linux_set_together(enum field f, enum field other);

#endif
