#include "tests/lib/desk.h"

#include <locale.h>

struct world desk;

int desk_open(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	world_init(&desk);
	world_run(&desk, 5);
	return 0;
}

int desk_close(void **state)
{
	(void)state;
	world_done(&desk);
	return 0;
}

void desk_view(struct view_of *of)
{
	static uint64_t serial;

	*of = (struct view_of){ .model = desk.model, .links = &desk.links, .findings = desk.findings, .policy = desk.policy,
				.inventory = &desk.inventory, .fabric = "gpu-a", .serial = ++serial };
}

struct intent desk_press(struct stage *s, int code)
{
	struct view_of of;

	desk_view(&of);
	return stage_key(s, &of, code);
}

void desk_type(struct stage *s, const char *text)
{
	for (; *text; text++)
		desk_press(s, (unsigned char)*text);
}

const char *desk_shown(struct screen_test *t, struct stage *s)
{
	struct view_of of;

	desk_view(&of);
	stage_draw(s, screen_draw(t), &of);
	return screen_text(t);
}
