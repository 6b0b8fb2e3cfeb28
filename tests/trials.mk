# What is tried many times over against the lab (tests/trials). The tests alone do a few of each; these all, with their bars.
TRIAL_PARTS := $(filter-out $(B)/tests/trials/test_% $(B)/tests/trials/roots.o,$(call objects,tests/trials))

$(filter $(B)/tests/trials/%,$(TESTS)): $(TRIAL_PARTS)

# Fixes, applied for real to the lab, with SAFETY's bars.
fixes: all $(B)/tests/trials/test_fixes ## every fault that can be mended: broken, named, planned, applied, cleared, undone to the byte
	@FABCON_BUILD=$(B) FIXES_ALL=1 $(B)/tests/trials/test_fixes

CHAOS_APPLIES ?= 500
CHAOS_CUTS    ?= 50
CHAOS_STALE   ?= 200
CHAOS_RACES   ?= 200
CHAOS_LIARS   ?= 64
CHAOS_PARTIAL ?= 5
CHAOS_NODES   ?= 16
export CHAOS_JOBS FIXES FIXES_JOBS

chaos: all $(B)/tests/trials/test_chaos ## 500 applies with a mishap, 50 cuts of our own path, 200 stale plans, 200 races, 0 to 16 of 16 failing: before or after, and told so
	@FABCON_BUILD=$(B) CHAOS_APPLIES=$(CHAOS_APPLIES) CHAOS_CUTS=$(CHAOS_CUTS) CHAOS_STALE=$(CHAOS_STALE) \
		CHAOS_RACES=$(CHAOS_RACES) CHAOS_LIARS=$(CHAOS_LIARS) CHAOS_PARTIAL=$(CHAOS_PARTIAL) \
		CHAOS_NODES=$(CHAOS_NODES) $(B)/tests/trials/test_chaos

# One apply of seven has ended before its kill comes.
CHAOS_KILLS ?= 1200

kills: all $(B)/tests/trials/test_chaos ## 1000 kills, half of them between the first and the last keep of both-end plans: no link stays half, none is hidden
	@FABCON_BUILD=$(B) CHAOS_KILLS=$(CHAOS_KILLS) $(B)/tests/trials/test_chaos

CHAOS_RESTARTS ?= 300

restarts: all $(B)/tests/trials/test_chaos ## 300 restarts of devices from the first keep of both-end plans on, the console alive, killed or started again: the same bar as kills
	@FABCON_BUILD=$(B) CHAOS_RESTARTS=$(CHAOS_RESTARTS) $(B)/tests/trials/test_chaos

.PHONY: fixes chaos kills restarts

# How well faults are diagnosed.
SCENARIOS_SINGLES ?= 168
SCENARIOS_PAIRS   ?= 200
SCENARIOS_HEALTHY ?= 200
export SCENARIOS_JOBS SCENARIOS_ONLY SCENARIOS_REUSE SCENARIOS_WITHOUT

scenarios: all $(B)/tests/trials/test_scenarios ## singles, pairs and healthy fabrics, read over SSH and diagnosed: the confusion matrix
	@FABCON_BUILD=$(B) SCENARIOS_SINGLES=$(SCENARIOS_SINGLES) SCENARIOS_PAIRS=$(SCENARIOS_PAIRS) \
		SCENARIOS_HEALTHY=$(SCENARIOS_HEALTHY) $(B)/tests/trials/test_scenarios

.PHONY: scenarios

truth: all $(B)/tests/trials/test_surfaces ## each fault on each system: all surfaces say the same, and what is broken is named first (or TRUTH_ONLY=FAULT in short)
	@FABCON_BUILD=$(B) TRUTH_ALL=$(if $(TRUTH_ONLY),,1) $(B)/tests/trials/test_surfaces

export TRUTH_ONLY TRUTH_OS TRUTH_SEED TRUTH_JOBS
.PHONY: truth

CALM ?= 300
CALM_JOBS ?= 4
export CALM_SEED CALM_KEEP CALM_JOBS

calm: all $(B)/tests/trials/test_calm ## 300 fabrics in which nothing is broken, whose devices answer late: nothing is said at warn or above
	@FABCON_BUILD=$(B) CALM=$(CALM) $(B)/tests/trials/test_calm

.PHONY: calm

CUTS ?= 100

bringup-kills: all $(B)/tests/trials/test_bringup_cut ## 100 kills of a bring-up with test traffic: nothing is left on a node, no test is lost, and it is resumed to the same sheet
	@FABCON_BUILD=$(B) CUTS=$(CUTS) CUT_NODES=4 $(B)/tests/trials/test_bringup_cut

RACKS ?= 100
RACK_LARGE ?= 32x8

bringup-racks: all $(B)/tests/trials/test_bringup_rack ## 100 racks with defects, 100 without, and two of 32 nodes of 8 NICs with 20: bring-up names each at its NIC and layer, and no other
	@FABCON_BUILD=$(B) RACKS=$(RACKS) $(B)/tests/trials/test_bringup_rack
	@FABCON_BUILD=$(B) RACKS=$(RACKS) RACK_SIZE=4x2 RACK_DEFECTS=0 $(B)/tests/trials/test_bringup_rack
	@FABCON_BUILD=$(B) RACKS=2 RACK_JOBS=1 RACK_SEED=3 RACK_SIZE=$(RACK_LARGE) RACK_DEFECTS=20 $(B)/tests/trials/test_bringup_rack

.PHONY: bringup-kills bringup-racks

ROOTS := $(B)/tests/trials/roots

$(ROOTS): $(B)/tests/trials/roots.o $(HELPERS) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $^ $(ALL_LDLIBS) $(TEST_LIBS) -o $@

roots: $(ROOTS) ## who pauses whom, of simulated fabrics: precision and recall by kind of root
	@$(ROOTS) $(TRIALS) $(SEED)

.PHONY: roots

# Plans and approvals that somebody forged.
FORGED_PLANS     ?= 10000
HONEST_PLANS     ?= 500
FORGED_APPROVALS ?= 1000

forged: all $(B)/tests/trials/test_forged $(B)/tests/tui/test_approval ## 10 000 mutated plans, 500 honest ones, 1000 forged approvals: no line reaches a shell, none honest is refused
	@FABCON_BUILD=$(B) FORGED_PLANS=$(FORGED_PLANS) HONEST_PLANS=$(HONEST_PLANS) $(B)/tests/trials/test_forged
	@FABCON_BUILD=$(B) FORGED_APPROVALS=$(FORGED_APPROVALS) $(B)/tests/tui/test_approval

.PHONY: forged
