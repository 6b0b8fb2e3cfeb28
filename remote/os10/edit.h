/*
 * Wanted facts put into a tree of OS10's configuration.
 *
 * What a port does is said by objects that other ports may share. Of a port whose object must say something else:
 *	1. an object of that kind which says just this is bound, if there is one;
 *	2. else, when all that use the object are to change alike and commands for the way and back are known, the object
 *	   itself is changed;
 *	3. else the port gets an object of its own, "fabcon-KIND-HASH", named by what it says: two plans make the same one.
 * A port that has no such object starts from the one that all other ports share, or from none where they do not agree.
 */
#ifndef REMOTE_OS10_EDIT_H
#define REMOTE_OS10_EDIT_H

#include "core/fix/edit.h"
#include "remote/os10/tree.h"

bool os10_can_set(enum field f, bool of_port);
/* Makes the edits. False, with the reason and t to be thrown away, when one cannot be made. */
bool os10_edit_tree(struct os10_tree *t, const struct edit *edits, size_t n, struct err *err);

#endif
