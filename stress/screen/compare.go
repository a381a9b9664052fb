package screen

import (
	"fmt"
	"slices"
	"strings"
)

// CoreModes lists the terminal modes that [Compare] looks at. Other modes may be known to one
// emulator and unknown to another without any visible effect.
var CoreModes = []string{"4", "20", "?1", "?5", "?6", "?7", "?25", "?45", "?69", "?1000", "?1002", "?1003", "?1004",
	"?1006", "?2004", "?2026"}

// Rules says what [Compare] looks at besides the common set. The zero value adds nothing.
type Rules struct {
	Replies    bool // bytes that the terminal has written back to the program
	Images     bool // images of kitty's graphics protocol
	Protection bool // the protection (DECSCA) of cells
	Extras     bool // prompt marks, keyboard flags, bells and modes beyond CoreModes
}

// Difference is one place in which two dumps differ.
type Difference struct {
	Where     string // what differs: "row 3 col 7", "cursor", "mode ?7"
	Got, Want string
}

// String returns the difference as one readable line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: got %s, want %s", d.Where, d.Got, d.Want)
}

// Compare returns the differences between two dumps: size, screen, rows cell by cell (only the
// first difference of each row), soft wraps, scrollback, cursor, the core modes and the title, and
// what the rules add.
//
// It leaves out what one of the dumps lists as Unsupported, and the soft wrap of the grid's last
// row. Of blank narrow cells it compares only what can be seen.
func Compare(got, want *Dump, rules Rules) []Difference {
	c := comparison{off: map[string]bool{}, rules: rules}
	for _, d := range []*Dump{got, want} {
		for _, name := range d.Unsupported {
			c.off[name] = true
		}
	}
	c.add("size", fmt.Sprintf("%dx%d", got.Cols, got.Rows), fmt.Sprintf("%dx%d", want.Cols, want.Rows))
	c.add("screen", got.Screen, want.Screen)
	if len(c.list) > 0 {
		return c.list // rows of other sizes or screens say nothing more
	}
	c.cursor(got.Cursor, want.Cursor)
	c.add("scrollback length", fmt.Sprint(got.ScrollbackLen), fmt.Sprint(want.ScrollbackLen))
	if got.Scrollback != nil && want.Scrollback != nil {
		// Rows are paired from the newest, so that one row too many shows as a length, not as every
		// row.
		n := min(len(got.Scrollback), len(want.Scrollback))
		g, w := got.Scrollback[len(got.Scrollback)-n:], want.Scrollback[len(want.Scrollback)-n:]
		for i := range n {
			c.row(fmt.Sprintf("scrollback row -%d", n-i), g[i], w[i], got.Cols, !c.off["scrollback.wrapped"])
		}
	}
	if got.Grid != nil && want.Grid != nil {
		c.add("rows of the grid", fmt.Sprint(len(got.Grid)), fmt.Sprint(len(want.Grid)))
		n := min(len(got.Grid), len(want.Grid))
		for i := range n {
			c.row(fmt.Sprintf("row %d", i), got.Grid[i], want.Grid[i], got.Cols, i < n-1)
		}
	}
	if !c.off["modes"] {
		for _, mode := range CoreModes {
			if !c.off["mode."+mode] {
				c.add("mode "+mode, fmt.Sprint(slices.Contains(got.Modes, mode)),
					fmt.Sprint(slices.Contains(want.Modes, mode)))
			}
		}
	}
	if rules.Extras {
		c.add("modes", strings.Join(got.Modes, " "), strings.Join(want.Modes, " "))
		c.add("kitty keyboard", fmt.Sprint(got.KittyKeyboard), fmt.Sprint(want.KittyKeyboard))
		c.add("bells", fmt.Sprint(got.Bells), fmt.Sprint(want.Bells))
	}
	if !c.off["title"] {
		c.add("title", fmt.Sprintf("%q", got.Title), fmt.Sprintf("%q", want.Title))
	}
	if rules.Replies && !c.off["replies"] {
		c.add("replies", fmt.Sprintf("%q", got.Replies), fmt.Sprintf("%q", want.Replies))
	}
	if rules.Images && !c.off["images"] && got.Images != nil && want.Images != nil {
		c.add("images", fmt.Sprint(sorted(got.Images)), fmt.Sprint(sorted(want.Images)))
	}
	if rules.Images && !c.off["images"] && got.Stored != nil && want.Stored != nil {
		c.add("stored images", fmt.Sprint(got.Stored), fmt.Sprint(want.Stored))
	}
	return c.list
}

func sorted(images []Image) []Image {
	images = slices.Clone(images)
	slices.SortFunc(images, func(a, b Image) int {
		return slices.Compare([]int{a.ID, a.Placement, a.Row, a.Col, a.Cols},
			[]int{b.ID, b.Placement, b.Row, b.Col, b.Cols})
	})
	return images
}

type comparison struct {
	off   map[string]bool
	rules Rules
	list  []Difference
}

func (c *comparison) add(where, got, want string) {
	if got != want {
		c.list = append(c.list, Difference{where, got, want})
	}
}

func (c *comparison) cursor(got, want Cursor) {
	if !c.off["cursor"] {
		c.add("cursor", fmt.Sprintf("row %d col %d", got.Row, got.Col),
			fmt.Sprintf("row %d col %d", want.Row, want.Col))
		c.add("cursor visible", fmt.Sprint(got.Visible), fmt.Sprint(want.Visible))
	}
	if !c.off["pending_wrap"] {
		c.add("pending wrap", fmt.Sprint(got.PendingWrap), fmt.Sprint(want.PendingWrap))
	}
	if !c.off["shape"] {
		c.add("cursor shape", got.Shape, want.Shape)
	}
}

// row records the first cell in which two rows differ, and whether their soft wraps differ. where
// names the rows in the result.
func (c *comparison) row(where string, got, want Row, cols int, wraps bool) {
	var g, w runs
	g.cells, w.cells = got.Cells, want.Cells
	for col := 0; col < cols; {
		a, n := g.next()
		b, m := w.next()
		if reason := c.cell(a, b); reason != "" {
			c.list = append(c.list, Difference{fmt.Sprintf("%s col %d (%s)", where, col, reason), a.describe(),
				b.describe()})
			break
		}
		n = min(n, m, cols-col)
		g.take(n)
		w.take(n)
		col += n
	}
	if c.rules.Extras {
		c.add(where+" (prompt)", fmt.Sprint(got.Prompt), fmt.Sprint(want.Prompt))
	}
	if wraps && !c.off["wrapped"] && got.Wrapped != want.Wrapped {
		c.list = append(c.list, Difference{where + " (wrapped)", fmt.Sprint(got.Wrapped), fmt.Sprint(want.Wrapped)})
	}
}

// runs iterates over the runs of equal cells in a row. Behind the last run it returns default cells
// without end.
type runs struct {
	cells []Cell
	used  int // number of cells of the first run that were taken
}

func (r *runs) next() (Cell, int) {
	if len(r.cells) == 0 {
		return Cell{}, 1 << 30
	}
	return r.cells[0], r.cells[0].Count() - r.used
}

func (r *runs) take(n int) {
	for n > 0 && len(r.cells) > 0 {
		left := r.cells[0].Count() - r.used
		if n < left {
			r.used += n
			return
		}
		n -= left
		r.cells, r.used = r.cells[1:], 0
	}
}

const lines = Strike | Overline

// cell returns the name of the property in which two cells differ, or "".
func (c *comparison) cell(a, b Cell) string {
	on := func(field string) bool { return !c.off[field] }
	if a.Width != b.Width && on("w") {
		return "width"
	}
	if a.Text != b.Text && !(a.Blank() && b.Blank()) && on("t") {
		return "text"
	}
	mask := ^Attrs(0)
	if c.off["attr.overline"] {
		mask &^= Overline
	}
	if c.off["attrs"] {
		mask = 0
	}
	blank := a.Blank() && a.Width == Narrow
	if blank {
		mask &= Inverse | lines
	}
	if a.Attrs&mask != b.Attrs&mask {
		return "attributes"
	}
	if a.Under != b.Under && on("ul") && (on("ulstyle") || (a.Under == "") != (b.Under == "")) {
		return "underline"
	}
	if a.Under != "" && !c.color(a.Ulc, b.Ulc) && on("ulc") {
		return "underline colour"
	}
	if !c.color(a.Bg, b.Bg) && on("bg") {
		return "background"
	}
	fg := !blank || a.Attrs&mask != 0 || a.Under != ""
	if fg && !c.color(a.Fg, b.Fg) && on("fg") {
		return "foreground"
	}
	if !blank && on("link") && (a.Link != b.Link && on("linkuri") || (a.Link == "") != (b.Link == "")) {
		return "link"
	}
	if c.rules.Protection && a.Prot != b.Prot && on("prot") {
		return "protection"
	}
	return ""
}

func (c *comparison) color(a, b Color) bool {
	if a == b {
		return true
	}
	return c.off["colorkind"] && extended(a) && extended(b) // the RGB of an index is not known here
}

// extended reports whether c is a colour that some emulators can report only as RGB: one beyond the
// first 16.
func extended(c Color) bool {
	var n int
	if _, err := fmt.Sscanf(string(c), "idx:%d", &n); err == nil {
		return n > 15
	}
	return strings.HasPrefix(string(c), "rgb:")
}

func (c Cell) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", c.Text)
	switch c.Width {
	case Wide:
		b.WriteString(" wide")
	case Tail:
		b.WriteString(" second half")
	}
	for _, f := range []struct{ name, value string }{
		{"fg", string(c.Fg)}, {"bg", string(c.Bg)}, {"attrs", strings.Join(c.Attrs.Names(), ",")}, {"ul", c.Under},
		{"ulc", string(c.Ulc)}, {"link", c.Link},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, " %s=%s", f.name, f.value)
		}
	}
	if c.Prot {
		b.WriteString(" protected")
	}
	return b.String()
}
