/*
 * Inside of os10_edit.c and its parts: what is wanted of each port, taken together by kind of object.
 */
#ifndef REMOTE_OS10_EDITOR_H
#define REMOTE_OS10_EDITOR_H

#include "core/fix/edit.h"
#include "remote/os10/objects.h"

#define UNSAID		UINT64_MAX

#define OS10_TRUST_KEY		"trust-map dscp"
#define OS10_QUEUES_KEY		"qos-map traffic-class"
#define OS10_PFC_KEY		"service-policy input type network-qos"
#define OS10_QUEUING_KEY	"service-policy output type queuing"

/* What is wanted of one port; UNSAID: nothing. */
struct port_edit {
	const char *port;
	uint64_t trust, dscp[64], queue[8], pfc[8], pause_rx, pause_tx, ets_on, algo[8], share[8];
	uint64_t ecn[8], kmin[8], kmax[8], pmax[8], mtu;
};

struct editor {
	struct os10_tree *tree;
	struct port_edit *ports;
	size_t n, cap;
	struct err *err;
};

bool editor_any_said(const uint64_t *list, size_t n);
struct os10_part *editor_port_lines(struct editor *e, const struct port_edit *p);
/* One want for each port, to be filled in by what the kind of object says. */
struct os10_want *editor_wants_new(struct editor *e);
void editor_wants_free(struct editor *e, struct os10_want *list);
/* From what the port is bound to, or from what all others share. */
void editor_want_begin(struct editor *e, struct os10_want *w, enum os10_kind kind, const char *key, const char *bound);
/* The class of the policy for that queue or qos-group alone, made where there is none. */
struct os10_part *editor_need_class(struct editor *e, struct os10_block *policy, enum os10_kind kind, unsigned number);

/* The edits of one kind; false, with the reason in e->err. */
bool os10_edit_maps(struct editor *e);
bool os10_edit_pfc(struct editor *e);
bool os10_edit_queuing(struct editor *e);

#endif
