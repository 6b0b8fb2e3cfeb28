#include "remote/talk/collector_frames.h"

#include <stdio.h>
#include <stdlib.h>

#define BODY_KEEP (256u << 10)	/* more room than this is given back after the reply that needed it */

void collector_frames_init(struct collector_frames *f, const char *nonce, size_t max, const struct frames_hooks *hooks)
{
	*f = (struct collector_frames){ .hooks = *hooks, .max = max };
	snprintf(f->marker, sizeof(f->marker), "@%s ", nonce);
}

void collector_frames_done(struct collector_frames *f)
{
	buf_done(&f->line);
	buf_done(&f->body);
}

/* "12345.67" seconds, as /proc/uptime has it. */
static int64_t uptime_us(struct span s)
{
	struct span whole = s, part = { 0 };
	uint64_t seconds, hundredths = 0;

	span_cut(s, '.', &whole, &part);
	if (!span_u64(whole, &seconds) || seconds > UINT32_MAX || (part.n && (part.n != 2 || !span_u64(part, &hundredths))))
		return 0;
	return (int64_t)(seconds * 1000000 + hundredths * 10000);
}

static void give(struct collector_frames *f, int status)
{
	struct span rest = span_of(f->head), probe = { 0 }, port = { 0 }, uptime = { 0 };

	span_word(&rest, &probe);
	span_word(&rest, &port);
	span_word(&rest, &uptime);
	if (span_is(port, "-"))
		port.n = 0;
	f->hooks.reply(f->hooks.ctx, probe, port, uptime_us(uptime), status, buf_span(&f->body), f->is_cut);
}

static void open_frame(struct collector_frames *f, struct span head)
{
	snprintf(f->head, sizeof(f->head), "%.*s", (int)head.n, head.p);
	f->is_open = true;
	f->is_cut = f->is_late = false;
	buf_clear(&f->body);
}

static void close_frame(struct collector_frames *f, struct span words)
{
	uint64_t status;

	if (!f->is_open)
		return;
	if (f->body.n > 0 && f->body.text[f->body.n - 1] == '\n')	/* ours: output may lack its last newline */
		f->body.n--;
	if (!f->is_late)
		give(f, span_u64(span_trim(words), &status) && status < 256 ? (int)status : -1);
	f->is_open = false;
	if (f->body.cap > BODY_KEEP)
		buf_done(&f->body);
	else
		buf_clear(&f->body);
}

static void take_marker(struct collector_frames *f, struct span words)
{
	if (span_skip(&words, "begin ")) {
		collector_frames_give_up(f); /* its end was lost */
		open_frame(f, words);
	} else if (span_skip(&words, "end ")) {
		close_frame(f, words);
	} else {
		f->hooks.mark(f->hooks.ctx, words);
	}
}

static void keep(struct collector_frames *f, const char *p, size_t n)
{
	size_t room = f->max > f->body.n ? f->max - f->body.n : 0;

	if (!f->is_open || f->is_late)
		return;
	if (f->hooks.part)
		f->hooks.part(f->hooks.ctx, (struct span){ p, n });
	if (n > room)
		f->is_cut = true;
	buf_add(&f->body, p, n < room ? n : room);
}

static void take_line(struct collector_frames *f, struct span line)
{
	struct span words = line;

	if (span_skip(&words, f->marker))
		take_marker(f, span_trim(words));
	else
		keep(f, line.p, line.n);
}

/* Whether a line that begins so may yet become a marker. */
static bool may_be_marker(const struct collector_frames *f, struct span begin)
{
	size_t n = strlen(f->marker);

	return begin.n < MARKER_MAX && memcmp(begin.p, f->marker, begin.n < n ? begin.n : n) == 0;
}

/* A piece that ends in a newline, or is the last of what came. */
static void take_piece(struct collector_frames *f, struct span piece)
{
	bool ends = piece.p[piece.n - 1] == '\n';

	if (f->in_line) {
		keep(f, piece.p, piece.n);
		f->in_line = !ends;
		return;
	}
	if (f->line.n == 0 && ends) {
		take_line(f, piece);
		return;
	}
	buf_add(&f->line, piece.p, piece.n);
	if (!ends && may_be_marker(f, buf_span(&f->line)))
		return;
	take_line(f, buf_span(&f->line));
	buf_clear(&f->line);
	f->in_line = !ends;
}

/* The whole lines that bytes begins with and that are no markers: they are kept in one go. */
static size_t plain_lines(const struct collector_frames *f, struct span bytes)
{
	const char *last, *marker = NULL;

	if (f->in_line || f->line.n > 0 || *bytes.p == *f->marker)
		return 0;
	for (const char *p = bytes.p; !marker && (p = memchr(p, *f->marker, (size_t)(bytes.p + bytes.n - p))); p++)
		if (p[-1] == '\n')
			marker = p;
	last = memrchr(bytes.p, '\n', marker ? (size_t)(marker - bytes.p) : bytes.n);
	return last ? (size_t)(last - bytes.p) + 1 : 0;
}

void collector_frames_feed(struct collector_frames *f, struct span bytes)
{
	while (bytes.n > 0) {
		size_t plain = plain_lines(f, bytes);

		if (plain) {
			keep(f, bytes.p, plain);
			bytes.p += plain;
			bytes.n -= plain;
			continue;
		}
		const char *end = memchr(bytes.p, '\n', bytes.n);
		size_t n = end ? (size_t)(end - bytes.p) + 1 : bytes.n;

		take_piece(f, (struct span){ bytes.p, n });
		bytes.p += n;
		bytes.n -= n;
	}
}

bool collector_frames_give_up(struct collector_frames *f)
{
	if (!f->is_open || f->is_late)
		return false;
	f->is_cut = true;
	give(f, -1);
	f->is_late = true;
	buf_clear(&f->body);
	return true;
}

struct span collector_frames_open_probe(const struct collector_frames *f)
{
	struct span rest = span_of(f->head), probe = { 0 };

	if (f->is_open)
		span_word(&rest, &probe);
	return probe;
}
