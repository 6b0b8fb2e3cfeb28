/* A log of NCCL, read and explained without a fabric. */
#include "core/application/nccl.h"
#include "remote/platform/mask.h"
#include "tui/commands/commands.h"
#include "tui/text/files.h"

static const char *const net_names[] = {
	[NCCL_NET_UNKNOWN] = NULL, [NCCL_NET_IB] = "IB", [NCCL_NET_SOCKET] = "Socket", [NCCL_NET_PLUGIN] = "plugin",
};

static void cell_of(struct sheet *sheet, struct buf *text)
{
	sheet_text(sheet, text->n ? text->text : NULL);
	buf_clear(text);
}

static void slice(struct sheet *sheet, struct span s)
{
	char text[160];

	snprintf(text, sizeof(text), "%.*s", (int)(s.n < sizeof(text) ? s.n : sizeof(text) - 1), s.n ? s.p : "");
	sheet_text(sheet, s.n ? text : NULL);
}

static void number(struct sheet *sheet, const struct nccl_said *said)
{
	if (said->line.p)
		sheet_number(sheet, said->n);
	else
		sheet_unknown(sheet);
}

static void direct_words(const struct nccl_process *p, struct buf *out)
{
	struct nccl_said by;
	int direct = nccl_direct(p, &by);

	if (direct < 0)
		return;
	buf_str(out, direct ? "yes" : "no");
	if (!direct && by.text.n)
		buf_printf(out, ": %.*s", (int)(by.text.n < 80 ? by.text.n : 80), by.text.p);
}

static void error_words(const struct nccl_process *p, struct buf *out)
{
	const struct nccl_error *e = &p->error;

	if (!e->status)
		return;
	buf_printf(out, "status %u %s: %s", e->status, completion_find(e->status)->name, completion_find(e->status)->what);
	if (e->hca.n)
		buf_printf(out, "; %.*s", (int)(e->hca.n < 32 ? e->hca.n : 32), e->hca.p);
	if (e->peer.n)
		buf_printf(out, "; peer %.*s", (int)(e->peer.n < 48 ? e->peer.n : 48), e->peer.p);
	if (p->errors[e->status] > 1)
		buf_printf(out, "; %u times", p->errors[e->status]);
}

/* A table shows the number and its short name; the words stand below it. */
static void error_cell(struct sheet *sheet, const struct nccl_process *p)
{
	struct buf words = { 0 };
	char brief[64] = "-";

	error_words(p, &words);
	if (p->error.status)
		snprintf(brief, sizeof(brief), "%u %s", p->error.status,
			 completion_find(p->error.status)->name + strlen("IBV_WC_"));
	sheet_cell(sheet, words.n ? json_text(words.text) : json_string("-"), brief);
	buf_done(&words);
}

static void trouble_words(const struct nccl_process *p, struct buf *out)
{
	if (p->trouble)
		buf_printf(out, "%s (%.*s)", p->trouble->what, (int)(p->trouble_said.text.n < 100 ? p->trouble_said.text.n : 100),
			   p->trouble_said.text.p);
	else if (p->warning.line.p)
		buf_printf(out, "%.*s", (int)(p->warning.text.n < 140 ? p->warning.text.n : 140), p->warning.text.p);
	else if (p->none_found.line.p)
		buf_str(out, "no RDMA device was found");
}

static const char *next_step(const struct nccl_process *p)
{
	if (p->error.status && !completion_find(p->error.status)->is_consequence)
		return completion_find(p->error.status)->next;
	if (p->trouble)
		return p->trouble->next;
	if (p->error.status)
		return completion_find(p->error.status)->next;
	if (nccl_net(p, &(struct nccl_said){ 0 }) == NCCL_NET_SOCKET)
		return "RDMA is not used: check that the process has the RDMA devices (ibv_devinfo, /dev/infiniband in the "
		       "container), then NCCL_IB_DISABLE and NCCL_IB_HCA.";
	if (nccl_direct(p, &(struct nccl_said){ 0 }) == 0)
		return "Load nvidia_peermem or use DMA-BUF; NIC and GPU close to each other (NCCL_NET_GDR_LEVEL).";
	return "-";
}

static void process_row(struct sheet *sheet, const struct nccl_log *log, const struct nccl_process *p)
{
	struct nccl_said by;
	struct buf text = { 0 };

	sheet_row(sheet);
	slice(sheet, p->host);
	sheet_cell(sheet, p->pid ? json_integer((json_int_t)p->pid) : NULL, NULL);
	nccl_ranks(p, &text);
	cell_of(sheet, &text);
	slice(sheet, p->version.line.p ? p->version.text : log->version.text);
	sheet_text(sheet, net_names[nccl_net(p, &by)]);
	nccl_hcas(p, &text);
	cell_of(sheet, &text);
	number(sheet, &p->gid_index);
	if (nccl_tc_is_unset(p))
		sheet_cell(sheet, json_string("unset"), NULL);
	else
		number(sheet, &p->tc);
	number(sheet, &p->fifo_tc);
	direct_words(p, &text);
	cell_of(sheet, &text);
	error_cell(sheet, p);
	trouble_words(p, &text);
	sheet_text(sheet, text.n ? text.text : "-");
	sheet_text(sheet, next_step(p));
	buf_done(&text);
}

/* What the table has no room for. */
static void say_next(const struct nccl_process *p)
{
	struct buf text = { 0 };

	error_words(p, &text);
	if (!text.n)
		trouble_words(p, &text);
	if (text.n || strcmp(next_step(p), "-") != 0) {
		printf("\n%.*s", p->host.n ? (int)p->host.n : 8, p->host.n ? p->host.p : "its host");
		if (p->pid)
			printf(" %llu", (unsigned long long)p->pid);
		printf("%s%s\n  -> %s\n", text.n ? ": " : "", text.n ? text.text : "", next_step(p));
	}
	buf_done(&text);
}

int cmd_nccl(struct cli *cli)
{
	struct nccl_log log = { 0 };
	struct buf text = { 0 };
	struct sheet *sheet;
	struct err err;
	int code = EXIT_DONE;

	if (!file_read(cli->args[0], &text, &err))
		return complain(EXIT_USAGE, "%s", err.text);
	mask_secrets(text.text, text.n);
	if (nccl_read(&log, buf_span(&text)) == 0)
		code = complain(EXIT_NO_TARGET, "%s: no NCCL lines in it (set NCCL_DEBUG=INFO to get them)", cli->args[0]);
	sheet = sheet_new("fabcon.nccl/1", "host pid ranks version net hcas gid_index tc fifo_tc gdr error warning! next!");
	for (size_t i = 0; i < log.n; i++)
		process_row(sheet, &log, &log.list[i]);
	if (cli->filter && !sheet_filter(sheet, cli->filter, &err))
		code = complain(EXIT_USAGE, "--filter: %s", err.text);
	else if (code == EXIT_DONE)
		sheet_write(sheet, cli->format, stdout);
	for (size_t i = 0; i < log.n && code == EXIT_DONE && cli->format == SHEET_TABLE; i++)
		say_next(&log.list[i]);
	if (log.n_left_out && !cli->quiet)
		complain(0, "%zu lines of further processes were skipped: the limit is %d processes", log.n_left_out, NCCL_PROCESSES_MAX);
	sheet_free(sheet);
	nccl_done(&log);
	buf_done(&text);
	return code;
}
