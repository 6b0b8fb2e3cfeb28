#include "tests/states/values.h"

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers of the same seed, on every machine. */
static uint64_t next_number(struct state *s)
{
	uint64_t z = s->drawn += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t states_below(struct state *s, uint64_t below)
{
	return next_number(s) % below;
}

bool values_one_in(struct state *s, uint64_t n)
{
	return states_below(s, n) == 0;
}

static const uint64_t numbers[] = {
	0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16, 24, 26, 46, 48, 60, 64, 90, 100, 104, 105, 106, 107, 136, 255, 256, 300,
	1024, 1500, 2048, 4096, 9000, 9100, 9122, 9216, 65536, 150000, 600000, 900000, 1500000, 2000000, 4000000, 16000000000,
	25000000000, 50000000000, 97000000000, 100000000000, UINT64_C(1) << 40, UINT64_MAX,
};

static const char *const texts[] = {
	"mlx5_core", "ice", "bnxt_en", "mlx5_0", "bond0", "bond1", "eth2", "eth3", "leaf1", "leaf2", "node1", "node2", "spine1",
	"leaf9", "ethernet1/1/1", "ethernet1/1/2", "Ethernet4", "Ethernet8", "ib_uverbs mlx5_core", "mlx5_core",
	"ib_uverbs nvidia_peermem", "linux", "os10", "sonic", "RS", "FC", "off", "memlock-low", "gid-wrong", "link-down", "",
	"NCCL_NET=IB NCCL_IB_HCA=mlx5", "NCCL_DEBUG=INFO", "00:00:00:00:02:00", "00:00:00:00:00:02", "22.41.1000", "20.1.1",
};

static const double rates[] = { 0, 0, 0, 0, 1, 12, 50, 1000, 20000, 1e6, 4e7, 1e9, 5e9, 1.2e10 };

static unsigned words_of(enum field f)
{
	unsigned n = 0;

	while (field_word(f, n).p)
		n++;
	return n;
}

void values_draw(struct state *s, struct state_cell *c)
{
	c->value = (struct value){ .is = VALUE_KNOWN };
	switch (field_table[c->field].kind) {
	case KIND_BOOL:
		c->value.n = states_below(s, 2);
		break;
	case KIND_ENUM:
		c->value.n = states_below(s, words_of(c->field));
		break;
	case KIND_TEXT:
		c->value.text = VALUES_PICK(s, texts);
		break;
	case KIND_COUNTER:
		c->value.n = 1000000 + states_below(s, 1000000);
		c->per_s = VALUES_PICK(s, rates);
		break;
	default:
		c->value.n = VALUES_PICK(s, numbers);
		if (values_one_in(s, 2))	/* small maps, shares of a hundred */
			c->value.n %= 8;
	}
}
