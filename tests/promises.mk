# The safety goals, each with a command, a figure and a bar (tests/promises/promises.txt). PROMISES=full: the long forms, some
# hours; PROMISES="S1 R3": these alone; PROMISES="full S1": these in full.
promises: all tests-built ## each safety goal: what was measured, its bar, its command, and when it was last run in full
	@sh tests/tools/promises_test.sh $(B)
	+@sh tests/tools/promises.sh $(B) "$(MAKE)" $(PROMISES)

.PHONY: promises

SHIM := $(B)/tests/promises/shim.so

$(SHIM): tests/promises/shim.c
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) -D_GNU_SOURCE -Wall -Wextra $(STRICT) -O1 -shared -fPIC -o $@ $< -ldl

$(filter $(B)/tests/promises/%,$(TESTS)): | $(SHIM)
