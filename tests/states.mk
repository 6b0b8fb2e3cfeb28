# Random fabrics (tests/lib/states.h), through checks, tree, causes, proof, pause trees and report. The test alone draws 300.
# SEED: of the first; STATES=1 SEED=4711 SHOW=1: that one alone, with its facts and findings.
states: $(B)/tests/core/test_states ## 10 000 random fabrics: no two surfaces contradict each other, and no verdict improves without a cell
	@seed=$${SEED:-$$(date +%s)}; echo "STATES=$${STATES:-10000} SEED=$$seed"; STATES=$${STATES:-10000} SEED=$$seed $<

.PHONY: states
