kill9: $(B)/tests/db/test_db ## kill the recorder at 100 random moments: nothing acknowledged is lost
	@KILLS=$${KILLS:-100} $<

replay-live: all ## record the demo for LENGTH=600 s: a replay at each exported time is what was live then
	@sh tests/tools/replay_live.sh $(B)

.PHONY: kill9 replay-live
