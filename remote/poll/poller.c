#include "core/route/routes.h"
#include "remote/poll/internal.h"

#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "remote/talk/collector.h"

#define SECOND_US	INT64_C(1000000)
#define IN_AUTHENTICATION	8	/* sshd's MaxStartups begins to drop at 10 */
#define LIBSSH_OLDEST	SSH_VERSION_INT(0, 10, 6)	/* CVE-2023-48795, 6004, 6918 */

/* -- what hosts need -- */

const struct poller_options *poller_options(const struct poller *p)
{
	return &p->options;
}

const struct poller_hooks *poller_hooks(const struct poller *p)
{
	return &p->hooks;
}

struct ssh_common *poller_common(struct poller *p)
{
	return &p->common;
}

const char *poller_known_hosts(const struct poller *p)
{
	return p->options.known_hosts ? p->options.known_hosts : p->inv->known_hosts;
}

bool poller_is_stopping(const struct poller *p)
{
	return !p->is_started;
}

void poller_become_errand(struct poller *p, const struct write_way *way)
{
	p->write_way = way;
}

const struct write_way *poller_write_way(const struct poller *p)
{
	return p->write_way;
}

void poller_kick(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && p->list[i].ssh)
			ssh_kick(p->list[i].ssh);
}

int64_t poller_now_us(const struct poller *p)
{
	return (int64_t)uv_now(p->common.loop) * 1000;
}

/* splitmix64: the jitter of one seed is the same each time. */
uint32_t poller_random(struct poller *p, uint32_t below)
{
	uint64_t z = (p->random += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return below ? (z ^ (z >> 31)) % below : 0;
}

struct obs *poller_obs(struct poller *p, const struct reach *r)
{
	obs_clear(&p->obs);
	p->obs.device = r->name;
	return &p->obs;
}

bool poller_may_ask(const struct poller *p)
{
	return p->hooks.ask;
}

/* -- gates -- */

static struct gate *gate_of(struct poller *p, const struct reach *r)
{
	char *key = r->route->transport == TRANSPORT_OPENSSH ? xstrdup("by the site's ssh") :	/* whose jump hosts are not known */
		    r->jump ? xasprintf("through %s", r->jump->name) :
		    r->route->proxy_command ? xstrdup("through a ProxyCommand") :	/* which may all go to one host */
					      xasprintf("%s:%u", r->route->address, r->route->port);
	struct gate *g;

	for (g = p->gates; g && strcmp(g->key, key); g = g->next)
		;
	if (g) {
		free(key);
		return g;
	}
	g = xcalloc(1, sizeof(*g));
	g->key = key;
	TAILQ_INIT(&g->queue);
	g->next = p->gates;
	p->gates = g;
	return g;
}

bool poller_take_slot(struct reach *r)
{
	struct gate *g = r->gate;

	if (r->has_slot)
		return true;
	if (g->in_flight < r->poller->options.in_authentication) {
		g->in_flight++;
		r->has_slot = true;
	} else if (!r->is_queued) {
		TAILQ_INSERT_TAIL(&g->queue, r, in_queue);
		r->is_queued = true;
	}
	return r->has_slot;
}

void poller_give_slot(struct reach *r)
{
	struct gate *g = r->gate;

	if (r->is_queued)
		TAILQ_REMOVE(&g->queue, r, in_queue);
	r->is_queued = false;
	if (!r->has_slot)
		return;
	r->has_slot = false;
	g->in_flight--;
	struct reach *next = TAILQ_FIRST(&g->queue);
	if (!next)
		return;
	TAILQ_REMOVE(&g->queue, next, in_queue);
	next->is_queued = false;
	reach_go(next);
}

/* -- jump hosts -- */

void poller_jump_changed(struct reach *jump)
{
	struct poller *p = jump->poller;
	char why[1000];

	for (size_t i = 0; i < p->n; i++) {
		struct reach *r = &p->list[i];
		if (r->jump != jump || r->phase != PHASE_JUMP)
			continue;
		if (jump->phase == PHASE_BACKOFF) {
			r->failures = jump->failures;
			snprintf(why, sizeof(why), "jump host %s", jump->error);
			reach_tell(r, why);
		} else {
			reach_go(r);
		}
	}
}

static void add_reach(struct poller *p, struct reach *r, const struct route *route);

/* One session serves all that go through it. */
static struct reach *jump_of(struct poller *p, const struct route *route)
{
	struct reach *r;

	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].is_jump && route_is_same(p->list[i].route, route))
			return &p->list[i];
	r = &p->list[p->n++];
	add_reach(p, r, route);
	r->is_jump = true;
	return r;
}

/* -- hosts -- */

static void add_identity(struct poller *p, struct reach *r, const char *path, bool is_optional)
{
	struct identity *id = identity_get(p->identities, path);

	if (reach_uses(r, id))
		return;
	id->is_optional = is_optional;
	*GROW(r->identities, r->n_identities, r->cap_identities) = id;
	r->n_identities++;
}

/* Keys that were named are tried alone; without any, those with the usual names. */
static void add_identities(struct poller *p, struct reach *r)
{
	static const char *const usual[] = {
		"~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk", "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk",
	};
	const struct texts *named = &r->route->identities, *certificates = &r->route->certificates;

	if (p->options.identity)
		add_identity(p, r, p->options.identity, false);
	for (size_t i = 0; i < named->n; i++)
		add_identity(p, r, named->list[i], false);
	if (!p->options.identity && !named->n)
		for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
			add_identity(p, r, usual[i], true);
	for (size_t i = 0; i < certificates->n; i++) {
		*GROW(r->certificates, r->n_certificates, r->cap_certificates) =
			identity_get_certificate(p->identities, certificates->list[i]);
		r->n_certificates++;
	}
}

static const char *agent_of(const struct poller *p, const struct route *route)
{
	const char *agent = route->agent ? route->agent : getenv("SSH_AUTH_SOCK");

	return p->options.use_agent && agent && *agent && strcmp(agent, "none") ? agent : NULL;
}

/* The file that was named for all, or the inventory's, or those of the route, or the usual ones. */
static struct known_files *known_of(struct poller *p, const struct route *route)
{
	const char *named = poller_known_hosts(p);

	return named ? known_files_get(&p->known, &named, 1) :
		       known_files_get(&p->known, route->known_hosts.list, route->known_hosts.n);
}

/* What is in no way to be reached goes through nobody. */
static void add_reach(struct poller *p, struct reach *r, const struct route *route)
{
	struct buf name = { 0 };

	reach_init(r, p, route);
	p->handles++;
	r->user = route->user ? route->user : p->user;
	bool is_site = route->transport == TRANSPORT_OPENSSH;
	if (!is_site)
		add_identities(p, r);
	r->agent = agent_of(p, route);
	r->jump = route->jump && !route->trouble && !is_site ? jump_of(p, route->jump) : NULL;
	r->gate = gate_of(p, r);
	r->known = known_of(p, route);
	reach_known_name(r, &name);
	known_files_expect(r->known, name.text);
	buf_done(&name);
}

/* -- beginning -- */

/* In a helper thread: a hash for each hashed line and each host. */
static void read_known_hosts(uv_work_t *work)
{
	known_files_read(((struct poller *)work->data)->known);
}

static void start_host(struct reach *r)
{
	char why[600];

	if (!ssh_version(LIBSSH_OLDEST))
		return reach_refuse(r, "libssh: older than 0.10.6, with vulnerabilities that a server can exploit; update it");
	if (r->known->err.text[0]) {
		snprintf(why, sizeof(why), "host key: %s; nothing can be trusted without it", r->known->err.text);
		return reach_refuse(r, why);
	}
	if (r->route->trouble)
		return reach_refuse(r, r->route->trouble);
	if (r->jump && r->jump->route->transport == TRANSPORT_OPENSSH)
		return reach_refuse(r, "connect: its jump host uses the transport openssh, which cannot forward for libssh: set "
				       "fabcon_transport: openssh for this host too");
	reach_go(r);
}

static void start_hosts(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && (p->list[i].phase == PHASE_IDLE || p->list[i].phase == PHASE_STOPPED))
			start_host(&p->list[i]);
}

static void free_if_gone(struct poller *p)
{
	if (!p->is_freed || p->handles || p->is_reading || p->common.sessions)
		return;
	known_files_free(p->known);
	free(p->list);
	routes_done(&p->plain);
	arena_done(&p->arena);
	free(p->user);
	free(p);
}

static void on_known_hosts_read(uv_work_t *work, int status)
{
	struct poller *p = work->data;

	(void)status;
	p->is_reading = false;
	p->has_known_hosts = true;
	if (p->is_freed)
		return free_if_gone(p);
	if (p->is_started)
		start_hosts(p);
}

static void on_sessions_gone(struct ssh_common *common)
{
	free_if_gone((struct poller *)((char *)common - offsetof(struct poller, common)));
}

static void fill_in(struct poller *p)
{
	struct poller_options *o = &p->options;
	const struct passwd *pw = getpwuid(getuid());

	o->live_us = o->live_us > 0 ? o->live_us : SECOND_US;
	o->config_us = o->config_us > 0 ? o->config_us : 30 * SECOND_US;
	o->timeout_us = o->timeout_us > 0 ? o->timeout_us : 10 * SECOND_US;
	o->in_authentication = o->in_authentication ? o->in_authentication : IN_AUTHENTICATION;
	p->random = o->seed;
	if (!o->seed && getrandom(&p->random, sizeof(p->random), 0) < 0)
		p->random = uv_hrtime();
	p->user = xstrdup(pw ? pw->pw_name : "root");
}

/* A descriptor a host; the usual soft limit is 1024. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool is_wanted(const struct poller_options *o, const struct host *host)
{
	for (size_t i = 0; i < o->n_only; i++)
		if (!strcmp(o->only[i], host->name))
			return true;
	return !o->only;
}

static void add_name(struct buf *names, const char *port)
{
	if (collector_may_name(port))
		buf_printf(names, "%s%s", names->n ? " " : "", port);
}

/* The ports that the person and the plan name at this host. */
static const char *named_ports(struct poller *p, const char *host)
{
	struct buf names = { 0 };
	struct span rest = span_of(p->options.fabric_ports), one;
	const char *kept = NULL;

	while (rest.n) {
		if (!span_cut(rest, ',', &one, &rest))
			one = rest, rest.n = 0;
		char *name = xstrndup(one.p, one.n);
		add_name(&names, name);
		free(name);
	}
	for (size_t i = 0; i < p->inv->n_cables; i++) {
		const struct cable *c = &p->inv->cables[i];

		if (c->device && c->port && !strcmp(c->device, host))
			add_name(&names, c->port);
		if (c->peer && c->peer_port && !strcmp(c->peer, host))
			add_name(&names, c->peer_port);
	}
	if (names.n)
		kept = arena_text(&p->arena, names.text, names.n);
	buf_done(&names);
	return kept;
}

static void add_host(struct poller *p, struct reach *r, const struct host *host, const struct route *route)
{
	add_reach(p, r, route);
	r->ports = named_ports(p, host->name);
	r->may_fill = p->options.fills;
	r->fill = p->options.fills ? FILL_DUE : FILL_NONE;
	r->platform_hint = host->platform;
}

/* All of them have their places before the first jump host does. */
static void add_hosts(struct poller *p)
{
	const struct inventory *inv = p->inv;
	const struct routes *routes = inv->routes.n ? &inv->routes : &p->plain;

	if (!inv->routes.n)
		routes_plain(&p->plain, inv);
	for (size_t i = 0; i < inv->n_hosts; i++)
		p->n_hosts += is_wanted(&p->options, &inv->hosts[i]);
	p->cap = p->n_hosts + routes->n_jumps + 2 * p->options.room + 1;	/* each may bring a jump host */
	p->list = xcalloc(p->cap, sizeof(*p->list));
	p->n = p->n_hosts;
	for (size_t i = 0, at = 0; i < inv->n_hosts; i++)
		if (is_wanted(&p->options, &inv->hosts[i]))
			add_host(p, &p->list[at++], &inv->hosts[i], routes->list[i]);
}

static bool has_host(const struct poller *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, name))
			return true;
	return false;
}

static size_t hosts_to_add(const struct poller *p, const struct inventory *inv)
{
	size_t n = 0;

	for (size_t i = 0; i < inv->n_hosts; i++)
		n += is_wanted(&p->options, &inv->hosts[i]) && !has_host(p, inv->hosts[i].name);
	return n;
}

bool poller_add(struct poller *p, const struct inventory *inv)
{
	size_t n = hosts_to_add(p, inv);

	if (n && (p->is_reading || inv->routes.n < inv->n_hosts || p->n + n + inv->routes.n_jumps > p->cap))
		return false;
	p->inv = inv;
	for (size_t i = 0; i < inv->n_hosts && n; i++) {
		if (!is_wanted(&p->options, &inv->hosts[i]) || has_host(p, inv->hosts[i].name))
			continue;
		add_host(p, &p->list[p->n++], &inv->hosts[i], inv->routes.list[i]);
		p->n_hosts++;
	}
	if (p->has_known_hosts)
		known_files_read(p->known);	/* of files that only a new host is looked up in */
	if (p->is_started && p->has_known_hosts)
		start_hosts(p);
	return true;
}

struct poller *poller_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			  const struct poller_hooks *hooks)
{
	struct poller *p = xcalloc(1, sizeof(*p));

	signal(SIGPIPE, SIG_IGN);	/* a jump host's socket may close under our hands */
	*p = (struct poller){ .inv = inv, .options = *options, .hooks = *hooks };
	raise_descriptor_limit();
	fill_in(p);
	p->common = (struct ssh_common){ .loop = loop, .timeout_us = p->options.timeout_us,
					 .may_ask = hooks->ask, .emptied = on_sessions_gone };
	TAILQ_INIT(&p->common.agent_queue);
	p->identities = identities_new(loop, poller_identity_changed, p);
	uv_timer_init(loop, &p->read_fabric);
	p->read_fabric.data = p;
	p->handles++;
	obs_init(&p->obs, "", "ssh");
	add_hosts(p);
	return p;
}

void poller_start(struct poller *p)
{
	if (p->is_started)
		return;
	p->is_started = true;
	if (p->has_known_hosts)
		return start_hosts(p);
	p->is_reading = true;
	p->reading.data = p;
	uv_queue_work(p->common.loop, &p->reading, read_known_hosts, on_known_hosts_read);
}

void poller_stop(struct poller *p)
{
	if (!p->is_started)
		return;
	p->is_started = false;
	for (size_t i = 0; i < p->n; i++)
		reach_stop(&p->list[i]);
}

static void on_reach_closed(uv_handle_t *h)
{
	struct reach *r = h->data;
	struct poller *p = r->poller;

	p->handles--;
	free_if_gone(p);
}

static void on_gather_closed(uv_handle_t *h)
{
	struct poller *p = h->data;

	p->handles--;
	free_if_gone(p);
}

static void free_parts(struct poller *p)
{
	struct gate *g;

	while ((g = p->gates)) {
		p->gates = g->next;
		free(g->key);
		free(g);
	}
	poller_free_hostkeys(p);
	poller_free_questions(p);
}

void poller_free(struct poller *p)
{
	if (!p)
		return;
	p->is_started = false;
	for (size_t i = 0; i < p->n; i++)
		reach_done(&p->list[i], on_reach_closed);
	uv_close((uv_handle_t *)&p->read_fabric, on_gather_closed);
	identities_free(p->identities);
	free_parts(p);
	obs_done(&p->obs);
	p->is_freed = true;
	free_if_gone(p);
}

int64_t poller_refresh(struct poller *p, const char *host)
{
	int64_t now_us = poller_now_us(p);

	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && (!host || !strcmp(p->list[i].name, host)))
			reach_refresh(&p->list[i]);
	return now_us;
}

void poller_hasten(struct poller *p, const char *host)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, host))
			reach_hasten(&p->list[i]);
}

bool poller_note_change(struct poller *p, const char *host)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, host))
			return reach_note_change(&p->list[i]);
	return false;
}

void poller_fill(struct poller *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump)
			reach_fill(&p->list[i]);
}

struct poller_count poller_count(const struct poller *p)
{
	struct poller_count c = { .hosts = p->n_hosts };

	for (size_t i = 0; i < p->n; i++) {
		const struct reach *r = &p->list[i];
		const char *word = phase_word(r->phase);
		if (r->is_jump)
			continue;
		c.up += r->phase == PHASE_UP;
		c.retrying += r->phase == PHASE_BACKOFF;
		c.refused += r->phase == PHASE_REFUSED;
		c.connecting += !strcmp(word, "waiting") || !strcmp(word, "connecting");
		c.first_round += reach_is_over_first_round(r);
	}
	return c;
}

bool poller_is_over_first_round(const struct poller *p, const char *host)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, host))
			return reach_is_over_first_round(&p->list[i]);
	return true;
}

bool poller_has_read_since(const struct poller *p, const char *host, int64_t since_us)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, host))
			return reach_has_read_since(&p->list[i], since_us);
	return true;
}

unsigned poller_rounds(const struct poller *p, const char *host, enum cadence which)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].is_jump && !strcmp(p->list[i].name, host))
			return p->list[i].n_rounds[which];
	return 0;
}
