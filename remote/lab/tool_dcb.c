/* dcb of iproute2 6.1 on an mlx5 port: the same state as mlnx_qos shows, by the kernel's own names. */
#include <stdio.h>

#include "remote/lab/tools.h"

static void eight(struct buf *out, const char *name, const uint32_t *n, bool as_bool)
{
	buf_printf(out, "\"%s\":[", name);
	for (unsigned i = 0; i < 8; i++) {
		buf_str(out, i ? "," : "");
		if (as_bool)
			buf_str(out, n[i] ? "true" : "false");
		else
			buf_printf(out, "%u", n[i]);
	}
	buf_str(out, "]");
}

static void pairs(struct buf *out, const char *name, const char *form, const uint32_t *n)
{
	buf_printf(out, "%s ", name);
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, form, i, n[i]);
	buf_str(out, "\n");
}

static void pfc(struct buf *out, const struct nic *nic, bool is_json)
{
	if (is_json) {
		buf_str(out, "{\"pfc_cap\":8,\"macsec_bypass\":false,\"delay\":0,");
		eight(out, "prio_pfc", nic->pfc, true);
		buf_str(out, "}\n");
		return;
	}
	buf_str(out, "pfc-cap 8 macsec-bypass off delay 0 \nprio-pfc ");
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, "%u:%s ", i, nic->pfc[i] ? "on" : "off");
	buf_str(out, "\n");
}

static void ets(struct buf *out, const struct nic *nic, bool is_json)
{
	static const char *const words[] = { "strict", "ets", "vendor" };
	static const uint32_t none[8];

	if (!is_json) {
		buf_str(out, "willing off ets-cap 8 cbs off \n");
		pairs(out, "tc-bw", "%u:%u ", nic->share_pct);
		pairs(out, "pg-bw", "%u:%u ", none);
		buf_str(out, "tc-tsa ");
		for (unsigned i = 0; i < 8; i++)
			buf_printf(out, "%u:%s ", i, words[nic->tsa[i] % 3]);
		buf_str(out, "\n");
		pairs(out, "prio-tc", "%u:%u ", nic->prio_tc);
		return;
	}
	buf_str(out, "{\"willing\":false,\"ets_cap\":8,\"cbs\":false,");
	eight(out, "tc_bw", nic->share_pct, false);
	buf_str(out, ",");
	eight(out, "pg_bw", none, false);
	buf_str(out, ",\"tc_tsa\":[");
	for (unsigned i = 0; i < 8; i++)
		buf_printf(out, "%s\"%s\"", i ? "," : "", words[nic->tsa[i] % 3]);
	buf_str(out, "],");
	eight(out, "prio_tc", nic->prio_tc, false);
	buf_str(out, "}\n");
}

static void buffer(struct buf *out, const struct nic *nic, bool is_json)
{
	if (!is_json) {
		pairs(out, "prio-buffer", "%u:%u ", nic->prio_buffer);
		pairs(out, "buffer-size", "%u:%ub ", nic->buffer_bytes);
		return;
	}
	buf_str(out, "{");
	eight(out, "prio_buffer", nic->prio_buffer, false);
	buf_str(out, ",");
	eight(out, "buffer_size", nic->buffer_bytes, false);
	buf_str(out, ",\"total_size\":1027728}\n");
}

/* Trust in DSCP is the presence of DSCP entries. Text is by number: -N is what scripts ask with. */
static void app(struct buf *out, const struct nic *nic, bool is_json)
{
	bool is_dscp = nic->trust == TRUST_DSCP;

	buf_str(out, is_json ? is_dscp ? "{\"dscp_prio\":[" : "{" : is_dscp ? "dscp-prio " : "");
	for (unsigned i = 0; is_dscp && i < 64; i++)
		buf_printf(out, is_json ? "%s[%u,%u]" : "%s%u:%u ", is_json && i ? "," : "", i, nic->dscp_prio[i]);
	buf_str(out, is_json ? is_dscp ? "]}\n" : "}\n" : is_dscp ? "\n" : "");
}

static void dcbx(struct buf *out, const struct nic *nic, bool is_json)
{
	bool is_host = nic->dcbx != DCBX_FW;

	if (is_json)
		buf_printf(out, "{%s\"ieee\":true}\n", is_host ? "\"host\":true," : "\"lld_managed\":true,");
	else
		buf_printf(out, "%s ieee \n", is_host ? "host" : "lld-managed");
}

int tool_dcb(struct tool_call *t)
{
	static const struct {
		const char *object;
		void (*show)(struct buf *out, const struct nic *nic, bool is_json);
	} objects[] = { { "pfc", pfc }, { "ets", ets }, { "buffer", buffer }, { "app", app }, { "dcbx", dcbx } };
	bool is_json = false;
	const char *object = NULL;
	const struct lab_port *p;

	for (int i = 1; i < t->argc && !object; i++) {
		if (*t->argv[i] == '-')
			is_json = is_json || strchr(t->argv[i], 'j');
		else
			object = t->argv[i];
	}
	p = tool_port(t, t->argv[t->argc - 1]);
	for (size_t i = 0; object && i < sizeof(objects) / sizeof(*objects); i++) {
		if (strcmp(object, objects[i].object))
			continue;
		if (p) {
			objects[i].show(t->out, &p->nic, is_json);
			return 0;
		}
		buf_str(t->out, is_json ? "\n" : "");
		buf_str(t->errors, "Attribute read: No such device\n");
		return 1;
	}
	buf_printf(t->errors, "Object \"%s\" is unknown, try \"dcb help\".\n", object ? object : "");
	return 1;
}
