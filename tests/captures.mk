captures: $(B)/tests/remote/test_captures ## what real devices printed, through our parsers: files, facts, lines not understood
	@$(B)/tests/remote/test_captures

fidelity: $(B)/tests/remote/test_fidelity $(PROGRAMS) ## the lab's texts beside those of real devices: kinds of lines, differences, their reasons
	@FABCON_BUILD=$(B) $(B)/tests/remote/test_fidelity

.PHONY: captures fidelity
