#include "tests/bench/canned.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "remote/platforms.h"
#include "remote/talk/collector.h"
#include "tests/bench/clients.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"

#define NONCE		"0canned0canned00"
#define COUNTS_FROM	1000	/* a number that is smaller stands still */

enum piece_is { PIECE_TEXT, PIECE_NONCE, PIECE_NAME, PIECE_MAC, PIECE_UPTIME, PIECE_COUNTER };

struct piece {
	enum piece_is is;
	const char *text;	/* within the reply */
	size_t n;
	uint64_t value;
};

/* One round's answer in pieces; only those that differ by host or time are not text. */
struct said {
	char *text;		/* owned */
	size_t bytes;
	struct piece *pieces;
	size_t n, cap;
};

static struct said rounds[CADENCE_LIVE + 1];

/* What stands in the text for what is each host's own. */
static const struct {
	const char *begin;
	size_t skip, n;		/* of begin, that stay; and the bytes replaced */
	enum piece_is is;
} marks[] = {
	{ "@" NONCE " ", 1, sizeof(NONCE) - 1, PIECE_NONCE },
	{ "hostname=node1", 9, 5, PIECE_NAME },
	{ "\"leaf", 1, 4, PIECE_NAME },		/* its switches are its own, too, and nobody knows them */
	{ "0c:42:a1:00:", 6, 5, PIECE_MAC },
};

static void add_piece(struct said *r, enum piece_is is, const char *text, size_t n, uint64_t value)
{
	if (!n)
		return;
	*GROW(r->pieces, r->n, r->cap) = (struct piece){ is, text, n, value };
	r->n++;
}

/* The number that ends the line which text begins; false when there is none that counts. */
static bool ends_in_counter(const char *text, const char **number, size_t *n, uint64_t *value)
{
	const char *end = text + strcspn(text, "\n"), *p = end;

	while (p > text && isdigit((unsigned char)p[-1]))
		p--;
	*number = p;
	*n = (size_t)(end - p);
	return p > text + 1 && (p[-1] == ':' || (p[-1] == ' ' && p[-2] == ':')) && *n < 19 &&
	       span_u64((struct span){ p, *n }, value) && *value >= COUNTS_FROM;
}

/* Cuts one line; returns where the next begins. */
static const char *cut_line(struct said *r, const char *line, bool is_live)
{
	const char *end = line + strcspn(line, "\n"), *number, *begun = line, *uptime;
	uint64_t value;
	size_t n;

	end += *end == '\n';
	for (const char *p = line; p < end; p++)
		for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
			if (strncmp(p, marks[i].begin, strlen(marks[i].begin)) != 0)
				continue;
			add_piece(r, PIECE_TEXT, begun, (size_t)(p + marks[i].skip - begun), 0);
			add_piece(r, marks[i].is, p + marks[i].skip, marks[i].n, 0);
			begun = p + marks[i].skip + marks[i].n;
		}
	if (begun > line && strncmp(begun, " begin ", 7) == 0) {
		for (uptime = end - 1; uptime[-1] != ' '; uptime--)
			;
		add_piece(r, PIECE_TEXT, begun, (size_t)(uptime - begun), 0);
		add_piece(r, PIECE_UPTIME, uptime, (size_t)(end - 1 - uptime), 0);
		begun = end - 1;
	} else if (is_live && ends_in_counter(begun, &number, &n, &value)) {
		add_piece(r, PIECE_TEXT, begun, (size_t)(number - begun), 0);
		add_piece(r, PIECE_COUNTER, number, n, value);
		begun = number + n;
	}
	add_piece(r, PIECE_TEXT, begun, (size_t)(end - begun), 0);
	return end;
}

static void cut(struct said *r, struct span text, bool is_live)
{
	r->text = xstrndup(text.p, text.n);
	r->bytes = text.n;
	for (const char *at = r->text; *at;)
		at = cut_line(r, at, is_live);
}

static struct client_place place_of(const void *ctx, size_t i)
{
	(void)i;
	return (struct client_place){ "127.0.0.1", *(const unsigned *)ctx };
}

static bool ask_rounds(struct clients *c)
{
	char end[64];
	struct buf program = { 0 };
	bool is_done;

	collector_program(platform_find("linux"), NONCE, &program);
	is_done = clients_ask(c, program.text, "@" NONCE " hello\n");
	buf_done(&program);
	for (enum cadence i = CADENCE_ONCE; is_done && i <= CADENCE_LIVE; i++) {
		char word[16];

		snprintf(word, sizeof(word), "%s\n", collector_word(i));
		snprintf(end, sizeof(end), "@" NONCE " round %s", word);
		is_done = clients_ask(c, word, end);
		if (is_done)
			cut(&rounds[i], buf_span(&c->list[0].in), i == CADENCE_LIVE);
	}
	return is_done;
}

bool canned_make(unsigned ports)
{
	struct lab lab;
	struct clients c;
	char rails[16], key[96];
	unsigned port = 0;
	bool is_done = false;
	size_t n;

	snprintf(rails, sizeof(rails), "%u", ports);
	if (!LAB(&lab, "--nodes", "2", "--rails", rails, "--leaves", "2"))
		return false;
	char *inventory = file_text(lab.inventory, &n);
	const char *at = inventory ? strstr(inventory, "ansible_port: ") : NULL;
	snprintf(key, sizeof(key), "%s/client_key", lab.dir);
	if (clients_init(&c, key, "root") && at && sscanf(at, "ansible_port: %u", &port) == 1)
		is_done = clients_open(&c, 1, place_of, &port) && ask_rounds(&c);
	clients_done(&c);
	free(inventory);
	lab_stop(&lab);
	return is_done;
}

void canned_done(void)
{
	for (size_t i = 0; i <= CADENCE_LIVE; i++) {
		free(rounds[i].text);
		free(rounds[i].pieces);
		rounds[i] = (struct said){ 0 };
	}
}

size_t canned_live_bytes(void)
{
	return rounds[CADENCE_LIVE].bytes;
}

/* -- the speaker -- */

struct shell {
	struct buf in, out;
	char nonce[20];
	bool is_identified, has_program;
	unsigned host;
	uint64_t round, noise;
};

static uint64_t any(struct shell *sh, uint64_t n)
{
	sh->noise = sh->noise * 6364136223846793005u + 1442695040888963407u;
	return (sh->noise >> 33) % n;
}

static void say_piece(struct lab_channel *c, const struct piece *p)
{
	struct shell *sh = c->state;
	uint64_t step = p->value / 64;
	struct timespec t;

	switch (p->is) {
	case PIECE_TEXT:
		buf_add(&sh->out, p->text, p->n);
		break;
	case PIECE_NONCE:
		buf_str(&sh->out, sh->nonce);
		break;
	case PIECE_NAME:
		buf_str(&sh->out, c->device->name);
		break;
	case PIECE_MAC:
		buf_printf(&sh->out, "%02x:%02x", sh->host >> 8 & 255, sh->host & 255);
		break;
	case PIECE_UPTIME:
		clock_gettime(CLOCK_MONOTONIC, &t);
		buf_printf(&sh->out, "%lld.%02ld", (long long)t.tv_sec, t.tv_nsec / 10000000);
		break;
	case PIECE_COUNTER:	/* a fifth of a step is noise */
		buf_printf(&sh->out, "%llu", (unsigned long long)(p->value + sh->round * step + any(sh, step / 5 + 1)));
		break;
	}
}

static void say_round(struct lab_channel *c, enum cadence cadence)
{
	struct shell *sh = c->state;
	const struct said *r = &rounds[cadence];

	buf_clear(&sh->out);
	for (size_t i = 0; i < r->n; i++)
		say_piece(c, &r->pieces[i]);
	sh->round += cadence == CADENCE_LIVE;
	lab_write(c, sh->out.text, sh->out.n, false);
}

static void identify(struct lab_channel *c)
{
	struct shell *sh = c->state;
	struct span rest = buf_span(&sh->in), word = { 0 }, before;
	char text[160];

	span_cut(rest, '@', &before, &rest);
	const char *at = span_find(rest, "- -\\n' ");
	rest.n -= (size_t)(at + 7 - rest.p);
	rest.p = at + 7;
	span_word(&rest, &word);
	snprintf(sh->nonce, sizeof(sh->nonce), "%.*s", (int)word.n, word.p);
	snprintf(text, sizeof(text), "\n@%s begin identify - -\nuname: Linux canned 6.1.0\nuid: 0\n\n@%s end 0\n", sh->nonce,
		 sh->nonce);
	lab_print(c, text);
	sh->is_identified = true;
	buf_clear(&sh->in);
}

static void take_words(struct lab_channel *c)
{
	struct shell *sh = c->state;
	struct span rest = buf_span(&sh->in), line;

	while (span_line(&rest, &line))
		for (enum cadence i = CADENCE_ONCE; i <= CADENCE_LIVE; i++)
			if (span_is(line, collector_word(i)))
				say_round(c, i);
	buf_clear(&sh->in);
}

static bool ends_with(const struct buf *b, const char *end)
{
	size_t n = strlen(end);

	return b->n >= n && memcmp(b->text + b->n - n, end, n) == 0;
}

static void on_input(struct lab_channel *c, struct span bytes)
{
	struct shell *sh = c->state;
	char hello[64];

	buf_add(&sh->in, bytes.p, bytes.n);
	if (sh->has_program && ends_with(&sh->in, "\n")) {
		take_words(c);
	} else if (sh->is_identified && ends_with(&sh->in, "\nexit; }\n")) {
		snprintf(hello, sizeof(hello), "\n@%s hello\n", sh->nonce);
		lab_print(c, hello);
		sh->has_program = true;
		buf_clear(&sh->in);
	} else if (!sh->is_identified && ends_with(&sh->in, "2>&1\n")) {
		identify(c);
	}
}

static bool start(struct lab_channel *c, const char *command)
{
	struct shell *sh;

	if (!command)
		return false;
	sh = xcalloc(1, sizeof(*sh));
	sh->host = (unsigned)(c->device - server_fabric(c->server)->devices) + 1;
	sh->noise = sh->host;
	c->state = sh;
	return true;
}

static void on_eof(struct lab_channel *c)
{
	lab_end(c, 0);
}

static void on_closed(struct lab_channel *c)
{
	struct shell *sh = c->state;

	buf_done(&sh->in);
	buf_done(&sh->out);
	free(sh);
}

const struct speaker speaker_canned = { .start = start, .input = on_input, .eof = on_eof, .closed = on_closed };
