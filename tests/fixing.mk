# Fixes, applied for real to the lab (tests/fixing). The tests alone do a few; these all, with SAFETY's bars.
$(B)/tests/test_fixes $(B)/tests/test_chaos: $(B)/tests/%: $(B)/tests/%.o $(call objects,tests/fixing/*.c) $(HELPERS) $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $^ $(ALL_LDLIBS) $(TEST_LIBS) -o $@

fixes: all $(B)/tests/test_fixes ## every fault that can be mended: broken, named, planned, applied, cleared, undone to the byte
	@FABCON_BUILD=$(B) FIXES_ALL=1 $(B)/tests/test_fixes

CHAOS_APPLIES ?= 500
CHAOS_CUTS    ?= 50
CHAOS_STALE   ?= 200
CHAOS_RACES   ?= 200
CHAOS_LIARS   ?= 64
CHAOS_PARTIAL ?= 5
CHAOS_NODES   ?= 16
export CHAOS_JOBS FIXES FIXES_JOBS

chaos: all $(B)/tests/test_chaos ## 500 applies with a mishap, 50 cuts of our own path, 200 stale plans, 200 races, 0 to 16 of 16 failing: before or after, and told so
	@FABCON_BUILD=$(B) CHAOS_APPLIES=$(CHAOS_APPLIES) CHAOS_CUTS=$(CHAOS_CUTS) CHAOS_STALE=$(CHAOS_STALE) \
		CHAOS_RACES=$(CHAOS_RACES) CHAOS_LIARS=$(CHAOS_LIARS) CHAOS_PARTIAL=$(CHAOS_PARTIAL) \
		CHAOS_NODES=$(CHAOS_NODES) $(B)/tests/test_chaos

.PHONY: fixes chaos
