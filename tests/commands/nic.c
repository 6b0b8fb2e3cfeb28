/*
 * A NIC for iproute2's dcb and rdma, where there is none: loaded before libmnl (LD_PRELOAD), it answers their requests instead of the
 * kernel. Both tools ask the kernel first and read the rest of their command line after it has answered: on a machine without such a
 * NIC any words would do. What is asked to be set is forgotten.
 */
#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define DEVICE	"mlx5_2"
#define ROOM	4096

struct mnl_socket;
struct mnl_socket *mnl_socket_open2(int bus, int flags);
struct mnl_socket *mnl_socket_open(int bus);
unsigned mnl_socket_get_portid(const struct mnl_socket *nl);
ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *request, size_t size);
ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *out, size_t size);

static char answer[ROOM];
static size_t answer_n;

/* -- building messages -- */

static struct nlmsghdr *begin(const struct nlmsghdr *request, unsigned type, unsigned flags)
{
	struct nlmsghdr *m = (struct nlmsghdr *)(answer + answer_n);

	memset(m, 0, sizeof(*m));
	m->nlmsg_type = (unsigned short)type;
	m->nlmsg_flags = (unsigned short)flags;
	m->nlmsg_seq = request->nlmsg_seq;
	m->nlmsg_pid = request->nlmsg_pid;
	m->nlmsg_len = NLMSG_HDRLEN;
	return m;
}

static void put(struct nlmsghdr *m, const void *bytes, size_t n)
{
	memcpy((char *)m + m->nlmsg_len, bytes, n);
	m->nlmsg_len += (unsigned)NLMSG_ALIGN(n);
}

static void finish(struct nlmsghdr *m)
{
	answer_n += NLMSG_ALIGN(m->nlmsg_len);
}

static struct nlattr *put_attr(struct nlmsghdr *m, unsigned type, const void *bytes, size_t n)
{
	struct nlattr *a = (struct nlattr *)((char *)m + m->nlmsg_len);

	a->nla_type = (unsigned short)type;
	a->nla_len = (unsigned short)(NLA_HDRLEN + n);
	memset((char *)a + NLA_HDRLEN, 0, NLA_ALIGN(n));
	memcpy((char *)a + NLA_HDRLEN, bytes, n);
	m->nlmsg_len += (unsigned)(NLA_HDRLEN + NLA_ALIGN(n));
	return a;
}

static void close_nest(struct nlmsghdr *m, struct nlattr *a)
{
	a->nla_len = (unsigned short)((char *)m + m->nlmsg_len - (char *)a);
}

/* What ends the answer: an acknowledgement, or the end of a list. */
static void put_end(const struct nlmsghdr *request, bool is_list, int error)
{
	struct nlmsghdr *m = begin(request, is_list ? NLMSG_DONE : NLMSG_ERROR, is_list ? NLM_F_MULTI : 0);

	put(m, &error, sizeof(error));
	if (!is_list)
		put(m, request, sizeof(*request));
	finish(m);
}

/* -- DCB -- */

static void put_ieee(struct nlmsghdr *m)
{
	struct nlattr *ieee = put_attr(m, DCB_ATTR_IEEE, "", 0), *apps;
	struct ieee_ets ets = { .ets_cap = 8, .tc_tx_bw = { 100 }, .tc_tsa = { IEEE_8021QAZ_TSA_ETS } };
	struct ieee_pfc pfc = { .pfc_cap = 8 };
	struct dcbnl_buffer buffer = { .buffer_size = { 262144 }, .total_size = 524288 };
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .priority = 3, .protocol = 26 };

	put_attr(m, DCB_ATTR_IEEE_ETS, &ets, sizeof(ets));
	put_attr(m, DCB_ATTR_IEEE_PFC, &pfc, sizeof(pfc));
	put_attr(m, DCB_ATTR_DCB_BUFFER, &buffer, sizeof(buffer));
	apps = put_attr(m, DCB_ATTR_IEEE_APP_TABLE, "", 0);
	put_attr(m, DCB_ATTR_IEEE_APP, &app, sizeof(app));
	close_nest(m, apps);
	close_nest(m, ieee);
}

static void answer_dcb(const struct nlmsghdr *request)
{
	const struct dcbmsg *asked = (const struct dcbmsg *)((const char *)request + NLMSG_HDRLEN);
	struct nlmsghdr *m = begin(request, request->nlmsg_type, 0);
	unsigned char done = 0, modes = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;

	put(m, asked, sizeof(*asked));
	if (asked->cmd == DCB_CMD_IEEE_GET)
		put_ieee(m);
	else if (asked->cmd == DCB_CMD_GDCBX)
		put_attr(m, DCB_ATTR_DCBX, &modes, 1);
	else
		put_attr(m, asked->cmd == DCB_CMD_SDCBX ? DCB_ATTR_DCBX : DCB_ATTR_IEEE, &done, 1);
	finish(m);
	if (request->nlmsg_flags & NLM_F_ACK)
		put_end(request, false, 0);
}

/* -- RDMA -- */

static void answer_rdma(const struct nlmsghdr *request)
{
	bool is_list = (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	struct nlmsghdr *m = begin(request, request->nlmsg_type, is_list ? NLM_F_MULTI : 0);
	unsigned index = 0, port = 1;
	unsigned char state = 4, physical = 5;	/* ACTIVE, LINK_UP */

	put_attr(m, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	put_attr(m, RDMA_NLDEV_ATTR_DEV_NAME, DEVICE, sizeof(DEVICE));
	put_attr(m, RDMA_NLDEV_ATTR_PORT_INDEX, &port, sizeof(port));
	put_attr(m, RDMA_NLDEV_ATTR_PORT_STATE, &state, 1);
	put_attr(m, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, &physical, 1);
	finish(m);
	put_end(request, is_list, 0);
}

/* -- in libmnl's place -- */

struct mnl_socket *mnl_socket_open(int bus)
{
	return mnl_socket_open2(bus == NETLINK_RDMA ? NETLINK_ROUTE : bus, 0);
}

ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *request, size_t size)
{
	struct nlmsghdr asked = *(const struct nlmsghdr *)request;
	struct nlmsghdr *copy = malloc(size);

	if (!copy)
		abort();
	asked.nlmsg_pid = mnl_socket_get_portid(nl);
	memcpy(copy, request, size);
	*copy = asked;
	answer_n = 0;
	if (asked.nlmsg_type == RTM_GETDCB || asked.nlmsg_type == RTM_SETDCB)
		answer_dcb(copy);
	else if (RDMA_NL_GET_CLIENT(asked.nlmsg_type) == RDMA_NL_NLDEV)
		answer_rdma(copy);
	else
		put_end(copy, false, -EOPNOTSUPP);
	free(copy);
	return (ssize_t)size;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *out, size_t size)
{
	size_t n = answer_n;

	(void)nl;
	if (!n || n > size) {
		errno = ENOBUFS;
		return -1;
	}
	memcpy(out, answer, n);
	answer_n = 0;
	return (ssize_t)n;
}
