/* Which interfaces count: the same questions as those of the shell's prelude (remote/linux/linux.c). */
#include "remote/native/internal.h"

#include <stdio.h>
#include <string.h>

bool native_port_has(const char *port, const char *what)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", port, what);
	return machine_has(path);
}

static bool is_named(const struct native *n, const char *port)
{
	struct span rest = span_of(n->names ? n->names : ""), word;

	while (span_word(&rest, &word))
		if (span_is(word, port))
			return true;
	return false;
}

bool native_is_soft(const struct native *n, const char *port)
{
	return !native_port_has(port, "device") && strcmp(port, "lo") != 0 && (n->is_bare || is_named(n, port));
}

void native_driver_of(const char *port, char *out, size_t size)
{
	char path[160];
	struct buf text = { 0 };
	struct span rest, line;

	*out = '\0';
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/uevent", port);
	machine_file(path, &text);
	rest = buf_span(&text);
	while (span_line(&rest, &line))
		if (span_skip(&line, "DRIVER="))
			snprintf(out, size, "%.*s", (int)line.n, line.p);
	buf_done(&text);
}

/* "pf0vf1", "c1pf0vf1", "pf0sf88", "pf0hpf". */
bool native_is_representor(const char *port)
{
	char path[160], name[64];
	const char *pf;

	snprintf(path, sizeof(path), "/sys/class/net/%s/phys_port_name", port);
	if (!machine_line(path, name, sizeof(name)))
		return false;
	for (pf = strstr(name, "pf"); pf; pf = strstr(pf + 1, "pf"))
		if (pf[2] >= '0' && pf[2] <= '9')
			return true;
	return false;
}

bool native_is_nic(const struct native *n, const char *port)
{
	bool has_own = native_port_has(port, "device") && !native_port_has(port, "device/physfn") && !native_is_representor(port);

	return has_own || native_is_soft(n, port);
}

bool native_is_fabric(const struct native *n, const char *port)
{
	return native_is_nic(n, port) &&
	       (native_port_has(port, "device/infiniband") || native_port_has(port, "master") || !n->has_rdma);
}
