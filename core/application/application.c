#include "core/application/application.h"

#include <stdio.h>

#define ROCE_HEADERS	96	/* what Linux takes off the MTU of an interface before it rounds down */
#define PACKET_OVERHEAD	82	/* Ethernet 14, IP 20, UDP 8, BTH 12, ICRC 4, FCS 4, preamble and gap 20 */

static bool answer(struct app_tos *out, enum app_by by, uint64_t tos, const char *words)
{
	*out = (struct app_tos){ .by = by, .tos = (unsigned)tos & 255 };
	snprintf(out->words, sizeof(out->words), "%s", words);
	return by > APP_BY_UNKNOWN;
}

/* Not known: why, of a cell that says so or is too old. */
static bool unknown(struct app_tos *out, const struct cell *c, enum field f)
{
	answer(out, APP_BY_UNKNOWN, 0, "");
	snprintf(out->words, sizeof(out->words), "%s: %.80s", field_table[f].name,
		 c->value.is == VALUE_UNKNOWN ? c->value.text : "too old");
	return false;
}

/* Of a bond's member the bond's RDMA device says it. */
static bool by_force(const struct model *m, const struct port *p, struct app_tos *out)
{
	const struct port *of = port_source(p, FIELD_TOS_FORCE, 0);
	const struct cell *c = port_cell(of, FIELD_TOS_FORCE, 0);
	uint64_t tos;

	*out = (struct app_tos){ .by = APP_BY_NOBODY };
	/* One reply has both: it has not come, and may say that a ToS is forced. */
	if (!c && !port_cell(port_source(p, FIELD_TOS_CMA, 0), FIELD_TOS_CMA, 0)) {
		*out = (struct app_tos){ .by = APP_BY_UNKNOWN };
		snprintf(out->words, sizeof(out->words), "tos.force has not been read yet");
		return false;
	}
	if (!c)
		return false;
	if (!port_number(m, of, FIELD_TOS_FORCE, 0, &tos))
		return unknown(out, c, FIELD_TOS_FORCE);
	return tos ? answer(out, APP_BY_FORCE, tos, "forced on every queue pair (traffic_class)") : false;
}

static bool by_variable(const struct model *m, const struct device *d, enum field f, const char *words, struct app_tos *out)
{
	const struct cell *c = device_cell(d, f, 0);
	uint64_t tos;

	if (!c)
		return false;
	if (!device_number(m, d, f, 0, &tos))
		return unknown(out, c, f);
	return answer(out, APP_BY_SET, tos, words);
}

bool app_tos(const struct model *m, const struct port *p, struct app_tos *out)
{
	const struct cell *set = device_cell(p->device, FIELD_APP_TC_SET, 0);
	uint64_t is_set;

	if (by_force(m, p, out) || out->by != APP_BY_NOBODY)
		return out->by > APP_BY_UNKNOWN;
	if (by_variable(m, p->device, FIELD_APP_TC, "NCCL_IB_TC", out) || out->by != APP_BY_NOBODY)
		return out->by > APP_BY_UNKNOWN;
	if (!set)
		return answer(out, APP_BY_NOBODY, 0, "the application's traffic class is not known");
	if (!device_number(m, p->device, FIELD_APP_TC_SET, 0, &is_set))
		return unknown(out, set, FIELD_APP_TC_SET);
	if (is_set)
		return answer(out, APP_BY_NOBODY, 0, "the application's traffic class is not known");
	return answer(out, APP_BY_DEFAULT, 0, "NCCL's default: NCCL_IB_TC is not set");
}

bool app_control_tos(const struct model *m, const struct port *p, struct app_tos *out)
{
	if (by_force(m, p, out) || out->by != APP_BY_NOBODY)
		return out->by > APP_BY_UNKNOWN;
	if (by_variable(m, p->device, FIELD_APP_FIFO_TC, "NCCL_IB_FIFO_TC", out) || out->by != APP_BY_NOBODY)
		return out->by > APP_BY_UNKNOWN;
	return app_tos(m, p, out);
}

bool app_may_use(struct span hcas, struct span device, bool *is_of_port)
{
	bool is_not = span_skip(&hcas, "^"), is_exact = span_skip(&hcas, "="), fits = false;

	*is_of_port = false;
	while (hcas.n > 0) {
		struct span name = hcas, port = { NULL, 0 }, rest = { NULL, 0 };

		if (span_cut(hcas, ',', &name, &rest))
			hcas = rest;
		else
			hcas.n = 0;
		span_cut(name, ':', &name, &port);
		if (name.n > device.n || memcmp(name.p, device.p, name.n) != 0 || (is_exact && name.n != device.n))
			continue;
		if (port.n && !span_is(port, "1"))
			*is_of_port = true;
		else
			fits = true;
	}
	*is_of_port &= !fits;
	return fits != is_not;
}

double pcie_bps(uint64_t lane_rate, uint64_t lanes)
{
	return (double)lane_rate * (double)lanes * (lane_rate < 8000000000u ? 8.0 / 10 : 128.0 / 130);
}

uint64_t rdma_mtu_at(uint64_t mtu_bytes)
{
	uint64_t most = 4096;

	while (most > 256 && most + ROCE_HEADERS > mtu_bytes)
		most /= 2;
	return most;
}

double app_efficiency(uint64_t mtu_bytes)
{
	return (double)mtu_bytes / (double)(mtu_bytes + PACKET_OVERHEAD);
}
