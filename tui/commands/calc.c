/* The calculators: headroom, pause, DCQCN, WRED, ToS. */
#include <math.h>

#include "core/roce/dcqcn.h"
#include "core/roce/headroom.h"
#include "core/roce/red.h"
#include "core/sim/incast.h"
#include "tui/args/name_value_args.h"
#include "tui/commands/commands.h"
#include "tui/text/human.h"

#define PLOT_COLUMNS	64
#define PLOT_ROWS	10

/* A curve as text, a column a value; NULL values are not drawn. For tables alone: the numbers are in the rows, too. */
static void plot(struct cli *cli, const char *title, const double *values, size_t n, double most, const char *below)
{
	if (cli->format != SHEET_TABLE || !n || most <= 0)
		return;
	printf("\n%s\n", title);
	for (int row = PLOT_ROWS; row > 0; row--) {
		printf("%10s |", human_count((char[HUMAN_MAX]){ 0 }, most * row / PLOT_ROWS));
		for (size_t i = 0; i < n; i++)
			putchar(values[i] >= most * (row - 0.5) / PLOT_ROWS ? '#' : ' ');
		putchar('\n');
	}
	printf("%10s +%.*s\n%11s%s\n", "0", (int)n, "----------------------------------------------------------------", "", below);
}

/* NAN: not known. */
static void whole(struct sheet *sheet, double n)
{
	if (isnan(n))
		sheet_unknown(sheet);
	else
		sheet_number(sheet, (uint64_t)n);
}

/* -- headroom -- */

static struct name_value headroom_words[] = {
	{ "speed", "100G", "line rate, b/s" },
	{ "cable", "40m", "its length" },
	{ "mtu", "9216", "largest packet of either end, bytes" },
	{ "have", NULL, "available headroom: also prints the longest cable that it covers" },
	{ "occupancy", "1", "buffer bytes used per byte on the wire: 1, 1.125 (1 KB packets in cells), 3 (64 B packets)" },
	{ "lossless_mtu", "1024", "largest packet of the lossless class (sonic)" },
	{ "gearbox", "0", "bytes in flight in a gearbox, one way (sonic)" },
	{ 0 },
};

static void headroom_row(struct sheet *sheet, const struct headroom_method *m, const struct headroom_case *c, double have)
{
	double bytes, cable_m;
	bool known = m->bytes(c, &bytes);

	sheet_row(sheet);
	sheet_text(sheet, m->name);
	whole(sheet, known ? ceil(bytes) : NAN);
	sheet_real(sheet, known ? round(bytes / 102.4) / 10 : NAN);
	whole(sheet, !isnan(have) && headroom_cable(m, *c, have, &cable_m) ? floor(cable_m) : NAN);
	sheet_text(sheet, m->help);
	sheet_text(sheet, m->source);
}

static int calc_headroom(struct cli *cli, struct name_value *words, struct err *err)
{
	struct headroom_case c = { 0 };
	double speed, mtu, lossless_mtu, have = NAN;
	struct sheet *sheet;

	if (!name_value_number(words, "speed", &speed, err) || !name_value_number(words, "cable", &c.cable_m, err) ||
	    !name_value_number(words, "mtu", &mtu, err) || !name_value_number(words, "occupancy", &c.occupancy, err) ||
	    !name_value_number(words, "lossless_mtu", &lossless_mtu, err) ||
	    !name_value_number(words, "gearbox", &c.gearbox_bytes, err) ||
	    (name_value_text(words, "have") && !name_value_number(words, "have", &have, err)))
		return complain(EXIT_USAGE, "%s", err->text);
	if (speed < 1e6 || speed > 1e13 || mtu > 65535 || lossless_mtu > 65535 || c.cable_m > 1e5)
		return complain(EXIT_USAGE, "speed is 1M to 10T, an mtu at most 65535, a cable at most 100 km");
	c.speed_bps = (uint64_t)speed;
	c.mtu = (uint32_t)mtu;
	c.lossless_mtu = (uint32_t)lossless_mtu;
	sheet = sheet_new("fabcon.calc.headroom/1", "method headroom_bytes headroom_kib longest_cable_m how source!");
	for (unsigned i = 0; i < headroom_count; i++)
		headroom_row(sheet, &headroom_table[i], &c, have);
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

/* -- pause -- */

static struct name_value pause_words[] = {
	{ "speed", NULL, "line rate, b/s; default: common rates" },
	{ "frames", NULL, "observed PFC frames per second: prints the largest share of time that they can have paused the peer" },
	{ 0 },
};

static void pause_row(struct sheet *sheet, double speed, double frames)
{
	uint64_t bps = (uint64_t)speed;

	sheet_row(sheet);
	sheet_number(sheet, bps);
	sheet_real(sheet, pause_quantum_ns(bps));
	sheet_real(sheet, round(pause_longest_ns(bps) / 100) / 10);
	whole(sheet, round(pause_frames_to_hold(bps)));
	if (pause_reaction_quanta(bps))
		sheet_number(sheet, pause_reaction_quanta(bps));
	else
		sheet_unknown(sheet);
	sheet_real(sheet, isnan(frames) ? NAN : pause_share_at_most(bps, frames));
}

static int calc_pause(struct cli *cli, struct name_value *words, struct err *err)
{
	static const double usual[] = { 10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9, 800e9 };
	double speed = NAN, frames = NAN;
	struct sheet *sheet;

	if ((name_value_text(words, "speed") && !name_value_number(words, "speed", &speed, err)) ||
	    (name_value_text(words, "frames") && !name_value_number(words, "frames", &frames, err)))
		return complain(EXIT_USAGE, "%s", err->text);
	if (speed < 1e6 || speed > 1e13)
		return complain(EXIT_USAGE, "speed is 1M to 10T");
	sheet = sheet_new("fabcon.calc.pause/1",
			  "speed_bps quantum_ns longest_us frames_to_hold_per_s peer_reaction_quanta stopped_share_at_most");
	for (size_t i = 0; isnan(speed) && i < sizeof(usual) / sizeof(*usual); i++)
		pause_row(sheet, usual[i], frames);
	if (!isnan(speed))
		pause_row(sheet, speed, frames);
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

/* -- DCQCN -- */

static struct name_value dcqcn_words[] = {
	{ "n", "8", "senders to one receiver, 1-64" },
	{ "speed", "100G", "line rate, b/s" },
	{ "kmin", "150KB", "queue length at which marking starts" },
	{ "kmax", "1500KB", "queue length above which every packet is marked" },
	{ "pmax", "100%", "marked at kmax" },
	{ "delay", "1us", "of each leg, one way" },
	{ "time", "200ms", "simulated; its second half is measured" },
	{ "seed", "1", "of the simulation" },
	{ 0 },
};

static bool dcqcn_case(const struct name_value *words, struct incast *in, struct err *err)
{
	double n, speed, kmin, kmax, delay, time, seed;

	if (!name_value_number(words, "n", &n, err) || !name_value_number(words, "speed", &speed, err) ||
	    !name_value_number(words, "kmin", &kmin, err) || !name_value_number(words, "kmax", &kmax, err) ||
	    !name_value_number(words, "pmax", &in->pmax, err) || !name_value_number(words, "delay", &delay, err) ||
	    !name_value_number(words, "time", &time, err) || !name_value_number(words, "seed", &seed, err))
		return false;
	if (n < 1 || n > INCAST_MOST || n != floor(n))
		return err_set(err, "n is 1 to %u", INCAST_MOST);
	if (speed < 1e9 || speed > 1.6e12 || kmax <= kmin || kmax > 1e9 || in->pmax <= 0 || in->pmax > 1 || delay > 1e6 ||
	    time < 2e6 || time > 2e9)
		return err_set(err, "speed is 1G to 1.6T, kmin < kmax <= 1 GB, pmax 0-100 %%, delay <= 1ms, time 2ms to 2000ms");
	in->senders = (unsigned)n;
	in->speed_bps = (uint64_t)speed;
	in->kmin = (uint32_t)kmin;
	in->kmax = (uint32_t)kmax;
	in->delay_ns = (uint32_t)delay;
	in->to_ms = (int64_t)(time / 1e6);
	in->from_ms = in->to_ms / 2;
	in->seed = (uint64_t)seed;
	return true;
}

static void dcqcn_fluid(struct sheet *sheet, const struct incast *in)
{
	struct dcqcn_point point;
	bool settles = dcqcn_fixed_point(&dcqcn_deployed, (double)in->speed_bps, in->senders, 1000, in->kmin, in->kmax, in->pmax, &point);

	sheet_row(sheet);
	sheet_text(sheet, "fluid model");
	whole(sheet, settles ? round(point.queue_bytes) : NAN);
	sheet_unknown(sheet);
	sheet_real(sheet, point.mark * 100);
	sheet_real(sheet, point.alpha);
	whole(sheet, round(point.cnp_per_s));
	sheet_unknown(sheet);
	sheet_text(sheet, settles ? "settles" : "no queue length up to kmax marks enough: the queue oscillates at kmax");
}

static void dcqcn_packets(struct sheet *sheet, const struct incast_result *r)
{
	sheet_row(sheet);
	sheet_text(sheet, "packet by packet");
	whole(sheet, round(r->queue_bytes));
	whole(sheet, round(r->queue_p90_bytes));
	sheet_real(sheet, r->mark * 100);
	sheet_real(sheet, r->alpha);
	whole(sheet, round(r->cnp_per_s));
	sheet_real(sheet, r->use);
	sheet_text(sheet, r->use < 0.98 ? "oscillates: the line is not always full" : "settles");
}

static int calc_dcqcn(struct cli *cli, struct name_value *words, struct err *err)
{
	struct incast in = { 0 };
	struct incast_result result;
	double queue[PLOT_COLUMNS], most = 0;
	struct sheet *sheet;

	if (!dcqcn_case(words, &in, err))
		return complain(EXIT_USAGE, "%s", err->text);
	incast_run(&in, &result);
	sheet = sheet_new("fabcon.calc.dcqcn/1",
			  "model queue_bytes queue_p90_bytes marked_percent alpha cnp_per_s_per_flow use_share outcome");
	dcqcn_fluid(sheet, &in);
	dcqcn_packets(sheet, &result);
	sheet_set(sheet, "summary", json_string("DCQCN as published, 1000-byte packets; a NIC's own algorithm differs (cuts are spaced, "
						"alpha ages faster)"));
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	for (unsigned i = 0; i < PLOT_COLUMNS; i++) {
		queue[i] = result.queue[i * result.n_queue / PLOT_COLUMNS] / 1e3;
		most = queue[i] > most ? queue[i] : most;
	}
	plot(cli, "queue, KB", queue, PLOT_COLUMNS, most, "time, second half of the run");
	return EXIT_DONE;
}

/* -- WRED -- */

static struct name_value wred_words[] = {
	{ "kmin", "150KB", "queue length at which marking starts" },
	{ "kmax", "1500KB", "queue length above which every packet is marked" },
	{ "pmax", "100%", "marked at kmax" },
	{ "queue", NULL, "the queue length to compute it for" },
	{ 0 },
};

static int calc_wred(struct cli *cli, struct name_value *words, struct err *err)
{
	double kmin, kmax, pmax, queue = NAN, curve[PLOT_COLUMNS];
	struct sheet *sheet;
	char below[64];

	if (!name_value_number(words, "kmin", &kmin, err) || !name_value_number(words, "kmax", &kmax, err) ||
	    !name_value_number(words, "pmax", &pmax, err) ||
	    (name_value_text(words, "queue") && !name_value_number(words, "queue", &queue, err)))
		return complain(EXIT_USAGE, "%s", err->text);
	if (kmax <= kmin || pmax <= 0 || pmax > 1)
		return complain(EXIT_USAGE, "kmin has to be below kmax, and pmax is 0-100 %%");
	sheet = sheet_new("fabcon.calc.wred/1", "queue_bytes marked_percent");
	for (unsigned i = 0; i <= 12; i++) {
		double at = isnan(queue) ? kmax * i / 10 : queue;

		sheet_row(sheet);
		whole(sheet, at);
		sheet_real(sheet, 100 * red_probability(at, kmin, kmax, pmax));
		if (!isnan(queue))
			break;
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	for (unsigned i = 0; i < PLOT_COLUMNS; i++)
		curve[i] = 100 * red_probability(1.2 * kmax * i / PLOT_COLUMNS, kmin, kmax, pmax);
	snprintf(below, sizeof(below), "queue, 0 to %.0f KB", 1.2 * kmax / 1e3);
	plot(cli, "marked, % (a line from kmin to pmax at kmax, and all above)", curve, PLOT_COLUMNS, 100, below);
	return EXIT_DONE;
}

/* -- the command -- */

static const struct {
	const char *name, *help;
	struct name_value *words;
	int (*run)(struct cli *cli, struct name_value *words, struct err *err);
} calculators[] = {
	{ "headroom", "bytes that must still fit after XOFF, by three methods; and the longest safe cable", headroom_words,
	  calc_headroom },
	{ "pause", "quanta, the longest pause, and the frame rate that keeps a peer paused", pause_words, calc_pause },
	{ "dcqcn", "steady state of an incast: the fluid model's fixed point and a packet-level run", dcqcn_words, calc_dcqcn },
	{ "wred", "share of packets that a queue marks", wred_words, calc_wred },
};
#define CALCULATORS (sizeof(calculators) / sizeof(*calculators))

static int list_calculators(void)
{
	for (size_t i = 0; i < CALCULATORS; i++) {
		struct buf help = { 0 };

		name_value_help(calculators[i].words, &help);
		printf("fabcon calc %s [NAME=VALUE…]\n  %s\n%s\n", calculators[i].name, calculators[i].help, help.text);
		buf_done(&help);
	}
	printf("fabcon calc tos VALUE\n  decode a ToS byte or DSCP\n");
	return EXIT_DONE;
}

int cmd_calc(struct cli *cli)
{
	struct err err;

	if (!strcmp(cli->args[0], "list"))
		return list_calculators();
	if (!strcmp(cli->args[0], "tos")) {
		if (cli->n_args < 2)
			return complain(EXIT_USAGE, "usage: fabcon calc tos VALUE");
		cli->args++;
		cli->n_args--;
		return cmd_tos(cli);
	}
	for (size_t i = 0; i < CALCULATORS; i++) {
		if (strcmp(calculators[i].name, cli->args[0]) != 0)
			continue;
		if (!name_value_read(calculators[i].words, cli->args + 1, cli->n_args - 1, &err))
			return complain(EXIT_USAGE, "%s (fabcon calc list)", err.text);
		return calculators[i].run(cli, calculators[i].words, &err);
	}
	return complain(EXIT_USAGE, "the calculators are headroom, pause, dcqcn, wred and tos (fabcon calc list), not \"%s\"",
			cli->args[0]);
}
