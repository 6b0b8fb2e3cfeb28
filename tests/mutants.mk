# Replies mutated by published variation, through the parsers (tests/mutants). The test alone makes some 26000, this half a
# million in half a minute; MUTANTS=10 makes 80000. MUTANT="NAME OPERATOR NUMBER", as a wrong one prints it: that one alone,
# shown. MUTANTS_OF=PROBE, MUTANTS_BY=OPERATOR: of these alone.
MUTANTS ?= 60

MUTANT_PARTS := $(filter-out $(B)/tests/mutants/test_%,$(call objects,tests/mutants))

$(B)/tests/mutants/test_mutants: $(MUTANT_PARTS)

mutants: $(B)/tests/mutants/test_mutants ## half a million mutants of captures and fixtures: no fact is told otherwise that its own line does not change
	@MUTANTS=$(MUTANTS) $(B)/tests/mutants/test_mutants

.PHONY: mutants
