#include "core/ssh_config/args.h"

#include <stdlib.h>
#include <strings.h>

#include "core/ssh_config/words.h"

enum flag_is {
	FLAG_SAYS,		/* an option of ssh_config by another name */
	FLAG_OPTION, FLAG_FILE, FLAG_KEY,
	FLAG_QUIET,		/* without effect on who is reached and how */
	FLAG_NOTED,
	FLAG_TROUBLE,		/* the session is no session any more, or another */
};

static const struct flag {
	char letter;
	bool has_value;
	enum flag_is is;
	const char *key, *value;	/* FLAG_SAYS: value NULL: the flag's own */
} flags[] = {
	{ 'o', true, FLAG_OPTION },
	{ 'F', true, FLAG_FILE },
	{ 'J', true, FLAG_SAYS, "ProxyJump" },
	{ 'i', true, FLAG_KEY },
	{ 'p', true, FLAG_SAYS, "Port" },
	{ 'l', true, FLAG_SAYS, "User" },
	{ 'b', true, FLAG_SAYS, "BindAddress" },
	{ 'B', true, FLAG_SAYS, "BindInterface" },
	{ 'c', true, FLAG_SAYS, "Ciphers" },
	{ 'm', true, FLAG_SAYS, "MACs" },
	{ 'I', true, FLAG_SAYS, "PKCS11Provider" },
	{ '4', false, FLAG_SAYS, "AddressFamily", "inet" },
	{ '6', false, FLAG_SAYS, "AddressFamily", "inet6" },
	{ 'K', false, FLAG_SAYS, "GSSAPIAuthentication", "yes" },
	{ 'C', false, FLAG_QUIET }, { 'q', false, FLAG_QUIET }, { 'v', false, FLAG_QUIET }, { 'T', false, FLAG_QUIET },
	{ 't', false, FLAG_QUIET }, { 'x', false, FLAG_QUIET }, { 'X', false, FLAG_QUIET }, { 'Y', false, FLAG_QUIET },
	{ 'a', false, FLAG_QUIET }, { 'A', false, FLAG_QUIET }, { 'k', false, FLAG_QUIET }, { '2', false, FLAG_QUIET },
	{ 'M', false, FLAG_QUIET }, { 'g', false, FLAG_QUIET }, { 'e', true, FLAG_QUIET },
	{ 'S', true, FLAG_NOTED }, { 'L', true, FLAG_NOTED }, { 'R', true, FLAG_NOTED }, { 'D', true, FLAG_NOTED },
	{ 'P', true, FLAG_NOTED }, { 'E', true, FLAG_NOTED }, { 'y', false, FLAG_NOTED },
	{ 'W', true, FLAG_TROUBLE }, { 'w', true, FLAG_TROUBLE }, { 'O', true, FLAG_TROUBLE }, { 'Q', true, FLAG_TROUBLE },
	{ 'G', false, FLAG_TROUBLE }, { 'N', false, FLAG_TROUBLE }, { 'f', false, FLAG_TROUBLE }, { 'n', false, FLAG_TROUBLE },
	{ 's', false, FLAG_TROUBLE }, { 'V', false, FLAG_TROUBLE }, { '1', false, FLAG_TROUBLE },
};

static const struct flag *flag_of(char letter)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (flags[i].letter == letter)
			return &flags[i];
	return NULL;
}

static const char *keep(struct ssh_config *c, char *text)
{
	const char *kept = arena_text(ssh_config_arena(c), text, strlen(text));

	free(text);
	return kept;
}

static void add_line(struct ssh_args *a, const struct ssh_line *line)
{
	*GROW(a->lines, a->n_lines, a->cap_lines) = line;
	a->n_lines++;
}

/* In quotes, as values with blanks are; what only needs the rest of the line takes it as it is. */
void ssh_args_say(struct ssh_args *a, struct ssh_config *c, const char *key, const char *value)
{
	bool is_rest = !strncmp(key, "Proxy", 5);
	struct buf text = { 0 };

	buf_printf(&text, is_rest ? "%s=" : "%s=\"", key);
	for (const char *at = value; *at; at++) {
		if (!is_rest && (*at == '"' || *at == '\\'))
			buf_str(&text, "\\");
		buf_add(&text, at, 1);
	}
	buf_str(&text, is_rest ? "" : "\"");
	add_line(a, ssh_config_argument(c, text.text));
	buf_done(&text);
}

static void trouble(struct ssh_args *a, struct ssh_config *c, const char *word, const char *why)
{
	if (!a->trouble)
		a->trouble = keep(c, xasprintf("the inventory's ssh arguments: %s: %s; correct them", word, why));
}

static void note(struct ssh_args *a, struct ssh_config *c, char letter, const char *value, const char *why)
{
	*GROW(a->notes.list, a->notes.n, a->notes.cap) =
		keep(c, xasprintf("the inventory's ssh arguments: -%c %s: %s", letter, value ? value : "", why));
	a->notes.n++;
}

/* Left out when it is not there, unlike -o IdentityFile. Only "~/" is looked at: nobody writes another there. */
static void take_key(struct ssh_args *a, struct ssh_config *c, const char *value)
{
	const struct ssh_source *from = ssh_config_source(c);
	bool is_home = !strncmp(value, "~/", 2) && from->home;
	char *path = is_home ? xasprintf("%s%s", from->home, value + 1) : xstrdup(value);

	if (from->has && !from->has(from->ctx, path))
		note(a, c, 'i', value, "it does not exist; ssh ignores that too");
	else
		ssh_args_say(a, c, "IdentityFile", path);
	free(path);
}

static void take(struct ssh_args *a, struct ssh_config *c, const struct flag *f, const char *value)
{
	bool is_proxy = f->letter == 'J' ||
			(f->is == FLAG_OPTION && (!strncasecmp(value, "ProxyJump", 9) || !strncasecmp(value, "ProxyCommand", 12)));

	if (f->letter == 'J' && a->has_proxy)
		return trouble(a, c, "-J", "conflicts with another -J, ProxyJump or ProxyCommand, which ssh refuses; use one, with commas");
	a->has_proxy |= is_proxy;
	switch (f->is) {
	case FLAG_SAYS:
		ssh_args_say(a, c, f->key, f->value ? f->value : value);
		return;
	case FLAG_OPTION:
		add_line(a, ssh_config_argument(c, value));
		return;
	case FLAG_FILE:
		a->file = value;	/* the last counts, as in ssh */
		return;
	case FLAG_KEY:
		take_key(a, c, value);
		return;
	case FLAG_NOTED:
		note(a, c, f->letter, value, "fabcon ignores it");
		return;
	default:
		return;
	}
}

/* A word of flags, "-4Cq" or "-p2222"; *i goes on to the value when that is the next word. */
static void read_word(struct ssh_args *a, struct ssh_config *c, const struct texts *words, size_t *i)
{
	const char *word = words->list[*i];

	for (const char *at = word + 1; *at; at++) {
		const struct flag *f = flag_of(*at);
		const char *value = NULL;

		if (!f || f->is == FLAG_TROUBLE) {
			trouble(a, c, word, f ? "this changes the kind of session" : "not an ssh option");
			return;
		}
		if (f->has_value) {
			value = at[1] ? at + 1 : *i + 1 < words->n ? words->list[++*i] : NULL;
			if (!value || !*value) {
				trouble(a, c, word, "its value is missing");
				return;
			}
		}
		take(a, c, f, value);
		if (value)
			return;
	}
}

void ssh_args_read(struct ssh_args *a, struct ssh_config *c, const char *text)
{
	size_t from = a->words.n;

	if (!text)
		return;
	if (!ssh_shell_split(ssh_config_arena(c), text, &a->words))
		trouble(a, c, text, "unclosed quotes");
	for (size_t i = from; i < a->words.n && !a->trouble; i++) {
		const char *word = a->words.list[i];

		if (*word != '-' || !word[1] || word[1] == '-')
			trouble(a, c, word, "not an option; ssh would read it as the host");
		else
			read_word(a, c, &a->words, &i);
	}
}

void ssh_args_done(struct ssh_args *a)
{
	free(a->lines);
	free(a->words.list);
	free(a->notes.list);
	*a = (struct ssh_args){ 0 };
}
