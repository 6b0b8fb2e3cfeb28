#include "remote/platform/logins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/model/login.h"

#define SSH_ROWS 128
#define SAME_S	5	/* between sshd's line and the record of the same login's terminal */
#define ROWS	64	/* what each is asked for */
#define DAY_S	86400
#define AHEAD_S	60	/* a record is not later than the device's own clock */
#define USER_MAX 32
#define WORDS	24

struct records {
	struct logins l;
	bool has_file, has_wtmp, has_now, has_who, has_last;
	size_t n_who;		/* the first of the list are who's */
	uint64_t seen;		/* those that last told too */
	unsigned rows, ssh_rows;	/* of last, of sshd's log */
	int64_t ssh_first_s;
	bool logs_ends;		/* of sshd's sessions */
	struct span self, self_port;	/* of the session that asks */
	enum { IN_HEAD, IN_WHO, IN_LAST, IN_SSH } in;
};

struct words {
	struct span all[WORDS];
	size_t n;
};

static void split(struct span line, struct words *w)
{
	w->n = 0;
	while (w->n < WORDS && span_word(&line, &w->all[w->n]))
		w->n++;
}

/* Not by strptime(): the device prints the C locale's names, whatever ours is. */
static bool month(struct span word, int *out)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; i < 12; i++)
		if (word.n == 3 && !memcmp(word.p, names + 3 * i, 3)) {
			*out = i;
			return true;
		}
	return false;
}

/* "18:02" or "18:02:11". */
static bool clock_time(struct span word, struct tm *tm, unsigned *within_s)
{
	uint64_t h, m, s = 0;

	if (!span_take_u64(&word, &h) || h > 23 || !span_skip(&word, ":") || !span_take_u64(&word, &m) || m > 59)
		return false;
	*within_s = word.n ? 0 : 59;
	if (word.n && (!span_skip(&word, ":") || !span_u64(word, &s) || s > 60))
		return false;
	tm->tm_hour = (int)h;
	tm->tm_min = (int)m;
	tm->tm_sec = (int)s;
	return true;
}

/* "Nov 26 18:02" has no year: the last such time that is not in the future. */
static bool short_time(const struct span *w, size_t n, int64_t now_s, struct login *l)
{
	time_t now = (time_t)now_s;
	struct tm tm = { 0 }, today, at;
	uint64_t day;

	if (n < 3 || !month(w[0], &tm.tm_mon) || !span_u64(w[1], &day) || day < 1 || day > 31 || !clock_time(w[2], &tm, &l->within_s))
		return false;
	gmtime_r(&now, &today);
	tm.tm_mday = (int)day;
	for (int back = 0; back < 2; back++) {
		at = tm;
		at.tm_year = today.tm_year - back;
		l->since_s = (int64_t)timegm(&at);
		if (l->since_s <= now_s + AHEAD_S)
			break;
	}
	return true;
}

/* At words[at]; how many words it takes, or 0. */
static size_t read_begin(const struct words *w, size_t at, int64_t now_s, struct login *l)
{
	static const char days[] = "Mon Tue Wed Thu Fri Sat Sun";
	size_t day = at < w->n && span_is_among(w->all[at], days);

	if (at < w->n && login_time(w->all[at], &l->since_s)) {
		l->within_s = 0;
		return 1;
	}
	return at + day < w->n && short_time(w->all + at + day, w->n - at - day, now_s, l) ? day + 3 : 0;
}

/* "(00:03)", "(2+01:00)": behind a begin in whole minutes the end is as rough. */
static bool duration(struct span word, int64_t *s)
{
	uint64_t days = 0, hours, minutes;
	struct span rest = word;

	if (!span_skip(&rest, "(") || !span_take_u64(&rest, &hours))
		return false;
	if (span_skip(&rest, "+")) {
		days = hours;
		if (!span_take_u64(&rest, &hours))
			return false;
	}
	if (!span_skip(&rest, ":") || !span_take_u64(&rest, &minutes) || !span_is(rest, ")") || days > 36500 || hours > 24 || minutes > 59)
		return false;
	*s = (int64_t)(days * DAY_S + hours * 3600 + minutes * 60);
	return true;
}

/* What last prints behind the begin: "still logged in", "- TIME (00:03)"; nothing, "gone - no logout", "- crash" tell no end. */
static void read_end(const struct words *w, size_t at, struct login *l)
{
	int64_t s;

	l->end = LOGIN_END_UNKNOWN;
	if (at < w->n && span_is(w->all[at], "still"))
		l->end = LOGIN_OPEN;
	if (at + 1 >= w->n || !span_is(w->all[at], "-"))
		return;
	if (login_time(w->all[at + 1], &l->until_s)) {
		l->end = LOGIN_ENDED;
	} else if (duration(w->all[w->n - 1], &s)) {
		l->until_s = l->since_s + s + 59;
		l->end = LOGIN_ENDED;
	}
}

static void add(struct records *r, const struct login *l)
{
	*GROW(r->l.list, r->l.n, r->l.cap) = *l;
	r->l.n++;
}

/* The newest login of last that who has named already. last may know its seconds, and may have read a later end. */
static bool is_of_who(struct records *r, const struct login *l)
{
	for (size_t i = 0; i < r->n_who; i++) {
		struct login *have = &r->l.list[i];

		if (r->seen & UINT64_C(1) << i || strcmp(have->user, l->user) || strcmp(have->line, l->line) ||
		    llabs(have->since_s - l->since_s) > 59)
			continue;
		r->seen |= UINT64_C(1) << i;
		if (l->within_s < have->within_s) {
			have->since_s = l->since_s;
			have->within_s = l->within_s;
		}
		if (l->end == LOGIN_ENDED) {
			have->end = l->end;
			have->until_s = l->until_s;
		}
		return true;
	}
	return false;
}

/* A record has 32 bytes for it: busybox's last prints the host, too, behind a name that fills them. */
static void user_name(char out[LOGIN_NAME], struct span word)
{
	login_name(out, (struct span){ word.p, word.n < USER_MAX ? word.n : USER_MAX });
}

/* USER LINE [WORD] TIME; *at: the first word of the time. How many words the time takes, or 0. */
static size_t read_head(const struct records *r, const struct words *w, struct login *l, size_t *at)
{
	size_t n = 0;

	for (*at = 2; *at < 4 && !(n = read_begin(w, *at, r->l.at_s, l));)
		++*at;
	if (n) {
		user_name(l->user, w->all[0]);
		login_name(l->line, w->all[1]);
	}
	return n;
}

/* who: USER LINE TIME [(HOST)]; of busybox USER LINE IDLE TIME [HOST]. The host is the rest of the line, whatever it holds. */
static bool who_row(struct records *r, const struct words *w)
{
	struct login l = { .end = LOGIN_OPEN };
	size_t at, n = read_head(r, w, &l, &at);
	struct span host;

	if (!n)
		return false;
	if (at + n < w->n) {
		host = (struct span){ w->all[at + n].p, (size_t)(w->all[w->n - 1].p + w->all[w->n - 1].n - w->all[at + n].p) };
		if (span_skip(&host, "(") && host.n && host.p[host.n - 1] == ')')
			host.n--;
		login_name(l.from, host);
	}
	if (r->n_who < ROWS) {
		add(r, &l);
		r->n_who++;
	}
	return true;
}

/* last: USER LINE [HOST] TIME [END]. */
static bool last_row(struct records *r, const struct words *w)
{
	struct login l = { 0 };
	size_t at, n = read_head(r, w, &l, &at);

	if (!n)
		return false;
	if (at == 3)
		login_name(l.from, w->all[2]);
	read_end(w, at + n, &l);
	if (!is_of_who(r, &l))
		add(r, &l);
	if (++r->rows >= ROWS)
		r->l.first_s = l.since_s;
	return true;
}

/* "1795721952.463387 HOST sshd[27]: …": the process is the login's, from its beginning to its end. */
static bool ssh_head(const struct words *w, int64_t *s, char line[LOGIN_NAME])
{
	struct span time = w->n > 4 ? w->all[0] : (struct span){ 0 }, process, pid;
	uint64_t n, number;

	if (!span_take_u64(&time, &n) || n > INT32_MAX * UINT64_C(64) || !span_cut(w->all[2], '[', &process, &pid) ||
	    !span_starts(process, "sshd") || !span_take_u64(&pid, &number))
		return false;
	*s = (int64_t)n;
	snprintf(line, LOGIN_NAME, "sshd:%llu", (unsigned long long)number);
	return true;
}

static bool is_of_sshd(const struct login *l)
{
	return !strncmp(l->line, "sshd:", 5);
}

static bool is_on_record(const struct records *r, const struct login *l)
{
	for (size_t i = 0; i < r->l.n; i++) {
		const struct login *have = &r->l.list[i];

		if (!strcmp(have->user, l->user) && !strcmp(have->from, l->from) && !is_of_sshd(have) &&
		    llabs(have->since_s - l->since_s) <= SAME_S + (int64_t)have->within_s)
			return true;
	}
	return false;
}

/* "Accepted login for USER from ADDRESS port PORT ssh2: …" */
static bool ssh_begins(struct records *r, const struct words *w, struct login *l)
{
	if (w->n < 11 || !span_is(w->all[3], "Accepted") || !span_is(w->all[7], "from") || !span_is(w->all[9], "port"))
		return false;
	r->ssh_rows++;
	if (r->self.n && span_same(w->all[8], r->self) && span_same(w->all[10], r->self_port))
		return true;
	user_name(l->user, w->all[6]);
	login_name(l->from, w->all[8]);
	if (!is_on_record(r, l))
		add(r, l);
	return true;
}

/* "pam_unix(sshd:session): session closed for user USER" */
static bool ssh_ends(struct records *r, const struct words *w, const struct login *l)
{
	if (w->n < 9 || !span_is(w->all[4], "session") || !span_is(w->all[5], "closed"))
		return false;
	r->ssh_rows++;
	r->logs_ends = true;
	for (size_t i = r->l.n; i-- > 0;)
		if (!strcmp(r->l.list[i].line, l->line) && r->l.list[i].end == LOGIN_OPEN) {
			r->l.list[i].end = LOGIN_ENDED;
			r->l.list[i].until_s = l->since_s;
			break;
		}
	return true;
}

static bool ssh_row(struct records *r, const struct words *w)
{
	struct login l = { .end = LOGIN_OPEN };

	if (!ssh_head(w, &l.since_s, l.line))
		return false;
	if (!r->ssh_rows)
		r->ssh_first_s = l.since_s;
	return ssh_begins(r, w, &l) || ssh_ends(r, w, &l);
}

/* "NAME LINE TIME COMMENT" of who, "USER TTY …" of busybox: no terminal has such a name, but a user may be called USER. */
static bool is_heading(const struct words *w)
{
	return w->n > 1 && span_is_among(w->all[0], "NAME USER") && span_is_among(w->all[1], "LINE TTY");
}

/* The system's own entries, headings and ends are no logins. */
static bool is_no_login(const struct words *w)
{
	static const char own[] = "reboot runlevel shutdown LOGIN";

	return w->n == 0 || (w->n > 1 && span_is(w->all[1], "begins")) || is_heading(w) ||
	       (w->n > 1 && span_is_among(w->all[0], own) && (span_is(w->all[1], "system") || span_is(w->all[1], "~")));
}

static bool heading(struct records *r, struct span line)
{
	uint64_t now;

	if (span_is(line, "who=") || span_is(line, "last=")) {
		r->in = span_is(line, "who=") ? IN_WHO : IN_LAST;
		*(r->in == IN_WHO ? &r->has_who : &r->has_last) = true;
		return true;
	}
	if (r->in == IN_LAST && span_skip(&line, "ssh=")) {
		r->in = IN_SSH;
		if (!span_cut(line, ' ', &r->self, &r->self_port))
			r->self = line;
		return true;
	}
	if (r->in != IN_HEAD)
		return false;
	if (span_skip(&line, "now=")) {
		r->has_now = span_u64(line, &now) && now < INT32_MAX * UINT64_C(64);
		r->l.at_s = r->has_now ? (int64_t)now : 0;
		return r->has_now;
	}
	if (!span_skip(&line, "has="))
		return false;
	r->has_file = true;
	r->has_wtmp |= span_is(line, "/var/log/wtmp");
	return true;
}

/* "who: not found", "last: cannot open /var/log/wtmp: …", busybox's usage. */
static bool no_tool(struct records *r, struct span line)
{
	if (r->in == IN_WHO && span_starts(line, "who: "))
		return !(r->has_who = false);
	if (r->in == IN_LAST && span_starts(line, "last: "))
		return !(r->has_last = false);
	return false;
}

static void read_line(struct records *r, struct obs *o, struct span line)
{
	struct words w;

	if (heading(r, line) || no_tool(r, line))
		return;
	split(line, &w);
	if (is_no_login(&w))
		return;
	if (r->in == IN_WHO ? who_row(r, &w) : r->in == IN_LAST ? last_row(r, &w) : r->in == IN_SSH && ssh_row(r, &w))
		return;
	obs_missed(o, line);
	r->l.missed++;
}

/* The login that asks stands in the log: where nothing does, the log was not to be read. */
static void end_ssh(struct records *r)
{
	r->l.has_ssh = r->ssh_rows > 0;
	if (r->ssh_rows >= SSH_ROWS && r->ssh_first_s > r->l.first_s)
		r->l.first_s = r->ssh_first_s;
	for (size_t i = 0; i < r->l.n && !r->logs_ends; i++)
		if (is_of_sshd(&r->l.list[i]))
			r->l.list[i].end = LOGIN_END_UNKNOWN;
}

static void tell(struct records *r, struct obs *o)
{
	struct buf text = { 0 };

	end_ssh(r);
	if (!r->has_file && !r->l.n && !r->l.has_ssh) {
		obs_unknown(o, OBS_DEVICE, FIELD_LOGINS, 0, "the device keeps no login records");
		return;
	}
	if (!r->has_who && !r->has_last && !r->l.has_ssh) {
		obs_unknown(o, OBS_DEVICE, FIELD_LOGINS, 0, "neither who nor last is installed");
		return;
	}
	r->l.is_open_only = (!r->has_last || !r->has_wtmp) && !r->l.has_ssh;
	logins_print(&r->l, &text);
	obs_text(o, OBS_DEVICE, FIELD_LOGINS, buf_span(&text));
	buf_done(&text);
}

size_t logins_parse(const struct answer *a, struct obs *o)
{
	struct records r = { 0 };
	struct span rest = a->text, line;

	while (span_line(&rest, &line))
		read_line(&r, o, line);
	if (r.has_now)
		tell(&r, o);
	logins_done(&r.l);
	return o->n;
}
