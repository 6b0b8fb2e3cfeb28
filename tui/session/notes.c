#include "tui/session/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tui/text/files.h"
#include "tui/text/times.h"

#define FILE_BYTES_MAX (NOTES_MAX * (NOTE_MAX + 32))

char *notes_path(const struct replay *recording)
{
	char *what = xasprintf("notes-%lld", (long long)replay_began(recording));
	char *path = state_path_of(replay_fabric(recording), what);

	free(what);
	return path;
}

bool note_text(const char *typed, char out[NOTE_MAX + 1])
{
	struct span text = span_trim(span_of(typed));
	size_t n = text.n < NOTE_MAX ? text.n : NOTE_MAX;

	while (n < text.n && n > 0 && ((unsigned char)text.p[n] & 0xc0) == 0x80)
		n--;	/* no half character */
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f ? ' ' : text.p[i];
	out[n] = '\0';
	return n > 0;
}

static bool read_line(struct span line, struct events *e)
{
	struct span time, text;
	char at[40], words[NOTE_MAX + 1], *copy;
	int64_t at_us;
	bool done;

	if (!span_cut(line, ' ', &time, &text) || time.n >= sizeof(at))
		return false;
	snprintf(at, sizeof(at), "%.*s", (int)time.n, time.p);
	copy = xstrndup(text.p, text.n);
	done = strchr(at, 'T') && parse_time(at, 0, &at_us, NULL) && note_text(copy, words);
	if (done)
		events_add(e, at_us, "note", "", words);
	free(copy);
	return done;
}

void notes_read(const char *path, struct events *e)
{
	struct buf file = { 0 };
	struct span rest, line;
	size_t n = 0;

	if (access(path, F_OK) == 0 && file_read(path, &file, NULL)) {
		rest = buf_span(&file);
		while (n < NOTES_MAX && span_line(&rest, &line))
			n += read_line(line, e);
	}
	buf_done(&file);
}

bool notes_add(const char *path, int64_t at_us, const char *text, struct err *err)
{
	time_t s = (time_t)(at_us / SECOND);
	struct buf file = { 0 };
	char at[32];
	struct tm tm;
	bool done = access(path, F_OK) != 0 || file_read(path, &file, err);

	if (done && file.n > FILE_BYTES_MAX)
		done = err_set(err, "%s is full", path);
	if (done) {
		gmtime_r(&s, &tm);
		strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%S", &tm);
		buf_printf(&file, "%s.%06dZ %s\n", at, (int)(at_us % SECOND), text);
		make_folders(path);
		done = file_replace(path, buf_span(&file), err);
	}
	buf_done(&file);
	return done;
}
