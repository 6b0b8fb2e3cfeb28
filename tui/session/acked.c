#include "tui/session/acked.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/judge/fold.h"
#include "tui/text/files.h"

static bool read_again(struct acked *a, struct err *err)
{
	struct buf text = { 0 };
	size_t strange;

	acks_done(&a->acks);
	if (!a->path || access(a->path, F_OK) != 0)
		return true;
	if (!file_read(a->path, &text, err))
		return false;
	strange = acks_read(&a->acks, buf_span(&text));
	buf_done(&text);
	return !strange ||
	       err_set(err, strange == 1 ? "%s: %zu line is not an acknowledgement" : "%s: %zu lines are not acknowledgements", a->path, strange);
}

bool acked_open(struct acked *a, const char *fabric, struct err *err)
{
	*a = (struct acked){ .path = state_path_of(fabric, "acks") };
	return read_again(a, err);
}

void acked_of_recording(struct acked *a, const struct events *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct event *event = &e->list[i];

		if (!strcmp(event->kind, "ack"))
			acks_read_line(&a->acks, span_of(event->text), event->at_us);
		else if (!strcmp(event->kind, "ack ended"))
			acks_read_end(&a->acks, span_of(event->text), event->at_us);
	}
}

void acked_done(struct acked *a)
{
	acks_done(&a->acks);
	free(a->path);
	memset(a, 0, sizeof(*a));
}

static bool keep(const struct acked *a, struct err *err)
{
	struct buf text = { 0 };
	bool done;

	if (!a->path)
		return err_set(err, "neither XDG_STATE_HOME nor HOME is set: the acknowledgement ends with this session");
	buf_str(&text, "");
	acks_print(&a->acks, &text);
	done = file_replace(a->path, buf_span(&text), err);
	buf_done(&text);
	return done;
}

static void add_one(struct acked *a, struct session *s, const struct finding *f, const char *reason, int64_t until_us)
{
	const struct ack *ack = acks_add(&a->acks, f->check->id, f->where, f->weight, reason,
					 model_now(session_model(s)), until_us);
	struct buf text = { 0 };

	ack_print(ack, &text);
	session_note(s, "ack", text.text);
	buf_done(&text);
}

bool acked_add(struct acked *a, struct session *s, const struct finding *f, bool together, const char *typed, size_t *n,
	       struct err *err)
{
	const struct finding *const *list;
	size_t n_open = findings_open(session_findings(s), &list);
	const char *reason;
	int64_t until_us;

	if (session_is_replay(s))
		return err_set(err, "A replay shows acknowledgements but cannot change them.");
	if (!ack_typed(typed, model_now(session_model(s)), &until_us, &reason, err) || !read_again(a, err))
		return false;
	add_one(a, s, f, reason, until_us);
	*n = 1;
	for (size_t i = 0; together && i < n_open; i++) {
		if (list[i] == f || !fold_same(list[i], f))
			continue;
		add_one(a, s, list[i], reason, until_us);
		(*n)++;
	}
	return keep(a, err);
}

static void end_one(void *ctx, const struct ack *ack, const char *why)
{
	struct session *s = ctx;
	struct buf text = { 0 };

	ack_print_end(ack, why, &text);
	session_note(s, "ack ended", text.text);
	buf_done(&text);
}

bool acked_take_back(struct acked *a, struct session *s, char where[160], struct err *err)
{
	const struct ack *last;

	if (session_is_replay(s))
		return err_set(err, "A replay shows acknowledgements but cannot withdraw them.");
	if (!read_again(a, err))
		return false;
	if (!a->acks.n)
		return err_set(err, "Nothing is acknowledged.");
	last = &a->acks.list[a->acks.n - 1];
	snprintf(where, 160, "%s at %.110s", last->check, last->where);
	end_one(s, last, "withdrawn");
	acks_remove(&a->acks, last);
	return keep(a, err);
}

void acked_settle(struct acked *a, struct session *s)
{
	if (a->acks.n && !session_is_replay(s) &&
	    acks_settle(&a->acks, session_findings(s), model_now(session_model(s)), end_one, s))
		keep(a, NULL);
}
