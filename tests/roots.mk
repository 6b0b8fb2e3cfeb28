ROOTS := $(B)/tests/roots/roots

$(ROOTS): $(B)/tests/roots/roots.o $(HELPERS) $(B)/libfabcon.a
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) $^ $(ALL_LDLIBS) $(TEST_LIBS) -o $@

roots: $(ROOTS) ## who pauses whom, of simulated fabrics: precision and recall by kind of root
	@$(ROOTS) $(TRIALS) $(SEED)

.PHONY: roots
