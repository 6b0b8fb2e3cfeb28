builds: ## in new Debian roots without apt and network: gcc, clang, packagers' flags, install, uninstall, same bytes (root, half an hour)
	@sh tests/tools/builds.sh "$(DEBIAN)"

.PHONY: builds
