/*
 * What the lab needs to know about one system (Linux, OS10, SONiC). Each system fills one row, in system.c of its own
 * folder; remote/lab/systems.c lists the rows. Nothing else asks which system a device runs: it uses the device's row.
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

/* All settings of one device, as a snapshot in the system's own form. settings.h is what the rest of the lab calls. */
struct lab_settings {
	void *(*take)(const struct fabric *f, const struct lab_device *d);
	void *(*copy)(const void *settings);
	void (*free)(void *settings);
	bool (*same)(const void *a, const void *b);
	bool (*reads_same)(const void *a, const void *b);	/* equal in what tools show and set; NULL: as same */
	void (*put)(struct fabric *f, struct lab_device *d, const void *settings);
	/*
	 * One of the two. boot: the device has a startup configuration and boots from it. merge: it has none; the lab keeps a
	 * snapshot for the next boot, and merge applies to it what a fault changed from was to now.
	 */
	void (*boot)(struct lab_device *d);
	void (*merge)(void *boot, const void *was, const void *now);
	void (*print)(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out);
	/* A fault is saved like a setting, unless is_saved says that there were unsaved changes before. Both may be NULL. */
	bool (*is_saved)(const struct lab_device *d);
	void (*save)(struct lab_device *d);
};

/* The files that only devices of this system have (server/view.h). Each may be NULL. */
struct lab_files {
	/* Files that do not change. */
	void (*make)(const struct fabric *f, const struct lab_device *d, const char *dir);
	void (*settings)(const struct fabric *f, const struct lab_device *d, const char *dir);
	/* Applies what somebody wrote to them; true when a setting has changed. */
	bool (*read)(struct fabric *f, struct lab_device *d, const char *dir);
	void (*counters)(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir);
};

/* How this system implements a fault of the table in faults.c. */
struct lab_fault {
	const char *name;
	/* Sets the fault, or clears it. p is the first port of the device for a fault of a whole device. */
	void (*set)(struct fabric *f, struct lab_port *p, bool on);
};

struct lab_system {
	const char *name;		/* in .fabric files and the inventory, and of DIR/bin/NAME with its tools */
	bool is_switch;			/* forwards packets; false: a host with NICs */
	const char *kernel;		/* release, as uname -r prints it */
	const char *banner;		/* sent before authentication; NULL: none */

	/* Port names: the prefix and a number, which begins at port_first and grows by port_step. */
	const char *port_prefix;
	unsigned port_first, port_step;
	const char *mac_prefix;
	/* Adds to n what LLDP says about the system and the port's id. */
	void (*neighbor)(const struct fabric *f, const struct lab_port *p, struct neighbor *n);

	/* Make and free the device's configuration, lab_device.own; NULL: all its settings are in its ports. */
	void (*configure)(const struct fabric *f, struct lab_device *d);
	void (*done)(struct lab_device *d);
	bool (*is_shut)(const struct lab_device *d, const struct lab_port *p);
	void (*to_sim)(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos);
	const struct lab_settings *settings;

	const struct lab_fault *faults;	/* those that this system can have; ends with an empty row */
	/* For the trap "lie-other": changes a setting of the port that no command asked for. */
	void (*lie)(struct lab_device *d, struct lab_port *p);

	const struct speaker *speaker;	/* answers on SSH channels (server/server.h) */
	const struct tool *tools;	/* stand-ins (server/tools.h); ends with an empty row */
	const struct lab_files *files;
};

/* The system's row for this fault; NULL: it cannot have it. */
const struct lab_fault *system_fault(const struct lab_system *system, const char *name);

#endif
