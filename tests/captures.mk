captures: $(B)/tests/test_captures ## what real devices printed, through our parsers: files, facts, lines not understood
	@$(B)/tests/test_captures

.PHONY: captures
