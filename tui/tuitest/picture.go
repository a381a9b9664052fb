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

// Sizes of a picture in pixels. Nearly all monospaced fonts of 15 pixels have an advance of 9
// pixels.
const (
	cellWidth    = 9
	cellHeight   = 18
	baseline     = 14 // position of the baseline within a row
	fontSize     = 15
	marginPixels = 12 // space around the grid
)

// Look says how to draw a screen as a picture. The zero value is a dark background without a name.
type Look struct {
	Light bool   // a light background
	Name  string // a description for readers who cannot see the picture
}

// SVG returns the grid of t as a complete SVG file without scripts, fonts or other files. The same
// screen gives the same bytes on every machine. Each character is at its column whatever font the
// viewer has; lines, blocks and dots are drawn as shapes. Pictures in the terminal are shown as
// grey areas, because the emulator does not store their pixels.
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

// SVG returns the grid as an SVG file, see [Look.SVG], on the background that [Config.Light]
// selects. name is a description of the picture.
func (s *Screen) SVG(name string) []byte {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return Look{Light: s.light, Name: name}.SVG(s.tty.vt)
}

// begin writes the start of a picture of cols by rows cells.
func (l Look) begin(b *bytes.Buffer, cols, rows int) {
	w, h := cols*cellWidth+2*marginPixels, rows*cellHeight+2*marginPixels
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
		`Menlo,Consolas,DejaVu Sans Mono,monospace">`+"\n", marginPixels, marginPixels, p.color(0, false), fontSize)
}

func (l Look) end(b *bytes.Buffer) { b.WriteString("</g>\n</svg>\n") }

// escape returns text with the characters escaped that are special in XML. Characters that XML
// cannot represent become U+FFFD.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes all
	return b.String()
}

// painter draws rows of cells as SVG.
type painter struct{ light bool }

// cellLook is the look of a run of cells: their style, with colours as they are finally shown.
type cellLook struct {
	fg, bg    string // colours for SVG; bg is "" if it is the background of the picture
	line      string // colour of the underline
	underline vt.Underline
	attr      vt.Attr // attributes without Inverse, which the colours already include
}

func (p painter) ink(s vt.Style) cellLook {
	k := cellLook{fg: p.color(s.Fg, false), underline: s.Underline, attr: s.Attr &^ (vt.Inverse | vt.Blink)}
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

// row returns the drawing of row y of t, as if it were the top row. It returns "" for a blank row.
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
			k, c.Text = cellLook{fg: p.color(0, false)}, "▒"
		case c.Text == " ", k.attr&vt.Invisible != 0:
			c.Text = ""
		}
		w.addBackground(x, c.Width, k)
		w.addLines(x, c.Width, k)
		if atCursor {
			w.addCursor(x, cursor.Shape)
		}
		w.addCell(x, c, k)
	}
	return w.String()
}

// rowWriter builds the drawing of a row: first the backgrounds, then everything above them.
type rowWriter struct {
	plain string // the default text colour

	grounds, above strings.Builder // finished backgrounds, and finished elements above them

	back cellLook // look of the background that is being extended, from column backAt to backTo
	backAt,
	backTo int

	drawn  shapes // unfinished lines and blocks, which have the look drawBy
	drawBy cellLook

	text    strings.Builder // the run of text that is being extended
	textInk cellLook
	at, to  int  // first column of the run of text, and the column behind it
	ascii   bool // the run of text is ASCII only
}

func (w *rowWriter) String() string {
	w.flushGround()
	w.flushShapes()
	w.flushText()
	return w.grounds.String() + w.above.String()
}

func (w *rowWriter) addBackground(x, width int, k cellLook) {
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
	w.back = cellLook{}
}

// addLines draws the underlines and similar lines of width cells from column x on.
func (w *rowWriter) addLines(x, width int, k cellLook) {
	l, n := x*cellWidth, width*cellWidth
	draw := func(color string, s shape) {
		o := cellLook{fg: color}
		if k.attr&vt.Faint != 0 {
			o.attr = vt.Faint
		}
		w.setShapeLook(o)
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

// addCursor draws a cursor in column x that is a bar or an underline.
func (w *rowWriter) addCursor(x int, cursorShape vt.Shape) {
	w.setShapeLook(cellLook{fg: w.plain})
	switch cursorShape {
	case vt.BarCursor:
		w.drawn.add(shape{x * cellWidth, 0, 2, cellHeight})
	case vt.UnderlineCursor:
		w.drawn.add(shape{x * cellWidth, cellHeight - 2, cellWidth, 2})
	}
}

// setShapeLook sets the colour for the next shapes to that of k.
func (w *rowWriter) setShapeLook(k cellLook) {
	k = cellLook{fg: k.fg, attr: k.attr & vt.Faint}
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

// addCell draws the character c in column x.
func (w *rowWriter) addCell(x int, c vt.Cell, k cellLook) {
	r, n := utf8.DecodeRuneInString(c.Text)
	if n == len(c.Text) && c.Width == 1 {
		if s, opacity := glyphShapes(r); s != nil {
			w.flushText()
			if opacity != "" {
				w.flushShapes()
				fmt.Fprintf(&w.above, `<rect x="%d" width="%d" height="%d" fill-opacity="%s"%s/>`+"\n", x*cellWidth,
					cellWidth, cellHeight, opacity, w.inkAttributes(cellLook{fg: k.fg}))
				return
			}
			w.setShapeLook(k)
			for _, one := range s {
				one.x += x * cellWidth
				w.drawn.add(one)
			}
			return
		}
	}
	k = cellLook{fg: k.fg, attr: k.attr & (vt.Bold | vt.Faint | vt.Italic)}
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

// flushText writes the current run of text. For ASCII it sets only the length of the run, which
// corrects small differences between fonts. Other characters may come from another font, so that
// each gets its own position.
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

// inkAttributes returns the look k as SVG attributes.
func (w *rowWriter) inkAttributes(k cellLook) (a string) {
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

// color returns c in SVG syntax. ground says that it is a background colour.
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
		return hex(cubeLevel(n/36), cubeLevel(n/6%6), cubeLevel(n%6))
	}
	v := (n-232)*10 + 8
	return hex(v, v, v)
}

// cubeLevel returns the intensity of step n of the six steps of the 256-colour cube.
func cubeLevel(n uint8) uint8 {
	if n == 0 {
		return 0
	}
	return n*40 + 55
}

func hex(r, g, b uint8) string {
	return "#" + strconv.FormatUint(1<<24|uint64(r)<<16|uint64(g)<<8|uint64(b), 16)[1:]
}

// palette holds the colours that the user of a terminal can choose.
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
