/* What the model's own files share: model.c keeps it, model_apply.c changes it, model_read.c reads it. */
#ifndef CORE_MODEL_INTERNAL_H
#define CORE_MODEL_INTERNAL_H

#include "core/base/hash.h"
#include "core/model/fabric_history.h"

struct text_entry {
	UT_hash_handle hh;
	char text[];
};

struct name_entry {
	UT_hash_handle hh;
	void *what;
	char name[];		/* "device" or "device\nport" or a reply's "device\nprobe\nsubject" */
};

struct model {
	struct device **devices;
	size_t n_devices, cap_devices;
	struct port **ports;
	size_t n_ports, cap_ports;
	struct name_entry *device_names, *port_names, *reply_names;
	struct text_entry *texts;
	int64_t now_us;
	uint64_t serial, config_serial;
	struct port **resolved;		/* ports of the observation being applied */
	size_t cap_resolved;
	struct fabric_history lanes;
	void (*changed)(void *ctx, const struct change *c);
	void *changed_ctx;
};

/* The model's copy of a text; NULL of NULL. */
const char *model_intern(struct model *m, const char *text);
struct port *model_need_port(struct model *m, struct device *d, const char *name);
struct reply *model_need_reply(struct model *m, struct device *d, const char *probe, const char *subject);
/* Keeps the answer's text, or none when bytes.p is NULL. */
void reply_keep(struct reply *r, struct span bytes);
/* Has the same text as r without a copy of it; to had none. */
void reply_share(struct reply *to, const struct reply *r);

static inline bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Said, and not taken back since. */
static inline bool cell_stands(const struct cell *c)
{
	return c->reply && c->generation == c->reply->generation && c->value.is != VALUE_ABSENT;
}

#define ONCE_PERIOD	(30 * SECOND)	/* what is asked once a session is as fresh as the session */
#define SETTING_PERIOD	(30 * SECOND)	/* the usual period of settings */

/* Whether what r said at at_us is too old to be believed at now_us. */
static inline bool reply_is_old(const struct reply *r, int64_t at_us, int64_t now_us)
{
	if (r->period_us > 0)
		return now_us - at_us > 3 * r->period_us + 2 * SECOND;
	return now_us - (r->device->heard_us > at_us ? r->device->heard_us : at_us) > 3 * ONCE_PERIOD;
}

/* An answer that was cut short may lack a value for ever: it does not keep young what it did not say. */
static inline int64_t cell_said_us(const struct cell *c)
{
	return c->said_us > c->reply->whole_us ? c->said_us : c->reply->whole_us;
}

#endif
