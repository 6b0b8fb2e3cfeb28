#include "remote/platform/mask_tools.h"

#include <ctype.h>
#include <strings.h>

#include "remote/platform/mask_forms.h"
#include "remote/platform/mask_keys.h"

/*
 * source	curl(1), sshpass(1), mysql(1), snmpcmd(1), ipmitool(1), ldapsearch(1), smbclient(1), usermod(8), lftp(1), net(8), openssl-enc(1),
 *		zip(1), hdparm(8); iperf3 and rsync have none
 */
static const struct tool {
	const char *name, *options;
	bool is_glued;		/* the value may stand right behind the option: -pVALUE */
} tools[] = {
	{ "curl", "-u --user -U --proxy-user", true }, { "sshpass", "-p", true }, { "mysql", "-p", true },
	{ "snmp", "-c -A -X -a-", false }, { "ipmitool", "-P", true }, { "ldap", "-w", true }, { "smbclient", "-U", true },
	{ "redis-cli", "-a", false }, { "docker", "-p", false }, { "trapsess", "-c", false }, { "racadm", "-p", false },
	{ "usermod", "-p", false }, { "mongo", "-p", true }, { "nvme", "-S", false },
	{ "lftp", "-u", false }, { "net ads", "-U", false }, { "sqlcmd", "-P", true }, { "openssl", "-k -K -pass -passin -passout", false },
	{ "zip", "-P", true }, { "7z", "-p", true }, { "hdparm", "--security-unlock --security-set-pass --security-erase", false },
};

static struct span rest_of(const char *p, size_t n, const char *from)
{
	return (struct span){ from, (size_t)(p + n - from) };
}

/* "user:password", "user%password", "user,password": the password; a word alone: all of it. */
static void hide_word(char *p, struct span word)
{
	const char *from = word.p;

	for (const char *c = ":%,"; *c && from == word.p; c++) {
		const char *at = memchr(word.p, *c, word.n);

		from = at ? at + 1 : from;
	}
	mask_hide(p + (from - p), word.p + word.n);
}

static void hide_options(char *p, size_t n, const struct tool *t, const char *at)
{
	struct span rest = rest_of(p, n, at), word;
	bool is_value = false;

	while (span_word(&rest, &word)) {
		struct span name = word, value;
		bool is_option = span_is_among(word, t->options);

		if (!is_value && *word.p == '-' && span_cut(word, '=', &name, &value) && span_is_among(name, t->options))
			hide_word(p, value);
		else if (is_value)
			hide_word(p, word);
		else if (t->is_glued && !is_option && word.n > 2 && span_is_among((struct span){ word.p, 2 }, t->options))
			mask_hide(p + (word.p + 2 - p), word.p + word.n);
		is_value = !is_value && is_option;
	}
}

/* -- words of people -- */

static bool holds_nocase(struct span s, const char *text)
{
	for (; s.n; s.p++, s.n--)
		if (span_starts_nocase(s, text))
			return true;
	return false;
}

/* "login admin/secret", "BMC: admin / secret", "echo admin:secret | chpasswd": behind a user's name that everybody knows. */
static void hide_pairs(char *p, size_t n)
{
	static const char *const about[] = { "login", "log in", "bmc", "ipmi", "idrac", "credential", "chpasswd", " -u " };
	static const char users[] = "admin root administrator ubuntu cumulus sonic dell bmc adm userid sysadmin linuxadmin";
	bool is_about = false;

	for (size_t i = 0; !is_about && i < sizeof(about) / sizeof(*about); i++)
		is_about = holds_nocase((struct span){ p, n }, about[i]);
	for (size_t i = 0, end; is_about && i < n; i = end + 1) {
		size_t from;

		for (end = i; end < n && isalnum((unsigned char)p[end]);)
			end++;
		if (!mask_is_among((struct span){ p + i, end - i }, users))
			continue;
		for (from = end; from < n && p[from] == ' ';)
			from++;
		if (from + 1 >= n || (p[from] != '/' && p[from] != ':'))
			continue;
		if (p[from] == ':' && (from > end || p[from + 1] == ' '))	/* "user admin : 3 failures" */
			continue;
		for (from++; from < n && p[from] == ' ';)
			from++;
		for (end = from; end < n && !isspace((unsigned char)p[end]) && !strchr("\"',|", p[end]);)
			end++;
		if (!mask_is_among((struct span){ p + from, end - from }, "oper up down"))
			mask_hide(p + from, p + end);
	}
}

/* "echo secret | passwd --stdin": what is written to a program that reads a secret. */
static void hide_piped(char *p, size_t n)
{
	static const char readers[] = "chpasswd passwd kinit cryptsetup smbpasswd htpasswd openssl sudo";
	struct span line = { p, n }, rest, word;
	const char *echo = span_find(line, "echo "), *pipe;

	echo = echo ? echo : span_find(line, "printf ");
	if (!echo)
		return;
	rest = rest_of(p, n, echo);
	span_word(&rest, &word);
	pipe = span_find(rest, "|");
	if (!pipe)
		return;
	line = rest_of(p, n, pipe + 1);
	if (span_word(&line, &word) && span_is_among(word, readers))
		mask_hide(p + (rest.p - p), pipe);
}

/* -- files of keys -- */

static bool is_digits(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isdigit((unsigned char)s.p[i]))
			return false;
	return s.n > 0;
}

/* "10 SHA256 HEX:0123…" of chrony.keys, "1 M secret" of ntp.keys. */
static void hide_numbered_key(char *p, size_t n)
{
	static const char kinds[] = "M MD5 SHA SHA1 SHA224 SHA256 SHA384 SHA512 AES128 AES256 AES128CMAC AES-128-CMAC RMD160 TIGER";
	struct span rest = { p, n }, word, kind, key;

	if (!span_word(&rest, &word) || !is_digits(word) || word.n > 10 || !span_word(&rest, &kind) || !span_word(&rest, &key))
		return;
	if (span_is(kind, "M") && span_word(&rest, &word) && *word.p != '#')	/* a number of metres or megabits, more likely */
		return;
	if (span_is_among(kind, kinds) && key.n >= 4 && !is_digits(key))
		mask_hide(p + (key.p - p), p + n);
}

/* "root:aBcDeFgHiJkLm:19000:0:99999:7:::" with a hash of thirteen bytes. */
static void hide_shadow(char *p, size_t n)
{
	struct span line = { p, n }, user, rest, hash, day;

	if (!span_cut(line, ':', &user, &rest) || !span_cut(rest, ':', &hash, &rest) || !span_cut(rest, ':', &day, &rest))
		return;
	if (hash.n == 13 && user.n && is_digits(day) && day.n <= 6 && !memchr(hash.p, ' ', hash.n))
		mask_hide(p + (hash.p - p), hash.p + hash.n);
}

/* 'alice : EAP "…"' of ipsec.secrets */
static void hide_ipsec(char *p, size_t n)
{
	static const char *const kinds[] = { ": EAP ", ": XAUTH ", ": NTLM ", ": RSA ", ": ECDSA ", ": P12 ", ": PIN " };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const char *at = span_find((struct span){ p, n }, kinds[i]);

		if (at)
			mask_hide(p + (at - p) + strlen(kinds[i]), p + n);
	}
}

void mask_tools(char *p, size_t n)
{
	bool has_option = span_find((struct span){ p, n }, " -");

	for (size_t i = 0; has_option && i < sizeof(tools) / sizeof(*tools); i++) {
		const char *at = span_find((struct span){ p, n }, tools[i].name);

		if (at)
			hide_options(p, n, &tools[i], at);
	}
	hide_pairs(p, n);
	hide_piped(p, n);
	hide_numbered_key(p, n);
	hide_shadow(p, n);
	hide_ipsec(p, n);
}

/* -- methods -- */

#define METHOD_WORDS	6	/* behind "authentication", up to its method */

/* "sha", "hmac(sha256)", "aes-128" */
static bool is_algorithm(struct span word)
{
	static const char *const begins[] = { "md5", "sha", "des", "3des", "aes", "hmac", "cbc(", "rfc", "'hmac", "'cbc", "'rfc", "gcm",
		"xcbc", "cmac" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (span_starts_nocase(word, begins[i]))
			return true;
	return false;
}

/* The protocols whose "authentication" is followed by the secret itself. */
static bool is_of_redundancy(const char *p, size_t n)
{
	struct span rest = { p, n }, word;

	for (unsigned i = 0; i < 2 && span_word(&rest, &word); i++)
		if (mask_is_among(word, "standby vrrp hsrp glbp nhrp"))
			return true;
	return false;
}

/* "authentication", "area-authentication-mode", "auth-type" */
static bool is_authentication(struct span word)
{
	static const char *const ends[] = { "authentication", "auth" };
	static const char *const kinds[] = { "-mode", "-type" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (word.n > strlen(kinds[i]) && span_is_nocase((struct span){ word.p + word.n - 5, 5 }, kinds[i]))
			word.n -= strlen(kinds[i]);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t n = strlen(ends[i]);

		if (word.n >= n && span_is_nocase((struct span){ word.p + word.n - n, n }, ends[i]))
			return true;
	}
	return false;
}

/* Where the secret begins behind the method, or NULL: "mode hmac-sha-256 0 …", "ipsec spi 256 sha1 …", "text, string …". */
static const char *behind_method(struct span rest, unsigned words)
{
	struct span word, after;

	while (words-- && span_word(&rest, &word)) {
		while (word.n && (word.p[word.n - 1] == ',' || word.p[word.n - 1] == ':'))
			word.n--;
		if (is_algorithm(word) || mask_is_plain_method(word))
			return span_word(&rest, &after) ? after.p : NULL;
	}
	return NULL;
}

/* "ipv6 ospf encryption ipsec spi 256 esp aes-cbc 128 KEY sha1 KEY" */
static bool is_of_ipsec(const char *p, size_t n)
{
	return span_find((struct span){ p, n }, " ipsec spi ");
}

bool mask_behind_method(char *p, size_t n, struct span word)
{
	struct span rest = rest_of(p, n, word.p + word.n), first;
	bool is_auth = is_authentication(word);
	const char *from;

	if (!is_auth && !mask_is_among(word, "priv privacy privacy-mode enc encryption encrypt auth-trunc aead"))
		return false;
	from = behind_method(rest, is_auth || is_of_ipsec(p, n) ? METHOD_WORDS : 1);
	if (!from && is_auth && is_of_redundancy(p, n) && span_word(&rest, &first))
		from = first.p;
	if (from)
		mask_hide(p + (from - p), p + n);
	return from;
}
