#include "core/ssh_config/ssh_config.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "core/ssh_config/internal.h"

#define DEPTH_MAX	16		/* Include within Include, as ssh has it */
#define LINES_MAX	200000		/* gone through for one host: files that include one another twice never end */
#define BYTES_MAX	(4u << 20)	/* of one file */
#define FILES_MAX	2000
#define ADDED_MAX	100		/* IdentityFile, CertificateFile */

struct ssh_config *ssh_config_new(const struct ssh_source *source)
{
	struct ssh_config *c = xcalloc(1, sizeof(*c));

	c->source = source;
	return c;
}

static void line_done(struct ssh_line *l)
{
	free(l->words.list);
	free(l->included);
}

void ssh_config_free(struct ssh_config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_files; i++) {
		for (size_t k = 0; k < c->files[i]->n_lines; k++)
			line_done(&c->files[i]->lines[k]);
		free(c->files[i]->lines);
		free(c->files[i]);
	}
	for (size_t i = 0; i < c->n_arguments; i++) {
		line_done(c->arguments[i]);
		free(c->arguments[i]);
	}
	free(c->files);
	free(c->arguments);
	arena_done(&c->arena);
	free(c);
}

struct arena *ssh_config_arena(struct ssh_config *c)
{
	return &c->arena;
}

const struct ssh_source *ssh_config_source(const struct ssh_config *c)
{
	return c->source;
}

const char *ssh_line_place(struct ssh_config *c, const struct ssh_line *line)
{
	const char *kept;
	char *place;

	if (!line || !line->file)
		return "the inventory";
	place = xasprintf("%s:%u", line->file->path, line->number);
	kept = arena_text(&c->arena, place, strlen(place));
	free(place);
	return kept;
}

const char *ssh_line_text(const struct ssh_line *line)
{
	return line->text;
}

const struct texts *ssh_line_words(const struct ssh_line *line)
{
	return &line->words;
}

bool ssh_line_is_system(const struct ssh_line *line)
{
	return line->file && !line->file->is_user;
}

bool ssh_said_is(const struct ssh_said *said, const char *word)
{
	return said->text && !strcasecmp(said->text, word);
}

bool ssh_pass_trouble(struct ssh_pass *p, const struct ssh_line *line, const char *format, ...)
{
	struct buf text = { 0 };
	char *words;
	va_list args;

	if (p->s->trouble)
		return false;
	va_start(args, format);
	if (vasprintf(&words, format, args) < 0)
		words = NULL;
	va_end(args);
	buf_printf(&text, "%s%s%s", line ? ssh_line_place(p->c, line) : "", line ? ": " : "", words ? words : "");
	p->s->trouble = arena_text(&p->c->arena, text.text, text.n);
	buf_done(&text);
	free(words);
	return false;
}

/* -- what a line holds -- */

static bool is_among(const char *word, const char *among)
{
	struct span rest = span_of(among), one;

	while (span_word(&rest, &one))
		if (span_is_nocase(one, word))
			return true;
	return false;
}

static bool is_port(const char *word)
{
	uint64_t n;

	return span_u64(span_of(word), &n) && n > 0 && n < 65536;
}

static bool is_number(const char *word)
{
	uint64_t n;

	return span_u64(span_of(word), &n) && n <= INT32_MAX;
}

/* ${NAME} must be set wherever the line stands, as ssh has it. */
static bool is_agent(struct ssh_config *c, const char *word)
{
	struct ssh_tokens t = { .env = c->source->env, .ctx = c->source->ctx };
	struct buf plain = { 0 };
	struct err why;
	bool ok;

	if (*word == '$' && word[1] != '{')
		return word[1] && word[strspn(word, "$_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
	for (const char *at = word; *at; at++)	/* % is none of its business yet */
		buf_add(&plain, *at == '%' ? "%%" : at, *at == '%' ? 2 : 1);
	ok = !t.env || !plain.n || ssh_expand(&c->arena, plain.text, &t, &why);
	buf_done(&plain);
	return ok;
}

static bool word_ok(struct ssh_config *c, const struct ssh_key *key, const char *word)
{
	switch (key->kind) {
	case KIND_AMONG:
		return is_among(word, key->among);
	case KIND_PORT:
		return is_port(word);
	case KIND_NUMBER:
		return is_number(word);
	case KIND_TIME:
		return !strcmp(word, "none") || ssh_time_ok(word);
	case KIND_AGENT:
		return is_agent(c, word);
	default:
		return true;
	}
}

static const char *wrong_files(const struct texts *words)
{
	for (size_t i = 0; i < words->n; i++) {
		if (!*words->list[i])
			return "an empty argument";
		if (!strcasecmp(words->list[i], "none") && words->n > 1)
			return "\"none\" must appear alone";
	}
	return NULL;
}

/* Each hop of "a,b,c", whether or not the line counts. What ssh makes of blanks and comments depends on its version. */
static const char *wrong_jump(struct ssh_config *c, const char *rest)
{
	struct span list, one;
	struct ssh_hop hop;

	list = span_of(rest += strspn(rest, " \t\r\n="));
	if (strpbrk(rest, " \t#"))
		return "jump hosts must not contain blanks; put comments on their own line";

	if (!strcasecmp(rest, "none"))
		return NULL;
	do {
		one = list;
		if (!span_cut(list, ',', &one, &list))
			list.n = 0, list.p = NULL;
		if (!ssh_read_hop(&c->arena, one, &hop))
			return "not a list of jump hosts: [user@]host[:port],… with the port as a number";
	} while (list.p);
	return NULL;
}

static const char *wrong_line(struct ssh_config *c, const struct ssh_line *l)
{
	const struct ssh_key *key = l->key;

	if (!key)
		return NULL;	/* settled where IgnoreUnknown is known */
	switch (key->kind) {
	case KIND_IGNORED: case KIND_MANY: case KIND_COMMAND: case KIND_MATCH:
		return NULL;
	case KIND_JUMP:
		return wrong_jump(c, l->rest);
	case KIND_HOST: case KIND_INCLUDE: case KIND_FILES:
		return key->kind == KIND_FILES ? wrong_files(&l->words) : NULL;
	default:
		break;
	}
	if (!l->words.n || !*l->words.list[0])
		return "its argument is missing";
	if (!word_ok(c, key, l->words.list[0]))
		return "invalid value";
	return l->words.n > 1 ? "extra arguments at the end of the line" : NULL;
}

/* False: nothing is on the line. text is written over. */
static bool read_line(struct ssh_config *c, char *text, struct ssh_line *l)
{
	char *rest = text, *word;
	size_t n = strlen(text);

	while (n > 0 && strchr(" \t\r\n\f", text[n - 1]))
		text[--n] = '\0';
	l->text = arena_text(&c->arena, text + strspn(text, " \t"), strlen(text + strspn(text, " \t")));
	word = ssh_word(&rest);
	if (word && !*word)
		word = ssh_word(&rest);
	if (!word || !*word || *word == '#')
		return false;
	for (char *at = word; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	l->keyword = arena_text(&c->arena, word, strlen(word));
	l->key = ssh_key_of(word);
	if (rest)
		rest += strspn(rest, " \t\r\n");
	l->rest = rest ? arena_text(&c->arena, rest, strlen(rest)) : "";
	if (!*l->rest)
		l->wrong = "its argument is missing";
	else if (!ssh_split(&c->arena, l->rest, &l->words))
		l->wrong = "unclosed quotes";
	else
		l->wrong = wrong_line(c, l);
	if (l->key && (l->key->kind == KIND_COMMAND || l->key->kind == KIND_JUMP))
		l->rest += strspn(l->rest, " \t\r\n=");
	return true;
}

const struct ssh_line *ssh_config_argument(struct ssh_config *c, const char *text)
{
	struct ssh_line *l = xcalloc(1, sizeof(*l));
	char *copy = xstrdup(text);

	if (!read_line(c, copy, l))
		l->wrong = "an ssh_config option is required";
	else if (!l->key)
		l->wrong = "not an ssh option_config";
	else if (l->key->kind == KIND_HOST || l->key->kind == KIND_MATCH || l->key->kind == KIND_INCLUDE)
		l->wrong = "Host, Match and Include are not allowed with -o";
	free(copy);
	*GROW(c->arguments, c->n_arguments, c->cap_arguments) = l;
	c->n_arguments++;
	return l;
}

/* -- files -- */

static void read_lines(struct ssh_config *c, struct ssh_file *f, struct span text)
{
	struct span line;

	for (unsigned number = 1; text.n; number++) {
		struct ssh_line l = { .file = f, .number = number };
		const char *end = memchr(text.p, '\n', text.n);
		char *copy;

		line = (struct span){ text.p, end ? (size_t)(end - text.p) : text.n };
		text = (struct span){ text.p + line.n + (end != NULL), text.n - line.n - (end != NULL) };
		copy = xstrndup(line.p, strnlen(line.p, line.n));
		if (read_line(c, copy, &l)) {
			*GROW(f->lines, f->n_lines, f->cap_lines) = l;
			f->n_lines++;
		}
		free(copy);
	}
}

static void read_file(struct ssh_config *c, struct ssh_file *f)
{
	struct buf text = { 0 };
	struct err why = { "" };

	f->is = c->source->read ? c->source->read(c->source->ctx, f->path, f->is_checked, &text, &why) : SSH_FILE_NONE;
	if (text.n > BYTES_MAX) {
		f->is = SSH_FILE_REFUSED;
		err_set(&why, "%s: more than 4 MiB", f->path);
	}
	f->why = arena_text(&c->arena, why.text, strlen(why.text));
	if (f->is == SSH_FILE_READ)
		read_lines(c, f, buf_span(&text));
	buf_done(&text);
}

/* Read once. NULL: there are too many. */
static struct ssh_file *file_of(struct ssh_config *c, struct span path, bool is_user, bool is_checked)
{
	struct ssh_file *f;

	for (size_t i = 0; i < c->n_files; i++) {
		f = c->files[i];
		if (span_is(path, f->path) && f->is_user == is_user && f->is_checked == is_checked)
			return f;
	}
	if (c->n_files >= FILES_MAX)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	*f = (struct ssh_file){ .path = arena_text(&c->arena, path.p, path.n), .is_user = is_user, .is_checked = is_checked };
	*GROW(c->files, c->n_files, c->cap_files) = f;
	c->n_files++;
	read_file(c, f);
	return f;
}

static bool list_pattern(struct ssh_pass *p, struct ssh_line *l, const char *pattern)
{
	struct buf paths = { 0 };
	struct span rest, path;
	char *full = *pattern == '/' || *pattern == '~' ? xstrdup(pattern) :
		     xasprintf("%s/%s", l->file->is_user ? "~/.ssh" : "/etc/ssh", pattern);
	bool ok = !p->c->source->list || p->c->source->list(p->c->source->ctx, full, &paths) ||
		  ssh_pass_trouble(p, l, "Include %s cannot be read; correct it", full);

	rest = buf_span(&paths);
	while (ok && span_line(&rest, &path)) {
		struct ssh_file *f = file_of(p->c, path, l->file->is_user, true);

		if (!f) {
			ok = ssh_pass_trouble(p, l, "more than %u files", FILES_MAX);
			break;
		}
		*GROW(l->included, l->n_included, l->cap_included) = f;
		l->n_included++;
	}
	buf_done(&paths);
	free(full);
	return ok;
}

/* When it is first come to, so that files that include themselves end. */
static bool list_included(struct ssh_pass *p, struct ssh_line *l)
{
	if (l->is_listed)
		return true;
	for (size_t i = 0; i < l->words.n; i++) {
		const char *pattern = l->words.list[i];

		if (!*pattern)
			return ssh_pass_trouble(p, l, "Include: an empty argument; correct it");
		if (*pattern == '~' && !l->file->is_user)
			return ssh_pass_trouble(p, l, "Include %s: the system's file cannot include a user's file; correct it", pattern);
		if (!list_pattern(p, l, pattern))
			return false;
	}
	l->is_listed = true;
	return true;
}

/* -- going through them -- */

static void say(struct ssh_settings *s, enum ssh_option option, const struct ssh_line *l, const char *text)
{
	if (option != SSH_NONE && !s->said[option].text)
		s->said[option] = (struct ssh_said){ l, text };
}

/* The same file again is no second one, unless one is the system's and the other the user's. */
static bool is_there(const struct ssh_said *list, size_t n, const struct ssh_line *l)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].text, l->words.list[0]) && ssh_line_is_system(list[i].line) == ssh_line_is_system(l))
			return true;
	return false;
}

static bool add(struct ssh_pass *p, const struct ssh_line *l)
{
	struct ssh_settings *s = p->s;
	bool is_key = l->key->option == SSH_IDENTITY;
	struct ssh_said said = { l, l->words.list[0] };

	if ((is_key ? s->n_identities : s->n_certificates) >= ADDED_MAX)
		return ssh_pass_trouble(p, l, "more than %u %s lines", ADDED_MAX, is_key ? "IdentityFile" : "CertificateFile");
	if (is_key && !is_there(s->identities, s->n_identities, l)) {
		*GROW(s->identities, s->n_identities, s->cap_identities) = said;
		s->n_identities++;
	} else if (!is_key && !is_there(s->certificates, s->n_certificates, l)) {
		*GROW(s->certificates, s->n_certificates, s->cap_certificates) = said;
		s->n_certificates++;
	}
	return true;
}

/*
 * Whichever of ProxyJump and ProxyCommand is first counts. Of a ProxyCommand after "ProxyJump none" that is so in upstream's
 * ssh, and not in Debian's 1:9.2p1-2+deb12u10.
 */
static bool say_proxy(struct ssh_pass *p, const struct ssh_line *l)
{
	const struct ssh_said *jump = &p->s->said[SSH_PROXY_JUMP], *command = &p->s->said[SSH_PROXY_COMMAND];

	if (ssh_said_is(jump, "none") && l->key->option == SSH_PROXY_COMMAND && strcasecmp(l->rest, "none") != 0)
		return ssh_pass_trouble(p, l, "%s: after \"ProxyJump none\" ssh versions differ in following this; correct it: "
					      "write \"ProxyCommand none\" there", l->text);
	if (!jump->text && !command->text)
		say(p->s, l->key->option, l, l->rest);
	return true;
}

/* A value, where the block counts. */
static bool take_value(struct ssh_pass *p, const struct ssh_line *l)
{
	enum ssh_option option = l->key->option;

	switch (l->key->kind) {
	case KIND_ADDED:
		return add(p, l);
	case KIND_COMMAND: case KIND_JUMP:
		if (option == SSH_PROXY_COMMAND || option == SSH_PROXY_JUMP)
			return say_proxy(p, l);
		say(p->s, option, l, l->rest);
		return true;
	case KIND_IGNORED:
		return true;
	default:
		if (l->words.n)
			say(p->s, option, l, l->words.list[0]);
		return true;
	}
}

static bool host_line(struct ssh_pass *p, const struct ssh_line *l, bool is_never, bool *active)
{
	*active = false;
	for (size_t i = 0; i < l->words.n; i++) {
		const char *pattern = l->words.list[i];
		bool is_negated = *pattern == '!';

		if (!*pattern)
			return ssh_pass_trouble(p, l, "Host: an empty argument; correct it");
		if (is_never)
			return true;
		if (!ssh_match(p->host, pattern + is_negated))
			continue;
		*active = !is_negated;
		if (is_negated)
			return true;
	}
	return true;
}

static bool wrong(struct ssh_pass *p, const struct ssh_line *l)
{
	const char *ignored = p->s->said[SSH_IGNORE_UNKNOWN].text;

	if (l->wrong)
		return ssh_pass_trouble(p, l, "%s: %s; no host can be reached with an invalid file: correct it", l->text, l->wrong);
	if (l->key || (ignored && ssh_match_list(l->keyword, ignored, true)))
		return true;
	return ssh_pass_trouble(p, l, "Bad configuration option: %s (OpenSSH 9.2 refuses the file); correct it, or write "
			       "\"IgnoreUnknown %s\" before it", l->keyword, l->keyword);
}

static bool take_file(struct ssh_pass *p, const struct ssh_file *f, bool *active, bool is_never, unsigned depth);

static bool include(struct ssh_pass *p, struct ssh_line *l, bool *active, unsigned depth)
{
	bool was_active = *active;

	if (!list_included(p, l))
		return false;
	for (size_t i = 0; i < l->n_included; i++) {
		const struct ssh_file *f = l->included[i];

		if (f->is == SSH_FILE_NONE)
			return ssh_pass_trouble(p, l, "Include %s: cannot be opened; correct it", f->path);
		if (!take_file(p, f, active, !was_active, depth + 1))
			return false;
		*active = was_active;	/* its blocks are its own */
	}
	return true;
}

static bool take_line(struct ssh_pass *p, struct ssh_line *l, bool *active, bool is_never, unsigned depth)
{
	if (!wrong(p, l))
		return false;
	if (!l->key)
		return true;
	switch (l->key->kind) {
	case KIND_HOST:
		return host_line(p, l, is_never, active);
	case KIND_MATCH:
		return ssh_match_line(p, l, is_never, active);
	case KIND_INCLUDE:
		return include(p, l, active, depth);
	default:
		return !*active || take_value(p, l);
	}
}

static bool take_file(struct ssh_pass *p, const struct ssh_file *f, bool *active, bool is_never, unsigned depth)
{
	if (depth > DEPTH_MAX)
		return ssh_pass_trouble(p, NULL, "%s: Include lines nested more than %u deep; correct them", f->path, DEPTH_MAX);
	if (f->is == SSH_FILE_REFUSED)
		return ssh_pass_trouble(p, NULL, "%s", f->why);
	for (size_t i = 0; i < f->n_lines; i++) {
		if (!p->lines_left--)
			return ssh_pass_trouble(p, NULL, "%s: more than %u lines for one host", f->path, LINES_MAX);
		if (!take_line(p, &f->lines[i], active, is_never, depth))
			return false;
	}
	return true;
}

static bool take_top(struct ssh_pass *p, const char *path, bool is_user, bool is_checked, bool is_named)
{
	const struct ssh_file *f = path ? file_of(p->c, span_of(path), is_user, is_checked) : NULL;
	bool active = true;

	if (f && f->is == SSH_FILE_NONE && is_named)
		return ssh_pass_trouble(p, NULL, "%s, named by -F, cannot be opened; correct it", path);
	return !f || f->is == SSH_FILE_NONE || take_file(p, f, &active, false, 0);
}

static bool take_files(struct ssh_pass *p, const char *file)
{
	const struct ssh_source *from = p->c->source;

	p->lines_left = LINES_MAX;
	if (file)
		return !strcasecmp(file, "none") || take_top(p, file, true, false, true);
	return take_top(p, from->user_file, true, true, false) && take_top(p, from->system_file, false, false, false);
}

/* -- the host's name -- */

static bool set_host(struct ssh_pass *p)
{
	const struct ssh_said *name = &p->s->said[SSH_HOSTNAME];
	struct err why = { "" };
	const char *host = name->text ? ssh_expand_host(p->c, name->text, p->s->original, &why) : p->s->original;

	if (!host)
		return ssh_pass_trouble(p, name->line, "HostName %s: %s; correct it", name->text, why.text);
	p->s->host = ssh_usual_form(&p->c->arena, host);
	return true;
}

static size_t count_dots(const char *host)
{
	size_t n = 0;

	for (; *host; host++)
		n += *host == '.';
	return n;
}

/* Whether ssh would ask the DNS for another name. Without domains to try, and for names with dots enough, it does not. */
static bool asks_dns(const struct ssh_settings *s)
{
	const struct ssh_said *dots = &s->said[SSH_MAX_DOTS], *domains = &s->said[SSH_DOMAINS], *cnames = &s->said[SSH_CNAMES];
	bool is_always = ssh_said_is(&s->said[SSH_CANONICALIZE], "always");
	bool is_direct = (!s->said[SSH_PROXY_COMMAND].text || ssh_said_is(&s->said[SSH_PROXY_COMMAND], "none")) &&
			 !s->said[SSH_PROXY_JUMP].text;
	bool has_cnames = cnames->text && !ssh_said_is(cnames, "none");

	if (!s->said[SSH_CANONICALIZE].text || ssh_said_is(&s->said[SSH_CANONICALIZE], "no") ||
	    ssh_said_is(&s->said[SSH_CANONICALIZE], "false"))
		return false;
	if (ssh_is_address(s->host) || (!is_direct && !is_always))
		return false;
	if (has_cnames)
		return true;
	if (*s->host && s->host[strlen(s->host) - 1] == '.')
		return true;
	if (count_dots(s->host) > (size_t)(dots->text ? atoi(dots->text) : 1))
		return false;
	return ssh_said_is(&s->said[SSH_FALLBACK], "no") || ssh_said_is(&s->said[SSH_FALLBACK], "false") ||
	       (domains->text && !ssh_said_is(domains, "none"));
}

static bool canonicalize(struct ssh_pass *p)
{
	const struct ssh_said *said = &p->s->said[SSH_CANONICALIZE];

	if (asks_dns(p->s))
		return ssh_pass_trouble(p, said->line, "%s: fabcon does not resolve canonical host names; " SSH_REMEDY,
				       ssh_line_text(said->line));
	p->wants_final |= said->text && !ssh_said_is(said, "no") && !ssh_said_is(said, "false");
	return true;
}

static bool second_pass(struct ssh_pass *p, const char *file)
{
	if (!p->wants_final)
		return true;
	p->is_final = true;
	p->host = p->s->host;
	say(p->s, SSH_HOSTNAME, NULL, p->s->host);
	return take_files(p, file);
}

void ssh_config_ask(struct ssh_config *c, const char *file, const struct ssh_line *const *arguments, size_t n_arguments,
		    const char *destination, struct ssh_settings *out)
{
	struct ssh_pass p = { .c = c, .s = out, .host = destination };
	bool ok = true;

	*out = (struct ssh_settings){ .original = destination, .host = destination };
	for (size_t i = 0; ok && i < n_arguments; i++) {
		const struct ssh_line *l = arguments[i];

		ok = l->wrong ? ssh_pass_trouble(&p, NULL, "the inventory's ssh arguments: %s: %s; correct them", l->text, l->wrong) : take_value(&p, l);
	}
	if (ok && take_files(&p, file) && set_host(&p) && canonicalize(&p))
		second_pass(&p, file);
}

void ssh_settings_done(struct ssh_settings *s)
{
	free(s->identities);
	free(s->certificates);
	*s = (struct ssh_settings){ 0 };
}

const char *ssh_config_try(struct ssh_config *c, struct buf *files)
{
	struct ssh_settings s;
	const char *trouble;

	ssh_config_ask(c, NULL, NULL, 0, "fabcon.invalid", &s);
	trouble = s.is_exec ? NULL : s.trouble;
	ssh_settings_done(&s);
	for (size_t i = 0; i < c->n_files; i++)
		if (c->files[i]->is == SSH_FILE_READ)
			buf_printf(files, "%s%s", files->n ? ", " : "", c->files[i]->path);
	return trouble;
}
