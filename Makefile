# fabcon: `make help` says what there is to make. Everything built goes to .build/, nothing else is written.

CC      ?= cc
KIND    ?= release
B       := .build/$(KIND)
PREFIX  ?= /usr/local

PACKAGES := ncursesw libssh libuv sqlite3 jansson yaml-0.1 libzstd libnl-3.0 libnl-route-3.0 libibverbs expat libcrypto
DEBIAN   := build-essential pkg-config libncurses-dev libssh-dev libuv1-dev libsqlite3-dev libjansson-dev libyaml-dev \
            libzstd-dev uthash-dev libnl-3-dev libnl-route-3-dev libibverbs-dev libexpat1-dev libssl-dev libcmocka-dev \
            libvterm-dev fakechroot openssh-server openssh-client sqlite3 iproute2 iputils-ping ethtool tmux procps
DEBIAN_CHECK := clang clang-format libclang-rt-14-dev universal-ctags gcovr debootstrap

CFLAGS_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS_cover   := -O0 -g --coverage
CFLAGS_clang   := -O1 -g

# Made at the first build: installs what is missing, then keeps what pkg-config said. Make reads it again by itself.
ifneq ($(filter-out help clean deps deps-check layers format format-check,$(or $(MAKECMDGOALS),all)),)
include .build/packages.mk
endif

.build/packages.mk: Makefile tests/tools/deps.sh
	@sh tests/tools/deps.sh $(DEBIAN)
	@mkdir -p .build
	@{ echo "PACKAGE_CFLAGS := $$(pkg-config --cflags $(PACKAGES))"; \
	   echo "PACKAGE_LIBS := $$(pkg-config --libs $(PACKAGES))"; \
	   echo "TEST_LIBS := $$(pkg-config --libs cmocka vterm)"; } >$@

CPPFLAGS += -D_GNU_SOURCE -I. $(PACKAGE_CFLAGS)
CFLAGS   += -std=gnu11 -Wall -Wextra -Wno-missing-field-initializers -Werror -fPIE $(CFLAGS_$(KIND))
LDFLAGS  += -pie -Wl,-z,relro,-z,now $(filter -fsanitize=% --coverage,$(CFLAGS_$(KIND)))
LDLIBS   += $(PACKAGE_LIBS) -lm -lpthread

objects = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)))
CORE   := $(call objects,core/*.c)
REMOTE := $(call objects,remote/*.c)
DB     := $(call objects,db/*.c)
TUI    := $(filter-out $(B)/tui/main.o,$(call objects,tui/*.c))
LAB    := $(filter-out $(B)/remote/lab/main.o,$(call objects,remote/lab/*.c))
EVERY  := $(CORE) $(REMOTE) $(DB) $(TUI)
TESTS  := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/test_*.c))
HELPERS := $(call objects,tests/lib/*.c)

PROGRAMS := $(if $(wildcard tui/main.c),$(B)/fabcon) $(if $(wildcard remote/lab/main.c),$(B)/fabcon-lab)

all: $(PROGRAMS) ## build fabcon and fabcon-lab (in .build/release)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# The schema is part of the program.
$(B)/db/tape.o: CPPFLAGS += -I$(B)/db
$(B)/db/tape.o: $(B)/db/schema.inc
$(B)/db/schema.inc: db/schema.sql
	@mkdir -p $(@D)
	@sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@

# So is what it says to a device's shell: without comments and indentation.
$(B)/remote/arm.o: CPPFLAGS += -I$(B)/remote
$(B)/remote/arm.o: $(B)/remote/arm.inc $(B)/remote/arm_step.inc
$(B)/remote/%.inc: remote/%.sh
	@mkdir -p $(@D)
	@sed 's/^\t*//; /^#/d; /^$$/d; s/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@

$(B)/tui/theme.o: $(wildcard themes/*.theme)

$(B)/libfabcon.a: $(EVERY)
	@rm -f $@
	@ar rcs $@ $^

$(B)/fabcon: $(B)/tui/main.o $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(B)/fabcon-lab: $(B)/remote/lab/main.o $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(B)/tests/test_%: $(B)/tests/test_%.o $(HELPERS) $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(LDFLAGS) $^ $(LDLIBS) $(TEST_LIBS) -o $@

demo: all ## a simulated fabric with three faults, and the console on it
	@sh tests/tools/demo.sh $(B)

test: all $(TESTS) ## run the tests (quick, green before each commit)
	@sh tests/run.sh $(B)

deps: ## install the Debian packages that are missing (asks sudo when not root)
	@sh tests/tools/deps.sh $(DEBIAN)

deps-check: ## install what `make check` needs beside that
	@sh tests/tools/deps.sh $(DEBIAN_CHECK)

check: layers format-check ## sanitizers, short fuzz, layers, format, clang build
	$(MAKE) --no-print-directory KIND=asan test
	$(MAKE) --no-print-directory KIND=clang CC=clang all
	$(MAKE) --no-print-directory fuzz SECONDS_EACH=5

layers: ## core <- remote, core <- db, all <- tui: nothing points back
	@sh tests/tools/layers.sh

format: ## settle spacing by clang-format
	clang-format -i $$(git ls-files '*.c' '*.h')

format-check:
	@sh tests/tools/format.sh

cover: ## coverage of the parsers and everything else, by the tests
	$(MAKE) --no-print-directory KIND=cover test
	gcovr -r . --object-directory .build/cover -e tests/ --sort-percentage

install: all man ## programs, manual pages and themes to PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
		$(DESTDIR)$(PREFIX)/share/fabcon/themes
	install -m 755 $(B)/fabcon $(B)/fabcon-lab $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(B)/man/fabcon.1 $(B)/man/fabcon-lab.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(B)/man/fabcon-policy.5 $(B)/man/fabcon-theme.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 themes/*.theme $(DESTDIR)$(PREFIX)/share/fabcon/themes

man: export XDG_CONFIG_HOME = /nonexistent
man: export FABCON_SITE = /nonexistent
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

.PHONY: all demo test cover install man screenshot fresh deps deps-check check layers format format-check clean help
.SECONDARY:
.DEFAULT_GOAL := all
