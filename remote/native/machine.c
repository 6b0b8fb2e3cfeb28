#include "remote/native/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#define FILE_MOST	(64u << 10)
#define ANSWER_S	2	/* a request is answered while it is sent, or not at all */

struct machine {
	int ethtool;
	struct nl_sock *route;
	struct nl_msg *answer;		/* the last; NULL: none came */
	int error;			/* of the last request; errno */
};

/* -- files -- */

bool machine_file(const char *path, struct buf *out)
{
	char bytes[4096];
	size_t kept = 0;
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	while (kept < FILE_MOST && (n = read(fd, bytes, sizeof(bytes))) > 0) {
		buf_add(out, bytes, (size_t)n);
		kept += (size_t)n;
	}
	close(fd);
	return n >= 0;
}

bool machine_line(const char *path, char *out, size_t size)
{
	struct buf text = { 0 };
	bool is_read = machine_file(path, &text) && text.n && text.text[0] != '\n';

	if (is_read)
		snprintf(out, size, "%.*s", (int)strcspn(text.text, "\n"), text.text);
	buf_done(&text);
	return is_read;
}

bool machine_has(const char *path)
{
	return access(path, F_OK) == 0;
}

int64_t machine_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* -- ethtool -- */

int machine_ethtool(const struct machine *m, const char *port, void *request)
{
	static const uint32_t known[] = { ETHTOOL_GDRVINFO, ETHTOOL_GPAUSEPARAM, ETHTOOL_GFECPARAM, ETHTOOL_GSSET_INFO, ETHTOOL_GSTRINGS,
					  ETHTOOL_GSTATS };
	struct ifreq ifr = { .ifr_data = request };
	uint32_t command = *(const uint32_t *)request;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (command == known[i]) {
			if (strlen(port) >= sizeof(ifr.ifr_name))
				return ENODEV;
			strcpy(ifr.ifr_name, port);
			return ioctl(m->ethtool, SIOCETHTOOL, &ifr) ? errno : 0;
		}
	return EPERM;
}

/* -- netlink -- */

static int on_answer(struct nl_msg *msg, void *ctx)
{
	struct machine *m = ctx;

	nlmsg_get(msg);
	nlmsg_free(m->answer);
	m->answer = msg;
	return NL_STOP;
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *ctx)
{
	struct machine *m = ctx;

	(void)from;
	m->error = -error->error;
	return NL_STOP;
}

/* Takes the request. */
static int ask(struct machine *m, struct nl_msg *request)
{
	int n = nl_send_auto(m->route, request);

	nlmsg_free(request);
	nlmsg_free(m->answer);
	m->answer = NULL;
	m->error = 0;
	if (n < 0 || nl_recvmsgs_default(m->route) < 0)
		return m->error ? m->error : EIO;
	return m->answer ? m->error : m->error ? m->error : EIO;
}

int machine_dcb(struct machine *m, const char *port, uint8_t command, struct nlattr **attributes)
{
	const struct dcbmsg head = { .dcb_family = AF_UNSPEC, .cmd = command };
	struct nl_msg *request;
	int error;

	if (command != DCB_CMD_IEEE_GET && command != DCB_CMD_GDCBX)
		return EPERM;
	request = nlmsg_alloc_simple(RTM_GETDCB, NLM_F_REQUEST);
	if (!request || nlmsg_append(request, (void *)&head, sizeof(head), NLMSG_ALIGNTO) ||
	    nla_put_string(request, DCB_ATTR_IFNAME, port)) {
		nlmsg_free(request);
		return ENOMEM;
	}
	error = ask(m, request);
	if (!error && nlmsg_parse(nlmsg_hdr(m->answer), sizeof(struct dcbmsg), attributes, DCB_ATTR_MAX, NULL))
		error = EBADMSG;
	return error;
}

/* -- beginning and ending -- */

static bool open_route(struct machine *m)
{
	const struct timeval patience = { .tv_sec = ANSWER_S };

	m->route = nl_socket_alloc();
	if (!m->route || nl_connect(m->route, NETLINK_ROUTE))
		return false;
	nl_socket_disable_auto_ack(m->route);	/* the answer tells: an acknowledgement behind it would be taken for the next one's */
	nl_socket_modify_cb(m->route, NL_CB_VALID, NL_CB_CUSTOM, on_answer, m);
	nl_socket_modify_err_cb(m->route, NL_CB_CUSTOM, on_error, m);
	return setsockopt(nl_socket_get_fd(m->route), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0;
}

struct machine *machine_open(struct err *err)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->ethtool = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (m->ethtool >= 0 && open_route(m))
		return m;
	err_set(err, "no socket to the kernel: %s", strerror(errno));
	machine_close(m);
	return NULL;
}

void machine_close(struct machine *m)
{
	if (!m)
		return;
	if (m->ethtool >= 0)
		close(m->ethtool);
	nlmsg_free(m->answer);
	nl_socket_free(m->route);
	free(m);
}
