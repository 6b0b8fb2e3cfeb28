/*
 * What the lab needs to know about one system (Linux, OS10, SONiC). Each system defines one struct lab_system in system.c of
 * its own folder, and remote/lab/systems.c lists them. All other code calls a device's system through this struct and never
 * asks which system it is.
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

/*
 * How to take, compare and restore all settings of one device. A snapshot is a void pointer to a type of the system's own; the
 * rest of the lab calls these functions through settings.h.
 */
struct lab_settings {
	void *(*take)(const struct fabric *f, const struct lab_device *d);	/* a new snapshot of the device */
	void *(*copy)(const void *settings);
	void (*free)(void *settings);
	bool (*same)(const void *a, const void *b);
	bool (*reads_same)(const void *a, const void *b);	/* same in all that a tool can show or set; NULL: use .same */
	void (*put)(struct fabric *f, struct lab_device *d, const void *settings);	/* restores a snapshot */
	/*
	 * What a device boots with; a system defines one of the two. .boot: the device has a startup configuration and boots from
	 * it. .merge: it has none, and the lab keeps a snapshot for the next boot. When a fault has changed the settings from was
	 * to now, .merge makes the same changes in that snapshot, so that a reboot does not clear the fault.
	 */
	void (*boot)(struct lab_device *d);
	void (*merge)(void *boot, const void *was, const void *now);
	/* As text, the same for the same settings. is_saved: those of the startup configuration. */
	void (*print)(const struct fabric *f, const struct lab_device *d, bool is_saved, struct buf *out);
	/*
	 * Whether the startup configuration is as the running one, and copies the running one to it. After a fault of a port the
	 * lab saves, so that a reboot does not clear the fault; where unsaved changes were there before, it does not. NULL: no
	 * startup configuration.
	 */
	bool (*is_saved)(const struct lab_device *d);
	void (*save)(struct lab_device *d);
};

/* Writes and reads the files that only devices of this system have, below DIR (server/view.h). Each may be NULL. */
struct lab_files {
	/* Files that never change. */
	void (*make)(const struct fabric *f, const struct lab_device *d, const char *dir);
	void (*settings)(const struct fabric *f, const struct lab_device *d, const char *dir);
	/* Reads the files of settings back and applies what a user wrote there; true when a setting has changed. */
	bool (*read)(struct fabric *f, struct lab_device *d, const char *dir);
	void (*counters)(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir);
};

/* How this system implements a fault that is a row of faults.c. */
struct lab_fault {
	const char *name;
	/* Sets (on) or clears the fault. For a fault of a whole device, p is its first port. */
	void (*set)(struct fabric *f, struct lab_port *p, bool on);
};

struct lab_system {
	const char *name;		/* as in .fabric files and the inventory; its tools are in DIR/bin/NAME */
	bool is_switch;			/* forwards packets; false: a host with NICs */
	const char *kernel;		/* what uname -r prints */
	const char *(*kernel_of)(const struct lab_device *d);	/* the same where releases differ; NULL: they do not */
	const char *sshd;		/* the software its sshd names in its version line; NULL: not known, libssh's own */
	const char *banner;		/* what its sshd sends before authentication; NULL: nothing */

	/* A port's name is the prefix and a number: port_first, port_first + port_step, … */
	const char *port_prefix;
	unsigned port_first, port_step;
	const char *port_part;		/* between a socket's name and the number of its part, ":"; NULL: parts count on from it */
	const char *mac_prefix;
	/* Fills in what its LLDP announces: the system's description and the port's id. */
	void (*neighbor)(const struct fabric *f, const struct lab_port *p, struct neighbor *n);

	/* Make and free lab_device.own, the device's configuration. NULL: it has none beside the settings of its ports. */
	void (*configure)(const struct fabric *f, struct lab_device *d);
	void (*done)(struct lab_device *d);
	bool (*is_shut)(const struct lab_device *d, const struct lab_port *p);	/* administratively down */
	/* Translates the port's settings for the queueing model. */
	void (*to_sim)(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos);
	const struct lab_settings *settings;

	const struct lab_fault *faults;	/* the faults that this system implements; ends with an empty row */
	/* Changes a setting of the port that no command asked for. The trap "lie-other" does this instead of the command. */
	void (*lie)(struct lab_device *d, struct lab_port *p);
	/* Adds to the state what the device has beside its ports of the fabric. NULL: nothing. */
	void (*dump)(const struct fabric *f, const struct lab_device *d, struct buf *out);

	const struct speaker *speaker;	/* what answers on its SSH channels (server/server.h) */
	const struct tool *tools;	/* simulated commands, like mlnx_qos (server/tools.h); ends with an empty row */
	const struct lab_files *files;
};

/* How the system implements this fault; NULL: it does not. */
const struct lab_fault *system_fault(const struct lab_system *system, const char *name);

#endif
