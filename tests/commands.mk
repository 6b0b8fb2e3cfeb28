# What fabcon prints to be typed, given to the tools themselves. The tests of the same name hold it against tables.
# Their packages. lldpd is a daemon: it is run by the check itself, and need not be started.
DEBIAN_COMMANDS := iproute2 ethtool kmod procps util-linux systemd lldpd ibverbs-utils perftest

NIC := $(B)/tests/commands/nic.so

$(NIC): tests/commands/nic.c
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) -D_GNU_SOURCE -Wall -Wextra -Wno-missing-field-initializers $(STRICT) -shared -fPIC -o $@ $<

commands: $(NIC) $(B)/tests/core/test_commands $(B)/tests/remote/test_set_commands ## every Linux command that is printed or sent, read by the real ip, dcb, ethtool, …: accepted or wrong
	@[ "$(DEPS)" = no ] || sh tests/tools/deps.sh "$(DEBIAN_COMMANDS)"
	@sh tests/tools/commands.sh $(B)

remedies: all $(B)/tests/tui/test_remedy_table ## the commands that fix each check, on OS10 and SONiC and on hosts of each driver, with the values of a port
	@REMEDIES=list FABCON_BUILD=$(B) $(B)/tests/tui/test_remedy_table

.PHONY: commands remedies
