# How well faults are diagnosed (tests/scenarios). The test alone does a few; `make scenarios` all, with its bars.
SCENARIOS_SINGLES ?= 168
SCENARIOS_PAIRS   ?= 200
SCENARIOS_HEALTHY ?= 200
export SCENARIOS_JOBS SCENARIOS_ONLY SCENARIOS_REUSE SCENARIOS_WITHOUT

$(B)/tests/test_scenarios: $(B)/tests/test_scenarios.o $(call objects,tests/scenarios/*.c) $(HELPERS) $(LAB) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $^ $(ALL_LDLIBS) $(TEST_LIBS) -o $@

scenarios: all $(B)/tests/test_scenarios ## singles, pairs and healthy fabrics, read over SSH and diagnosed: the confusion matrix
	@FABCON_BUILD=$(B) SCENARIOS_SINGLES=$(SCENARIOS_SINGLES) SCENARIOS_PAIRS=$(SCENARIOS_PAIRS) \
		SCENARIOS_HEALTHY=$(SCENARIOS_HEALTHY) $(B)/tests/test_scenarios

.PHONY: scenarios
