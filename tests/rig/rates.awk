# rates.awk KERNEL SHOWN: KERNEL has lines "PORT BEFORE AFTER VALUE", a counter read between two times of the kernel's clock;
# SHOWN "PORT AT_MS VALUE RATE", what the console showed, the same frame perhaps more than once. Status 1 when the rates of a port
# are out by more than 1 % of what its counter did between the same two values.

# When the counter had that value, by the kernel's clock.
function when(port, value,	i) {
	for (i = 2; i <= n_read[port]; i++)
		if (v[port, i] >= value && v[port, i] > v[port, i - 1])
			return t[port, i - 1] + (t[port, i] - t[port, i - 1]) * (value - v[port, i - 1]) / (v[port, i] - v[port, i - 1])
	return -1
}

FILENAME == ARGV[1] {
	n_read[$1]++
	t[$1, n_read[$1]] = ($2 + $3) / 2
	v[$1, n_read[$1]] = $4
	next
}

{
	if (($1 in at) && $2 - at[$1] < 50)
		next	# the same frame again
	if ($4 == "null" || !($1 in at)) {
		if (!n_rates[$1]) {
			first_at[$1] = $2
			first_value[$1] = $3
		}
	} else {
		sum[$1] += $4 * ($2 - at[$1])
		n_rates[$1]++
	}
	at[$1] = $2
	value[$1] = $3
}

END {
	for (port in n_read) {
		kernel_s = when(port, value[port]) - when(port, first_value[port])
		console_ms = at[port] - first_at[port]
		if (n_rates[port] < 10 || kernel_s < 15 || when(port, first_value[port]) < 0 || console_ms <= 0) {
			printf "    rate of %s: WRONG, %d frames over %.1f s are too few\n", port, n_rates[port], kernel_s
			bad++
			continue
		}
		kernel = (value[port] - first_value[port]) / kernel_s
		shown = sum[port] / console_ms
		off = 100 * (shown - kernel) / kernel
		is_bad = off > 1 || off < -1
		printf "    rate of %s: %.0f/s, mean of %d frames; the kernel, over the same %.1f s: %.0f/s; %+.2f %%%s\n", port, shown,
			n_rates[port], kernel_s, kernel, off, is_bad ? "  WRONG" : ""
		bad += is_bad
	}
	exit bad > 0 || !length(n_read)
}
