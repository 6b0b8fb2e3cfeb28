smoke: ## every make target and every bench and fuzz program, each in its shortest honest form
	@sh tests/tools/smoke.sh "$(MAKE)" $(B)

.PHONY: smoke
