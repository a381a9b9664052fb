#include <string.h>

#include "callbacks.h"
#include "_cgo_export.h"

static int color(const VTermColor *c) {
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c)) return -1;
	if (VTERM_COLOR_IS_INDEXED(c)) return c->indexed.idx;
	return 1 << 24 | c->rgb.red << 16 | c->rgb.green << 8 | c->rgb.blue;
}

void look_at(const VTermScreenCell *cell, struct look *out) {
	out->fg = color(&cell->fg);
	out->bg = color(&cell->bg);
	out->underline = cell->attrs.underline;
	out->attrs[0] = cell->attrs.bold;
	out->attrs[1] = cell->attrs.italic;
	out->attrs[2] = cell->attrs.blink;
	out->attrs[3] = cell->attrs.reverse;
	out->attrs[4] = cell->attrs.strike;
}

static int push(int cols, const VTermScreenCell *cells, void *user) {
	pushLine(cols, (VTermScreenCell *)cells);
	return 1;
}

static int pop(int cols, VTermScreenCell *cells, void *user) { return popLine(cols, cells); }

static int property(VTermProp prop, VTermValue *v, void *user) {
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
	if (prop == VTERM_PROP_TITLE) setTitle(v->string, strlen(v->string), 1);
#else
	if (prop == VTERM_PROP_TITLE) setTitle((char *)v->string.str, v->string.len, v->string.initial);
#endif
	if (prop == VTERM_PROP_ALTSCREEN) setAlt(v->boolean);
	return 1;
}

static const VTermScreenCallbacks callbacks = {.sb_pushline = push, .sb_popline = pop, .settermprop = property};

void listen(VTermScreen *screen) { vterm_screen_set_callbacks(screen, &callbacks, NULL); }
