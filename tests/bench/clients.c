#include "tests/bench/clients.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/talk/write_permit.h"

static bool trust(void *ctx, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key)
{
	(void)ctx, (void)verdict, (void)seen, (void)key;
	return true;
}

static void on_up(void *ctx)
{
	struct client *one = ctx;

	send_filter_init(&one->guard, talk_way_find(WAY_SH), "0123456789abcdef", one->all->permit);
	ssh_open(one->ssh, 0, talk_way_find(WAY_SH), &one->guard);
}

static void on_opened(void *ctx, unsigned channel)
{
	(void)channel;
	((struct client *)ctx)->all->opened++;
}

static void on_received(void *ctx, unsigned channel, struct span bytes)
{
	struct client *one = ctx;
	const char *end = one->all->end;
	size_t n = end ? strlen(end) : 0;

	(void)channel;
	buf_add(&one->in, bytes.p, bytes.n);
	if (!end || one->has_heard || one->in.n < n || memcmp(one->in.text + one->in.n - n, end, n) != 0)
		return;
	one->has_heard = true;
	one->all->heard++;
}

static struct span on_to_send(void *ctx, unsigned channel)
{
	struct client *one = ctx;

	(void)channel;
	return (struct span){ one->out.text + one->n_sent, one->out.n - one->n_sent };
}

static void on_sent(void *ctx, unsigned channel, size_t n)
{
	(void)channel;
	((struct client *)ctx)->n_sent += n;
}

static void fail(struct clients *c, const char *why)
{
	if (!c->failed++)
		snprintf(c->why, sizeof(c->why), "%s", why);
}

static void on_closed(void *ctx, unsigned channel, int status, struct span said)
{
	(void)channel, (void)status, (void)said;
	fail(((struct client *)ctx)->all, "the channel was closed");
}

static void on_ended(void *ctx, enum ssh_end how, const char *why)
{
	(void)how;
	fail(((struct client *)ctx)->all, why);
}

static void on_emptied(struct ssh_common *common)
{
	(void)common;
}

static const struct ssh_hooks hooks = {
	.trust = trust, .up = on_up, .opened = on_opened, .received = on_received, .to_send = on_to_send,
	.sent = on_sent, .closed = on_closed, .ended = on_ended,
};

bool clients_init(struct clients *c, const char *key, const char *user)
{
	*c = (struct clients){ .key = { .state = IDENTITY_READY, .name = "key" } };
	uv_loop_init(&c->loop);
	c->common = (struct ssh_common){ .loop = &c->loop, .timeout_us = 60000000, .emptied = on_emptied };
	c->known_hosts = known_hosts_new();
	c->permit = write_permit_new("bench", 0, NULL);
	TAILQ_INIT(&c->common.agent_queue);
	c->keys[0] = &c->key;
	c->user = user;
	return ssh_pki_import_privkey_file(key, NULL, NULL, NULL, &c->key.key) == SSH_OK;
}

bool clients_open(struct clients *c, size_t n, struct client_place (*place)(const void *ctx, size_t i), const void *ctx)
{
	c->list = xcalloc(n, sizeof(*c->list));
	c->n = n;
	c->opened = c->failed = 0;
	uv_update_time(&c->loop);	/* it may have stood still for minutes */
	for (size_t i = 0; i < n; i++) {
		struct client *one = &c->list[i];
		struct client_place at = place(ctx, i);
		struct ssh_hooks own = hooks;

		own.ctx = one;
		one->all = c;
		snprintf(one->address, sizeof(one->address), "%s", at.address);
		one->plan = (struct ssh_plan){ .name = "host", .address = one->address, .user = c->user, .port = at.port,
					       .known_hosts = c->known_hosts,
					       .identities = c->keys, .n_identities = 1 };
		one->ssh = ssh_new_session(&c->common, &one->plan, &own);
	}
	while (c->opened + c->failed < n)
		uv_run(&c->loop, UV_RUN_ONCE);
	return !c->failed;
}

void clients_close(struct clients *c)
{
	for (size_t i = 0; i < c->n; i++)
		ssh_free_session(c->list[i].ssh);
	uv_run(&c->loop, UV_RUN_DEFAULT);
	for (size_t i = 0; i < c->n; i++) {
		send_filter_done(&c->list[i].guard);
		buf_done(&c->list[i].in);
		buf_done(&c->list[i].out);
	}
	free(c->list);
	c->list = NULL;
	c->n = 0;
}

bool clients_ask(struct clients *c, const char *text, const char *end)
{
	c->end = end;
	c->heard = 0;
	for (size_t i = 0; i < c->n; i++) {
		struct client *one = &c->list[i];

		one->has_heard = false;
		buf_clear(&one->in);
		buf_clear(&one->out);
		one->n_sent = 0;
		buf_str(&one->out, text);
		ssh_kick(one->ssh);
	}
	while (c->heard < c->n && !c->failed)
		uv_run(&c->loop, UV_RUN_ONCE);
	return !c->failed;
}

void clients_done(struct clients *c)
{
	clients_close(c);
	write_permit_free(c->permit);
	uv_loop_close(&c->loop);
	known_hosts_free(c->known_hosts);
	ssh_key_free(c->key.key);
}
