package vt

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// backgroundOf returns the background colour of a cell without text.
func backgroundOf(c cell) ansi.Color {
	if c.tag() == tagIndexed {
		return ansi.Indexed(uint8(c.content()))
	}
	n := c.content()
	return ansi.RGB(uint8(n>>16), uint8(n>>8), uint8(n))
}

// rgb is a 24-bit colour.
type rgb struct{ r, g, b uint8 }

// colors holds the palette and the other colours that an application can ask for and change; nil:
// unchanged. They are only for answers: cells refer to colours by number.
type colors struct {
	foreground, background, cursor *rgb
	palette                        map[uint8]rgb
}

var (
	defaultForeground = rgb{0xff, 0xff, 0xff}
	defaultBackground = rgb{}
)

// namedColors holds ghostty's palette entries 0 to 15 (color.zig).
var namedColors = [16]rgb{
	{0x1d, 0x1f, 0x21}, {0xcc, 0x66, 0x66}, {0xb5, 0xbd, 0x68}, {0xf0, 0xc6, 0x74},
	{0x81, 0xa2, 0xbe}, {0xb2, 0x94, 0xbb}, {0x8a, 0xbe, 0xb7}, {0xc5, 0xc8, 0xc6},
	{0x66, 0x66, 0x66}, {0xd5, 0x4e, 0x53}, {0xb9, 0xca, 0x4a}, {0xe7, 0xc5, 0x47},
	{0x7a, 0xa6, 0xda}, {0xc3, 0x97, 0xd8}, {0x70, 0xc0, 0xb1}, {0xea, 0xea, 0xea},
}

// defaultPalette returns palette entry n before any change: the 16 named colours, a cube of six
// levels, a grey ramp.
func defaultPalette(n uint8) rgb {
	level := func(v uint8) uint8 {
		if v == 0 {
			return 0
		}
		return v*40 + 55
	}
	switch {
	case n < 16:
		return namedColors[n]
	case n < 232:
		n -= 16
		return rgb{level(n / 36), level(n / 6 % 6), level(n % 6)}
	}
	v := (n-232)*10 + 8
	return rgb{v, v, v}
}

// dynamicColor returns a pointer to the colour of OSC n: 10 foreground, 11 background, 12 cursor.
// OSC 13 to 19 are accepted and ignored.
func (c *colors) dynamicColor(n int) **rgb {
	switch n {
	case 10:
		return &c.foreground
	case 11:
		return &c.background
	case 12:
		return &c.cursor
	}
	return nil
}

func orDefault(c *rgb, fallback rgb) rgb {
	if c != nil {
		return *c
	}
	return fallback
}

func (c *colors) paletteEntry(n uint8) rgb {
	if v, ok := c.palette[n]; ok {
		return v
	}
	return defaultPalette(n)
}

func (c *colors) setPaletteEntry(n uint8, v rgb) {
	if c.palette == nil {
		c.palette = make(map[uint8]rgb)
	}
	c.palette[n] = v
}

// spec returns the colour in the form of OSC answers, with 16 bits for each channel.
func (r rgb) spec() string {
	return fmt.Sprintf("rgb:%02x%02x/%02x%02x/%02x%02x", r.r, r.r, r.g, r.g, r.b, r.b)
}

func terminator(bel bool) string {
	if bel {
		return "\a"
	}
	return "\x1b\\"
}

// colorOperation implements OSC 4, 10 to 19, 104 and 110 to 119 (osc/parsers/color.zig,
// stream_handler.zig colorOperation). It stops at the first mistake in a list; the entries before
// it take effect.
func (t *Terminal) colorOperation(number, body string, bel bool) {
	n, _ := strconv.Atoi(number)
	fields := strings.FieldsFunc(body, func(r rune) bool { return r == ';' })
	var answer bytes.Buffer
	switch {
	case n == 4:
		t.paletteOperation(fields, bel, &answer)
	case n == 104:
		if len(fields) == 0 {
			t.colors.palette = nil
		}
		for _, f := range fields {
			if i, err := strconv.ParseUint(f, 10, 9); err == nil && i < 256 {
				delete(t.colors.palette, uint8(i))
			}
		}
	case n >= 110:
		if to := t.colors.dynamicColor(n - 100); to != nil && len(fields) == 0 {
			*to = nil
		}
	default:
		t.dynamicOperation(n, fields, bel, &answer)
	}
	if answer.Len() > 0 {
		t.reply(answer.Bytes())
	}
}

func (t *Terminal) paletteOperation(fields []string, bel bool, answer *bytes.Buffer) {
	for ; len(fields) >= 2; fields = fields[2:] {
		i, err := strconv.ParseUint(fields[0], 10, 9)
		if err != nil || i > 260 {
			return
		}
		if fields[1] == "?" {
			if i < 256 {
				t.answerPalette(uint8(i), bel, answer)
			}
			continue
		}
		c, ok := parseColor(fields[1])
		if !ok {
			return
		}
		if i < 256 {
			t.colors.setPaletteEntry(uint8(i), c)
		}
	}
}

func (t *Terminal) answerPalette(i uint8, bel bool, answer *bytes.Buffer) {
	if r := t.config.Personality.Replies; r != nil {
		if r.Palette != "" {
			fmt.Fprintf(answer, r.Palette, i)
		}
		return
	}
	fmt.Fprintf(answer, "\x1b]4;%d;%s%s", i, t.colors.paletteEntry(i).spec(), terminator(bel))
}

func (t *Terminal) dynamicOperation(n int, fields []string, bel bool, answer *bytes.Buffer) {
	for _, f := range fields {
		if n > 19 {
			return
		}
		to := t.colors.dynamicColor(n)
		if f == "?" {
			t.answerDynamic(n, bel, answer)
		} else if c, ok := parseColor(f); !ok {
			return
		} else if to != nil {
			*to = &c
		}
		n++
	}
}

func (t *Terminal) answerDynamic(n int, bel bool, answer *bytes.Buffer) {
	if r := t.config.Personality.Replies; r != nil {
		switch n {
		case 10:
			answer.WriteString(r.Foreground)
		case 11:
			answer.WriteString(r.Background)
		}
		return
	}
	c := orDefault(t.colors.foreground, defaultForeground)
	switch n {
	case 10:
	case 11:
		c = orDefault(t.colors.background, defaultBackground)
	case 12:
		c = orDefault(t.colors.cursor, c)
	default:
		return
	}
	fmt.Fprintf(answer, "\x1b]%d;%s%s", n, c.spec(), terminator(bel))
}

// kittyColors implements OSC 21: key=? asks for a colour, key= resets it, key=colour sets it.
func (t *Terminal) kittyColors(body string, bel bool) {
	if t.config.Personality.Replies != nil {
		return
	}
	var answer bytes.Buffer
	for i, kv := range strings.Split(body, ";") {
		if i >= 2*263 { // twice the number of keys there are
			return
		}
		key, value, _ := strings.Cut(kv, "=")
		value = strings.Trim(value, " ")
		entry, err := strconv.ParseUint(key, 10, 8)
		var to **rgb
		switch key {
		case "foreground":
			to = &t.colors.foreground
		case "background":
			to = &t.colors.background
		case "cursor":
			to = &t.colors.cursor
		case "selection_foreground", "selection_background", "cursor_text", "visual_bell",
			"second_transparent_background":
			if value == "?" && answer.Len() == 0 {
				answer.WriteString("\x1b]21")
			}
			continue
		default:
			if err != nil {
				continue
			}
		}
		switch c, ok := parseColor(value); {
		case value == "?":
			if answer.Len() == 0 {
				answer.WriteString("\x1b]21")
			}
			answer.WriteString(";" + key + "=" + t.kittyColor(to, uint8(entry)))
		case value == "" && to != nil:
			*to = nil
		case value == "":
			delete(t.colors.palette, uint8(entry))
		case !ok:
		case to != nil:
			*to = &c
		default:
			t.colors.setPaletteEntry(uint8(entry), c)
		}
	}
	if answer.Len() > 0 {
		answer.WriteString(terminator(bel))
		t.reply(answer.Bytes())
	}
}

// kittyColor returns the colour for a key of OSC 21. The cursor has no colour until it is set.
func (t *Terminal) kittyColor(to **rgb, entry uint8) string {
	var c rgb
	switch to {
	case nil:
		c = t.colors.paletteEntry(entry)
	case &t.colors.foreground:
		c = orDefault(*to, defaultForeground)
	case &t.colors.background:
		c = orDefault(*to, defaultBackground)
	default:
		if *to == nil {
			return ""
		}
		c = **to
	}
	return fmt.Sprintf("rgb:%02x/%02x/%02x", c.r, c.g, c.b)
}

// parseColor parses a colour: #rgb with one to four digits for each channel, rgb:r/g/b, rgbi:r/g/b,
// or a name in colorNames.
func parseColor(s string) (c rgb, ok bool) {
	if digits, found := strings.CutPrefix(s, "#"); found {
		n := len(digits) / 3
		if n < 1 || n > 4 || len(digits)%3 != 0 {
			return c, false
		}
		return channels(digits[:n], digits[n:2*n], digits[2*n:], hexChannel)
	}
	if c, ok := colorNames[strings.ToLower(strings.Trim(s, " "))]; ok {
		return c, true
	}
	parse := hexChannel
	rest, found := strings.CutPrefix(s, "rgb:")
	if !found {
		if rest, found = strings.CutPrefix(s, "rgbi:"); !found {
			return c, false
		}
		parse = intensityChannel
	}
	p := strings.Split(rest, "/")
	if len(p) != 3 {
		return c, false
	}
	return channels(p[0], p[1], p[2], parse)
}

func channels(r, g, b string, parse func(string) (uint8, bool)) (rgb, bool) {
	cr, ok1 := parse(r)
	cg, ok2 := parse(g)
	cb, ok3 := parse(b)
	return rgb{cr, cg, cb}, ok1 && ok2 && ok3
}

// hexChannel converts one to four hexadecimal digits to a value of eight bits.
func hexChannel(s string) (uint8, bool) {
	if len(s) < 1 || len(s) > 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 16, 16)
	return uint8(n * 255 / (1<<(4*len(s)) - 1)), err == nil
}

func intensityChannel(s string) (uint8, bool) {
	f, err := strconv.ParseFloat(s, 64)
	return uint8(f * 255), err == nil && f >= 0 && f <= 1
}

// colorNames holds the colours that may be set by name. ghostty knows all names of X11; only the
// answers to OSC requests depend on them.
var colorNames = map[string]rgb{
	"black":   {},
	"red":     {255, 0, 0},
	"green":   {0, 255, 0},
	"yellow":  {255, 255, 0},
	"blue":    {0, 0, 255},
	"magenta": {255, 0, 255},
	"cyan":    {0, 255, 255},
	"white":   {255, 255, 255},
	"gray":    {190, 190, 190},
	"grey":    {190, 190, 190},
	"orange":  {255, 165, 0},
	"brown":   {165, 42, 42},
	"pink":    {255, 192, 203},
	"purple":  {160, 32, 240},
}
