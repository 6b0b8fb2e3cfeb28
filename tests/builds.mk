builds: ## in new Debian 12 and 13 systems, without network: gcc, clang, packagers' flags, install, uninstall (root, 20 minutes)
	@sh tests/tools/builds.sh "$(DEBIAN)"

.PHONY: builds
