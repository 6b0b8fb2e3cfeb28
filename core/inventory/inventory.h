/*
 * Who is to be reached and how, and which port the cable plan says faces which. Read from what sites already have: an
 * Ansible inventory (YAML, or the JSON of ansible-inventory --list), host ranges "node[01-16]", ssh_config.
 */
#ifndef CORE_INVENTORY_INVENTORY_H
#define CORE_INVENTORY_INVENTORY_H

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/inventory/route.h"

struct host {
	const char *name;		/* as shown and as facts name it; letters, digits . _ - only */
	const char *address;		/* host name or number; NULL: its name. Who dials or shows it reads the route (core/inventory/route.h) */
	unsigned port;			/* TCP; 0: not said */
	const char *user;		/* NULL: as ssh_config or the login name */
	const char *identity;		/* private key file, or NULL */
	const char *jump;		/* name of another host in the inventory, or user@address:port; NULL: direct */
	const char *ssh_first;		/* ansible_ssh_args: Ansible gives them to ssh before port, key and user; or NULL */
	const char *ssh_args;		/* ansible_ssh_common_args and ansible_ssh_extra_args, as written; or NULL */
	enum transport transport;	/* fabcon_transport */
	const char *trouble;		/* the inventory cannot be followed for this host: why, and the command that helps; or NULL */
	const char *platform;		/* hint: "linux", "os10", "sonic"; NULL: find out. Always verified. */
	const char *kind;		/* "host" or "switch" where the inventory tells, else NULL */
	const char *rack, *rail;	/* from variables or group names rack…, rail…; NULL: none */
	const char **groups;		/* in order of appearance, without "all" */
	size_t n_groups, cap_groups;
};

/* One row of the cable plan: variables fabcon_cables: [{port: eth2, peer: leaf1, peer_port: ethernet1/1/1}]. */
struct cable {
	const char *device, *port, *peer, *peer_port;
};

struct inventory {
	const char *fabric;		/* variable fabcon_fabric, or the file's name; for the header line */
	bool is_range;			/* fabric is that range: nobody gave it a name */
	const char *plan;		/* variable fabcon_plan: a cable plan in CSV beside the inventory; NULL: none */
	const char *known_hosts;	/* variable fabcon_known_hosts: a file beside the inventory; NULL: the user's */
	struct host *hosts;
	size_t n_hosts, cap_hosts;
	struct cable *cables;
	size_t n_cables, cap_cables;
	struct texts notes;		/* read and not followed: "FILE:LINE: words" for a person */
	struct arena arena;		/* of every text above */
	struct routes routes;		/* how each is reached, once that was settled; else the poller goes by the inventory alone */
};

void inventory_init(struct inventory *inv);
void inventory_done(struct inventory *inv);

/*
 * Adds the hosts of a text. name: of the file, for messages ("file:line: reason"). YAML or JSON is told by its first
 * character. Hostile names (anything outside [A-Za-z0-9][A-Za-z0-9._-]{0,62} for devices) are refused with the line.
 * Variables read: ansible_host, ansible_port, ansible_user, ansible_ssh_private_key_file, ansible_network_os,
 * ansible_ssh_common_args (ProxyJump only), fabcon_platform, fabcon_kind, fabcon_rack, fabcon_rail, fabcon_jump,
 * fabcon_cables, fabcon_fabric, fabcon_known_hosts, fabcon_plan. Unknown variables are skipped.
 */
bool inventory_read(struct inventory *inv, struct span text, const char *name, struct err *err);

/* For a person: "FILE:LINE: what was read and is not followed". */
void inventory_note(struct inventory *inv, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One more row of the cable plan: device, port, peer and its port; names as hosts' and ports' are allowed to be. */
bool inventory_add_cable(struct inventory *inv, const char *const ends[4], struct err *err);

/* Adds "node[01-16],leaf1": ClusterShell's folded form. */
bool inventory_add_range(struct inventory *inv, const char *range, struct err *err);

/* The whole as a YAML text that inventory_read() reads back the same. */
void inventory_yaml(const struct inventory *inv, struct buf *out);

const struct host *inventory_find(const struct inventory *inv, const char *name);

/* Expands "node[01-03]:r2" forms: each name is given to add. And folds a sorted list back: "node[01-03]". */
bool range_expand(const char *range, void (*add)(void *ctx, const char *name), void *ctx, struct err *err);
void range_fold(const char *const *names, size_t n, struct buf *out);

#endif
