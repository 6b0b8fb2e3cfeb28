# Benchmarks: each tests/bench/bench_<noun>.c is a program of rows. `make bench` runs all and ends with 1 if a bar is missed.
BENCHES := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/bench/bench_*.c))

BENCH_HELPERS := $(patsubst tests/%.c,$(B)/tests/%.o,$(filter-out tests/bench/bench_%.c,$(wildcard tests/bench/*.c)))

# Calls that tests/bench/calls.c times.
TIMED := ssh_connect ssh_userauth_publickey ssh_channel_open_session ssh_channel_request_exec ssh_channel_poll \
	ssh_channel_read_nonblocking ssh_channel_write ssh_send_keepalive

$(B)/tests/bench/bench_%: $(B)/tests/bench/bench_%.o $(BENCH_HELPERS) $(HELPERS) $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $(TIMED:%=-Wl,--wrap=%) $^ $(ALL_LDLIBS) $(TEST_LIBS) -o $@

# The same in the short form: small sizes, no bars. For make smoke.
SHORT_BENCHES := $(BENCHES:$(B)/tests/bench/%=$(B)/short/tests/bench/%)

$(B)/short/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc   $< (short)"
	@$(CC) $(ALL_CPPFLAGS) -DBENCH_SHORT $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(B)/short/tests/bench/bench_%: $(B)/short/tests/bench/bench_%.o $(BENCH_HELPERS:$(B)/%=$(B)/short/%) $(HELPERS) $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $(TIMED:%=-Wl,--wrap=%) $^ $(ALL_LDLIBS) $(TEST_LIBS) -o $@

bench-built: $(SHORT_BENCHES)

bench-short: all bench-built
	@echo "short form: sizes are small (rows name the whole ones), and no bar is judged"
	@sh tests/tools/bench.sh $(B) $(SHORT_BENCHES)

bench: all $(BENCHES) ## the figures and the bars they are held to
	@sh tests/tools/bench.sh $(B) $(BENCHES)

.PHONY: bench bench-built bench-short
