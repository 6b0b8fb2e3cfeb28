/*
 * What is known of the fabric now. Only model_apply() changes it; everybody else reads it through const.
 *
 * A cell is one value with its origin: the reply that said it. A reply that is repeated without the value takes the
 * value away (port_cell() is NULL again); a reply that stops coming leaves it, ageing. Counters have a series beside the
 * cell: the rate by the device's own clock, and a short history.
 *
 * Devices, ports and replies never move and live as long as the model.
 */
#ifndef CORE_MODEL_MODEL_H
#define CORE_MODEL_MODEL_H

#include "core/model/obs.h"
#include "core/model/series.h"

struct device;
struct fabric_history;

/* One question to a device, and its last answer. */
struct reply {
	const char *probe, *subject, *command;	/* subject: the port asked about, or NULL */
	struct device *device;
	unsigned rank;
	unsigned nth;				/* of its device */
	int64_t at_us, device_us, period_us, refresh_us;
	int64_t often_us;			/* its counters were seen to be refreshed so often, far more than told; 0: not */
	int64_t whole_us;			/* of the last answer that was not cut short */
	uint32_t generation;			/* of the facts that still stand */
	/* As it was last time, and most likely is again: what is asked next, and which port is named first. */
	struct reply *next;
	unsigned first_port;			/* nth of its device */
	size_t n_facts;				/* in the last whole answer */
	unsigned missed;			/* lines of the last answer that nobody understood; a recording does not tell */
	bool has_spoken;			/* some answer held facts */
	bool was_delta;				/* the last one told only what changed */
	char *raw;				/* the last answer as it came, or NULL */
	size_t raw_n;
};

struct cell {
	struct value value;			/* text interned in the model */
	struct reply *reply;
	uint32_t generation;			/* stands while it equals reply->generation */
	uint32_t cite;				/* offset of its line in reply->raw, or CITE_NONE */
	int64_t since_us;			/* when this value was first seen */
	int64_t said_us;			/* when an answer held it last; whole answers count for all that stands */
	struct value *known;			/* owned: what it was, while it cannot be read; NULL: nothing, or it is known */
	struct cell *other;			/* what a less trusted probe says, where it differs; NULL mostly */
};

struct port {
	struct device *device;
	const char *name;
	unsigned id;				/* dense over the model, in order of appearance */
	unsigned nth;				/* of its device */
	uint64_t speed_bps;			/* as it was known last; 0: it never was */
	unsigned n_others;			/* cells beside which another probe says something else */
	struct cell *cells[FIELD_COUNT];	/* owned, width each; NULL until first said */
	struct series *series[FIELD_COUNT];
};

struct device {
	const char *name;
	unsigned id;
	struct cell *cells[FIELD_COUNT];
	struct port **ports;			/* in order of appearance */
	size_t n_ports, cap_ports;
	struct reply **replies;
	size_t n_replies, cap_replies;
	struct reply *last_reply;		/* to arrive */
	bool has_wide;				/* some of its counters are too wide to wrap */
	int64_t began_us;			/* when one of those went back, or the device was seen to have booted; 0: never */
	int64_t heard_us;			/* newest reply of the device itself (the console's own facts do not count) */
};

struct model;

struct model *model_new(void);
void model_free(struct model *m);
/*
 * A still of the model, to be read while m goes on: the same devices and ports by id. Its texts are lent by m, which must
 * live longer; it takes no observation.
 */
struct model *model_copy(const struct model *m);

/* Marks each fact of o that says something new (o->facts[i].is_changed), and makes it so. */
void model_apply(struct model *m, struct obs *o);
/* The time that ages are counted to; never goes back by itself. */
void model_set_now(struct model *m, int64_t now_us);
int64_t model_now(const struct model *m);
/* Grows with each model_apply() that changed a fact that is no counter; and with each apply. */
uint64_t model_config_serial(const struct model *m);
uint64_t model_serial(const struct model *m);

size_t model_devices(const struct model *m);
struct device *model_device(const struct model *m, size_t i);
struct device *model_find_device(const struct model *m, const char *name);
size_t model_ports(const struct model *m);
struct port *model_port(const struct model *m, size_t i);
struct port *model_find_port(const struct model *m, const char *device, const char *port);
/* The device of that name, made if it is not there yet: the inventory's devices are shown before they answer. */
struct device *model_need_device(struct model *m, const char *name);

/* The cell that stands, or NULL: never said, or no longer. It may be old, and it may be an unknown with a reason. */
const struct cell *port_cell(const struct port *p, enum field f, unsigned index);
const struct cell *device_cell(const struct device *d, enum field f, unsigned index);
/* The one or the other, as the field is of devices or of ports; NULL too where that one is NULL. */
const struct cell *fact_cell(const struct device *d, const struct port *p, enum field f, unsigned index);

/*
 * The port whose cell and samples say it of p: p itself; or of a bond's member the bond, for what the bond's RDMA device says
 * and the member does not, and for what a bond hands down to its members (FIELD_OF_BOND), said or not.
 */
const struct port *port_source(const struct port *p, enum field f, unsigned index);

/* Old: three periods and two seconds have passed without its reply. An old value is not known any more. */
bool cell_is_stale(const struct model *m, const struct cell *c);
bool reply_is_stale(const struct model *m, const struct reply *r);
/* Stale, and still asked for: of a port that is down nobody asks what its neighbor is needed for. */
bool reply_is_late(const struct model *m, const struct reply *r);
/*
 * Of a setting. A live reply may repeat what a config reply has told, such as the RDMA device of a port: that one live round is late
 * makes it no older than three rounds of the settings would.
 */
bool cell_is_stale_setting(const struct model *m, const struct cell *c);
int64_t cell_age_us(const struct model *m, const struct cell *c);
/* Whether both values held at some one time: each lasts from when it was first seen to when it was said last. */
bool cells_coincide(const struct cell *a, const struct cell *b);

/* True, and the value, when it is known and not old. Texts are lent by the model. */
bool port_number(const struct model *m, const struct port *p, enum field f, unsigned index, uint64_t *out);
bool device_number(const struct model *m, const struct device *d, enum field f, unsigned index, uint64_t *out);
/* As known by the last reply that said it, old or not; NULL when unknown. For names and joins, not for verdicts. */
const char *port_text(const struct port *p, enum field f);
const char *device_text(const struct device *d, enum field f);
/* Another port of the same device and of the same bond. */
bool port_is_twin(const struct port *p, const struct port *other);

/* True, and per second, when there are two samples and the last is not old. µs counters: µs per second. */
bool port_rate(const struct model *m, const struct port *p, enum field f, unsigned index, double *per_s);
/* "0.4", "12.5", "1570": three digits below a hundred, whole numbers from there on. */
#define RATE_TEXT 32
const char *rate_text(char out[RATE_TEXT], double per_s);

/* A counter's rate over a time: one figure for the checks and for every list. */
#define MEAN_US	(10 * SECOND)

struct mean {
	double per_s;	/* each sample weighs as long as it was counted for */
	double error2;	/* the square of its standard error, from how the samples scatter; 0 of fewer than two */
	int64_t window_us;	/* what the samples were counted over; 0: a single one, or none */
	size_t n;	/* samples; 0: of a field without a history, or none was that lately: per_s is the newest rate */
};

/* False: it has no rate now. */
bool port_mean(const struct model *m, const struct port *p, enum field f, unsigned index, int64_t window_us, struct mean *mean);
const struct series *port_series(const struct port *p, enum field f, unsigned index);

/* Sets (or with clear, takes away) the software zero of every counter of a port, or of all ports when p is NULL. */
void model_zero(struct model *m, const struct port *p, bool clear);
/* The zero of one counter, as it was before; false, and nothing done, when it counts less by now: it was reset since. */
bool model_zero_at(struct model *m, const struct port *p, enum field f, unsigned index, uint64_t value);

/* What was counted over the whole fabric, in the day before now. */
const struct fabric_history *model_lanes(const struct model *m);
/* From before the model began; takes them over. */
void model_recall_lanes(struct model *m, const struct fabric_history *l);

/* A fact that is no counter, and was known or asked for before, says something else. Told before it is so. */
struct change {
	const struct device *device;
	const struct port *port;		/* NULL: of the device */
	enum field field;
	unsigned index;
	const struct value *was, *now;
	int64_t was_us, at_us;		/* the last reading that still said was; the one that says now */
};
void model_on_change(struct model *m, void (*changed)(void *ctx, const struct change *c), void *ctx);

/* The line of the reply that a cell cites; n == 0 when the reply was not kept. */
struct span cell_line(const struct cell *c, unsigned *number);

#endif
