monkey: all $(B)/tests/tui/test_read_only ## random keys and sizes in the console on the lab for MONKEY_SECONDS=600: it only asks, and breaks nothing
	@MONKEY_SECONDS=$${MONKEY_SECONDS:-600} MONKEY_SEED=$${MONKEY_SEED:-$$(date +%s)} FABCON_BUILD=$(B) $(B)/tests/tui/test_read_only

resizes: all $(B)/tests/tui/test_app ## ten thousand changes of the terminal's size at once, and as many that are waited for: each is drawn
	@RESIZES=$${RESIZES:-10000} FABCON_BUILD=$(B) $(B)/tests/tui/test_app

.PHONY: monkey resizes
