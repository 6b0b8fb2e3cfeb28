monkey: all $(B)/tests/test_read_only ## many random keys in the console on the lab: it only asks, and breaks nothing
	@KEYS=$${KEYS:-20000} SEED=$${SEED:-$$(date +%s)} FABCON_BUILD=$(B) $(B)/tests/test_read_only

resizes: all $(B)/tests/test_app ## ten thousand changes of the terminal's size, and the console still hears keys
	@RESIZES=10000 FABCON_BUILD=$(B) $(B)/tests/test_app

.PHONY: monkey resizes
