/*
 * What the lab needs to know of one system (Linux, OS10, SONiC): a row that each fills in its own folder.
 * remote/lab/systems.c lists the rows; nothing else asks by name which system a device runs.
 */
#ifndef REMOTE_LAB_WORLD_SYSTEM_H
#define REMOTE_LAB_WORLD_SYSTEM_H

#include "core/base/mem.h"
#include "core/sim/sim.h"

struct fabric;
struct lab_device;
struct lab_port;
struct neighbor;
struct speaker;
struct tool;

/* All that one device is set to, in a form of the system's own (settings.h). */
struct lab_settings {
	void *(*take)(const struct fabric *f, const struct lab_device *d);
	void *(*copy)(const void *settings);
	void (*free)(void *settings);
	bool (*same)(const void *a, const void *b);
	bool (*reads_same)(const void *a, const void *b);	/* in all that a tool shows or sets; NULL: as same */
	void (*put)(struct fabric *f, struct lab_device *d, const void *settings);
	/*
	 * The device keeps its startup configuration and boots from it. NULL: it has none, and comes up with what merge made of
	 * its settings at first and of the faults since.
	 */
	void (*boot)(struct lab_device *d);
	void (*merge)(void *boot, const void *was, const void *now);	/* NULL: boot is given */
	void (*print)(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out);
	bool (*is_saved)(const struct lab_device *d);		/* NULL: nobody asks */
	void (*save)(struct lab_device *d);			/* NULL: nothing to save */
};

/* The device's own files (server/view.h). NULL: none of that kind. */
struct lab_files {
	void (*make)(const struct fabric *f, const struct lab_device *d, const char *dir);
	void (*settings)(const struct fabric *f, const struct lab_device *d, const char *dir);
	/* Takes over what was written to them; true when a setting has changed. */
	bool (*read)(struct fabric *f, struct lab_device *d, const char *dir);
	void (*counters)(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir);
};

/* How a fault of the table in faults.c is made here. */
struct lab_fault {
	const char *name;
	/* Makes it so, or (on false) puts it right. p is the first port of the device for a fault of a whole device. */
	void (*set)(struct fabric *f, struct lab_port *p, bool on);
};

struct lab_system {
	const char *name;		/* in .fabric files, in the inventory, and of its folder of tools */
	bool is_switch;			/* forwards; otherwise a host with NICs */
	const char *kernel;		/* its release */
	const char *banner;		/* before authentication; NULL: none */

	/* Ports: PREFIX and a number, first for the first port and step more for each next one. */
	const char *port_prefix;
	unsigned port_first, port_step;
	const char *mac_prefix;
	void (*neighbor)(const struct fabric *f, const struct lab_port *p, struct neighbor *n);	/* what LLDP says besides names */

	/* The device's own configuration, lab_device.own. NULL: all settings are the ports'. */
	void (*configure)(const struct fabric *f, struct lab_device *d);
	void (*done)(struct lab_device *d);
	bool (*is_shut)(const struct lab_device *d, const struct lab_port *p);
	void (*to_sim)(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos);
	const struct lab_settings *settings;

	const struct lab_fault *faults;	/* up to one without a name; what is not there cannot befall it */
	/* Changes a setting of the port that nobody asked for. */
	void (*lie)(struct lab_device *d, struct lab_port *p);

	const struct speaker *speaker;	/* who answers on its channels */
	const struct tool *tools;	/* up to one without a name */
	const struct lab_files *files;
};

/* How that fault is made at a device of this system, or NULL. */
const struct lab_fault *system_fault(const struct lab_system *system, const char *name);

#endif
