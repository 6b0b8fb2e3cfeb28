/*
 * OS10's running configuration as a tree of blocks that can be changed and printed again, always in one order: the same
 * settings give the same text, whatever order or indentation the switch printed them in. Objects come by kind and name, a
 * block's lines by their row in the table of lines; what is not of QoS stays as it was printed, first.
 *
 *	interface ethernet1/1/1
 *	 mtu 9216
 *	policy-map type queuing rdma-ets
 *	 class Q3
 *	  bandwidth percent 60
 */
#ifndef REMOTE_OS10_TREE_H
#define REMOTE_OS10_TREE_H

#include "core/base/err.h"
#include "core/base/mem.h"

/* In the order in which objects can be made: each names only what is above it. */
enum os10_kind {
	OS10_OTHER, OS10_WRED, OS10_TRUST, OS10_QUEUE_MAP, OS10_CLASS_QUEUE, OS10_CLASS_GROUP, OS10_POLICY_QUEUE,
	OS10_POLICY_GROUP, OS10_SYSTEM, OS10_OTHER_PORT, OS10_PORT,
};

struct os10_part {
	const char *header;		/* "class Q3"; NULL: the block's own lines */
	const char **lines;
	size_t n, cap;
};

struct os10_block {
	enum os10_kind kind;
	const char *header, *name;	/* "wred rdma-ecn", "rdma-ecn" */
	struct os10_part *parts;	/* the first has the own lines */
	size_t n, cap;
};

struct os10_tree {
	struct os10_block *blocks;
	size_t n, cap;
	struct arena arena;		/* of every text */
};

/* From a switch's own text or from the normal form. False, with the reason: too much of it, a line too long to be one. */
bool os10_tree_read(struct os10_tree *t, struct span text, struct err *err);
void os10_tree_done(struct os10_tree *t);
void os10_block_done(struct os10_block *b);
/* Puts blocks, classes and lines into their order. */
void os10_tree_sort(struct os10_tree *t);
void os10_block_print(const struct os10_block *b, struct buf *out);
void os10_tree_print(const struct os10_tree *t, struct buf *out);

/* NULL: there is none. */
struct os10_block *os10_find(const struct os10_tree *t, enum os10_kind kind, const char *name);
struct os10_part *os10_find_part(const struct os10_block *b, const char *header);
/* Makes an empty block of that kind and name, or class; every pointer to blocks (parts) is then an old one. */
struct os10_block *os10_add(struct os10_tree *t, enum os10_kind kind, const char *name);
struct os10_part *os10_add_part(struct os10_tree *t, struct os10_block *b, const char *header);
/* "wred ", "policy-map type queuing ": what is before the name. */
const char *os10_kind_words(enum os10_kind kind);

/* What follows the words key in the part's line that begins with them, "" for no more words; NULL: no such line. */
const char *os10_value(const struct os10_part *p, const char *key);
void os10_set(struct os10_tree *t, struct os10_part *p, const char *key, const char *value);
void os10_unset(struct os10_part *p, const char *key);

/*
 * A line that the table knows, in which kind of block (in_class: in a class of a policy). no: what takes it away, "%s" being
 * the whole line; NULL: nothing does that we know of.
 */
struct os10_line {
	enum os10_kind kind;
	bool in_class;
	const char *key;
	const char *no;
	bool is_list;			/* "qos-group 3 dscp 24,26", "queue 3 qos-group 3": told apart by their number */
};
/* Its row, or -1. */
int os10_line_row(enum os10_kind kind, bool in_class, const char *line);
extern const struct os10_line os10_lines[];
/* Two lines that say the same setting, perhaps with another value. */
bool os10_line_same_key(int row, const char *a, const char *b);

/* The numbers of "0-3,5" as a bit set; false for anything else, or one that is not below limit. */
bool os10_list_bits(struct span list, unsigned limit, uint64_t *bits);
void os10_list_print(uint64_t bits, struct buf *out);
/* Of a list line: "qos-group 3 dscp " or "queue 3 qos-group ", the list's set, and what is behind it (" type ucast"). */
bool os10_list_line(const char *line, struct span *head, uint64_t *bits, struct span *tail);

#endif
