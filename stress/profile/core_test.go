package profile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// table reads testdata/terminals.md: behaviour, then terminal, to the cell.
func table(t *testing.T) map[string]map[string]string {
	t.Helper()
	file, err := os.ReadFile("testdata/terminals.md")
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]map[string]string{}
	var head []string
	for line := range strings.Lines(string(file)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
		if !strings.HasPrefix(line, "|") {
			continue
		}
		fields := strings.Split(strings.Trim(line, "|"), "|")
		for i := range fields {
			fields[i] = strings.ReplaceAll(strings.TrimSpace(fields[i]), "\x00", `\|`)
		}
		if fields[0] == "behaviour" {
			head = fields
			continue
		}
		if cells[fields[0]] == nil {
			cells[fields[0]] = map[string]string{}
		}
		for i, f := range fields[1:] {
			cells[fields[0]][head[i+1]] = f
		}
	}
	return cells
}

// core is the real ghostty core as a tape.
type core struct {
	t *testing.T
	d *oracle.Driver
}

func (c *core) do(ops ...screen.Op) (last *screen.Dump) {
	for d, err := range c.d.Run(func(yield func(screen.Op) bool) {
		for _, op := range ops {
			if !yield(op) {
				return
			}
		}
	}) {
		if err != nil {
			c.t.Fatal(err)
		}
		last = d
	}
	return last
}

func (c *core) fresh() {
	c.do(screen.Op{Reset: &screen.Size{Cols: 80, Rows: 24, Scrollback: 10_000}})
}
func (c *core) write(s string)        { c.do(screen.Op{Write: []byte(s)}) }
func (c *core) resize(cols, rows int) { c.do(screen.Op{Resize: &screen.Size{Cols: cols, Rows: rows}}) }
func (c *core) replies() string       { return string(c.do(screen.Op{Dump: screen.Brief}).Replies) }
func (c *core) look() look            { return lookAt(c.do(screen.Op{Dump: screen.Full})) }

func lookAt(d *screen.Dump) look {
	l := look{row: d.Cursor.Row + 1, col: d.Cursor.Col + 1}
	for _, r := range d.Scrollback {
		l.history = append(l.history, r.Text)
	}
	for _, r := range d.Grid {
		l.grid = append(l.grid, r.Text)
	}
	return l
}

func TestCore(t *testing.T) {
	cells := table(t)
	d, err := oracle.Start("../oracle")
	if err != nil {
		t.Skip(err)
	}
	c := &core{t, d}
	for _, b := range append(tapes, behaviours...) {
		c.fresh()
		got := b.run(c)
		want, ok := cells[b.name]["ghostty"]
		if !ok {
			t.Errorf("no row %q", b.name)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", b.name, got, want)
		}
	}
}
