/*
 * An observation: the facts that one reply of one device held. Live polling, replay, imported files and tests make
 * observations and nothing else; model_apply() is the one that consumes them.
 *
 * A parser slices the reply and adds facts. It cites the line it reads before it adds what that line says:
 *
 *	while (span_line(&rest, &line)) {
 *		obs_cite(o, line);
 *		…
 *		obs_number(o, port, FIELD_PFC_RX, 3, frames);
 */
#ifndef CORE_MODEL_OBS_H
#define CORE_MODEL_OBS_H

#include "core/model/fact.h"

#define OBS_DEVICE	UINT16_MAX	/* in the place of a port: the device itself */
#define CITE_NONE	UINT32_MAX

struct obs_fact {
	uint16_t port;		/* of obs.ports, or OBS_DEVICE */
	uint8_t field, index;	/* enum field */
	bool is_changed;	/* set by model_apply(): it says something new */
	uint32_t cite;		/* where in raw its line begins, or CITE_NONE */
	struct value value;	/* texts live in the arena */
};

/* How a fact stood when a keyframe was made: what a model cannot learn from the value alone. */
struct obs_was {
	bool is_other;		/* said beside what a more trusted probe says */
	bool is_gone;		/* stands no longer; kept for its series */
	bool has_series, has_history, by_device_clock;
	uint8_t note;		/* enum rate_note */
	int64_t since_us, last_us, began_us;
	int64_t stood_us, move_from_us, move_to_us;	/* of a refreshed counter, by the clock in use; move_to_us 0: no move is known */
	uint64_t last;
	double per_s;
};

/* Makes an observation a keyframe: one reply of a device as a model held it, to begin from in the middle. */
struct obs_key {
	int64_t heard_us;		/* of the device */
	size_t n_facts;			/* of the reply's last whole answer */
	const struct obs_was *was;	/* one beside each fact */
};

struct obs {
	const char *device;	/* lent, as are probe, subject and command */
	const char *probe;	/* "ethtool-S" */
	const char *subject;	/* the port that was asked about, or NULL: with probe, names the reply */
	const char *command;	/* as a person would type it, or NULL */
	unsigned rank;		/* of two probes that disagree, the lower rank is believed */
	int64_t at_us;		/* when the reply was complete: our clock, µs since 1970 */
	int64_t device_us;	/* when it was sampled: the device's own monotonic clock; 0 = it has not said */
	int64_t period_us;	/* how often this probe is due; 0 = once a session */
	int64_t refresh_us;	/* its counters are what the device read up to so long ago; 0: now */
	bool is_partial;	/* cut short: what it lacks is not gone */
	bool is_delta;		/* from a recording: only what changed; the rest of that reply still stands */
	const struct obs_key *key;	/* lent; NULL but in a recording's keyframe (probe NULL there: just names the ports) */
	struct span raw;	/* the reply, lent; raw.p NULL when it is not kept */

	struct obs_fact *facts;
	size_t n, cap;
	const char **ports;
	size_t n_ports, cap_ports;
	uint32_t cite;		/* of the facts added next */
	unsigned missed;	/* lines the parser did not understand */
	struct arena arena;
};

/* Makes an empty observation; or empties one for another reply, keeping its memory. */
void obs_init(struct obs *o, const char *device, const char *probe);
void obs_clear(struct obs *o);
void obs_done(struct obs *o);

/* The facts added next are said by this line of raw. */
void obs_cite(struct obs *o, struct span line);
/* A line nobody understood: counted, never an error. */
void obs_missed(struct obs *o, struct span line);

/* A port by name, to add facts to. Names of more than 63 bytes or with blanks are refused: OBS_DEVICE. */
uint16_t obs_port(struct obs *o, struct span name);

/*
 * Each adds one fact. What does not fit the field (index, scope, a word that is not in the list) is counted as missed
 * and not added; nothing a device prints can break these.
 */
void obs_add(struct obs *o, uint16_t port, enum field f, unsigned index, struct value v);
void obs_number(struct obs *o, uint16_t port, enum field f, unsigned index, uint64_t n);
void obs_bool(struct obs *o, uint16_t port, enum field f, unsigned index, bool yes);
void obs_word(struct obs *o, uint16_t port, enum field f, unsigned index, struct span word);
void obs_text(struct obs *o, uint16_t port, enum field f, struct span text);
void obs_unknown(struct obs *o, uint16_t port, enum field f, unsigned index, const char *reason);
/* A counter as printed: "15,437", "1.8e+11"; anything else ("N/A", "") is unknown. bits 0: as in the dictionary. */
void obs_counter(struct obs *o, uint16_t port, enum field f, unsigned index, struct span text, unsigned bits);

/* The written forms of all facts, a line each, in the order they were added. */
void obs_print(const struct obs *o, struct buf *out);
/* Adds the facts of a text of written forms (blank lines and # comments are skipped); device names are ignored. */
bool obs_read(struct obs *o, struct span text, struct err *err);

#endif
