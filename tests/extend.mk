extend: all ## try each kind of extension on a copy: which existing files it edits, and that its tests pass
	+@MAKE="$(MAKE)" sh tests/tools/extend.sh $(B) $(EXTEND)

.PHONY: extend
