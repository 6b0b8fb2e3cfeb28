#include "remote/platform/mask_keys.h"

#include <ctype.h>

#define NAME_MAX_SEEN	96	/* of a longer name the end counts */
#define PARTS_MAX	16

/* A name in small letters, in the parts that "_", "-", "." and capitals make. */
struct name {
	char text[NAME_MAX_SEEN + 1];
	struct span part[PARTS_MAX];
	size_t n;
	char flat[NAME_MAX_SEEN + 1];	/* without what stands between its parts */
	size_t flat_n;
};

/* A part of a name that is a secret's. */
static const char is_secret[] = "pass passw pw pwd pswd passwd passcode psk cak ckn key token cred bearer cookie otp authkey sshkey "
	"privkey sharedkey passkey apikey accesskey secretkey sessionkey masterkey enckey wpakey wepkey radiuskey clientkey accountkey "
	"signingkey pskkey keystring pwhash authtok trap2sink trapsink informsink syscon bindpw rootpw "
	"jwt securitykey";
static const char is_field[] = "auth authorization pin sig signature identified x5c eap xauth";
static const char *const ends[] = { "password", "passwd", "passphrase", "passwort", "secret", "token", "pwd", "psk", "pswd" };
static const char *const holds[] = { "password", "passwd", "passphrase", "secret", "credential", "community", "pwhash", "privatekey",
	"presharedkey", "createuser", "keystring", "authpass", "privpass", "com2sec", "octetstring",
	"communities", "authstring", "authenticationmd5", "kennwort", "masterauth" };
static const char *const begins[] = { "tacacs", "tacplus", "radius", "snmpserver", "snmpuser", "snmpagent", "snmpcommunity", "usmuser" };
/* Ends with "pass", and is another word. */
static const char not_pass[] = "bypass compass encompass surpass trespass overpass underpass";
/* Before "key" or "keys": it is no secret. */
static const char public_key[] = "public pub lacp gre host hash rss sort foreign partition actor partner port oper last";
/* Behind "key": it is still the key. */
static const char of_key[] = "string octet hex hexadecimal data value material hash base64 b64 ascii text plain enc clear secret raw bin "
	"content contents passwd seed";
/* At a name's end: it tells about a secret, and is none. */
static const char about[] = "timeout length len size type count policy file path dir expiry ttl age attempts lifetime bucket mode retries "
	"days interval";
/* What is counted has a number that tells no secret. */
static const char counted[] = "pkts packets bytes octets drops dropped errors errs count counter counters hits misses frames events "
	"failures violations discards rx tx";
static const char tells[] = "true false yes no on off enable enabled disable disabled null none nil ~ auto unset absent present "
	"optional required n/a - never always static dynamic";
static const char plain_methods[] = "simple text plain plain-text plaintext simple-text simple-password clear cleartext clear-text "
	"simple-key string";

static void end_part(struct name *name, size_t from, size_t to)
{
	while (to > from && isdigit((unsigned char)name->text[to - 1]))
		to--;
	if (to > from && name->n < PARTS_MAX)
		name->part[name->n++] = (struct span){ name->text + from, to - from };
}

static void take_name(struct span s, struct name *name)
{
	size_t from = 0;

	if (s.n > NAME_MAX_SEEN)
		s = (struct span){ s.p + s.n - NAME_MAX_SEEN, NAME_MAX_SEEN };
	name->n = name->flat_n = 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool is_word = isalnum(c);

		name->text[i] = (char)tolower(c);
		if (!is_word || (isupper(c) && i > 0 && islower((unsigned char)s.p[i - 1]))) {
			end_part(name, from, i);
			from = is_word ? i : i + 1;
		}
		if (is_word)
			name->flat[name->flat_n++] = (char)tolower(c);
	}
	end_part(name, from, s.n);
}

static bool ends_with(struct span s, const char *tail)
{
	size_t n = strlen(tail);

	return s.n >= n && memcmp(s.p + s.n - n, tail, n) == 0;
}

static struct span singular(struct span s)
{
	return s.n > 3 && s.p[s.n - 1] == 's' && s.p[s.n - 2] != 's' ? (struct span){ s.p, s.n - 1 } : s;
}

static bool is_secret_part(struct span part)
{
	struct span one = singular(part);

	if (span_is_among(part, is_secret) || span_is_among(one, is_secret))
		return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (ends_with(one, ends[i]))
			return true;
	if (ends_with(part, "pass") && !span_is_among(part, not_pass))
		return true;
	return part.n >= 4 && ends_with(part, "pw");
}

static bool is_key_part(struct span part)
{
	return span_is(part, "key") || span_is(part, "keys");
}

/* "key" alone is a secret at a name's end, or before the kind of its text; not in "key_mgmt" and "public-key". */
static bool is_secret_key(const struct name *name, size_t i)
{
	if (i > 0 && span_is_among(name->part[i - 1], public_key))
		return false;
	return i + 1 == name->n || span_is_among(name->part[i + 1], of_key);
}

enum mask_key mask_key(struct span s)
{
	struct name name;
	struct span flat;

	take_name(s, &name);
	flat = (struct span){ name.flat, name.flat_n };
	name.flat[name.flat_n] = '\0';
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (span_starts(flat, begins[i]))
			return MASK_SECRET;
	if (name.n > 1 && span_is_among(name.part[name.n - 1], about))
		return MASK_PLAIN;
	for (size_t i = 0; i < sizeof(holds) / sizeof(*holds); i++)
		if (span_find(flat, holds[i]))
			return MASK_SECRET;
	if (span_is(flat, "md5"))	/* of a BGP or OSPF peer */
		return MASK_FIELD;
	for (size_t i = 0; i < name.n; i++)
		if (is_key_part(name.part[i]) ? is_secret_key(&name, i) : is_secret_part(name.part[i]))
			return MASK_SECRET;
	return name.n && span_is_among(name.part[name.n - 1], is_field) ? MASK_FIELD : MASK_PLAIN;
}

static bool is_number(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isdigit((unsigned char)s.p[i]))
			return false;
	return s.n > 0;
}

static bool is_counter(struct span name_text)
{
	struct name name;

	take_name(name_text, &name);
	for (size_t i = 0; i < name.n; i++)
		if (span_is_among(name.part[i], counted))
			return true;
	return false;
}

bool mask_is_among(struct span s, const char *words)
{
	char small[24];

	if (s.n == 0 || s.n >= sizeof(small))
		return false;
	for (size_t i = 0; i < s.n; i++)
		small[i] = (char)tolower((unsigned char)s.p[i]);
	return span_is_among((struct span){ small, s.n }, words);
}

bool mask_keeps(struct span name, struct span value)
{
	value = span_trim(value);
	if (value.n == 0)
		return true;
	return mask_is_among(value, tells) || (is_number(value) && is_counter(name));
}

bool mask_is_plain_method(struct span word)
{
	return mask_is_among(word, plain_methods);
}

/* -- the quick look -- */

/* Three letters of each name and form above; a digit is '0', anything else '-', and '?' is any letter but "m", as in "mpwqe". */
static const char *const marks[] = { "pas", "pwd", "psw", "?pw", "-pw", "psk", "sec", "mun", "key", "tok", "ede", "tac", "adi", "snm",
	"cak", "ckn", "red", "aut", "coo", "api", "teu", "psi", "p0s", "msi", "ysc", "bea", "otp", "sig", "pin", "tif", "x0c", "eap", "xau", "bas",
	"eyj", "aki", "asi", "sia", "ghp", "gho", "ghu", "ghs", "ghr", "glp", "glr", "gld", "glt", "hub", "xox", "xap", "aiz", "-hf", "npm",
	"-sk", "-rk", "hvs", "hvb", "beg", "ssh", "sha", "md0", "aes", "cry", "pyp", "dop", "-sg", "url", "ysq", "pmi", "lda", "pse", "-m-",
	"dhh", "gls", "ken", "rmo", "cad", "ngo", "nvm", "mbc",
	"gin", "bmc", "idr", "kin", "csi", "hoo", "tel", "rd-", "mii", "jwt", "smu", "lft", "lcm", "ssl", "zip", "0z-", "hdp", "s-j", "vat" };

#define MARKS	32768

#define CODE		31u	/* of what sort[] says: 1 … 26 letters, 27 a digit, 0 anything else */
#define CAPITAL		32u
#define BETWEEN		64u	/* may stand inside a key in base64 */
#define SIGN		128u	/* a form's own */
#define RUN		20	/* a token so long may be noise (mask_forms.c) */

static unsigned char marked[MARKS / 8];
static unsigned char sort[256];

static unsigned code_of(char c)
{
	return c == '-' ? 0 : c == '0' ? 27 : (unsigned)(c - 'a' + 1);
}

static void mark(unsigned a, unsigned b, unsigned c)
{
	unsigned at = a << 10 | b << 5 | c;

	marked[at / 8] = (unsigned char)(marked[at / 8] | 1u << at % 8);
}

__attribute__((constructor)) static void learn_marks(void)
{
	for (unsigned c = 'a'; c <= 'z'; c++) {
		sort[c] = (unsigned char)(c - 'a' + 1);
		sort[toupper((int)c)] = (unsigned char)(sort[c] | CAPITAL);
	}
	for (unsigned c = '0'; c <= '9'; c++)
		sort[c] = 27;
	for (const char *p = "+/=_-"; *p; p++)
		sort[(unsigned char)*p] = BETWEEN;
	sort['$'] = sort['@'] = SIGN;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const char *m = marks[i];

		for (unsigned a = 0; a <= 27; a++)
			if ((m[0] == '?' && a != code_of('m')) || a == code_of(m[0]))
				mark(a, code_of(m[1]), code_of(m[2]));
	}
}

static bool has_each_kind(const unsigned char *p, size_t n)
{
	bool small = false, capital = false, digit = false;

	for (size_t i = 0; i < n; i++) {
		unsigned code = sort[p[i]] & CODE;

		digit = digit || code == 27;
		capital = capital || sort[p[i]] & CAPITAL;
		small = small || (code && code < 27 && !(sort[p[i]] & CAPITAL));
	}
	return small && capital && digit;
}

bool mask_may_hold(struct span line)
{
	const unsigned char *p = (const unsigned char *)line.p;
	unsigned last = 0;
	size_t run = 0;

	for (size_t i = 0; i < line.n; i++) {
		unsigned kind = sort[p[i]];

		last = (last << 5 | (kind & CODE)) & (MARKS - 1);
		if ((marked[last >> 3] >> (last & 7) & 1u) || kind & SIGN)
			return true;
		run = kind ? run + 1 : 0;
		if (run >= RUN && (i + 1 == line.n || !sort[p[i + 1]]) && has_each_kind(p + i + 1 - run, run))
			return true;
	}
	return false;
}
