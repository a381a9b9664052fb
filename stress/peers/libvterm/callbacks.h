#pragma once
#include <vterm.h>

// look is how a cell is drawn, without bit fields, which Go does not read.
struct look {
	int fg, bg, underline;
	unsigned char attrs[5]; // bold, italic, blink, reverse, strike
};

void look_at(const VTermScreenCell *cell, struct look *out);
void listen(VTermScreen *screen);
