package tuitest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Sizes of a picture, in pixels. A font of 15 pixels advances by 9 in nearly all fixed fonts.
const (
	cellWidth  = 9
	cellHeight = 18
	baseline   = 14 // of a row
	fontSize   = 15
	margin     = 12 // around the grid
)

// Look says how a screen is drawn. The zero value is a dark background and no name.
type Look struct {
	Light bool
	Name  string // a description, for readers who cannot see it
}

// SVG returns the grid of t as a complete SVG file: no script, no font, no other file. The same
// screen gives the same bytes on every machine. Each character stands on its column whatever font
// the reader has, and lines, blocks and dots are drawn, not written. Of pictures in the terminal
// only the place is shown: an emulator keeps no pixels.
func (l Look) SVG(t *vt.Terminal) []byte {
	var b bytes.Buffer
	cols, rows := t.Size()
	l.begin(&b, cols, rows)
	p := painter{light: l.Light}
	for y := range rows {
		if row := p.row(t, y); row != "" {
			fmt.Fprintf(&b, "<g transform=\"translate(0 %d)\">\n%s</g>\n", y*cellHeight, row)
		}
	}
	l.end(&b)
	return b.Bytes()
}

// SVG returns the grid as [Look.SVG] draws it, on the background of [Config.Light].
func (s *Screen) SVG(name string) []byte {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return Look{Light: s.light, Name: name}.SVG(s.tty.vt)
}

// begin writes the beginning of a picture of cols by rows cells.
func (l Look) begin(b *bytes.Buffer, cols, rows int) {
	w, h := cols*cellWidth+2*margin, rows*cellHeight+2*margin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `, w, h)
	b.WriteString("role=\"img\">\n")
	if l.Name != "" {
		fmt.Fprintf(b, "<title>%s</title>\n", escape(l.Name))
	}
	p := painter{light: l.Light}
	edge := ""
	if l.Light { // a white page would show no end of it
		edge = ` stroke="#d0d7de"`
	}
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="8" fill="%s"%s/>`+"\n", w, h, p.color(0, true), edge)
	fmt.Fprintf(b, `<g transform="translate(%d %d)" fill="%s" font-size="%d" font-family="ui-monospace,SFMono-Regular,`+
		`Menlo,Consolas,DejaVu Sans Mono,monospace">`+"\n", margin, margin, p.color(0, false), fontSize)
}

func (l Look) end(b *bytes.Buffer) { b.WriteString("</g>\n</svg>\n") }

// escape returns text for XML. A character that XML cannot hold becomes U+FFFD.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes all
	return b.String()
}

// painter draws rows.
type painter struct{ light bool }

// ink is the look of a run of cells: the style with the colours that are really shown.
type ink struct {
	fg, bg    string // empty on the background of the picture
	line      string // colour of the underline
	underline vt.Underline
	attr      vt.Attr // without Inverse
}

func (p painter) ink(s vt.Style) ink {
	k := ink{fg: p.color(s.Fg, false), underline: s.Underline, attr: s.Attr &^ (vt.Inverse | vt.Blink)}
	if s.Bg != 0 {
		k.bg = p.color(s.Bg, true)
	}
	if s.Attr&vt.Inverse != 0 {
		k.fg, k.bg = p.color(s.Bg, true), k.fg
	}
	k.line = k.fg
	if s.UnderlineColor != 0 {
		k.line = p.color(s.UnderlineColor, false)
	}
	return k
}

// row returns the drawing of row y of t at the top of the picture, empty for a blank one.
func (p painter) row(t *vt.Terminal, y int) string {
	w := rowWriter{plain: p.color(0, false)}
	r, cursor := t.Row(y), t.Cursor()
	pictures := map[int]bool{}
	for x := range r.Placeholders() {
		pictures[x] = true
	}
	for x, c := range r.Cells() {
		atCursor := cursor.Visible && cursor.Row == y && cursor.Col == x
		if atCursor && cursor.Shape == vt.BlockCursor { // as a program draws one
			c.Style.Attr ^= vt.Inverse
		}
		k := p.ink(c.Style)
		switch {
		case c.Width == 0: // drawn with its first half
			continue
		case pictures[x]:
			k, c.Text = ink{fg: p.color(0, false)}, "▒"
		case c.Text == " ", k.attr&vt.Invisible != 0:
			c.Text = ""
		}
		w.ground(x, c.Width, k)
		w.lines(x, c.Width, k)
		if atCursor {
			w.cursor(x, cursor.Shape)
		}
		w.cell(x, c, k)
	}
	return w.String()
}

// rowWriter makes the drawing of a row: backgrounds first, then what stands on them.
type rowWriter struct {
	plain string // the colour of text without one of its own

	grounds, above strings.Builder

	back ink // of the rectangle from backAt to backTo, which is growing
	backAt,
	backTo int

	drawn  shapes // lines and blocks in the colour of drawnBy
	drawBy ink

	text    strings.Builder // of the run that is growing
	textInk ink
	at, to  int  // its columns
	ascii   bool // all of it is ASCII
}

func (w *rowWriter) String() string {
	w.flushGround()
	w.flushShapes()
	w.flushText()
	return w.grounds.String() + w.above.String()
}

func (w *rowWriter) ground(x, width int, k ink) {
	if k.bg != w.back.bg || x != w.backTo {
		w.flushGround()
		w.back, w.backAt = k, x
	}
	w.backTo = x + width
}

func (w *rowWriter) flushGround() {
	if w.back.bg != "" {
		fmt.Fprintf(&w.grounds, `<rect x="%d" width="%d" height="%d" fill="%s"/>`+"\n", w.backAt*cellWidth,
			(w.backTo-w.backAt)*cellWidth, cellHeight, w.back.bg)
	}
	w.back = ink{}
}

// lines draws the lines along the cells: underlines and the like.
func (w *rowWriter) lines(x, width int, k ink) {
	l, n := x*cellWidth, width*cellWidth
	draw := func(color string, s shape) {
		o := ink{fg: color}
		if k.attr&vt.Faint != 0 {
			o.attr = vt.Faint
		}
		w.shapesBy(o)
		w.drawn.add(s)
	}
	switch k.underline {
	case vt.SingleUnderline:
		draw(k.line, shape{l, 16, n, 1})
	case vt.DoubleUnderline:
		draw(k.line, shape{l, 15, n, 1})
		draw(k.line, shape{l, 17, n, 1})
	case vt.CurlyUnderline:
		for i := range n {
			draw(k.line, shape{l + i, 15 + [...]int{0, 0, 1, 2, 2, 2, 1, 0, 0}[i%cellWidth], 1, 1})
		}
	case vt.DottedUnderline:
		for i := 0; i < n; i += 3 {
			draw(k.line, shape{l + i, 16, 1, 1})
		}
	case vt.DashedUnderline:
		for i := 0; i < n; i += cellWidth {
			draw(k.line, shape{l + i, 16, 5, 1})
		}
	}
	if k.attr&vt.Strike != 0 {
		draw(k.fg, shape{l, 9, n, 1})
	}
	if k.attr&vt.Overline != 0 {
		draw(k.fg, shape{l, 0, n, 1})
	}
}

// cursor draws a cursor in column x that is no block.
func (w *rowWriter) cursor(x int, cursorShape vt.Shape) {
	w.shapesBy(ink{fg: w.plain})
	switch cursorShape {
	case vt.BarCursor:
		w.drawn.add(shape{x * cellWidth, 0, 2, cellHeight})
	case vt.UnderlineCursor:
		w.drawn.add(shape{x * cellWidth, cellHeight - 2, cellWidth, 2})
	}
}

// shapesBy sets k's colour for the next shapes.
func (w *rowWriter) shapesBy(k ink) {
	k = ink{fg: k.fg, attr: k.attr & vt.Faint}
	if k != w.drawBy {
		w.flushShapes()
		w.drawBy = k
	}
}

func (w *rowWriter) flushShapes() {
	if d := w.drawn.path(); d != "" {
		fmt.Fprintf(&w.above, `<path d="%s"%s/>`+"\n", d, w.inkAttributes(w.drawBy))
	}
	w.drawn = nil
}

// cell draws the character in column x.
func (w *rowWriter) cell(x int, c vt.Cell, k ink) {
	r, n := utf8.DecodeRuneInString(c.Text)
	if n == len(c.Text) && c.Width == 1 {
		if s, opacity := drawing(r); s != nil {
			w.flushText()
			if opacity != "" {
				w.flushShapes()
				fmt.Fprintf(&w.above, `<rect x="%d" width="%d" height="%d" fill-opacity="%s"%s/>`+"\n", x*cellWidth,
					cellWidth, cellHeight, opacity, w.inkAttributes(ink{fg: k.fg}))
				return
			}
			w.shapesBy(k)
			for _, one := range s {
				one.x += x * cellWidth
				w.drawn.add(one)
			}
			return
		}
	}
	k = ink{fg: k.fg, attr: k.attr & (vt.Bold | vt.Faint | vt.Italic)}
	single, ascii := c.Width == 1 && n == len(c.Text), c.Text != "" && c.Text[0] < 0x80
	switch {
	case c.Text == "":
		// Two blanks in a row end a run: XML does not keep them everywhere.
		if w.text.Len() == 0 || !w.ascii || w.to != x {
			w.flushText()
			return
		}
		w.text.WriteByte(' ')
		w.to++
		if strings.HasSuffix(w.text.String(), "  ") {
			w.flushText()
		}
		return
	case !single:
		w.flushText()
		fmt.Fprintf(&w.above, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			x*cellWidth, baseline, c.Width*cellWidth, w.inkAttributes(k), escape(c.Text))
		return
	}
	if w.text.Len() > 0 && (k != w.textInk || ascii != w.ascii || x != w.to) {
		w.flushText()
	}
	if w.text.Len() == 0 {
		w.textInk, w.ascii, w.at, w.to = k, ascii, x, x
	}
	w.text.WriteString(c.Text)
	w.to++
}

// flushText writes the run. ASCII is as wide as its cells in every fixed font, and textLength
// corrects small differences. Other characters may come from another font, so that each has its
// place.
func (w *rowWriter) flushText() {
	text := strings.TrimRight(w.text.String(), " ")
	w.text.Reset()
	if text == "" {
		return
	}
	var x strings.Builder
	fmt.Fprintf(&x, `x="%d`, w.at*cellWidth)
	if n := utf8.RuneCountInString(text); w.ascii && n > 1 {
		fmt.Fprintf(&x, `" textLength="%d`, n*cellWidth)
	} else {
		for i := 1; i < n; i++ {
			fmt.Fprintf(&x, " %d", (w.at+i)*cellWidth)
		}
	}
	fmt.Fprintf(&w.above, `<text %s" y="%d"%s>%s</text>`+"\n", x.String(), baseline, w.inkAttributes(w.textInk),
		escape(text))
}

// inkAttributes returns an ink as attributes.
func (w *rowWriter) inkAttributes(k ink) (a string) {
	if k.fg != w.plain {
		a = ` fill="` + k.fg + `"`
	}
	if k.attr&vt.Faint != 0 {
		a += ` fill-opacity=".6"`
	}
	if k.attr&vt.Bold != 0 {
		a += ` font-weight="bold"`
	}
	if k.attr&vt.Italic != 0 {
		a += ` font-style="italic"`
	}
	return a
}

// color returns c for SVG.
func (p painter) color(c ansi.Color, ground bool) string {
	if r, g, b, ok := c.RGB(); ok {
		return hex(r, g, b)
	}
	names := &darkColors
	if p.light {
		names = &lightColors
	}
	n, ok := c.Index()
	switch {
	case !ok && ground:
		return names.bg
	case !ok:
		return names.fg
	case n < 16:
		return names.named[n]
	case n < 232:
		n -= 16
		return hex(level(n/36), level(n/6%6), level(n%6))
	}
	v := (n-232)*10 + 8
	return hex(v, v, v)
}

// level returns one of the six levels of the colour cube.
func level(n uint8) uint8 {
	if n == 0 {
		return 0
	}
	return n*40 + 55
}

func hex(r, g, b uint8) string {
	return "#" + strconv.FormatUint(1<<24|uint64(r)<<16|uint64(g)<<8|uint64(b), 16)[1:]
}

// palette is the colours that a terminal's user chooses.
type palette struct {
	fg, bg string
	named  [16]string
}

var (
	darkColors = palette{"#dcdfe4", "#1a1c21", [16]string{
		"#2b2f38", "#e06c6c", "#8cc265", "#d9b45b", "#6ea3e0", "#c586d6", "#56b6c2", "#c8ccd4",
		"#7a818e", "#f08080", "#a5dd7f", "#f0cd74", "#8cbcf5", "#dda2ec", "#7fd3dd", "#ffffff",
	}}
	lightColors = palette{"#24292f", "#ffffff", [16]string{
		"#24292f", "#b42318", "#2e7d32", "#8a6100", "#1a5fb4", "#8b2f9f", "#0b7285", "#6e7781",
		"#57606a", "#cf222e", "#1a7f37", "#9a6700", "#0969da", "#a626a4", "#0e7490", "#8c959f",
	}}
)
