kill9: $(B)/tests/test_db ## kill the recorder at 100 random moments: nothing acknowledged is lost
	@KILLS=100 $<

.PHONY: kill9
