STORIES := FABCON_BUILD=$(B) $(B)/tests/tui/test_stories

stories: all $(B)/tests/tui/test_stories ## every fault on OS10, on SONiC and on a mix: named at its place, and nothing else
	@for os in $${STORY_OS:-os10 sonic mixed}; do echo "on $$os"; STORY_OS=$$os $(STORIES) || exit 1; done

seeds: all $(B)/tests/tui/test_stories ## a hundred healthy fabrics of each system: nothing found wrong
	@STORY=none STORY_SEEDS=$${STORY_SEEDS:-100} $(STORIES)

# First those that have found something false once, and that make test leaves out; then as many that nobody has seen.
HUNT_KNOWN  ?= 3 6 2 8 9 18 19 39
HUNT_SEEDS  ?= 200
# Of them, for fixes, chaos, scenarios and read-only, which take up to a minute each.
HUNT_TRIALS ?= 20
HUNTERS := $(addprefix $(B)/tests/,trials/test_fixes trials/test_chaos trials/test_scenarios tui/test_read_only)

hunt: all $(B)/tests/tui/test_stories $(B)/tests/trials/test_facts $(HUNTERS) ## fabrics in fresh skins: each seed of which something false is said, to be tried again with NASTY_SEEDS
	@seeds="$${NASTY_SEEDS:-$(HUNT_KNOWN) $$(od -An -N$$(($(HUNT_SEEDS) * 3)) -v -tu1 -w3 /dev/urandom | \
		awk '{ printf "%d ", $$1 * 65536 + $$2 * 256 + $$3 + 1 }')}"; \
	few=$$(echo $$seeds | cut -d ' ' -f 1-$(strip $(HUNT_TRIALS))); status=0; \
	echo "NASTY_SEEDS=\"$$seeds\""; \
	STORY=nasty NASTY_SEEDS="$$seeds" $(STORIES) || status=1; \
	FABCON_BUILD=$(B) NASTY_SEEDS="$$seeds" $(B)/tests/trials/test_facts || status=1; \
	echo "fixes, chaos, scenarios and read-only: NASTY_SEEDS=\"$$few\""; \
	for hunter in $(HUNTERS); do FABCON_BUILD=$(B) NASTY_SEEDS="$$few" $$hunter || status=1; done; exit $$status

.PHONY: stories seeds hunt

# Are fabrics in skins still as sharp as when they found what is mended now?
defects: all $(B)/tests/tui/test_stories $(B)/tests/trials/test_facts ## each known defect put back alone: within 20 fabrics in skins something false is said
	+@MAKE="$(MAKE)" sh tests/tools/defects.sh $(B) $(DEFECTS)

.PHONY: defects

# Has each thing that was once said falsely (tests/points.txt) a quick test that goes red? POINTS: a point (A1) or names of rows, these alone.
points: all $(HELPERS) $(LAB) ## each thing that was said wrongly is put back alone: the quick test named for it goes red
	+@MAKE="$(MAKE)" sh tests/tools/points.sh $(B) $(POINTS)

.PHONY: points
