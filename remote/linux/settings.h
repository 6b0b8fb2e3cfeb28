/*
 * What a Linux host is set to, as a text that can be compared byte for byte: a line a fact, in its written form, by port,
 * field and index; and behind "# " what its commands need to know beside that, which nothing sets:
 *
 *	node1 tcp_ecn = 2
 *	# node1 eth2 rdma = "mlx5_0"
 *	# node1 eth2 by dcb
 *	node1 eth2 trust = dscp
 *
 * A fact that is not there is not known. "by" names another tool than the usual one: dcb where mlnx_qos is missing, and
 * cc_params, the upstream driver's place for what /sys/class/net/PORT/ecn has.
 */
#ifndef REMOTE_LINUX_SETTINGS_H
#define REMOTE_LINUX_SETTINGS_H

#include "core/model/fact.h"
#include "core/model/model.h"

enum linux_tool { LINUX_BY_DCB = 1, LINUX_BY_CC_PARAMS = 2 };

struct linux_line {
	const char *port;		/* NULL: of the device */
	enum field field;
	unsigned index;
	struct value value;
	bool is_context;
};

struct linux_setup {
	const char *device;
	struct linux_line *lines;	/* by port, field, index */
	size_t n, cap;
	struct arena arena;
};

/* Writes what the model knows; false where nothing was heard, or not every question was answered yet. */
bool linux_setup_is_whole(const struct device *d, int64_t since_us, struct err *err);	/* remote/platform/dialect.h */
bool linux_setup_write(const struct model *m, const struct device *d, struct buf *out, struct err *err);
/* s is initialised with { 0 } and, read or not, given back with linux_setup_done(). */
bool linux_setup_read(struct linux_setup *s, struct span text, struct err *err);
void linux_setup_done(struct linux_setup *s);
void linux_setup_print(const struct linux_setup *s, struct buf *out);

/* NULL: not known. */
const struct value *linux_value(const struct linux_setup *s, const char *port, enum field f, unsigned index);
const char *linux_text(const struct linux_setup *s, const char *port, enum field f);
bool linux_by(const struct linux_setup *s, const char *port, enum linux_tool tool);
/* Whether the port is a member of that bond. */
bool linux_is_member(const struct linux_setup *s, const char *port, const char *bond);
/* Puts a value in, or (v NULL) takes it out; the text is copied. */
void linux_put(struct linux_setup *s, const char *port, enum field f, unsigned index, const struct value *v);
/* The name of the next port after that one (NULL: the first), or NULL. */
const char *linux_next_port(const struct linux_setup *s, const char *port);

/* Modules in the alphabet's order: the kernel lists the youngest first. */
const char *linux_sorted(struct arena *arena, const char *text);

/* A name that a Linux interface may have in a command; switches' names with / : , are none. */
bool linux_is_interface(const char *name);

/* Whether the field is one of those that are set on hosts. */
bool linux_is_setting(enum field f);

#endif
