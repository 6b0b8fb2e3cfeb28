/*
 * What the files of ssh_config say of one destination, read as OpenSSH 9.2 reads them (ssh_config(5), readconf.c): the first
 * value wins, Host and Match blocks, Include, a second pass for "Match final". Does no I/O: files, programs and the
 * environment come in through struct ssh_source.
 */
#ifndef CORE_SSH_CONFIG_SSH_CONFIG_H
#define CORE_SSH_CONFIG_SSH_CONFIG_H

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/texts.h"

/* What helps where only ssh itself can follow its configuration. */
#define SSH_REMEDY	"fabcon --transport openssh, or fabcon_transport: openssh in the inventory, has the site's own ssh connect"

/* How a program of "Match exec" ended. */
enum ssh_ran { SSH_RAN_YES, SSH_RAN_NO, SSH_RAN_FAILED, SSH_RAN_NOT_ALLOWED };

enum ssh_file_is { SSH_FILE_READ, SSH_FILE_NONE, SSH_FILE_REFUSED };

/* Where the words come from. Every function is optional: without it there are no such files, programs, variables. */
struct ssh_source {
	void *ctx;
	const char *user;		/* login name of the person, and of this machine's user */
	const char *home;		/* by the password file, as ssh has it, not by $HOME */
	const char *machine;		/* gethostname() */
	unsigned long uid;
	const char *user_file, *system_file;	/* "/home/u/.ssh/config"; NULL: none */
	bool is_openssh;		/* every host by the site's own ssh (--transport openssh) */

	/* is_checked: refused when others can write it. text gets the file. why: of SSH_FILE_REFUSED */
	enum ssh_file_is (*read)(void *ctx, const char *path, bool is_checked, struct buf *text, struct err *why);
	/* The files of an Include pattern, sorted as glob(3) does with GLOB_TILDE, one a line; false: it cannot be read. */
	bool (*list)(void *ctx, const char *pattern, struct buf *paths);
	/* place: "FILE:LINE"; written: as the line has it; command: to be run, tokens expanded. */
	enum ssh_ran (*run)(void *ctx, const char *place, const char *written, const char *command, struct err *why);
	const char *(*env)(void *ctx, const char *name);
	/* Whether there is such a file: ssh leaves a key of "-i" out that is not there. */
	bool (*has)(void *ctx, const char *path);
	/* Of another user; NULL: no such user. */
	const char *(*home_of)(void *ctx, const char *user);
};

enum ssh_option {
	SSH_NONE,		/* read, and nothing comes of it */
	SSH_HOSTNAME, SSH_PORT, SSH_USER, SSH_IDENTITY, SSH_IDENTITIES_ONLY, SSH_CERTIFICATE, SSH_AGENT,
	SSH_PROXY_COMMAND, SSH_PROXY_JUMP, SSH_FDPASS, SSH_HOST_KEY_ALIAS, SSH_USER_KNOWN, SSH_SYSTEM_KNOWN, SSH_STRICT,
	SSH_IGNORE_UNKNOWN, SSH_CANONICALIZE, SSH_DOMAINS, SSH_MAX_DOTS, SSH_FALLBACK, SSH_CNAMES, SSH_FAMILY,
	SSH_BIND, SSH_INTERFACE, SSH_HOSTBASED, SSH_GSSAPI, SSH_PKCS11, SSH_SK_PROVIDER, SSH_KNOWN_COMMAND, SSH_DNS,
	SSH_REVOKED, SSH_RSA_SIZE, SSH_HOST_ALGORITHMS, SSH_CIPHERS, SSH_KEX, SSH_MACS, SSH_PUBKEY_ALGORITHMS,
	SSH_CA_ALGORITHMS, SSH_PUBKEY, SSH_PASSWORD, SSH_KEYBOARD, SSH_PREFERRED, SSH_REMOTE_COMMAND, SSH_SESSION_TYPE,
	SSH_STDIN_NULL, SSH_FORK, SSH_LOCAL_COMMAND, SSH_PERMIT_LOCAL, SSH_TAG, SSH_NEWER,
	SSH_OPTIONS
};

struct ssh_line;

/* Who said a value, and where. line NULL: nobody. */
struct ssh_said {
	const struct ssh_line *line;
	const char *text;
};

struct ssh_settings {
	struct ssh_said said[SSH_OPTIONS];
	struct ssh_said *identities, *certificates;
	size_t n_identities, cap_identities, n_certificates, cap_certificates;
	const char *original;		/* the destination without its user */
	const char *host;		/* HostName, expanded, in ssh's usual form */
	const char *trouble;		/* why it cannot be known; NULL: none */
	bool is_exec;			/* trouble is a program that nobody has agreed to */
};

struct ssh_config;

struct ssh_config *ssh_config_new(const struct ssh_source *source);	/* lent */
void ssh_config_free(struct ssh_config *c);

/* "FILE:LINE" of a line; "the inventory" of one that ssh_config_argument() made. */
const char *ssh_line_place(struct ssh_config *c, const struct ssh_line *line);
/* As written, without the blanks around it. */
const char *ssh_line_text(const struct ssh_line *line);
/* The arguments of a line, quotes gone. */
const struct texts *ssh_line_words(const struct ssh_line *line);
bool ssh_line_is_system(const struct ssh_line *line);

/* One "-o" of ssh's command line: "Key=Value" or "Key Value". It lives as long as the config. */
const struct ssh_line *ssh_config_argument(struct ssh_config *c, const char *text);

/*
 * Asks for a destination. file: instead of the user's and the system's ("-F"), "none" for none at all; NULL: those two.
 * arguments: of the command line, which win over the files.
 */
void ssh_config_ask(struct ssh_config *c, const char *file, const struct ssh_line *const *arguments, size_t n_arguments,
		    const char *destination, struct ssh_settings *out);
void ssh_settings_done(struct ssh_settings *s);

/* Reads every file that would be asked, so that a line that ssh refuses is found; NULL: none is. */
const char *ssh_config_try(struct ssh_config *c, struct buf *files);

/* In any case of letters. */
bool ssh_said_is(const struct ssh_said *said, const char *word);
struct arena *ssh_config_arena(struct ssh_config *c);
const struct ssh_source *ssh_config_source(const struct ssh_config *c);

/* The tokens that most keywords have. host: %h; alias: %k. */
struct ssh_tokens;
void ssh_tokens_fill(struct ssh_config *c, const struct ssh_settings *s, const char *host, const char *alias,
		     struct ssh_tokens *t);

/* Why a value said is not followed here: for a note, or for trouble. */
struct ssh_limit {
	enum ssh_option option;
	const char *values;		/* those it is about, "yes ask"; NULL: any but "none" and the usual one */
	bool is_trouble;
	bool is_quiet_by_system;	/* a distribution's default in /etc/ssh is nobody's wish */
	bool is_plain;			/* ssh itself would be no help */
	const char *why;
};
extern const struct ssh_limit ssh_limits[];
extern const size_t ssh_limits_n;

#endif
