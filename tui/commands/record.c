/* fabcon record and fabcon replay. */
#include "tui/commands/commands.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tui/session/read_fabric.h"
#include "tui/text/human.h"
#include "tui/text/times.h"

/* "rack7.db: 60s recorded, 1.2 MB; fabcon replay rack7.db opens it" */
static void say_recorded(const char *file, int64_t us)
{
	struct stat at;
	char length[HUMAN_MAX];

	if (stat(file, &at) == 0)
		complain(0, "%s: %s recorded, %.1f MB; fabcon replay %s opens it", file, human_age(length, us), (double)at.st_size / 1e6, file);
}

int cmd_record(struct cli *cli)
{
	int64_t began_us, length_us;
	const char *trouble = NULL;
	struct session *s;
	int code;

	if (cli->replay)
		return complain(EXIT_USAGE, "a recording cannot be recorded again");
	cli->record = cli->args[0];
	s = read_fabric(cli, &code);
	if (!s)
		return code;
	if (session_recording_words(s))
		complain(0, "%s", session_recording_words(s));
	if (!cli->quiet)
		complain(0, "recording to %s; Ctrl-C stops", cli->record);
	began_us = session_now(s);
	read_fabric_run(cli->for_us);
	length_us = session_now(s) - began_us;
	if (session_is_recording(s, &trouble) && trouble)
		code = complain(EXIT_RECORDING, "%s: %s", cli->record, trouble);
	read_fabric_done(cli, s);
	if (!cli->quiet && !trouble)
		say_recorded(cli->record, length_us);
	return code > 128 ? EXIT_DONE : code;	/* the usual end */
}

/* Times are written in seconds, and a recording begins and ends within one. */
static bool is_recorded(const struct replay *r, const char *text, int64_t at_us, struct err *err)
{
	char first[HUMAN_MAX], last[HUMAN_MAX];

	if (at_us > replay_first(r) - SECOND && at_us < replay_last(r) + SECOND)
		return true;
	return err_set(err, "--at %s: the recording covers %s to %s", text, human_date(first, replay_first(r)),
		       human_date(last, replay_last(r)));
}

int cmd_replay(struct cli *cli)
{
	const char *file = cli->args[0];
	const char *command = cli->n_args > 1 ? cli->args[1] : NULL;
	struct err err = { "" };
	const char *words;
	int64_t at;
	int code;

	if (cli->replay)
		return complain(EXIT_USAGE, "one recording at a time");
	cli->replay = session_replay(file, cli->policy, &err);
	if (!cli->replay)
		return complain(access(file, F_OK) == 0 ? EXIT_RECORDING : EXIT_USAGE, "%s", err.text);
	if (replay_state(session_recording(cli->replay), &words) != REPLAY_WHOLE && !cli->quiet)
		complain(0, "%s: %s", file, words);
	if (cli->nccl && !session_tell(cli->replay, cli->nccl, &err)) {
		session_free(cli->replay);
		return complain(EXIT_USAGE, "%s", err.text);
	}
	if (cli->at && (!parse_time(cli->at, replay_last(session_recording(cli->replay)), &at, &err) ||
			!is_recorded(session_recording(cli->replay), cli->at, at, &err) || !session_glance(cli->replay, at, &err))) {
		session_free(cli->replay);
		return complain(EXIT_USAGE, "%s", err.text);
	}
	cli->args += cli->n_args > 1 ? 2 : 1;
	cli->n_args -= cli->n_args > 1 ? 2 : 1;
	code = cli->run(cli, command ? command : usual_command(cli));
	session_free(cli->replay);
	return code;
}
