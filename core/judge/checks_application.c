/* Checks of the application and its host: ToS, network, GID, GPU Direct, retries, memory, PCIe, VFs. */
#include "core/judge/checks.h"

#include <stdio.h>

#include "core/application/application.h"
#include "core/roce/completion.h"

/* Where the host's processes were read and tell nothing of it, the job that a finding was about has ended; else nothing is cleared. */
static void not_told(struct case_of *c, const struct device *host, const char *why)
{
	uint64_t processes;

	if (device_number(c->model, host, FIELD_APP_PROCS, 0, &processes))
		ask_gone(c, why);
	else
		ask_lost(c, why);
}

static bool app_fact(struct case_of *c, enum field f, uint64_t *out)
{
	if (!device_cell(c->device, f, 0)) {
		not_told(c, c->device, "the application is not known");
		return false;
	}
	return ask_device(c, c->device, f, out);
}

/* What was read of the marking, as evidence. */
static void cite_tos(struct case_of *c, const struct app_tos *tos)
{
	if (tos->by == APP_BY_FORCE)
		return ask_cite(c, port_source(c->port, FIELD_TOS_FORCE, 0), FIELD_TOS_FORCE, 0);
	ask_cite_device(c, c->port->device, tos->by == APP_BY_SET ? FIELD_APP_TC : FIELD_APP_TC_SET);
}

/* A device that has fallen silent says so itself: then its facts are old, and not one finding each. */
static void lacks_marking(struct case_of *c, const struct app_tos *tos)
{
	static const enum field said[] = { FIELD_APP_TC, FIELD_APP_TC_SET };
	uint64_t n;

	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (device_cell(c->port->device, said[i], 0) && !ask_device(c, c->port->device, said[i], &n))
			return;
	ask_unknown(c, LACK_REASON, c->port->device, "%.60s", tos->words);
}

/* The marking itself, and what this port's own map makes of it. */
void ask_app_tos(struct case_of *c)
{
	struct app_tos tos;
	uint64_t wanted, prio;
	char by[112];

	if (!ask_wants(c, c->port, FIELD_TOS_CMA, 0, &wanted))
		return ask_na(c, "the policy sets no ToS");
	app_tos(c->model, c->port, &tos);
	if (tos.by == APP_BY_FORCE)
		return ask_na(c, "a ToS is forced on every queue pair");
	if (tos.by == APP_BY_NOBODY)
		return not_told(c, c->port->device, tos.words);
	if (tos.by == APP_BY_UNKNOWN)
		return lacks_marking(c, &tos);
	cite_tos(c, &tos);
	snprintf(by, sizeof(by), " (%.100s)", tos.words);
	if (tos.tos != wanted && !tos_is_right(c, tos.tos, wanted, by))
		return;
	if (map_priority(c, c->port, tos.tos >> 2 & 63, &prio) && (prio > 7 || !(ask_lossless(c, c->port) >> prio & 1)))
		return ask_no(c, "ToS %u%.100s gets priority %llu here: not lossless", tos.tos, by, (unsigned long long)prio);
	ask_ok_unless_lacking(c);
}

void ask_app_net(struct case_of *c)
{
	uint64_t net;

	if (!app_fact(c, FIELD_APP_NET, &net))
		return;
	if (net == APP_NET_SOCKET)
		return ask_no(c, "NCCL uses TCP (NET/Socket)");
	if (net == APP_NET_MIXED)
		return ask_no(c, "some of NCCL's processes use TCP, others RDMA");
	ask_ok(c);
}

/* An index whose type nobody tells may be empty, or past those that are told: unknown. */
void ask_app_gid(struct case_of *c)
{
	uint64_t index, type;

	if (!device_cell(c->port->device, FIELD_APP_GID_INDEX, 0))
		return not_told(c, c->port->device, "the application's GID is not known");
	if (!ask_device(c, c->port->device, FIELD_APP_GID_INDEX, &index))
		return;
	if (index >= field_table[FIELD_GID_TYPE].width)
		return ask_unknown(c, LACK_ABSENT, c->port->device, "the type of GID %llu: only the first %u are read",
				   (unsigned long long)index, field_table[FIELD_GID_TYPE].width);
	if (!ask_port(c, c->port, FIELD_GID_TYPE, (unsigned)index, &type))
		return;
	if (type == GID_V2)
		return ask_ok(c);
	ask_no(c, "NCCL uses GID index %llu, which is RoCE v1: no DSCP, and not routed", (unsigned long long)index);
}

static const char *family_words(uint64_t family)
{
	static const char *const words[] = {
		[GID_IPV4] = "an IPv4 address", [GID_IPV6] = "an IPv6 address", [GID_LINK_LOCAL] = "a link-local address",
	};

	return family < GID_FAMILIES ? words[family] : "of an unknown kind";
}

/* Which kind the others have: the one that most have, of two the same the one that comes first; own ports count, too. */
static unsigned usual_family(const unsigned *told, unsigned besides)
{
	unsigned most = besides == 0;

	for (unsigned i = 0; i < GID_FAMILIES; i++)
		if (i != besides && told[i] > told[most])
			most = i;
	return most;
}

/* An index is of the table of one port: at another it may be another kind of address, and the two do not connect. */
void ask_app_gid_alike(struct case_of *c)
{
	const unsigned *told = c->context->gid_told, silent = c->context->gid_silent;
	uint64_t index, mine;
	unsigned other;

	if (!device_cell(c->port->device, FIELD_APP_GID_INDEX, 0))
		return not_told(c, c->port->device, "the application's GID is not known");
	if (!ask_device(c, c->port->device, FIELD_APP_GID_INDEX, &index))
		return;
	if (index >= field_table[FIELD_GID_FAMILY].width)
		return ask_unknown(c, LACK_ABSENT, c->port->device, "GID %llu: only the first %u are read", (unsigned long long)index,
				   field_table[FIELD_GID_FAMILY].width);
	if (!ask_port(c, c->port, FIELD_GID_FAMILY, (unsigned)index, &mine) || mine >= GID_FAMILIES)
		return;
	other = usual_family(told, (unsigned)mine);
	if (told[mine] > told[other] + silent || (told[mine] == told[other] + silent && mine < other))
		return ask_ok(c);
	if (told[other] < told[mine] + silent || (told[other] == told[mine] + silent && other > mine))
		return ask_unknown(c, LACK_REASON, NULL, "which GID the job's other %u ports use", silent);
	ask_no(c, "NCCL's GID index %llu is %s here, and %s at %u of %u ports", (unsigned long long)index, family_words(mine),
	       family_words(other), told[other], told[GID_IPV4] + told[GID_IPV6] + told[GID_LINK_LOCAL]);
}

/* -- RDMA devices that the job leaves alone -- */

/* Whether one of a list's words, or of those that "+" makes one of, is this device. */
static bool names_device(const char *list, struct span device)
{
	struct span rest = span_of(list), word, name;

	while (span_word(&rest, &word))
		for (bool more = true; more;) {
			struct span beyond = { NULL, 0 };

			more = span_cut(word, '+', &name, &beyond);
			if (span_same(more ? name : word, device))
				return true;
			word = beyond;
		}
	return false;
}

struct hca_use {
	const char *log, *asked;	/* app.hca, app.hca.asked; NULL: not told */
};

/* *is_open: a name of it may mean another port of that device. */
static bool is_used(const struct hca_use *use, const struct port *p, bool *is_open)
{
	const char *rdma = port_text(p, FIELD_RDMA);
	struct span rest = span_of(use->asked), word;
	bool is_of_port;

	if (!rdma || (use->log && names_device(use->log, span_of(rdma))))
		return rdma != NULL;
	while (use->asked && span_word(&rest, &word)) {
		if (app_may_use(word, span_of(rdma), &is_of_port))
			return true;
		*is_open |= is_of_port;
	}
	return false;
}

/* False: the answer is given. */
static bool use_of_job(struct case_of *c, struct hca_use *use)
{
	const struct device *d = c->port->device;
	uint64_t is_set, text;

	if (device_cell(d, FIELD_APP_HCA, 0)) {
		if (!ask_device(c, d, FIELD_APP_HCA, &text))
			return false;
		use->log = device_text(d, FIELD_APP_HCA);
	}
	if (device_cell(d, FIELD_APP_HCA_SET, 0)) {
		if (!ask_device(c, d, FIELD_APP_HCA_SET, &is_set))
			return false;
		if (is_set && !ask_device(c, d, FIELD_APP_HCA_ASKED, &text))
			return false;
		if (!is_set && !use->log) {
			ask_na(c, "NCCL_IB_HCA is not set: NCCL takes every device that it finds");
			return false;
		}
		use->asked = is_set ? device_text(d, FIELD_APP_HCA_ASKED) : NULL;
	}
	if (!use->log && !use->asked)
		not_told(c, d, "the devices that NCCL uses are not known");
	return use->log || use->asked;
}

/* How many of the host's ports NCCL uses, and the speed of the fastest. One that is down has none. */
static unsigned count_used(struct case_of *c, const struct hca_use *use, uint64_t *fastest_bps)
{
	uint64_t bps, up;
	unsigned n = 0;
	bool is_open = false;

	*fastest_bps = 0;
	for (size_t i = 0; i < c->port->device->n_ports; i++) {
		const struct port *p = c->port->device->ports[i];

		if (!is_used(use, p, &is_open) || (port_number(c->model, p, FIELD_UP, 0, &up) && !up))
			continue;
		n++;
		if (ask_port(c, p, FIELD_SPEED, 0, &bps) && bps > *fastest_bps)
			*fastest_bps = bps;
	}
	return n;
}

static bool carries_rdma(struct case_of *c)
{
	static const enum field fields[] = { FIELD_RDMA_TX, FIELD_RDMA_RX };
	double per_s;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (ask_said(c->port, fields[i], 0) && ask_rate(c, c->port, fields[i], 0, &per_s) && per_s > 0)
			return true;
	return false;
}

/* A slower one, or one that carries RDMA without NCCL, is there for something else. */
void ask_app_hcas(struct case_of *c)
{
	struct hca_use use = { NULL };
	uint64_t state, up, mine, its;
	bool is_open = false;

	if (!port_text(c->port, FIELD_RDMA))
		return ask_na(c, "its bond's RDMA device: NCCL is given that one");
	if (port_number(c->model, c->port, FIELD_RDMA_SOFT, 0, &state) && state)
		return ask_na(c, "a Soft-RoCE device: NCCL should not use it");
	if (!use_of_job(c, &use))
		return;
	if (is_used(&use, c->port, &is_open))
		return ask_ok_unless_lacking(c);
	if (is_open)
		return ask_unknown(c, LACK_REASON, c->port->device, "which port of %.40s this is", port_text(c->port, FIELD_RDMA));
	if (!ask_port(c, c->port, FIELD_UP, 0, &up) || !ask_port(c, c->port, FIELD_RDMA_STATE, 0, &state))
		return;
	if (!up || state != RDMA_ACTIVE)
		return ask_na(c, "it is not up");
	if (!count_used(c, &use, &its))
		return ask_na(c, "no port of this host that is up is known to be one that NCCL uses");
	if (!ask_port(c, c->port, FIELD_SPEED, 0, &mine))
		return;
	if (mine < its)
		return ask_na(c, "it is slower than the fastest port that NCCL uses");
	if (carries_rdma(c))
		return ask_na(c, "RDMA moves there all the same: something else uses it");
	if (ask_lacks(c))
		return ask_ok_unless_lacking(c);
	ask_no(c, "%.40s is up, and NCCL does not use it: %s %.80s", port_text(c->port, FIELD_RDMA),
	       use.asked ? "NCCL_IB_HCA is" : "its log names", use.asked ? use.asked : use.log);
}

static bool has_peermem(const struct device *d)
{
	const char *modules = device_text(d, FIELD_MODULES);

	return modules && (strstr(modules, "nvidia_peermem") || strstr(modules, "nv_peer_mem"));
}

/* Another host where the module is loaded: there it is how GPU memory is reached. */
static const struct device *with_peermem(const struct case_of *c)
{
	for (size_t i = 0; i < model_devices(c->model); i++)
		if (has_peermem(model_device(c->model, i)))
			return model_device(c->model, i);
	return NULL;
}

/* Where no log tells, the module does, but only beside another host that has it: DMA-BUF does without. */
static void ask_peermem(struct case_of *c)
{
	const struct device *other = with_peermem(c);
	uint64_t none;

	if (!device_cell(c->device, FIELD_MODULES, 0) || !other)
		return ask_lost(c, "the application is not known");
	if (!ask_device(c, c->device, FIELD_MODULES, &none))
		return;
	if (has_peermem(c->device))
		return ask_ok(c);
	ask_no_at(c, VERDICT_LOOK, "nvidia_peermem is not loaded, as it is at %.60s: GPU memory needs it, or DMA-BUF", other->name);
}

void ask_app_gdr(struct case_of *c)
{
	const char *why = device_text(c->device, FIELD_APP_GDR_WHY);
	uint64_t direct;

	if (!device_cell(c->device, FIELD_APP_GDR, 0))
		return ask_peermem(c);
	if (!ask_device(c, c->device, FIELD_APP_GDR, &direct))
		return;
	if (direct)
		return ask_ok(c);
	if (why)
		ask_cite_device(c, c->device, FIELD_APP_GDR_WHY);
	ask_no(c, "NCCL does not reach GPU memory directly%s%.100s", why ? ": " : "", why ? why : "");
}

/* Where a failed completion is to be looked for: on the path; at a peer that takes nothing; at one of the ends. */
enum failed { FAILED_PATH, FAILED_PEER, FAILED_END };

static enum failed failed_at(uint64_t status)
{
	if (status == COMPLETION_RNR)
		return FAILED_PEER;
	return status == COMPLETION_RETRY || status == COMPLETION_RESPONSE ? FAILED_PATH : FAILED_END;
}

/* What only stands there when something is wrong: its absence is all right where the teller has told its other part. */
static bool is_told(struct case_of *c, enum field f, enum field other)
{
	uint64_t told;

	if (device_cell(c->device, f, 0))
		return true;
	if (!device_cell(c->device, other, 0))
		ask_lost(c, "not reported");
	else if (ask_device(c, c->device, other, &told))
		ask_na(c, "not reported");
	return false;
}

static void ask_status(struct case_of *c, enum failed at)
{
	const char *error = device_text(c->device, FIELD_APP_ERROR);
	uint64_t status;

	if (!is_told(c, FIELD_APP_STATUS, FIELD_APP_PROCS) || !ask_device(c, c->device, FIELD_APP_STATUS, &status))
		return;
	if (failed_at(status) != at)
		return ask_na(c, "its error is of another kind");
	if (error)
		ask_cite_device(c, c->device, FIELD_APP_ERROR);
	ask_no(c, "%.180s", error ? error : completion_find(status) ? completion_find(status)->what : "a completion failed");
}

void ask_app_retries(struct case_of *c)
{
	ask_status(c, FAILED_PATH);
}

void ask_app_peer(struct case_of *c)
{
	ask_status(c, FAILED_PEER);
}

void ask_app_memory(struct case_of *c)
{
	ask_status(c, FAILED_END);
}

#define MEMLOCK_LEAST	(UINT64_C(1) << 30)	/* as of our own login: below 1 GiB registering buffers soon fails */

void ask_app_memlock(struct case_of *c)
{
	uint64_t bytes;

	if (!app_fact(c, FIELD_APP_MEMLOCK, &bytes))
		return;
	if (bytes >= MEMLOCK_LEAST)
		return ask_ok(c);
	ask_no(c, "a process that uses RDMA may lock %llu KiB of memory", (unsigned long long)(bytes / 1024));
}

static void ask_words(struct case_of *c, enum field f, enum field other)
{
	uint64_t none;

	if (is_told(c, f, other) && ask_device(c, c->device, f, &none))
		ask_no(c, "%.180s", device_text(c->device, f));
}

void ask_app_warning(struct case_of *c)
{
	ask_words(c, FIELD_APP_WARNING, FIELD_APP_PROCS);
}

void ask_kernel_trouble(struct case_of *c)
{
	ask_words(c, FIELD_KERNEL_TROUBLE, FIELD_KERNEL_LINES);
}

void ask_app_bandwidth(struct case_of *c)
{
	uint64_t reached, best;

	if (!app_fact(c, FIELD_APP_BW, &reached))
		return;
	if (!device_cell(c->device, FIELD_APP_BW_LINK, 0))
		return ask_lost(c, "what its links carry is not known");
	if (!ask_device(c, c->device, FIELD_APP_BW_LINK, &best))
		return;
	if ((double)reached >= APP_USUAL_SHARE * (double)best)
		return ask_ok(c);
	ask_no(c, "a test reached %.1f Gb/s of the %.1f that its links carry", (double)reached / 1e9, (double)best / 1e9);
}

/* The link's speed, where it has one: a link that is down tells none. */
static bool link_speed(struct case_of *c, uint64_t *speed)
{
	uint64_t up;

	if (!port_cell(c->port, FIELD_SPEED, 0) || (port_number(c->model, c->port, FIELD_UP, 0, &up) && !up))
		return false;
	return ask_port(c, c->port, FIELD_SPEED, 0, speed);
}

/* Narrower or slower than the NIC can is only worth a look, unless the network's link is faster than what is left. */
void ask_pcie(struct case_of *c)
{
	uint64_t rate, lanes, most_rate, most_lanes, speed;
	char words[96];

	if (!ask_said(c->port, FIELD_PCIE_WIDTH, 0) || !ask_said(c->port, FIELD_PCIE_SPEED, 0))
		return ask_lost(c, "not reported");
	if (!ask_port(c, c->port, FIELD_PCIE_SPEED, 0, &rate) || !ask_port(c, c->port, FIELD_PCIE_WIDTH, 0, &lanes))
		return;
	snprintf(words, sizeof(words), "%.1f GT/s x%llu", (double)rate / 1e9, (unsigned long long)lanes);
	if (link_speed(c, &speed) && pcie_bps(rate, lanes) < (double)speed)
		return ask_no(c, "PCIe runs at %s: %.0f Gb/s for a link of %.0f", words, pcie_bps(rate, lanes) / 1e9,
			      (double)speed / 1e9);
	if (!ask_said(c->port, FIELD_PCIE_SPEED_MAX, 0) || !ask_said(c->port, FIELD_PCIE_WIDTH_MAX, 0))
		return ask_ok_unless_lacking(c);	/* a virtual machine is not told what the NIC can */
	if (ask_port(c, c->port, FIELD_PCIE_SPEED_MAX, 0, &most_rate) &&
	    ask_port(c, c->port, FIELD_PCIE_WIDTH_MAX, 0, &most_lanes) && (rate < most_rate || lanes < most_lanes))
		return ask_no_at(c, VERDICT_LOOK, "PCIe runs at %s; the NIC can %.1f GT/s x%llu", words, (double)most_rate / 1e9,
				 (unsigned long long)most_lanes);
	ask_ok_unless_lacking(c);
}

/* Virtual functions are made alike on all hosts: none here, where the others have some, was forgotten. */
void ask_vf(struct case_of *c)
{
	unsigned others = c->context->vf_told, with = c->context->vf_with, silent = c->context->vf_silent;
	uint64_t mine;

	if (!ask_said(c->port, FIELD_VF, 0))
		return ask_lost(c, "not reported");
	if (!ask_port(c, c->port, FIELD_VF, 0, &mine))
		return;
	for (size_t i = 0; mine == 0 && i < c->port->device->n_ports; i++) {
		const struct port *p = c->port->device->ports[i];
		const struct cell *vfs = port_cell(p, FIELD_VF, 0);

		silent -= is_vf_silent(c->context, p);
		if (c->context->ports[p->id].roce != ROCE_YES || !vfs)
			continue;
		others -= vfs->value.is == VALUE_KNOWN;
		with -= vfs->value.is == VALUE_KNOWN && vfs->value.n > 0;
	}
	if (mine > 0 || others + silent < ALIKE_LEAST || with + silent < ALIKE_SHARE * (others + silent))
		return ask_ok(c);
	if (others < ALIKE_LEAST || with < ALIKE_SHARE * (others + silent))
		return ask_unknown(c, LACK_REASON, NULL, "the virtual functions of %u ports of other hosts", silent);
	ask_no(c, "no virtual function, where %u of %u ports of other hosts have some", with, others);
}
