/*
 * What a verdict stands on: of which devices any port or link was judged for RoCE, and of the others why not. "Nothing
 * found wrong" may be said of judged devices only.
 */
#ifndef CORE_JUDGE_JUDGED_H
#define CORE_JUDGE_JUDGED_H

#include "core/judge/check.h"

struct unjudged {
	const struct device *device;
	char why[160];		/* in the words of the tool that would have told, where one was asked */
};

struct judged {
	size_t devices;		/* in all */
	size_t n;		/* of which a port or a link was judged */
	struct unjudged *list;	/* the others, in the model's order; owned */
	size_t n_list, cap_list;
};

/* As of the last findings_judge(). judged_done() it. */
void judged_make(struct judged *j, const struct model *m, const struct findings *f);
/* The same of the neighbors that each device's ports tell of: listed are the devices that name none, and why. */
void judged_neighbors(struct judged *j, const struct model *m);
void judged_done(struct judged *j);

/* There are devices, and nothing of any could be judged. */
bool judged_is_nothing(const struct judged *j);
/* "node[01-02]: no RDMA device on this host; leaf1: connect: …", at most so many reasons; nothing when all were judged. */
void judged_words(const struct judged *j, size_t most, struct buf *out);
/* True, and "nothing could be judged: " with the reasons, when judged_is_nothing(). */
bool judged_nothing(const struct model *m, const struct findings *f, size_t most, struct buf *out);

#endif
