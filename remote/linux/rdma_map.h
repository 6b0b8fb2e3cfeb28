/*
 * Which interface an RDMA device's port is. Facts belong to ports, and sysfs and verbs speak of RDMA devices; so each
 * text of theirs holds the map too, in three forms of which the best that a device has is believed: the interface of
 * its first GID (right for bonds, and for two ports on a device), its parent (soft RoCE), that of its PCI function. An
 * interface that the first GIDs of several devices name (members of a bond, each a device of its own) is that of none of
 * them by its GID: each is where its parent or its function is.
 * A device with none of them (InfiniBand) is its own port.
 */
#ifndef REMOTE_LINUX_RDMA_MAP_H
#define REMOTE_LINUX_RDMA_MAP_H

#include "remote/platform/platform.h"

#define GIDS		256

enum joint_by { BY_GID, BY_PARENT, BY_FUNCTION };

struct joint {
	struct span device, netdev;
	struct span first_netdev;	/* before it was known whose it is */
	struct span line;		/* that says so */
	uint64_t rdma_port;		/* 0: any */
	enum joint_by by;
	uint64_t v2[GIDS / 64];		/* indices of type RoCE v2; */
	uint64_t typed[GIDS / 64], read[GIDS / 64];	/* those whose type was read; those whose GID was */
	uint64_t v1;			/* of the first 64, those of type RoCE v1; */
	uint64_t families[GID_FAMILIES];	/* and by what kind of address they hold */
	bool has_types;
	bool has_strange_gid;		/* a GID, or a type of one, that was not understood */
	unsigned best;			/* least index that is v2 and holds an IPv4 address; GIDS when none */
	struct span best_line;
	bool has_parent;		/* a soft device */
	bool is_iwarp, is_ca;		/* its GIDs are none of RoCE; they are. Neither: its node type was not read */
	bool has_tos_file;		/* configfs shows its default ToS */
};

struct rdma_map {
	struct joint *joints;		/* owned; a host with virtual functions has hundreds */
	size_t n, cap;
	const struct answer *answer;
	struct span asked;		/* the device that answer->port stands for; n == 0: none yet */
	uint64_t asked_port;
	struct {
		struct span device;
		uint64_t rdma_port;
		uint16_t port;
	} last;				/* rdma_map_port() told: the lines of a port come together */
};

/* A line's parts: "/sys/class/infiniband/DEVICE/ports/PORT/WHAT:VALUE", or without ports/PORT (port 0). */
struct ib_line {
	struct span device, what, value;
	uint64_t port;
};

bool cut_ib_line(struct span line, struct ib_line *out);

/* Learns the map from the lines of a text. rdma_map_done() it. */
void rdma_map_init(struct rdma_map *m, const struct answer *a);
void rdma_map_done(struct rdma_map *m);
/* The joint of a device's port, or NULL. */
struct joint *rdma_map_joint(struct rdma_map *m, struct span device, uint64_t port);
/* The port that a device's port is shown as. */
uint16_t rdma_map_port(struct rdma_map *m, struct obs *o, struct span device, uint64_t port);
/* A joint of a whole device where its ports have joints of their own: the first guess, to be left aside. */
bool joint_is_guess(const struct rdma_map *m, const struct joint *j);
/* The device has a parent file, which the kernel makes for soft ones alone. */
bool joint_is_soft(const struct rdma_map *m, const struct joint *j);
/* The device is one of a PCI function that has an interface. */
bool joint_has_function(const struct rdma_map *m, const struct joint *j);

#endif
