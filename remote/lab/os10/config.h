/*
 * An OS10 switch's configuration: blocks of lines, as "show running-configuration" prints them. The grammar is a table
 * of rows: enough of OS10's to change what concerns lossless Ethernet, and the answers it gives to the rest.
 */
#ifndef REMOTE_LAB_OS10_CONFIG_H
#define REMOTE_LAB_OS10_CONFIG_H

#include "remote/lab/world/fabric.h"

struct dell_block {
	char *header;			/* owned; "" for the lines of no block */
	int parent;			/* of a class: its policy-map */
	char **lines;			/* owned, as are the texts */
	size_t n, cap;
};

struct dell_config {
	struct dell_block *blocks;	/* the first holds the global lines */
	size_t n, cap;
	struct buf startup;		/* the text of the next boot */
	char changed[40];		/* "Nov 21 05:53:09 2026" */
};

/* A device of this system owns one: lab_device.own. */
static inline struct dell_config *dell_of(const struct lab_device *d)
{
	return d->own;
}

struct dell_config *dell_config_lossless(const char *hostname, unsigned ports);
/* The same in steps: all but ports; a port; a line of no interface; dell_config_save() at last. */
struct dell_config *dell_config_without_ports(const char *hostname);
void dell_config_add_port(struct dell_config *c, const char *port);
void dell_config_add_line(struct dell_config *c, const char *line);
void dell_config_free(struct dell_config *c);
struct dell_config *dell_config_copy(const struct dell_config *c);
/* The same put back: blocks that came later are empty ones now. The text of the next boot stays. */
void dell_config_put(struct dell_config *c, const struct dell_config *from);
/* What the switch has after its power came back. */
void dell_config_boot(struct dell_config *c);

/* Where a command line leaves the person: the block number, or DELL_LEAVE to go up, or DELL_REFUSED with an answer. */
#define DELL_LEAVE	(-1)
#define DELL_REFUSED	(-2)

/*
 * One line typed in configuration mode inside block at. The words must be normalised by dell_words().
 * answer   gets what the switch prints: nothing, or "% Error: …"
 */
int dell_config_line(struct dell_config *c, int at, const char *line, struct buf *answer);
/* One blank between words, "ethernet 1/1/1" and "eth1/1/1" as "ethernet1/1/1"; false when it is too long. */
bool dell_words(struct span line, char *out, size_t size);
/* "conf-if-eth1/1/1", "config-wred": what the prompt shows inside that block. */
void dell_prompt(const struct dell_config *c, int at, struct buf *out);

/* The whole text (section ""), or the blocks whose header begins with section. */
void dell_config_print(const struct dell_config *c, const char *section, struct buf *out);
/* The blocks of c that differ from those of old, behind a "!". */
void dell_config_print_changed(const struct dell_config *c, const struct dell_config *old, struct buf *out);
void dell_config_save(struct dell_config *c);
bool dell_config_is_saved(const struct dell_config *c);

/* The value of a line "key value" of that interface, or NULL: dell_if_value(c, "ethernet1/1/1", "mtu "). */
const char *dell_if_value(const struct dell_config *c, const char *port, const char *key);
/* Takes a block away, bound or not. */
void dell_remove(struct dell_config *c, const char *header);
/* Makes or replaces a line of a block that is there or not, without any check: for faults. line NULL: key is removed. */
void dell_put(struct dell_config *c, const char *header, const char *class, const char *key, const char *line);

void dell_to_sim(const struct dell_config *c, const char *port, struct sim_qos *qos);

#endif
