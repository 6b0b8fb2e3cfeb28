/* A Cumulus switch's configuration, and the tool that shows and changes it. */
#ifndef REMOTE_LAB_CUMULUS_NV_H
#define REMOTE_LAB_CUMULUS_NV_H

#include "remote/lab/server/tools.h"

struct nv_config {
	unsigned n;
	struct nv_port {
		unsigned mtu, is_shut;
	} ports[];
};

/* lab_device.own: all owned */
struct nv_switch {
	struct nv_config *runs, *pending, *saved;
};
static inline struct nv_switch *nv_of(const struct lab_device *d)
{
	return d->own;
}
struct nv_config *nv_copy(const struct nv_config *c);
/* Takes a copy of c in the place of *to. */
void nv_set(struct nv_config **to, const struct nv_config *c);
void nv_print(const struct fabric *f, const struct lab_device *d, const struct nv_config *c, struct buf *out);

int tool_nv(struct tool_call *t);

#endif
