#include "tui/fixing/signature.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/session/child.h"
#include "tui/text/safe.h"

#define TOOL		"ssh-keygen"
#define SECONDS_MAX	10
#define NAMES_MAX	16	/* principals of one key that are tried */
#define LETTERS		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/* -- files -- */

static bool is_readable(const char *path, const char *what, struct stat *st, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool ok = fd >= 0 && fstat(fd, st) == 0;

	if (!ok)
		err_set(err, "%s %.200s: %s", what, path, strerror(errno));
	else if (!S_ISREG(st->st_mode))
		ok = err_set(err, "%s %.200s is not a regular file", what, path);
	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * Whoever can write a directory above the file can put another file in its place, unless the directory is sticky. This is what
 * sshd demands of authorized_keys (StrictModes).
 */
static bool is_guarded_above(const char *path, struct err *err)
{
	char *above = realpath(path, NULL), *slash;
	struct stat st;
	bool ok = above || err_set(err, "the file of allowed signers %.200s: %s", path, strerror(errno));

	while (ok && (slash = strrchr(above, '/')) && above[1]) {
		slash[slash == above] = '\0';
		if (stat(above, &st) != 0)
			ok = err_set(err, "the file of allowed signers %.200s: its directory %.150s: %s", path, above, strerror(errno));
		else if (st.st_uid != 0 && st.st_uid != getuid())
			ok = err_set(err, "the file of allowed signers %.150s is in %.150s, which belongs to user %u: move it to a directory of "
				     "root or of your own", path, above, (unsigned)st.st_uid);
		else if ((st.st_mode & 022) && !(st.st_mode & S_ISVTX))
			ok = err_set(err, "the file of allowed signers %.150s can be replaced by others, who can write %.150s: chmod go-w %.150s",
				     path, above, above);
	}
	free(above);
	return ok;
}

/* Whoever can write this file can approve every plan. */
static bool is_guarded(const char *path, struct err *err)
{
	struct stat st;

	if (!is_readable(path, "the file of allowed signers", &st, err))
		return false;
	if (st.st_uid != 0 && st.st_uid != getuid())
		return err_set(err, "the file of allowed signers %.200s belongs to user %u: chown it to root or to yourself", path,
			       (unsigned)st.st_uid);
	if (st.st_mode & 022)
		return err_set(err, "the file of allowed signers %.200s can be written by others: chmod go-w %.200s", path, path);
	return is_guarded_above(path, err);
}

/* -- ssh-keygen -- */

/* What it said last, harmless and on one line. */
static void last_line(const struct buf *text, char out[200])
{
	struct span rest = buf_span(text), line, last = { "no reason given", 15 };
	struct buf safe = { 0 };

	while (span_line(&rest, &line))
		last = span_trim(line).n ? span_trim(line) : last;
	safe_add(&safe, last, false);
	snprintf(out, 200, "%.199s", safe.text);
	buf_done(&safe);
}

/* True: it ended; *status has its code. */
static bool run(const char *const *argv, struct span in, struct buf *out, struct buf *errors, int *status, struct err *err)
{
	if (child_run(&(struct child){ .argv = argv, .in = in, .limit_s = SECONDS_MAX }, out, errors, status))
		return true;
	return *status == -1 ? err_set(err, TOOL ": %s; a signature is checked by OpenSSH's " TOOL " (8.2 or later)", strerror(errno))
			     : err_set(err, TOOL " did not end within %d s", SECONDS_MAX);
}

/* One person's name: no pattern, which would stand for many. */
static bool is_name(struct span word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!strchr(LETTERS "@._+-", word.p[i]) || (!i && !strchr(LETTERS, word.p[i])))
			return false;
	return word.n && word.n < sizeof(((struct signer *)NULL)->principal);
}

/* The names of the lines that hold the signature's key. */
static size_t names_of(const struct buf *out, struct span names[NAMES_MAX])
{
	struct span rest = buf_span(out), line, word, more;
	size_t n = 0;

	while (span_line(&rest, &line))
		for (more = span_trim(line); more.n && n < NAMES_MAX;) {
			if (!span_cut(more, ',', &word, &more)) {
				word = more;
				more = (struct span){ "", 0 };
			}
			if (is_name(word))
				names[n++] = word;
		}
	return n;
}

/* "Good "fabcon.plan" signature for alice@example.net with ED25519 key SHA256:…" */
static bool read_verdict(const struct buf *out, struct signer *s)
{
	char head[200];
	struct span rest = buf_span(out), line;

	snprintf(head, sizeof(head), "Good \"" SIGNATURE_NAMESPACE "\" signature for %s with ", s->principal);
	while (span_line(&rest, &line))
		if (span_skip(&line, head)) {
			snprintf(s->key, sizeof(s->key), "%.*s", (int)(line.n < 159 ? line.n : 159), line.p);
			return strspn(s->key, LETTERS "+/:=- @.") == strlen(s->key) && *s->key;
		}
	return false;
}

static bool verify(const char *signature, const char *approvers, struct span text, struct signer *s, struct err *err)
{
	const char *const argv[] = { TOOL, "-Y", "verify", "-f", approvers, "-I", s->principal, "-n", SIGNATURE_NAMESPACE, "-s", signature,
				     NULL };
	struct buf out = { 0 }, errors = { 0 };
	char why[200];
	int status;
	bool ok = run(argv, text, &out, &errors, &status, err);

	if (ok && (status != 0 || !read_verdict(&out, s))) {
		last_line(errors.n ? &errors : &out, why);
		ok = err_set(err, "%.200s is not a valid signature of this plan by %s (" TOOL ": %s): sign the file that fabcon plan -O wrote: "
				  TOOL " -Y sign -f KEY -n " SIGNATURE_NAMESPACE " FILE", signature, s->principal, why);
	}
	buf_done(&out);
	buf_done(&errors);
	return ok;
}

static bool find_names(const char *signature, const char *approvers, struct buf *out, struct err *err)
{
	const char *const argv[] = { TOOL, "-Y", "find-principals", "-s", signature, "-f", approvers, NULL };
	struct buf errors = { 0 };
	char why[200];
	int status;
	bool ok = run(argv, (struct span){ "", 0 }, out, &errors, &status, err);

	if (ok && status != 0) {
		last_line(&errors, why);
		ok = err_set(err, "the key that made %.200s is not among the allowed signers of %.200s (" TOOL ": %s)", signature, approvers,
			     why);
	}
	buf_done(&errors);
	return ok;
}

static bool check_names(const struct fix_plan *p, const char *signature, const char *approvers, const struct buf *found,
			struct signer *out, struct err *err)
{
	struct span names[NAMES_MAX];
	size_t n = names_of(found, names);
	struct buf text = { 0 };
	bool ok = false;

	fix_plan_write(p, &text);
	for (size_t i = 0; !ok && i < n; i++) {
		snprintf(out->principal, sizeof(out->principal), "%.*s", (int)names[i].n, names[i].p);
		ok = verify(signature, approvers, buf_span(&text), out, err);
	}
	buf_done(&text);
	return n ? ok : err_set(err, "the line of this key in %.200s has no name: each line needs one, not a pattern", approvers);
}

bool signature_check(const struct fix_plan *p, const char *signature, const char *approvers, struct signer *out, struct err *err)
{
	struct buf found = { 0 };
	struct stat st;
	bool ok;

	if (!approvers)
		return err_set(err, "no file of allowed signers is configured: set approvers: FILE in config.yaml");
	ok = is_readable(signature, "the signature", &st, err) && is_guarded(approvers, err) &&
	     find_names(signature, approvers, &found, err) && check_names(p, signature, approvers, &found, out, err);
	buf_done(&found);
	return ok;
}
