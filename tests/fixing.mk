# Fixes, applied for real to the lab (tests/fixing). The tests alone do a few; these all, with SAFETY's bars.
$(B)/tests/test_fixes $(B)/tests/test_chaos: $(B)/tests/%: $(B)/tests/%.o $(call objects,tests/fixing/*.c) $(HELPERS) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(LDFLAGS) $^ $(LDLIBS) $(TEST_LIBS) -o $@

fixes: all $(B)/tests/test_fixes ## every fault that can be mended: broken, named, planned, applied, cleared, undone to the byte
	@FABCON_BUILD=$(B) FIXES_ALL=1 $(B)/tests/test_fixes

.PHONY: fixes
