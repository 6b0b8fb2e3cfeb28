/* What a bandwidth test printed, beside what the links carry. */
#include <math.h>
#include <stdlib.h>

#include "core/application/application.h"
#include "core/application/perftest.h"
#include "core/roce/completion.h"
#include "tui/args/name_value_args.h"
#include "tui/commands/commands.h"
#include "tui/text/files.h"

static struct name_value perf_words[] = {
	{ "speed", NULL, "of one link, b/s: the result is compared with it" },
	{ "rails", "1", "links that the test can use at once, of one host" },
	{ "mtu", NULL, "RDMA MTU; perftest prints its own" },
	{ 0 },
};

/* NAN: nobody says how fast the links are. */
static double expected(const struct perf_result *p, double speed, double rails, double mtu)
{
	double packet = p->mtu ? (double)p->mtu : isnan(mtu) ? 4096 : mtu;

	return speed * rails * app_efficiency((uint64_t)packet) * (p->is_both_ways ? 2 : 1);
}

struct perf_verdict {
	double best;		/* NAN: nothing is expected of it */
	bool is_finding;
	const char *text;	/* NULL: nobody says what to expect */
	char reason[PERF_REASON_MAX];
};

static void judge(const struct perf_result *p, double best, struct perf_verdict *v)
{
	const char *unjudged = perf_unjudged(p, v->reason);

	v->best = unjudged && !p->failed ? NAN : best;
	v->is_finding = true;
	if (p->failed) {
		v->text = "failed";
	} else if (p->n_wrong) {
		v->text = "wrong results";
	} else if (!unjudged && p->bps > 0 && p->bps < APP_USUAL_SHARE * best) {
		v->text = "lower than expected";
	} else {
		v->is_finding = false;
		v->text = unjudged ? unjudged : p->bps > 0 && !isnan(best) ? "ok" : NULL;
	}
}

static void slice(struct sheet *sheet, struct span s)
{
	char text[80];

	snprintf(text, sizeof(text), "%.*s", (int)(s.n < sizeof(text) ? s.n : sizeof(text) - 1), s.n ? s.p : "");
	sheet_text(sheet, s.n ? text : NULL);
}

static double gbps(double bps)
{
	return bps > 0 ? round(bps / 1e7) / 100 : NAN;
}

static void result_row(struct sheet *sheet, const struct perf_result *p, const struct perf_verdict *v)
{
	const struct completion *c = completion_find(p->failed);

	sheet_row(sheet);
	slice(sheet, p->title);
	slice(sheet, p->device);
	if (p->ranks)
		sheet_number(sheet, p->ranks);
	else
		sheet_unknown(sheet);
	if (p->mtu)
		sheet_number(sheet, p->mtu);
	else
		sheet_unknown(sheet);
	if (p->n_rows)
		sheet_number(sheet, p->bytes);
	else
		sheet_unknown(sheet);
	sheet_real(sheet, gbps(p->bps));
	sheet_real(sheet, gbps(p->mean_bps));
	sheet_real(sheet, gbps(v->best));
	sheet_real(sheet, p->bps > 0 ? round(1000 * p->bps / v->best) / 10 : NAN);
	sheet_text(sheet, v->text);
	sheet_text(sheet, c ? c->next : "-");
}

static bool read_words(struct cli *cli, double *speed, double *rails, double *mtu, struct err *err)
{
	*speed = *mtu = NAN;
	return name_value_read(perf_words, cli->args + 1, cli->n_args - 1, err) &&
	       name_value_number(perf_words, "rails", rails, err) &&
	       (!name_value_text(perf_words, "speed") || name_value_number(perf_words, "speed", speed, err)) &&
	       (!name_value_text(perf_words, "mtu") || name_value_number(perf_words, "mtu", mtu, err));
}

static int print_results(struct cli *cli, const struct perf_result *results, size_t n, double speed, double rails, double mtu)
{
	struct sheet *sheet = sheet_new("fabcon.perf/1", "test device ranks mtu bytes reached_gbps mean_gbps expected_gbps percent "
					"verdict next!");
	bool is_low = false, is_open = false, is_read = false;

	for (size_t i = 0; i < n; i++) {
		struct perf_verdict v;

		judge(&results[i], expected(&results[i], speed, rails, mtu), &v);
		result_row(sheet, &results[i], &v);
		is_low |= v.is_finding;
		is_open |= !v.text;
		is_read |= results[i].n_rows || results[i].failed;
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	if (!is_read)
		return complain(EXIT_NO_TARGET, "%s: no test result could be parsed", cli->args[0]);
	if (is_open && isnan(speed) && !cli->quiet)
		complain(0, "the expected bandwidth is not known: give speed=400G, and rails=8 for several links");
	return is_low ? EXIT_FINDINGS : EXIT_DONE;
}

int cmd_perf(struct cli *cli)
{
	struct perf_result *results = xcalloc(PERF_RESULTS_MAX, sizeof(*results));
	double speed, rails, mtu;
	struct buf text = { 0 };
	struct err err;
	int code;
	size_t n = 0;

	if (!read_words(cli, &speed, &rails, &mtu, &err) || !file_read(cli->args[0], &text, &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	else if ((n = perf_read(buf_span(&text), results)) == 0)
		code = complain(EXIT_NO_TARGET, "%s: no perftest or nccl-tests output in it", cli->args[0]);
	else
		code = print_results(cli, results, n, speed, rails, mtu);
	buf_done(&text);
	free(results);
	return code;
}
