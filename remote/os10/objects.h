/*
 * Who uses which object of an OS10 configuration, and how a port comes to one that says what is wanted of it: the three
 * rules of os10_edit.h.
 */
#ifndef REMOTE_OS10_OBJECTS_H
#define REMOTE_OS10_OBJECTS_H

#include "remote/os10/tree.h"

/* The object a port is bound to by these words, by its own line or by that of system qos; NULL: none. */
const char *os10_bound(const struct os10_tree *t, const struct os10_part *port, const char *key);
/* The object that all ports which have one are bound to; NULL: they differ, or none has. */
const char *os10_common(const struct os10_tree *t, const char *key);

/* What is wanted of the object that a port is bound to. */
struct os10_want {
	const char *port;		/* its block's name */
	const char *old;		/* the object's name before; NULL: none */
	struct os10_block content;	/* its parts are owned, their lines live in the tree's arena */
	bool is_wanted;
};
/* A copy of the object, or an empty one of that kind (name NULL), to be changed. */
void os10_want_init(struct os10_tree *t, struct os10_want *w, enum os10_kind kind, const char *name);
void os10_want_done(struct os10_want *w);

/* Binds each port of the list whose is_wanted is set by key to an object of kind that says its content. */
void os10_bind_all(struct os10_tree *t, enum os10_kind kind, const char *key, struct os10_want *list, size_t n);

/* The name of an object that says just this: one that is there, or a new one. */
const char *os10_same_object(const struct os10_tree *t, const struct os10_block *content);
const char *os10_own_object(struct os10_tree *t, const struct os10_block *content);
/* Two objects of a kind that say the same, whatever their names, and those of the class-maps that their classes name. */
bool os10_same_content(const struct os10_tree *t, const struct os10_block *a, const struct os10_block *b);
void os10_take_content(struct os10_block *to, const struct os10_block *from);

/* Made by us: its name says what it holds, so it is never changed, only bound or not. */
bool os10_is_own(const struct os10_block *b);
/* By block: whether it is somebody else's, or used by what is. t is sorted. Yours to free. */
bool *os10_used(const struct os10_tree *t);
/* Marks what the marked blocks name, and what that names. */
void os10_mark_needed(const struct os10_tree *t, bool *marked);

/* A class-map of that kind that matches number alone: there already, or made. Then "class NAME" serves it. */
const char *os10_class_for(struct os10_tree *t, enum os10_kind kind, unsigned number);
/* What a class of a policy matches, as a bit set; 0: its class-map is not there or matches something else. */
uint64_t os10_class_matches(const struct os10_tree *t, enum os10_kind kind, const struct os10_part *class);

#endif
