/* What a packager does: other flags, no apt, install below DESTDIR, uninstall. `make builds` does all of it in new systems. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"

/*
 * $make is make as from a new shell, whatever make runs this test; it never installs packages here. $h is a folder of the
 * test, $build the programs. $h/src has what make reads before it compiles, for a first build of its own. apt-get,
 * dpkg-query and sudo in $h/guard only leave a file behind.
 */
static const char prelude[] =
	"h=%s build=${FABCON_BUILD:-.build/release}\n"
	"unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS WERROR KIND B CFLAGS CPPFLAGS LDFLAGS DESTDIR PREFIX\n"
	"unset PKG_CONFIG PKG_CONFIG_PATH\n"
	"export DEPS=no\n"
	"make='make --no-print-directory'\n"
	"install() { $make -o all B=\"$build\" PREFIX=/usr DESTDIR=\"$1\" \"$2\"; }\n"
	"source_of_its_own() {\n"
	"	rm -rf \"$h/src\" && mkdir -p \"$h/src/tests/tools\" \"$h/none\" \"$h/guard\"\n"
	"	cp Makefile \"$h/src\" && cp tests/*.mk \"$h/src/tests\" && cp tests/tools/deps.sh \"$h/src/tests/tools\"\n"
	"	for tool in apt-get dpkg-query sudo; do\n"
	"		printf '#!/bin/sh\\ntouch %%s/was-run-%%s\\n' \"$h\" $tool >\"$h/guard/$tool\"; chmod +x \"$h/guard/$tool\"\n"
	"	done\n"
	"}\n"
	"none_was_run() { ! ls \"$h\"/was-run-* 2>/dev/null; }\n";

static struct run script(const char *text)
{
	char *before = xasprintf(prelude, home), *all = xasprintf("%s%s", before, text);
	struct run r = RUN("/bin/sh", "-c", all);

	free(before);
	free(all);
	return r;
}

/* Runs it to the exit status; each of the words, one a line, is in what it printed. */
static void must(const char *text, int code, const char *words)
{
	struct run r = script(text);
	struct span rest = span_of(words), line;

	if (r.code != code)
		fail_msg("exit %d, not %d\n%s%s", r.code, code, r.out.text, r.err.text);
	while (span_line(&rest, &line)) {
		char word[256];

		snprintf(word, sizeof(word), "%.*s", (int)line.n, line.p);
		if (!strstr(r.out.text, word) && !strstr(r.err.text, word))
			fail_msg("not said: %s\n%s%s", word, r.out.text, r.err.text);
	}
	run_done(&r);
}

/* A file of the installation, and what it holds. */
static const struct {
	const char *path, *holds;
	bool is_program;
} installed[] = {
	{ "bin/fabcon", "ELF", true },
	{ "bin/fabcon-lab", "ELF", true },
	{ "libexec/fabcon-lab-stand-in", "ELF", true },
	{ "share/man/man1/fabcon.1", ".TH FABCON 1" },
	{ "share/man/man1/fabcon-lab.1", ".TH FABCON\\\\-LAB 1" },
	{ "share/man/man5/fabcon-policy.5", ".TH" },
	{ "share/man/man5/fabcon-theme.5", ".TH" },
	{ "share/bash-completion/completions/fabcon", "complete " },
	{ "share/bash-completion/completions/fabcon-lab", "_fabcon_lab fabcon-lab" },
	{ "share/zsh/site-functions/_fabcon", "#compdef fabcon fabcon-lab" },
	{ "share/fish/vendor_completions.d/fabcon.fish", "complete -c fabcon" },
	{ "share/fish/vendor_completions.d/fabcon-lab.fish", "complete -c fabcon-lab" },
	{ "share/fabcon/themes/dark.theme", "=" },
	{ "share/doc/fabcon/LICENSE", "MIT" },
	{ "share/doc/fabcon/README.md", "fabcon" },
};

static void programs_pages_completions_and_documents_are_installed(void **state)
{
	(void)state;
	must("install \"$h/out\" install", 0, "");
	for (size_t i = 0; i < sizeof(installed) / sizeof(*installed); i++) {
		char *path = xasprintf("%s/out/usr/%s", home, installed[i].path);
		char *look = xasprintf("grep -qa -e '%s' %s", installed[i].holds, path);
		struct stat st;

		if (stat(path, &st) != 0 || (st.st_mode & 0777) != (installed[i].is_program ? 0755 : 0644))
			fail_msg("%s: not there, or with other rights", path);
		must(look, 0, "");
		free(path);
		free(look);
	}
	must("cd / && PATH=$h/out/usr/bin && fabcon version && fabcon inventory list -i 'node[1-2]'", 0, "fabcon\nnode2");
}

static void what_is_installed_is_in_the_table_above(void **state)
{
	struct run r = script("install \"$h/out\" install >/dev/null; cd \"$h/out/usr\" && find . ! -type d ! -name '*.theme' | wc -l");
	size_t themes = 1;	/* one row stands for all themes */

	(void)state;
	assert_int_equal(atoi(r.out.text), sizeof(installed) / sizeof(*installed) - themes);
	run_done(&r);
}

/* Each shell loads the file by the command's name, from below PREFIX; `needs` is there where the shell can. */
static const struct {
	const char *needs, *script, *offers;
} shells[] = {
	{ "/usr/share/bash-completion/bash_completion",
	  "XDG_DATA_DIRS=$p/share bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader fabcon-lab\n"
	  "complete -p fabcon-lab fabcon'", "-F _fabcon_lab fabcon-lab\n-F _fabcon fabcon" },
	{ "/usr/bin/zsh",
	  "zsh -fc \"fpath=($p/share/zsh/site-functions \\$fpath); autoload -U compinit; compinit -u -d $h/zcompdump\n"
	  "print \\$_comps[fabcon] \\$_comps[fabcon-lab]\"", "_fabcon _fabcon" },
	{ "/usr/bin/fish",
	  "HOME=$h XDG_DATA_DIRS=$p/share fish -c 'complete -C \"fabcon-lab --fault tos-\"; complete -C \"fabcon explain trust-s\"'",
	  "tos-104\ntrust-same" },
};

static void the_shells_find_the_installed_completions(void **state)
{
	(void)state;
	must("install \"$h/out\" install", 0, "");
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		char *text = xasprintf("p=$h/out/usr; PATH=$p/bin:$PATH\n%s", shells[i].script);

		if (access(shells[i].needs, R_OK) == 0)
			must(text, 0, shells[i].offers);
		else
			print_message("skip: %s is not installed\n", shells[i].needs);
		free(text);
	}
}

static void uninstall_removes_all_of_ours_and_nothing_else(void **state)
{
	(void)state;
	must("install \"$h/a b\" install >/dev/null && echo kept >\"$h/a\" && echo other >\"$h/a b/usr/bin/other\" &&\n"
	     "echo other >\"$h/a b/usr/share/zsh/site-functions/_other\" && install \"$h/a b\" uninstall >/dev/null &&\n"
	     "cat \"$h/a\" && cd \"$h/a b\" && find . ! -type d && [ \"$(find . ! -type d | wc -l)\" = 2 ]", 0,
	     "kept\n./usr/bin/other\n./usr/share/zsh/site-functions/_other");
}

/* Objects whose sources are made first are among them: the schema of db/tape/tape.c, the script of remote/fixer/device_undo.c. */
static void flags_of_packagers_are_taken_from_the_environment_and_from_words(void **state)
{
	(void)state;
	must("$make B=\"$h/words\" WERROR=1 CPPFLAGS= LDFLAGS=-Wl,-z,now \\\n"
	     "CFLAGS='-O2 -g -D_FORTIFY_SOURCE=3 -flto=auto -fstack-clash-protection -fcf-protection' \\\n"
	     "\"$h/words/core/base/span.o\" \"$h/words/db/tape/tape.o\" \"$h/words/remote/fixer/device_undo.o\" \"$h/words/tui/cli/main.o\"",
	     0, "cc   db/tape/tape.c");
	must("export CFLAGS='-O3 -D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS' CPPFLAGS=-DNDEBUG_OF_THE_PACKAGER\n"
	     "$make B=\"$h/env\" WERROR=1 \"$h/env/core/base/span.o\" && $make -n B=\"$h/env\" \"$h/env/core/model/fact.o\"", 0,
	     "cc   core/base/span.c\n-I. \n-DNDEBUG_OF_THE_PACKAGER\n-O3 -D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS");
	must("[ \"$($make -n B=\"$h/env\" CFLAGS=-D_FORTIFY_SOURCE=3 \"$h/env/core/model/fact.o\" | grep -c 'SOURCE=2')\" = 0 ]", 0, "");
	must("$make -n LDFLAGS=-Wl,--as-needed CFLAGS=-O3 B=\"$h/env\" \"$h/env/fabcon\"", 0, "-Wl,--as-needed\n-O3");
}

static void without_apt_pkg_config_alone_is_asked(void **state)
{
	(void)state;
	/* The links are removed before the file is copied: a copy through one would overwrite the machine's own sudo. */
	must("source_of_its_own; mkdir \"$h/bin\" && ln -s /usr/bin/* \"$h/bin\" &&\n"
	     "rm -f \"$h/bin/apt-get\" \"$h/bin/dpkg-query\" \"$h/bin/sudo\" && cp --remove-destination \"$h/guard/sudo\" \"$h/bin/\"\n"
	     "unset DEPS; cd \"$h/src\" && PATH=$h/bin $make PKG_CONFIG=/usr/bin/pkg-config .build/packages.mk &&\n"
	     "cat .build/packages.mk && none_was_run", 0, "-lssh\n-lsqlite3");
}

/* On a new system the package of pkg-config is among those that are installed first: nothing is asked of it before. */
static void pkg_config_is_asked_after_it_was_installed_and_its_failure_is_not_kept(void **state)
{
	(void)state;
	must("source_of_its_own; cd \"$h/src\"\n"
	     "echo \"case \\$* in *pkg-config*) ln -sf /usr/bin/pkg-config $h/guard ;; esac\" >tests/tools/deps.sh\n"
	     "$make -j3 PKG_CONFIG=$h/guard/pkg-config .build/test-packages.mk && cat .build/*.mk", 0, "-lssh\nTEST_LIBS := -lcmocka\n");
	must("source_of_its_own; cd \"$h/src\" && echo >tests/tools/deps.sh; $make PKG_CONFIG=/nonexistent all; ls .build/packages.mk", 2, "");
}

static void with_deps_no_neither_apt_nor_sudo_is_run(void **state)
{
	(void)state;
	must("source_of_its_own; cd \"$h/src\" && PATH=$h/guard:$PATH $make .build/packages.mk && none_was_run", 0, "");
	must("source_of_its_own; cd \"$h/src\" && PATH=$h/guard:$PATH PKG_CONFIG_LIBDIR=$h/none $make; code=$?\n"
	     "none_was_run && exit $code", 2, "");
}

static void a_missing_library_is_named_for_each_distribution(void **state)
{
	(void)state;
	must("source_of_its_own; cd \"$h/src\" && PKG_CONFIG_LIBDIR=$h/none $make all", 2,
	     "deps: missing: ncursesw libssh libuv sqlite3 jansson yaml-0.1 libzstd expat libcrypto libnl-3.0 (\n"
	     "Debian, Ubuntu: apt install libncurses-dev libssh-dev libuv1-dev libsqlite3-dev libjansson-dev libyaml-dev libzstd-dev "
	     "libexpat1-dev libssl-dev libnl-3-dev\n"
	     "Fedora: dnf install ncurses-devel libssh-devel libuv-devel sqlite-devel jansson-devel libyaml-devel libzstd-devel "
	     "expat-devel openssl-devel libnl3-devel\n"
	     "Arch: pacman -S ncurses libssh libuv sqlite jansson libyaml zstd expat openssl libnl\n");
	must("source_of_its_own; printf '#!/bin/sh\\n[ \"$2\" != libuv ] && exec pkg-config \"$@\"' >\"$h/all-but-uv\"\n"
	     "chmod +x \"$h/all-but-uv\"; cd \"$h/src\" && PKG_CONFIG=$h/all-but-uv $make all", 2,
	     "deps: missing: libuv (\napt install libuv1-dev\ndnf install libuv-devel\npacman -S libuv\n");
	must("source_of_its_own; cd \"$h/src\" && PKG_CONFIG_LIBDIR=$h/none $make deps", 2,
	     "apt install libncurses-dev\nlibcmocka-dev libvterm-dev\nlibcmocka-devel libvterm-devel\nthe tests also run fakechroot, sshd\n");
	must("source_of_its_own; cd \"$h/src\" && $make deps-check", 2, "deps: nothing was installed\nclang-format\n");
	must("source_of_its_own; cd \"$h/src\" && $make all CC=/nonexistent/cc", 2, "deps: missing: cc (\ndnf install gcc\n");
	must("source_of_its_own; cd \"$h/src\" && $make all PKG_CONFIG=/nonexistent", 2,
	     "deps: missing: pkg-config (\ndnf install pkgconf-pkg-config\n");
}

static void the_readme_names_what_is_in_the_tree(void **state)
{
	(void)state;
	must("sh tests/tools/readme.sh", 0, "");
	must("echo 'See `core/model/nosuch.h`, `FIELD_NOSUCH` in `core/model/field.h`, `obs.c`.' >\"$h/README.md\"\n"
	     "sh tests/tools/readme.sh \"$h/README.md\"", 1, "core/model/nosuch.h\nFIELD_NOSUCH\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_pages_completions_and_documents_are_installed),
		cmocka_unit_test(what_is_installed_is_in_the_table_above),
		cmocka_unit_test(the_shells_find_the_installed_completions),
		cmocka_unit_test(uninstall_removes_all_of_ours_and_nothing_else),
		cmocka_unit_test(flags_of_packagers_are_taken_from_the_environment_and_from_words),
		cmocka_unit_test(without_apt_pkg_config_alone_is_asked),
		cmocka_unit_test(pkg_config_is_asked_after_it_was_installed_and_its_failure_is_not_kept),
		cmocka_unit_test(with_deps_no_neither_apt_nor_sudo_is_run),
		cmocka_unit_test(a_missing_library_is_named_for_each_distribution),
		cmocka_unit_test(the_readme_names_what_is_in_the_tree),
	};

	return cmocka_run_group_tests(tests, home_open, home_close);
}
