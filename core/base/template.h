/*
 * Commands with typed slots: the one way a name, a number or a word gets into anything that a device runs. A template is a
 * constant; what fills a slot is held against an allowlist and never quoted around.
 *
 *	template_fill(out, err, "ip link set dev {port} mtu {number}", port, mtu)
 *
 * {port}	interface name: [A-Za-z0-9][A-Za-z0-9._@-]{0,14}, and / : , for switches' ("ethernet1/1/1:1") up to 31
 * {name}	object, unit, profile, file: [A-Za-z0-9][A-Za-z0-9._-]{0,62}
 * {number}	uint64_t, decimal
 * {word}	[a-z][a-z0-9-]{0,15}: a word of the field table
 * {list}	decimal numbers and - and , : "0,0,0,1,0,0,0,0", "0-3,5"
 * {dir}	a step's directory, as fix_step_dir() gives it: /run/fabcon/ and a {name}
 *
 * Braces around anything but lower-case letters are the command's own: { "op": "add" }.
 */
#ifndef CORE_BASE_TEMPLATE_H
#define CORE_BASE_TEMPLATE_H

#include "core/base/err.h"
#include "core/base/mem.h"

/* Adds the command to out. False, out as it was, and err naming the slot and showing the text made harmless. */
bool template_fill(struct buf *out, struct err *err, const char *format, ...);
bool template_is_port(const char *text);
bool template_is_name(const char *text);

#endif
