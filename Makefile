# fabcon: `make help` says what there is to make. Everything built goes to .build/, nothing else is written.

KIND    ?= release
B       := .build/$(KIND)
PREFIX  ?= /usr/local
PKG_CONFIG ?= pkg-config
INSTALL ?= install

# What the programs are made of; DEBIAN_TEST is for the tests alone. DEPS=no: nothing is installed, only told.
PACKAGES      := ncursesw libssh libuv sqlite3 jansson yaml-0.1 libzstd expat libcrypto libnl-3.0
HEADERS       := uthash.h
TEST_PACKAGES := cmocka vterm
DEBIAN        := build-essential pkg-config libncurses-dev libssh-dev libuv1-dev libsqlite3-dev libjansson-dev libyaml-dev \
                 libzstd-dev uthash-dev libexpat1-dev libssl-dev libnl-3-dev
DEBIAN_TEST   := libcmocka-dev libvterm-dev fakechroot openssh-server openssh-client sqlite3 iproute2 iputils-ping ethtool sosreport strace \
                 tmux procps
DEBIAN_CHECK  := clang clang-format libclang-rt-14-dev universal-ctags gcovr debootstrap zsh fish tcsh pdsh clustershell ansible-core
export DEPS PKG_CONFIG

# CFLAGS, CPPFLAGS and LDFLAGS are the packager's, wherever they are said; ours stand before them.
FORTIFY        := $(if $(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
CFLAGS_release := -fstack-protector-strong $(if $(filter -O0,$(CFLAGS)),,$(FORTIFY))
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS_cover   := -O0 -g --coverage
CFLAGS_clang   := -O1 -g
CFLAGS         ?= $(if $(filter release,$(KIND)),-O2 -g)
STRICT         := $(if $(WERROR),-Werror)

# Made at the first build: installs what is missing, then keeps what pkg-config said. Make reads it again by itself.
GOALS := $(or $(MAKECMDGOALS),all)
ifneq ($(filter-out help clean deps deps-check format format-check uninstall fresh builds,$(GOALS)),)
include .build/packages.mk
endif
NO_TESTS := all demo install man completions screenshot help clean deps deps-check layers format format-check uninstall dev fresh \
	builds .build/packages.mk $(B)/fabcon $(B)/fabcon-lab $(B)/fabcon-lab-stand-in $(B)/core/%.o $(B)/remote/%.o $(B)/db/%.o $(B)/tui/%.o
ifneq ($(filter-out $(NO_TESTS),$(GOALS)),)
include .build/test-packages.mk
endif

.build/packages.mk .build/test-packages.mk: export CC := $(CC)
.build/packages.mk .build/test-packages.mk: export CPPFLAGS := $(CPPFLAGS)
.build/packages.mk: Makefile tests/tools/deps.sh
	@sh tests/tools/deps.sh "$(DEBIAN)" $(PACKAGES) $(HEADERS)
	@mkdir -p .build
	@cflags=$$($(PKG_CONFIG) --cflags $(PACKAGES)) && libs=$$($(PKG_CONFIG) --libs $(PACKAGES)) && \
		printf 'PACKAGE_CFLAGS := %s\nPACKAGE_LIBS := %s\n' "$$cflags" "$$libs" >$@

# After the other: pkg-config itself is one of its packages.
.build/test-packages.mk: .build/packages.mk Makefile tests/tools/deps.sh
	@sh tests/tools/deps.sh "$(DEBIAN_TEST)" $(TEST_PACKAGES)
	@libs=$$($(PKG_CONFIG) --libs $(TEST_PACKAGES)) && echo "TEST_LIBS := $$libs" >$@

ALL_CPPFLAGS = -D_GNU_SOURCE -I. $(PACKAGE_CFLAGS) $(OWN_CPPFLAGS) $(CPPFLAGS)
ALL_CFLAGS   = -std=gnu11 -Wall -Wextra -Wno-unknown-warning-option -Wno-missing-field-initializers -Wno-format-truncation $(STRICT) \
               -fPIE -ffile-prefix-map='$(CURDIR)=.' \
               $(CFLAGS_$(KIND)) $(CFLAGS)
ALL_LDFLAGS  = -pie -Wl,-z,relro,-z,now $(filter -fsanitize=% --coverage,$(CFLAGS_$(KIND))) $(LDFLAGS)
ALL_LDLIBS   = $(PACKAGE_LIBS) -lm -lpthread $(LDLIBS)

# Of a folder and all below it, but for the programs' main() and the lab, which stand apart.
objects = $(patsubst %.c,$(B)/%.o,$(sort $(shell find $(1) -name '*.c')))
MAINS   := $(B)/tui/cli/main.o $(B)/remote/lab/main.o $(B)/remote/lab/stand_in.o
LAB     := $(filter-out $(MAINS),$(call objects,remote/lab))
EVERY   := $(filter-out $(MAINS) $(LAB),$(call objects,core remote db tui))
TESTS   := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/*/test_*.c))
HELPERS := $(call objects,tests/lib)
TEST_OBJECTS := $(filter-out $(B)/tests/extend/%,$(call objects,tests))

PROGRAMS := $(B)/fabcon $(B)/fabcon-lab $(B)/fabcon-lab-stand-in

all: $(PROGRAMS) ## build fabcon and fabcon-lab (in .build/release)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The schema is part of the program.
$(B)/db/tape/tape.o: OWN_CPPFLAGS := -I$(B)/db/tape
$(B)/db/tape/tape.o: $(B)/db/tape/schema.inc
$(B)/db/tape/schema.inc: db/tape/schema.sql
	@mkdir -p $(@D)
	@sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@

# So are the published schema of certificates and the style of their page.
$(B)/core/certificate/schema.o $(B)/core/certificate/html.o: OWN_CPPFLAGS := -I$(B)/core/certificate
$(B)/core/certificate/schema.o: $(B)/core/certificate/schema.inc
$(B)/core/certificate/html.o: $(B)/core/certificate/page.inc
$(B)/core/certificate/%.inc: core/certificate/%.json
	@mkdir -p $(@D)
	@sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@
$(B)/core/certificate/%.inc: core/certificate/%.css
	@mkdir -p $(@D)
	@sed 's/^\t*//; s/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@

# So is what it says to a device's shell: without comments and indentation.
$(B)/remote/fixer/device_undo.o: OWN_CPPFLAGS := -I$(B)/remote/fixer
$(B)/remote/fixer/device_undo.o: $(B)/remote/fixer/device_undo.inc $(B)/remote/fixer/device_undo_step.inc
$(B)/remote/runner/node_script.o: OWN_CPPFLAGS := -I$(B)/remote/runner
$(B)/remote/runner/node_script.o: $(B)/remote/runner/node.inc
$(B)/remote/%.inc: remote/%.sh
	@mkdir -p $(@D)
	@sed 's/^\t*//; /^#/d; /^$$/d; s/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@

$(B)/tui/widgets/theme.o: $(wildcard themes/*.theme)

$(B)/libfabcon.a: $(EVERY)
	@rm -f $@
	@$(AR) qcs $@ $^

$(B)/fabcon: $(B)/tui/cli/main.o $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $^ $(ALL_LDLIBS) -o $@

$(B)/fabcon-lab: $(B)/remote/lab/main.o $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $^ $(ALL_LDLIBS) -o $@

# Started for each command of a simulated device: of the C library alone, and statically where there is a static one.
STAND_IN := $(addprefix $(B)/remote/lab/,stand_in.o server/ctl_client.o server/busybox.o server/launch.o)
$(B)/fabcon-lab-stand-in: $(STAND_IN) $(B)/libfabcon.a
	@echo "  link $@"
	@$(if $(filter release,$(KIND)),$(CC) -static-pie -z relro -z now $(LDFLAGS) $^ -o $@ 2>/dev/null ||) $(CC) $(ALL_LDFLAGS) $^ -o $@

$(TESTS): $(B)/tests/%: $(B)/tests/%.o $(HELPERS) $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) -Wl,--wrap=_cmocka_run_group_tests $(filter %.o,$^) $(filter %.a,$^) $(ALL_LDLIBS) $(TEST_LIBS) -o $@

demo: all ## a simulated fabric with three faults, and the console on it
	@sh tests/tools/demo.sh $(B)

test: all $(TESTS) ## run the tests (quick, green before each commit)
	@ONLY="$${ONLY:-$(TESTS)}" sh tests/run.sh $(B)

deps: ## install the Debian packages that are missing (asks sudo when not root)
	@sh tests/tools/deps.sh "$(DEBIAN) $(DEBIAN_TEST)" $(PACKAGES) $(HEADERS) $(TEST_PACKAGES)

deps-check: ## install what `make check` needs beside that
	@sh tests/tools/deps.sh "$(DEBIAN_CHECK)"

dev: ## build everything, tests too, with warnings as errors
	@$(MAKE) --no-print-directory WERROR=1 all tests-built

tests-built: $(TESTS)

check: layers format-check ## sanitizers, short fuzz, layers, format, clang build
	LSAN_OPTIONS=suppressions=tests/tools/lsan.supp:print_suppressions=0 $(MAKE) --no-print-directory KIND=asan test
	$(MAKE) --no-print-directory KIND=clang CC=clang all
	$(MAKE) --no-print-directory fuzz SECONDS_EACH=5

# The tests' objects tell which symbols the tests use. They are built where the tests' packages were found before; else layers.sh
# looks for words in the sources, and prints that it did.
layers: all $(if $(wildcard .build/test-packages.mk),$(TEST_OBJECTS)) ## which folder may use which (tests/layers): symbols, includes, circles, what is unused
	@CC="$(CC)" sh tests/tools/layers_test.sh $(B)
	@sh tests/tools/layers.sh $(B)
	@sh tests/tools/named.sh >.build/named || { grep -B 1 NEW .build/named; exit 1; }

format: ## settle spacing by clang-format
	clang-format -i $$(git ls-files '*.c' '*.h')

format-check:
	@sh tests/tools/format.sh

cover: ## coverage of the parsers and everything else, by the tests
	$(MAKE) --no-print-directory KIND=cover test
	gcovr -r . --object-directory .build/cover -e tests/ --sort-percentage

# What is installed, below PREFIX: the same list is taken away again, and nothing else. Quoted: a path may hold a space.
DEST      := "$(DESTDIR)$(PREFIX)"
SHARE     := $(DEST)/share
BASH_DIR  := share/bash-completion/completions
FISH_DIR  := share/fish/vendor_completions.d
INSTALLED := bin/fabcon bin/fabcon-lab libexec/fabcon-lab-stand-in \
	share/man/man1/fabcon.1 share/man/man1/fabcon-lab.1 share/man/man5/fabcon-policy.5 share/man/man5/fabcon-theme.5 \
	$(BASH_DIR)/fabcon $(BASH_DIR)/fabcon-lab share/zsh/site-functions/_fabcon \
	$(FISH_DIR)/fabcon.fish $(FISH_DIR)/fabcon-lab.fish share/fabcon share/doc/fabcon

install: all man completions ## programs, manual pages, completions, themes, LICENSE and README to PREFIX (/usr/local)
	$(INSTALL) -d $(DEST)/bin $(DEST)/libexec $(SHARE)/man/man1 $(SHARE)/man/man5 $(SHARE)/fabcon/themes $(SHARE)/doc/fabcon \
		$(DEST)/$(BASH_DIR) $(SHARE)/zsh/site-functions $(DEST)/$(FISH_DIR)
	$(INSTALL) -m 755 $(B)/fabcon $(B)/fabcon-lab $(DEST)/bin
	$(INSTALL) -m 755 $(B)/fabcon-lab-stand-in $(DEST)/libexec
	$(INSTALL) -m 644 $(B)/man/fabcon.1 $(B)/man/fabcon-lab.1 $(SHARE)/man/man1
	$(INSTALL) -m 644 $(B)/man/fabcon-policy.5 $(B)/man/fabcon-theme.5 $(SHARE)/man/man5
	$(INSTALL) -m 644 themes/*.theme $(SHARE)/fabcon/themes
	$(INSTALL) -m 644 $(B)/completions/fabcon $(DEST)/$(BASH_DIR)
	$(INSTALL) -m 644 $(B)/completions/_fabcon $(SHARE)/zsh/site-functions
	$(INSTALL) -m 644 $(B)/completions/fabcon.fish $(DEST)/$(FISH_DIR)
	ln -sf fabcon $(DEST)/$(BASH_DIR)/fabcon-lab
	ln -sf fabcon.fish $(DEST)/$(FISH_DIR)/fabcon-lab.fish
	$(INSTALL) -m 644 LICENSE README.md $(SHARE)/doc/fabcon

uninstall: ## remove what install has put below PREFIX
	rm -rf $(INSTALLED:%=$(DEST)/%)

completions: all
	@mkdir -p $(B)/completions
	@$(B)/fabcon completion bash >$(B)/completions/fabcon
	@$(B)/fabcon completion zsh >$(B)/completions/_fabcon
	@$(B)/fabcon completion fish >$(B)/completions/fabcon.fish

man completions: export XDG_CONFIG_HOME = /nonexistent
man completions: export FABCON_SITE = /nonexistent
man: all ## manual pages, from the program's own tables
	@mkdir -p $(B)/man
	@$(B)/fabcon man fabcon.1 >$(B)/man/fabcon.1
	@$(B)/fabcon man fabcon-policy.5 >$(B)/man/fabcon-policy.5
	@$(B)/fabcon man fabcon-theme.5 >$(B)/man/fabcon-theme.5
	@$(B)/fabcon-lab --man >$(B)/man/fabcon-lab.1

screenshot: all ## the README's pictures, from the real program (tmux)
	@sh tests/tools/screenshot.sh $(B)

fresh: ## in a new minimal Debian root: the two commands of the README (root, some minutes)
	@sh tests/tools/fresh.sh

clean: ## remove what was built
	rm -rf .build

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1	\2/p' Makefile tests/*.mk | expand -t 22

include $(wildcard tests/*.mk)

-include $(shell find $(B) -name '*.d' 2>/dev/null)

.PHONY: dev tests-built uninstall completions all demo test cover install man screenshot fresh deps deps-check check layers format format-check clean help
.SECONDARY:
.DEFAULT_GOAL := all
