#include "tui/widgets/clip.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tui/text/files.h"

#define SCREEN_CHUNK 76		/* of base64: screen drops a string that is longer than some hundred bytes */
#define PATIENCE_MS 2000	/* for a terminal that takes no more */

/* What stands between us and the terminal, by the environment. */
static enum clip_by clip_by_environment(void)
{
	const char *term = getenv("TERM");

	if (getenv("TMUX"))
		return CLIP_TMUX;
	return getenv("STY") || (term && !strncmp(term, "screen", 6)) ? CLIP_SCREEN : CLIP_PLAIN;
}

static void base64(struct span text, struct buf *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)text.p;

	for (size_t i = 0; i < text.n; i += 3) {
		size_t left = text.n - i;
		uint32_t bits = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) | (left > 2 ? p[i + 2] : 0);
		char four[4] = { digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63] };

		if (left < 3)
			four[3] = '=';
		if (left < 2)
			four[2] = '=';
		buf_add(out, four, 4);
	}
}

static void add_pieces(const struct buf *code, struct buf *out)
{
	buf_str(out, "\033P\033]52;c;");
	for (size_t at = 0; at < code->n; at += SCREEN_CHUNK) {
		if (at)
			buf_str(out, "\033\\\033P");
		buf_add(out, code->text + at, code->n - at < SCREEN_CHUNK ? code->n - at : SCREEN_CHUNK);
	}
	buf_str(out, "\007\033\\");
}

bool clip_sequence(struct span text, enum clip_by by, struct buf *out)
{
	struct buf code = { 0 };

	if ((text.n + 2) / 3 * 4 > CLIP_MAX)
		return false;
	base64(text, &code);
	if (by == CLIP_SCREEN) {
		add_pieces(&code, out);
	} else {
		buf_printf(out, "\033]52;c;%s\007", code.n ? code.text : "");
		/* Either tmux takes it (set-clipboard on) or lets it through (allow-passthrough on): every ESC is doubled there. */
		if (by == CLIP_TMUX)
			buf_printf(out, "\033Ptmux;\033\033]52;c;%s\007\033\\", code.n ? code.text : "");
	}
	buf_done(&code);
	return true;
}

/* To the terminal, which may take it slowly. */
static bool send(int fd, struct span bytes, struct err *err)
{
	while (bytes.n) {
		struct pollfd p = { .fd = fd, .events = POLLOUT };
		ssize_t n = poll(&p, 1, PATIENCE_MS) == 1 ? write(fd, bytes.p, bytes.n < 4096 ? bytes.n : 4096) : -1;

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return err_set(err, "the terminal does not accept it");
		bytes = (struct span){ bytes.p + n, bytes.n - (size_t)n };
	}
	return true;
}

/* A new file with a name of its own; the first folder that takes it. */
static bool put_file(struct span text, const char *extension, const char *why, struct buf *said, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	struct timespec now;
	char name[80];
	char *paths[2];
	bool ok = false;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(name, sizeof(name), "copied-%lld-%09ld.%s", (long long)now.tv_sec, now.tv_nsec, extension);
	paths[0] = state_path(name);
	paths[1] = xasprintf("%s/fabcon-%s", tmp && *tmp == '/' ? tmp : "/tmp", name);
	for (size_t i = 0; i < 2 && !ok; i++) {
		if (!paths[i])
			continue;
		if (i == 0)
			make_folders(paths[i]);
		ok = file_create(paths[i], text, err);
		if (ok)
			buf_printf(said, "%s; saved to %s instead", why, paths[i]);
	}
	free(paths[0]);
	free(paths[1]);
	return ok;
}

bool clip_put(int terminal, struct span text, const char *extension, struct buf *said, struct err *err)
{
	struct buf sequence = { 0 };
	bool ok;

	if (!isatty(terminal))
		return put_file(text, extension, "there is no terminal", said, err);
	if (!clip_sequence(text, clip_by_environment(), &sequence))
		return put_file(text, extension, "too long for the clipboard", said, err);
	ok = send(terminal, buf_span(&sequence), err);
	if (ok)
		buf_str(said, clip_by_environment() == CLIP_TMUX ?
			"to the clipboard, if OSC 52 is allowed (tmux: set-clipboard on)" :
			"to the clipboard, if the terminal allows OSC 52");
	buf_done(&sequence);
	return ok;
}
