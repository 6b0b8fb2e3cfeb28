/*
 * Support bundles: directories of command output that a person collected on a device, sosreport of a host or
 * "show techsupport" (generate_dump) of SONiC. The table in bundle.c says which file holds the output of which probe.
 */
#ifndef REMOTE_BUNDLE_BUNDLE_H
#define REMOTE_BUNDLE_BUNDLE_H

#include "remote/platform/platform.h"

/* One file of a bundle that a probe's parser reads. */
struct bundle_part {
	const char *device;		/* lent */
	const struct platform *platform;
	const struct probe *probe;
	char *path;			/* owned */
	char port[64];			/* that the output is about; "": of the device */
	int64_t at_us;			/* when the file was written, µs since 1970 */
};

struct bundle {
	struct bundle_part *parts;	/* in the order of their time */
	size_t n, cap;
	struct buf absent;		/* files that the table has and that are not among the parts, a line each, and why */
	size_t unread;			/* of them those that are there */
};

/*
 * Adds the parts of the extracted bundle below dir. False, and why: it cannot be read, no kind of bundle looks like it, or
 * a file leads out of the directory.
 */
bool bundle_find(struct bundle *b, const char *device, const char *dir, struct err *err);
void bundle_done(struct bundle *b);

/* What the collector says of a device before its first answer: its platform. */
void bundle_introduce(const struct bundle_part *part, struct obs *o);
/* The facts of a part, whose text is lent; device and probe of o are set. */
void bundle_parse(const struct bundle_part *part, struct span text, struct obs *o);

#endif
