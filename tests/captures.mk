captures: $(B)/tests/remote/test_captures ## what real devices printed, through our parsers: files, facts, lines not understood
	@$(B)/tests/remote/test_captures

.PHONY: captures
