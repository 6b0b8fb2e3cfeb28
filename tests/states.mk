# Random fabrics (tests/states), through checks, tree, causes, proof, pause trees and report. The test alone draws 300.
# SEED: of the first; STATES=1 SEED=4711 SHOW=1: that one alone, with its facts and findings.
STATE_PARTS := $(filter-out $(B)/tests/states/test_%,$(call objects,tests/states))

$(B)/tests/states/test_states: $(STATE_PARTS)

states: $(B)/tests/states/test_states ## 10 000 random fabrics: no two surfaces contradict each other, and no verdict improves without a cell
	@seed=$${SEED:-$$(date +%s)}; echo "STATES=$${STATES:-10000} SEED=$$seed"; STATES=$${STATES:-10000} SEED=$$seed $<

.PHONY: states
