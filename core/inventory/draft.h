/*
 * An inventory while it is read: groups, hosts and their variables as the sources have them, before Ansible's precedence
 * makes one value of many. The formats (inventory_yaml_read.c, inventory_ini.c, ...) fill it; draft_settle() makes hosts of it.
 */
#ifndef CORE_INVENTORY_DRAFT_H
#define CORE_INVENTORY_DRAFT_H

#include "core/base/hash.h"
#include "core/inventory/inventory.h"

#define HOSTS_MAX	65536
#define GROUPS_MAX	16384

/* What a source has as the value of a variable. */
enum said_is {
	SAID_TEXT,		/* a string, whatever it looks like */
	SAID_PLAIN,		/* unquoted in YAML or JSON: a number, a boolean or nothing where YAML 1.1 reads one */
	SAID_NOTHING,		/* null: the variable is unset, whatever a group below says */
	SAID_VAULT,
	SAID_OTHER,		/* a list, a mapping, a literal that Ansible converts */
};

struct said {
	enum said_is is;
	const char *text;
	const char *file;
	unsigned line;
};

struct said_var {
	const char *name;
	struct said said;
};

struct said_vars {
	struct said_var *list;
	size_t n, cap;
};

struct draft_group {
	UT_hash_handle hh;
	const char *name;
	struct said_vars own, files;	/* in the inventory; from group_vars/ */
	struct draft_group **parents, **children;
	size_t n_parents, cap_parents, n_children, cap_children;
	size_t waits;			/* while depths are found: parents not done yet */
	unsigned depth, stamp;
	int64_t priority;		/* ansible_group_priority */
	const char *sealed;		/* a file of variables that ansible-vault has encrypted */
	bool is_declared;
	unsigned wanted_line;		/* INI: named here before it was declared; 0: not */
};

struct draft_host {
	UT_hash_handle hh;
	const char *name;		/* as Ansible has it; may be an IPv6 address */
	struct said_vars own, files;	/* in the inventory; from host_vars/ */
	struct draft_group **groups;
	size_t n_groups, cap_groups;
	const char *sealed;
	const char *file;		/* that named it first */
	unsigned line;
	bool is_word;			/* typed, or of a plain list: nothing of Ansible's settings is for it */
};

struct draft {
	struct inventory *inv;		/* its arena holds every text */
	struct draft_group *groups, *all;
	struct draft_host *hosts;
	struct said_vars defaults;	/* of ansible.cfg and the environment */
	bool was_secret, was_unchecked;	/* a password was read over, host keys are to be unchecked: told once */
	const char *source;		/* as the person named it: for the command in a message */
	bool is_ansible;		/* some source is Ansible's: what is told about ansible-inventory makes sense */
	bool is_listed;			/* by ansible-inventory: what changes which variable wins was followed */
	bool wants_ansible;		/* what cannot be followed here ansible-inventory reads */
	const char *stem;		/* the fabric's name where nothing gives one */
	bool is_words;			/* stem is what was typed */
};

struct draft *draft_new(struct inventory *inv, const char *source);
void draft_free(struct draft *d);

const char *draft_keep(struct draft *d, struct span text);
/* Whether a variable is a password: it is never kept, and told once. */
bool draft_is_secret(struct draft *d, struct span name, const char *file, unsigned line);
struct draft_group *draft_group(struct draft *d, const char *name);
/* The host of that name, in that group; NULL (and err) when there are too many. file and line: for messages. */
struct draft_host *draft_host(struct draft *d, const char *name, struct draft_group *g, const char *file, unsigned line, struct err *err);
void draft_child(struct draft_group *parent, struct draft_group *child);
void draft_set(struct draft *d, struct said_vars *vars, const char *name, struct said said);
const struct said *draft_get(const struct said_vars *vars, const char *name);
bool draft_group_set(struct draft *d, struct draft_group *g, struct said_vars *vars, const char *name, struct said said, struct err *err);

/* One source's text, in whatever format it is. */
bool draft_read(struct draft *d, struct span text, const char *file, struct err *err);
bool draft_read_yaml(struct draft *d, struct span text, const char *file, struct err *err);
bool draft_read_ini(struct draft *d, struct span text, const char *file, struct err *err);
/* Devices as a table with a heading; and whether a line is such a heading. */
bool draft_read_csv(struct draft *d, struct span text, const char *file, struct err *err);
bool draft_is_csv(struct span heading);
/* A plain list: words a line. */
bool draft_read_list(struct draft *d, struct span text, const char *file, struct err *err);
/* "spark1 root@10.0.0.2:2222,node[01-16] [fe80::1] ssh://u@h:2200"; file and line: NULL and 0 of what was typed. */
bool draft_words(struct draft *d, struct span words, const char *file, unsigned line, struct err *err);
/* The text of group_vars/NAME or host_vars/NAME: one of g and h. */
bool draft_vars(struct draft *d, struct draft_group *g, struct draft_host *h, struct span text, const char *file, struct err *err);
/* An ansible.cfg: what its settings say lies below every variable. */
bool draft_cfg(struct draft *d, struct span text, const char *file, struct err *err);
/* A row of the cable plan, once. */
bool draft_cable(struct draft *d, const char *const ends[4], struct err *err);

/* Hosts of Ansible's "name[01:16:2]", port and all. one is called with each; false ends it. */
bool draft_pattern(struct draft *d, struct span pattern, const char *file, unsigned line, struct draft_group *g,
		   bool (*one)(void *ctx, struct draft_host *h), void *ctx, struct err *err);

/* Makes the inventory's hosts; those that are there already are kept, and what is said of them changes them. */
bool draft_settle(struct draft *d, struct err *err);

/* Names go into file names, facts and screens: letters, digits, and what also holds, after the first. */
bool inventory_name_ok(const char *name, const char *also, size_t most);
#define NAME_ALSO	"._-"
#define ADDRESS_ALSO	"._-:%"
#define PORT_ALSO	"._-/:@"

/* Whether text is an IPv6 address, with or without %zone; and the name a device of that address is shown by. */
bool is_ipv6(struct span text);
void ipv6_name(struct span address, char out[64]);

#endif
