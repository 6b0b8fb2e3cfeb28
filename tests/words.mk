words: all ## texts that a person reads: the field's words, known ids, commands that exist, one name for one thing
	@sh tests/tools/words_test.sh $(B)
	@sh tests/tools/words.sh $(B)

.PHONY: words
