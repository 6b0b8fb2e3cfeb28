STORIES := FABCON_BUILD=$(B) $(B)/tests/tui/test_stories

stories: all $(B)/tests/tui/test_stories ## every fault on OS10, on SONiC and on a mix: named at its place, and nothing else
	@for os in $${STORY_OS:-os10 sonic mixed}; do echo "on $$os"; STORY_OS=$$os $(STORIES) || exit 1; done

seeds: all $(B)/tests/tui/test_stories ## a hundred healthy fabrics of each system: nothing found wrong
	@STORY=none STORY_SEEDS=$${STORY_SEEDS:-100} $(STORIES)

.PHONY: stories seeds
