package profile_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
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

func (c *core) do(ops ...screen.Op) *screen.Dump {
	dump, err := c.d.Do(ops...)
	if err != nil {
		c.t.Fatal(err)
	}
	return dump
}

func (c *core) fresh() {
	c.do(screen.Op{Reset: &screen.Size{Cols: 80, Rows: 24, Scrollback: 10_000}})
}
func (c *core) wait(time.Duration)    {}
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

// TestTheCoreDoesWhatTheTableSaysOfGhostty holds the behaviours themselves against the real thing.
func TestTheCoreDoesWhatTheTableSaysOfGhostty(t *testing.T) {
	d, err := oracle.Start("../oracle")
	if errors.Is(err, oracle.ErrMissing) {
		need.Missing(t, "ghostty", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	cells := table(t)
	p, _ := profile.ByName("ghostty")
	c := &core{t, d}
	for _, b := range slices.Concat(tapes, behaviours) {
		want, ok := cells[b.name]["ghostty"]
		if !ok {
			continue
		}
		c.fresh()
		got := b.run(c)
		e := &emulator{p: p}
		e.fresh()
		if i := slices.IndexFunc(exceptions, func(x exception) bool {
			return x.profile == "ghostty" &&
				x.behaviour == b.name
		}); i < 0 {
			if got != want {
				t.Errorf("%s: the core does %s, the table says %s", b.name, got, want)
			}
		} else if mine := b.run(e); exceptions[i].reason == newerCore && got != mine {
			t.Errorf("%s: the core does %s, the profile %s", b.name, got, mine)
		}
	}
}
