/*
 * The first run: no inventory is there, so the console is a form with one field. What is typed (a host, a range, an
 * Ansible file) is read and reached; what answers is shown, with the devices that those face by LLDP, to be taken along;
 * Enter keeps all of it as the usual inventory.
 */
#ifndef TUI_CONSOLE_FIRST_RUN_H
#define TUI_CONSOLE_FIRST_RUN_H

#include "core/model/model.h"
#include "core/inventory/inventory.h"
#include "tui/widgets/typing.h"

#define FIRSTRUN_OFFERS_MAX 256

struct view_of;

struct offer_row {
	char name[64];		/* as LLDP says it, and as an inventory may name it */
	char faces[128];	/* "node1:eth2, node2:eth2" */
	size_t n_faces;
	bool is_left_out;	/* by the person */
};

enum firstrun_is { FIRSTRUN_NONE, FIRSTRUN_FIELD, FIRSTRUN_FOUND };

struct firstrun {
	enum firstrun_is is;
	struct typing field;
	char tried[INPUT_MAX];		/* what is being reached */
	char trouble[560];		/* why the field was not taken, or the file not kept */
	struct offer_row *offers;	/* owned */
	size_t n_offers, cap_offers;
	size_t n_refused;		/* names that LLDP said and no inventory may hold */
	size_t cursor;
};

enum firstrun_wants {
	FIRSTRUN_STAYS,		/* draw again */
	FIRSTRUN_TRIES,		/* tried: is to be read and reached */
	FIRSTRUN_KEEPS,		/* is to be kept */
	FIRSTRUN_FILLS,		/* neighbor tables are to be filled */
	FIRSTRUN_LEAVES,	/* goes on without */
	FIRSTRUN_QUITS,
};

void firstrun_begin(struct firstrun *f);
void firstrun_done(struct firstrun *f);
/* Looks for devices that are faced and not named. */
void firstrun_look(struct firstrun *f, const struct view_of *of);
enum firstrun_wants firstrun_key(struct firstrun *f, int code);
/* What was tried is open: the page of what was found, without an earlier refusal's reason. */
void firstrun_found(struct firstrun *f);
/* What was tried is not to be had: back to the field, with the reason. */
void firstrun_refuse(struct firstrun *f, const char *why);
void firstrun_draw(struct firstrun *f, const struct draw *d, const struct view_of *of);

/* What was tried and the offers that were not left out, as a new file at path; never over one that is there. */
bool firstrun_keep(const struct firstrun *f, const char *path, struct err *err);
/* The same of names as hosts_load() takes them, without offers. */
bool firstrun_keep_names(const char *names, const char *path, struct err *err);

#endif
