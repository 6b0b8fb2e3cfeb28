/* Versions: what each device runs. */
#include "tui/screens/screen.h"

static const char *text_of(const struct device *d, enum field f)
{
	const char *text = device_text(d, f);

	return text ? text : "?";
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	(void)v;
	draw_rule(d, y, 0, d->cols, "What each device runs");
	for (size_t i = 0; i < model_devices(of->model) && (int)i + 2 < rows; i++) {
		const struct device *device = model_device(of->model, i);

		draw_printf(d, y + 2 + (int)i, 2, d->cols - 4, ROLE_IS_TEXT, "%-20s %-12s %s", device->name,
			    text_of(device, FIELD_PLATFORM), text_of(device, FIELD_VERSION));
	}
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	(void)of;
	(void)v;
	(void)page;
	return (struct intent){ .is = command == DO_REFRESH ? INTENT_REFRESH : INTENT_NONE };
}

const struct screen screen_versions = { .draw = draw, .key = key };
