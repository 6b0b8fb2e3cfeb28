#include "remote/platform/mask_forms.h"

#include <ctype.h>

void mask_hide(char *p, const char *end)
{
	for (; p < end; p++)
		if (!isspace((unsigned char)*p))
			*p = '*';
}

static bool is_among(char c, const char *others)
{
	return c != '\0' && strchr(others, c) != NULL;
}

/* How many of these bytes are letters, digits or others. */
static size_t run(struct span s, const char *others)
{
	size_t n = 0;

	while (n < s.n && (isalnum((unsigned char)s.p[n]) || is_among(s.p[n], others)))
		n++;
	return n;
}

static struct span from(struct span s, size_t at)
{
	return (struct span){ s.p + at, s.n - at };
}

/* -- what begins so -- */

/*
 * source	gitleaks config/gitleaks.toml; docs.github.com "GitHub's token formats"; docs.gitlab.com "Token overview"; api.slack.com
 *		"Token types"; AWS IAM "Unique identifier prefixes"; crypt(5), hashcat's example hashes; RFC 2307 (userPassword)
 */
static const struct start {
	const char *begin;
	size_t least;		/* so many bytes must follow */
	const char *others;	/* beside letters and digits */
	bool is_inside;		/* may stand inside a word */
} starts[] = {
	{ "$1$", 4, "./$", true }, { "$2$", 4, "./$", true }, { "$2a$", 4, "./$", true }, { "$2b$", 4, "./$", true },
	{ "$2x$", 4, "./$", true }, { "$2y$", 4, "./$", true }, { "$3$", 4, "./$", true }, { "$5$", 4, "./$=,", true },
	{ "$6$", 4, "./$=,", true }, { "$7$", 4, "./$", true }, { "$8$", 4, "./$", true }, { "$9$", 4, "./$-", true },
	{ "$14$", 4, "./$", true }, { "$y$", 4, "./$", true }, { "$gy$", 4, "./$", true }, { "$P$", 4, "./$", true },
	{ "$H$", 4, "./$", true }, { "$S$", 4, "./$", true }, { "$md5", 4, "./$=,", true }, { "$sha1$", 4, "./$", true },
	{ "$sm3$", 4, "./$", true }, { "$apr1$", 4, "./$", true }, { "$argon2", 8, "./$=,+", true }, { "$pbkdf2", 8, "./$=,+-", true },
	{ "$scrypt$", 8, "./$=,+", true }, { "$krb5", 8, "./$=,+*@-", true }, { "$sha512$", 4, "./$+=", true },
	{ "{SSHA", 8, "}./+=", true }, { "{SHA", 8, "}./+=-", true }, { "{SMD5}", 8, "./+=", true }, { "{MD5}", 8, "./+=", true },
	{ "{CRYPT}", 8, "./$=,", true }, { "{PBKDF2", 8, "}./$=,-", true }, { "{ARGON2", 8, "}./$=,+", true },
	{ "eyJ", 16, "-_.=+/", false },
	{ "AKIA", 12, "", false }, { "ASIA", 12, "", false }, { "AIza", 30, "-_", false },
	{ "ghp_", 16, "_", false }, { "gho_", 16, "_", false }, { "ghu_", 16, "_", false }, { "ghs_", 16, "_", false }, { "ghr_", 16, "_", false },
	{ "github_pat_", 16, "_", false }, { "glpat-", 12, "-_.", false }, { "glptt-", 12, "-_", false }, { "gldt-", 12, "-_", false },
	{ "glrt-", 12, "-_", false }, { "xox", 10, "-", false }, { "xapp-", 10, "-", false }, { "sk_live_", 8, "_", false },
	{ "sk_test_", 8, "_", false }, { "rk_live_", 8, "_", false }, { "sk-", 20, "-_", false }, { "hf_", 16, "", false },
	{ "npm_", 16, "", false }, { "pypi-", 16, "-_", false }, { "dop_v1_", 16, "", false }, { "hvs.", 16, "-_", false },
	{ "hvb.", 16, "-_", false }, { "SG.", 16, "-_.", false }, { "AGE-SECRET-KEY-1", 16, "", false }, { "whsec_", 16, "+/=", false },
	{ "DHHC-1:", 8, ":+/=", false }, { "NVMeTLSkey-1:", 8, ":+/=", false },
	{ "glsa_", 16, "_", false }, { "MII", 20, "+/=", false },	/* a key's or a certificate's text without its first line */
	{ "hooks.slack.com/services/", 8, "/_-", false }, { "webhook.office.com/webhookb2/", 8, "/_-@", false },
	{ "discord.com/api/webhooks/", 8, "/_-", false }, { "api.telegram.org/bot", 8, ":_-", false },
};
static unsigned char begins_form[256];

__attribute__((constructor)) static void learn_starts(void)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		begins_form[(unsigned char)*starts[i].begin] = 1;
	begins_form['B'] = begins_form['b'] = begins_form['-'] = begins_form[':'] = begins_form['n'] = 1;
}

/* How long the form is that begins here, or 0. */
static size_t form_length(struct span s, bool is_in_word)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		const struct start *k = &starts[i];
		size_t n = strlen(k->begin), tail;

		if ((is_in_word && !k->is_inside) || !span_starts(s, k->begin))
			continue;
		tail = run(from(s, n), k->others);
		if (tail >= k->least)
			return n + tail;
	}
	return 0;
}

/* -- what stands behind a sign -- */

static bool is_random_like(struct span s)
{
	bool has_digit = false, has_capital = false, has_small = false;

	for (size_t i = 0; i < s.n; i++) {
		has_digit = has_digit || isdigit((unsigned char)s.p[i]) || s.p[i] == '=';
		has_capital = has_capital || (i > 0 && isupper((unsigned char)s.p[i]));
		has_small = has_small || islower((unsigned char)s.p[i]);
	}
	return has_digit || (has_capital && has_small);
}

/* "Bearer abc…", "Basic dXNlcjpw": the length with the word, *keep of which stays. */
static size_t authorization_length(struct span s, size_t *keep)
{
	size_t n, word;

	if (span_starts_nocase(s, "bearer "))
		word = 7;
	else if (span_starts_nocase(s, "basic "))
		word = 6;
	else
		return 0;
	while (word < s.n && s.p[word] == ' ')
		word++;
	n = run(from(s, word), "+/=-_.~");
	*keep = word;
	return n >= 8 && is_random_like((struct span){ s.p + word, n }) ? word + n : 0;
}

#define ADDRESS_MAX	1024

/* "://user:password@host": the password. A password with "/" ends at the last "@" of its word. */
static size_t userinfo_length(struct span s, size_t *keep)
{
	size_t colon = 0, end = 3, at = 0;

	if (!span_starts(s, "://"))
		return 0;
	s.n = s.n < ADDRESS_MAX ? s.n : ADDRESS_MAX;
	for (; end < s.n && !isspace((unsigned char)s.p[end]) && !is_among(s.p[end], "\"'<>"); end++) {
		if (s.p[end] == '@')
			at = end;
		if (s.p[end] == ':' && !colon && !at)
			colon = end;
	}
	if (!at)
		return 0;
	if (colon && memchr(s.p + 3, '/', colon - 3))
		return 0;
	if (!colon && (at < 3 + 20 || memchr(s.p + 3, '/', at - 3)))	/* a name alone is no secret, but a token is */
		return 0;
	*keep = colon ? colon + 1 : 3;
	return at;
}

/* "netroot=iscsi:user:password:user:password@host:…" of dracut.cmdline(7) */
static size_t iscsi_length(struct span s, size_t *keep)
{
	const char *at = span_starts(s, "netroot=iscsi:") ? memchr(s.p, '@', s.n) : NULL;

	*keep = strlen("netroot=iscsi:");
	return at && !memchr(s.p, ' ', (size_t)(at - s.p)) ? (size_t)(at - s.p) : 0;
}

/* "-----BEGIN RSA PRIVATE KEY-----\nMII…" as one line of text, to its end. */
static size_t key_block_length(struct span s, size_t *keep)
{
	const char *end, *dashes;

	if (!span_starts(s, "-----BEGIN "))
		return 0;
	dashes = span_find((struct span){ s.p + 11, s.n - 11 < 80 ? s.n - 11 : 80 }, "-----");
	if (!dashes)
		return 0;
	*keep = (size_t)(dashes + 5 - s.p);
	if (!span_find((struct span){ s.p, *keep }, "PRIVATE KEY") && !span_find((struct span){ s.p, *keep }, "Static key"))
		return 0;
	end = span_find(from(s, *keep), "-----END");
	return end ? (size_t)(end - s.p) : s.n;
}

/* -- noise -- */

#define NOISE_LEAST	24	/* a token as short as this, where one piece of it is NOISE_PIECE long */
#define NOISE_LONG	40
#define NOISE_PIECE	16

/* Letters and digits whose kind changes again and again, as no name's does. Hex alone is an id, a hash or a GID, and stays. */
static bool is_mixed(struct span s)
{
	size_t turns = 0, capitals = 0, smalls = 0, digits = 0, dividers = 0;
	int last = -1;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		int kind = islower(c) ? 0 : isupper(c) ? 1 : isdigit(c) ? 2 : 3;

		smalls += kind == 0;
		capitals += kind == 1;
		digits += kind == 2;
		dividers += kind == 3;
		turns += kind != 3 && last >= 0 && kind != last;
		last = kind == 3 ? last : kind;
	}
	return capitals >= 3 && smalls >= 3 && digits >= 1 && dividers * 8 <= s.n && turns * 3 >= s.n;
}

/* "roceP2p1s0f1" and "100000baseLR2_ER2_FR2/Full" are names: their pieces are short. */
static bool is_noise(struct span s)
{
	size_t piece;

	if (s.n >= NOISE_LONG && is_mixed(s))
		return true;
	for (size_t i = 0; s.n >= NOISE_LEAST && i < s.n; i += piece + 1) {
		piece = run(from(s, i), "");
		if (piece >= NOISE_PIECE && is_mixed((struct span){ s.p + i, piece }))
			return true;
	}
	return false;
}

static void hide_noise(char *p, size_t n)
{
	for (size_t i = 0, length; i < n; i += length + 1) {
		struct span word;

		length = run((struct span){ p + i, n - i }, "+/=_-");
		word = (struct span){ p + i, length };
		if (is_noise(word))
			mask_hide(p + i, p + i + length);
	}
}

void mask_forms(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct span here = { p + i, n - i };
		bool is_in_word = i > 0 && (isalnum((unsigned char)p[i - 1]) || p[i - 1] == '_');
		size_t length, keep = 0;

		if (!begins_form[(unsigned char)p[i]] || (is_in_word && isalpha((unsigned char)p[i])))
			continue;
		length = form_length(here, is_in_word);
		if (!length && !is_in_word)
			length = authorization_length(here, &keep);
		if (!length)
			length = userinfo_length(here, &keep);
		if (!length)
			length = iscsi_length(here, &keep);
		if (!length)
			length = key_block_length(here, &keep);
		if (!length)
			continue;
		mask_hide(p + i + keep, p + i + length);
		i += length - 1;
	}
	hide_noise(p, n);
}
