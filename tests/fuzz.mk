# libFuzzer over what comes from outside. Inputs that were found are kept in .build/corpus, failures in .build/fuzz-*.
SECONDS_EACH ?= 60
CFLAGS_fuzz  := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZERS      := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer $(filter %.o,$^) $(filter %.a,$^) $(ALL_LDLIBS) -o $@

$(B)/tests/fuzz/fuzz_state $(B)/tests/fuzz/fuzz_keys $(B)/tests/fuzz/plain_state $(B)/tests/fuzz/plain_keys: $(B)/tests/fuzz/fabric.o

# Of the lab's own; all of it, as its files need each other.
$(B)/tests/fuzz/fuzz_patch: $(LAB)

fuzz: ## fuzz every parser, SECONDS_EACH=60
	@$(MAKE) --no-print-directory KIND=fuzz CC=clang fuzz-run SECONDS_EACH=$(SECONDS_EACH) RUNS=$(RUNS)

# Tests of parsers and stores with the sanitizers of this build: what make smoke has of make check.
SANITIZED := $(addprefix $(B)/tests/,core/test_model core/test_link core/test_checks core/test_packet core/test_policy core/test_pause \
	core/test_route core/test_ssh_config core/test_template remote/test_fixtures remote/test_read_cli remote/test_read_sh db/test_replay db/test_audit \
	tui/test_table tui/test_filter)

fuzz-built: $(FUZZERS) $(PROGRAMS) $(SANITIZED)

sanitized: $(PROGRAMS) $(SANITIZED)
	@ONLY="$(SANITIZED)" sh tests/run.sh $(B)

# A line each: executions, executions a second, and edges of the program that were reached; then all of them.
fuzz-run: $(FUZZERS)
	@rm -f .build/fuzz.sums; \
	for f in $(FUZZERS); do \
		name=$$(basename $$f); \
		sh tests/fuzz/seeds.sh $$name .build/corpus/$$name-seeds || exit 1; \
		mkdir -p .build/corpus/$$name; \
		$$f -max_total_time=$(SECONDS_EACH) -timeout=10 -rss_limit_mb=2048 -max_len=65536 -verbosity=1 \
			$(if $(RUNS),-runs=$(RUNS)) -artifact_prefix=.build/fuzz- -print_final_stats=1 \
			.build/corpus/$$name .build/corpus/$$name-seeds >.build/$$name.log 2>&1 \
			|| { tail -n 40 .build/$$name.log; exit 1; }; \
		awk -v name=$$name '/number_of_executed/ { n = $$2 } /average_exec_per_sec/ { s = $$2 } \
			match($$0, /cov: [0-9]+/) { c = substr($$0, RSTART + 5, RLENGTH - 5) } \
			END { printf "%-20s %10d executions %8d a second %6d edges\n", name, n, s, c }' .build/$$name.log | tee -a .build/fuzz.sums; \
	done; \
	awk '{ n++; all += $$2 } END { printf "%d harnesses, %d executions in all, 0 crashes\n", n, all }' .build/fuzz.sums

.PHONY: fuzz fuzz-built fuzz-run sanitized

# The same harnesses without sanitizers, on their seeds: 15 000 executions a second of processor time are wanted of each.
PLAIN := $(patsubst tests/fuzz/fuzz_%.c,$(B)/tests/fuzz/plain_%,$(wildcard tests/fuzz/fuzz_*.c))

$(B)/tests/fuzz/plain_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/plain.o $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(ALL_LDLIBS) -o $@

$(B)/tests/fuzz/plain_patch: $(LAB)

fuzz-speed: $(PLAIN) ## executions a second of each fuzzer without sanitizers, and those below 15 000
	@for f in $(PLAIN); do \
		name=fuzz_$${f##*/plain_}; \
		sh tests/fuzz/seeds.sh $$name .build/corpus/$$name-seeds && $$f $$name .build/corpus/$$name-seeds || echo "$$name 0 failed"; \
	done | awk '{ print; n++; if ($$2 < 15000) slow = slow " " $$1 "=" $$2 } \
		END { printf "%d harnesses, %d below 15000 executions a second:%s\n", n, split(slow, s, " "), slow }'

.PHONY: fuzz-speed
