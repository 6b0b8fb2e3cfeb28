/* fabcon-lab: a simulated fabric behind real SSH on loopback. */
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/help.h"
#include "remote/lab/server/busybox.h"
#include "remote/lab/server/ctl.h"
#include "remote/lab/server/pace.h"
#include "remote/lab/server/programs.h"
#include "remote/lab/server/spawn.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/server/view.h"
#include "remote/lab/systems.h"

#define TICK_MS		100
#define LIFE_DEFAULT_S	(8 * 3600)
#define BEHIND_MAX_MS	300	/* a machine that cannot keep up lets the devices' time lag */

struct lab {
	uv_loop_t loop;
	struct fabric *fabric;
	struct faults faults;
	struct server *server;
	struct ctl *ctl;
	uv_timer_t tick, life;
	uv_signal_t term, interrupt, hangup;
	uint64_t ticked_ms;
	bool is_stopping;
};

struct wish {
	struct fabric_plan plan;
	struct skin_wish skins;
	const char *pace;
	const char *dir, *file, *traffic, *log;
	const char *faults[64];
	size_t n_faults;
	unsigned long life_s, run_ms, late_ms;
	bool is_demo, with_parent, is_dump;
};

/* -- the command line -- */

static void wish_demo(struct wish *w)
{
	static const char *const faults[] = {
		"trust-pcp@node3:eth3", "ecn-off-switch@leaf3:ethernet1/1/5", "tos-104@node7:eth5",
	};

	w->is_demo = w->skins.is_tidy = true;
	w->plan.nodes = 8;
	w->plan.rails = w->plan.leaves = 4;
	w->plan.spines = 2;
	w->plan.switch_os = "mixed";
	for (size_t i = 0; i < 3; i++)
		w->faults[w->n_faults++] = faults[i];
}

static bool read_speed(const char *text, uint64_t *bps)
{
	struct arena arena = { NULL };
	struct value value;
	bool is_read = value_parse(FIELD_SPEED, span_of(text), &arena, &value, NULL);

	if (is_read)
		*bps = value.n;
	arena_done(&arena);
	return is_read;
}

enum { OPT_DIR = 1, OPT_FABRIC, OPT_NODES, OPT_RAILS, OPT_LEAVES, OPT_SPINES, OPT_OS, OPT_SPEED, OPT_BOND, OPT_DEMO,
	OPT_FAULT, OPT_TRAFFIC, OPT_SEED, OPT_LENS, OPT_TIDY, OPT_SKIN, OPT_PACE, OPT_FOR, OPT_PARENT, OPT_LOG, OPT_RUN, OPT_DUMP, OPT_HELP,
	OPT_MAN, OPT_LIST, OPT_COSTS, OPT_LATE };

static const struct option long_options[] = {
	{ "dir", 1, NULL, OPT_DIR },		{ "fabric", 1, NULL, OPT_FABRIC },	{ "nodes", 1, NULL, OPT_NODES },
	{ "rails", 1, NULL, OPT_RAILS },	{ "leaves", 1, NULL, OPT_LEAVES },	{ "spines", 1, NULL, OPT_SPINES },
	{ "switch-os", 1, NULL, OPT_OS },	{ "speed", 1, NULL, OPT_SPEED },	{ "bond", 0, NULL, OPT_BOND },
	{ "log", 1, NULL, OPT_LOG },
	{ "demo", 0, NULL, OPT_DEMO },		{ "fault", 1, NULL, OPT_FAULT },	{ "traffic", 1, NULL, OPT_TRAFFIC },
	{ "seed", 1, NULL, OPT_SEED },		{ "lens", 1, NULL, OPT_LENS },		{ "for", 1, NULL, OPT_FOR },
	{ "with-parent", 0, NULL, OPT_PARENT },	{ "run-ms", 1, NULL, OPT_RUN },		{ "dump", 0, NULL, OPT_DUMP },
	{ "help", 0, NULL, OPT_HELP },		{ "man", 0, NULL, OPT_MAN },
	{ "tidy", 0, NULL, OPT_TIDY },		{ "skin", 1, NULL, OPT_SKIN },		{ "pace", 1, NULL, OPT_PACE },
	{ "late", 1, NULL, OPT_LATE },
	{ "list-faults", 0, NULL, OPT_LIST },	{ "list-costs", 0, NULL, OPT_COSTS },	{ NULL, 0, NULL, 0 },
};

static bool wish_option(struct wish *w, int option)
{
	unsigned long n = optarg ? strtoul(optarg, NULL, 10) : 0;

	switch (option) {
	case OPT_DIR:		w->dir = optarg; return true;
	case OPT_FABRIC:	w->file = optarg; return true;
	case OPT_NODES:		w->plan.nodes = n; return true;
	case OPT_RAILS:		w->plan.rails = n; return true;
	case OPT_LEAVES:	w->plan.leaves = n; return true;
	case OPT_SPINES:	w->plan.spines = n; return true;
	case OPT_OS:		w->plan.switch_os = optarg; return true;
	case OPT_SPEED:		return read_speed(optarg, &w->plan.speed_bps);
	case OPT_BOND:		return w->plan.with_bond = true;
	case OPT_DEMO:		wish_demo(w); return true;
	case OPT_LOG:		w->log = optarg; return true;
	case OPT_TRAFFIC:	w->traffic = optarg; return true;
	case OPT_SEED:		w->plan.seed = n; return true;
	case OPT_LENS:		w->plan.lens = n; return true;
	case OPT_FOR:		w->life_s = n; return true;
	case OPT_PARENT:	return w->with_parent = true;
	case OPT_RUN:		w->run_ms = n; return true;
	case OPT_DUMP:		return w->is_dump = true;
	case OPT_TIDY:		return w->skins.is_tidy = true;
	case OPT_PACE:		w->pace = optarg; return true;
	case OPT_LATE:		w->late_ms = n; return true;
	case OPT_SKIN:
		if (w->skins.n == sizeof(w->skins.names) / sizeof(*w->skins.names))
			return false;
		w->skins.names[w->skins.n++] = optarg;
		return true;
	case OPT_FAULT:
		if (w->n_faults == sizeof(w->faults) / sizeof(*w->faults))
			return false;
		w->faults[w->n_faults++] = optarg;
		return true;
	default:
		return false;
	}
}

static bool wish_read(struct wish *w, int argc, char **argv)
{
	int option;

	*w = (struct wish){
		.plan = { .nodes = 2, .rails = 1, .leaves = 1, .switch_os = "os10", .speed_bps = 100000000000, .seed = 1 },
		.life_s = LIFE_DEFAULT_S, .traffic = "ring",
	};
	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (option == OPT_HELP || option == 'h') {
			lab_help();
			exit(0);
		}
		if (option == OPT_MAN) {
			lab_man();
			exit(0);
		}
		if (option == OPT_LIST || option == OPT_COSTS) {
			(option == OPT_LIST ? lab_list_faults : lab_list_costs)();
			exit(0);
		}
		if (!wish_option(w, option)) {
			fprintf(stderr, "fabcon-lab: --help says what is understood\n");
			return false;
		}
	}
	w->plan.skins = &w->skins;
	for (size_t i = 0; i < w->n_faults; i++)
		w->plan.with_bond = w->plan.with_bond || fault_needs_bond(w->faults[i]);
	if (optind == argc && (w->dir || w->is_dump))
		return true;
	fprintf(stderr, optind < argc ? "fabcon-lab: %s is not understood\n" : "fabcon-lab: --dir DIR is missing\n",
		argv[optind]);
	return false;
}

/* -- the fabric -- */

static struct fabric *make_fabric(const struct wish *w, struct err *err)
{
	struct buf text = { NULL };
	struct fabric *f;
	char bytes[4096];
	FILE *file;
	size_t n;

	if (!w->file)
		return fabric_generate(&w->plan, err);
	file = fopen(w->file, "r");
	if (!file) {
		err_set(err, "%s: %s", w->file, strerror(errno));
		return NULL;
	}
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0 && text.n < (1u << 20))
		buf_add(&text, bytes, n);
	fclose(file);
	f = fabric_read(buf_span(&text), w->file, &w->plan, err);
	buf_done(&text);
	return f;
}

static bool make_state(struct lab *lab, const struct wish *w, struct err *err)
{
	lab->fabric = make_fabric(w, err);
	if (!lab->fabric)
		return false;
	if (!pace_set(lab->fabric, w->pace ? w->pace : w->skins.is_tidy || w->skins.n ? "off" : "real"))
		return err_set(err, "--pace %s: real, off, or how many times as fast, to 1000", w->pace);
	lab->fabric->late_ms = w->late_ms;
	if (w->is_demo)
		snprintf(lab->fabric->name, sizeof(lab->fabric->name), "demo");
	if (!fabric_traffic(lab->fabric, w->traffic))
		return err_set(err, "%s: traffic is off, ring, incast or all", w->traffic);
	for (size_t i = 0; i < w->n_faults; i++)
		if (!fault_add(&lab->faults, lab->fabric, w->faults[i], NULL, err))
			return false;
	return true;
}

/* -- running -- */

static void lab_stop(void *ctx)
{
	struct lab *lab = ctx;

	if (lab->is_stopping)
		return;
	lab->is_stopping = true;
	server_stop(lab->server);
	ctl_stop(lab->ctl);
	uv_close((uv_handle_t *)&lab->tick, NULL);
	uv_close((uv_handle_t *)&lab->life, NULL);
	uv_close((uv_handle_t *)&lab->term, NULL);
	uv_close((uv_handle_t *)&lab->interrupt, NULL);
	uv_close((uv_handle_t *)&lab->hangup, NULL);
}

static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	lab_stop(handle->data);
}

static void on_life(uv_timer_t *timer)
{
	lab_stop(timer->data);
}

/* Lets time pass, and shows it to those who are looking. */
static void on_tick(uv_timer_t *timer)
{
	struct lab *lab = timer->data;
	struct fabric *f = lab->fabric;
	uint64_t now_ms = uv_hrtime() / 1000000, passed_ms = now_ms - lab->ticked_ms;

	lab->ticked_ms = now_ms;
	spawn_reap();
	for (size_t i = 0; i < f->n_devices; i++)
		if (f->devices[i].sessions)
			server_take_up(lab->server, &f->devices[i]);
	fabric_run(f, (passed_ms < BEHIND_MAX_MS ? passed_ms : BEHIND_MAX_MS) * 1000);
	for (size_t i = 0; i < f->n_devices; i++)
		if (f->devices[i].sessions && f->devices[i].refreshed)
			view_counters(f, &f->devices[i], server_dir(lab->server));
	ctl_tick(lab->ctl);
}

static void start_timers(struct lab *lab, const struct wish *w)
{
	struct {
		uv_signal_t *handle;
		int number;
	} signals[] = { { &lab->term, SIGTERM }, { &lab->interrupt, SIGINT }, { &lab->hangup, SIGHUP } };

	for (size_t i = 0; i < 3; i++) {
		uv_signal_init(&lab->loop, signals[i].handle);
		signals[i].handle->data = lab;
		uv_signal_start(signals[i].handle, on_signal, signals[i].number);
	}
	uv_timer_init(&lab->loop, &lab->tick);
	uv_timer_init(&lab->loop, &lab->life);
	lab->tick.data = lab->life.data = lab;
	lab->ticked_ms = uv_hrtime() / 1000000;
	uv_timer_start(&lab->tick, on_tick, TICK_MS, TICK_MS);
	uv_timer_start(&lab->life, on_life, w->life_s * 1000, 0);
}

/* -- the directory -- */

static bool make_dir(const char *base, const char *below, struct err *err)
{
	char *path = xasprintf("%s%s", base, below);
	bool is_done = !mkdir(path, 0700) || errno == EEXIST;

	if (!is_done)
		err_set(err, "%s: %s", path, strerror(errno));
	free(path);
	return is_done;
}

static bool make_tool_link(const char *stand_in, const char *dir, const struct lab_system *system, const char *name, struct err *err)
{
	char *path = xasprintf("%s/bin/%s/%s", dir, system->name, name);
	bool is_done;

	unlink(path);
	is_done = !symlink(stand_in, path);
	if (!is_done)
		err_set(err, "%s: %s", path, strerror(errno));
	free(path);
	return is_done;
}

static bool make_tools_of(const char *stand_in, const char *dir, const struct lab_system *system, struct err *err)
{
	char below[80];
	bool is_done;

	snprintf(below, sizeof(below), "/bin/%s", system->name);
	is_done = make_dir(dir, below, err);
	for (const struct tool *tool = system->tools; is_done && tool->name; tool++)
		is_done = make_tool_link(stand_in, dir, system, tool->name, err);
	for (const char *const *any = programs_everywhere; is_done && *any; any++)
		is_done = make_tool_link(stand_in, dir, system, *any, err);
	for (size_t i = 0; is_done && !system->is_switch && busybox_names[i]; i++)
		is_done = make_tool_link(stand_in, dir, system, busybox_names[i], err);
	return is_done;
}

/* The path of fabcon-lab-stand-in: beside this program, as it is built, or in ../libexec, as it is installed. */
static char *find_stand_in(struct err *err)
{
	static const char *const places[] = { "", "/../libexec" };
	char self[4096], *path;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	dirname(self);
	for (size_t i = 0; i < 2; i++) {
		path = xasprintf("%s%s/fabcon-lab-stand-in", self, places[i]);
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	err_set(err, "fabcon-lab-stand-in is neither in %s nor in %s/../libexec", self, self);
	return NULL;
}

static bool make_tool_links(const char *dir, struct err *err)
{
	char *stand_in = find_stand_in(err);
	bool is_done = stand_in != NULL;

	for (const struct lab_system *const *system = lab_systems; is_done && *system; system++)
		is_done = make_tools_of(stand_in, dir, *system, err);
	free(stand_in);
	return is_done;
}

static bool write_pid(const char *dir, struct err *err)
{
	char *path = xasprintf("%s/pid", dir);
	FILE *file = fopen(path, "w");
	bool is_done = file && fprintf(file, "%d\n", (int)getpid()) > 0;

	if (file && fclose(file))
		is_done = false;
	if (!is_done)
		err_set(err, "%s: %s", path, strerror(errno));
	free(path);
	return is_done;
}

static bool prepare(const char *dir, struct err *err)
{
	return make_dir(dir, "", err) && make_dir(dir, "/bin", err) && make_dir(dir, "/nodes", err) && spawn_ready(err) &&
	       make_tool_links(dir, err) && write_pid(dir, err);
}

/* As many descriptors as we may have, and locked memory as RDMA hosts have it, as far as we may. */
static void raise_limits(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	limit = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	if (setrlimit(RLIMIT_MEMLOCK, &limit) && !getrlimit(RLIMIT_MEMLOCK, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_MEMLOCK, &limit);
	}
}

static bool serve(struct lab *lab, const struct wish *w, struct err *err)
{
	char *dir;
	bool is_up;

	if (!make_dir(w->dir, "", err))
		return false;
	dir = realpath(w->dir, NULL);
	if (!dir || !prepare(dir, err)) {
		free(dir);
		return dir ? false : err_set(err, "%s: %s", w->dir, strerror(errno));
	}
	lab->server = server_new(&lab->loop, lab->fabric, dir);
	free(dir);
	lab->ctl = ctl_new(lab->server, &lab->faults, &(struct ctl_hooks){ lab, lab_stop }, err);
	is_up = lab->ctl && (!w->log || server_log(lab->server, w->log, err)) && server_start(lab->server, err);
	start_timers(lab, w);
	if (!is_up) {
		lab_stop(lab);
	} else {
		for (size_t i = 0; i < lab->fabric->n_devices; i++)
			server_reach(lab->server, &lab->fabric->devices[i]);
		job_write_log(lab->fabric, server_dir(lab->server));
		fabric_run(lab->fabric, 1000);	/* what anybody changes comes after the first look (ages_look()), so it is an event */
		printf("READY %zu devices\n", lab->fabric->n_devices);
		fflush(stdout);
	}
	uv_run(&lab->loop, UV_RUN_DEFAULT);
	return is_up;
}

static bool lab_run(const struct wish *w, struct err *err)
{
	struct lab lab = { .is_stopping = false };
	bool is_done;

	uv_loop_init(&lab.loop);
	is_done = make_state(&lab, w, err);
	if (is_done && w->is_dump) {
		struct buf text = { NULL };

		fabric_run(lab.fabric, w->run_ms * 1000);
		fabric_dump(lab.fabric, &text);
		fwrite(text.text, 1, text.n, stdout);
		buf_done(&text);
	} else if (is_done)
		is_done = serve(&lab, w, err);
	uv_loop_close(&lab.loop);
	for (size_t i = 0; lab.fabric && i < lab.fabric->n_devices; i++)
		view_done(&lab.fabric->devices[i]);
	ctl_free(lab.ctl);
	server_free(lab.server);
	faults_done(&lab.faults);
	fabric_free(lab.fabric);
	return is_done;
}

static int ctl_main(int argc, char **argv)
{
	const char *dir = NULL;
	int at = 2;
	char *path;
	int status;

	if (at + 1 < argc && !strcmp(argv[at], "--dir")) {
		dir = argv[at + 1];
		at += 2;
	}
	if (at < argc && !strcmp(argv[at], "--help")) {
		lab_ctl_help(stdout);
		return 0;
	}
	if (!dir || at == argc) {
		lab_ctl_help(stderr);
		return 2;
	}
	path = xasprintf("%s/ctl.sock", dir);
	status = ctl_ask(path, "ctl", argv + at);
	free(path);
	return status;
}

int main(int argc, char **argv)
{
	struct wish wish;
	struct err err;

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1 && !strcmp(argv[1], "ctl"))
		return ctl_main(argc, argv);
	if (!wish_read(&wish, argc, argv))
		return 2;
	if (wish.with_parent)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	raise_limits();
	if (lab_run(&wish, &err))
		return 0;
	fprintf(stderr, "fabcon-lab: %s\n", err.text);
	return 1;
}
