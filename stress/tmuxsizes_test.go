//go:build unix

package stress

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/harness"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

var tmuxSizes = flag.Int("tmuxsizes", 40, "sessions with changes of size in a real tmux")

// unlike are programs for which the emulator is known not to be as tmux is: windows of a few
// columns, and since 3.6 wide characters in cells that have held other things before (see pad.go in
// package vt).
var unlike = map[uint64]bool{500: true, 136: true, 176: true, 234: true, 468: true, 556: true, 558: true, 686: true,
	724: true, 774: true}

// telling are programs that told the emulator of before from a real tmux: erased cells, a wrap onto
// those, rows that stay in history.
var telling = []uint64{110, 264, 509, 614}

// The emulator lays rows out as the tmux that is installed does, and has its cursor on the same
// row, after each change of size.
func TestARealTmuxLaysRowsOutTheSame(t *testing.T) {
	m := newTmux(t)
	p, err := profile.Tmux(strings.TrimPrefix(strings.TrimSpace(m.run("-V")), "tmux "))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i := range uint64(1 << 20) {
		seed := i + 1 - uint64(len(telling))
		if i < uint64(len(telling)) {
			seed = telling[i]
		}
		if ran == *tmuxSizes {
			break
		}
		q := program.Small(seed, p.Name)
		if seed%2 == 0 {
			q = program.Generate(seed, p.Name, 60)
		}
		if q.Nature() == program.Still || q.Terminal.Scrollback < 1000 || !asTmux(&q) || unlike[seed] {
			continue
		}
		ran++
		events, _, err := Record(q)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if where := m.resized(p, q, events); where != "" {
			t.Errorf("seed %d: %s", seed, where)
		}
	}
	t.Logf("%d programs in %s", ran, p.Name)
}

// asTmux leaves out of p what a pane cannot do or its emulator does otherwise, and reports whether
// enough is left: no window is one column wide.
func asTmux(p *program.Program) bool {
	p.Terminal.Partial = false // tmux parts a shell's line and ours where ghostty joins them
	for i := range p.Ops {
		switch o := &p.Ops[i]; o.Kind {
		case program.Suspend, program.Session:
			o.At = 0
		case program.Pager, program.Pane:
			// tmux forgets the wraps of the screen that it comes back to, those of final rows for
			// good
			o.Kind = program.Idle
		case program.Resize, program.Via, program.Race:
			if o.Cols < 2 {
				return false
			}
		}
	}
	return p.Terminal.Cols > 1 && p.Terminal.Rows > 1
}

// resized plays events in a window and says where it is first unlike the emulator.
func (m *tmux) resized(pr profile.Profile, p program.Program, events []harness.Event) string {
	m.t.Helper()
	term := pr.New(p.Terminal.Cols, p.Terminal.Rows, 100_000)
	w := m.feeder(p.Terminal.Cols, p.Terminal.Rows)
	defer w.close()
	var held []byte // until an event ends: an answer is asked for behind it
	for i, e := range events {
		if e.Cols > 0 {
			term.Resize(e.Cols, e.Rows)
			w.resize(e.Cols, e.Rows)
		} else {
			term.Write(e.Bytes)
			held = append(held, e.Bytes...)
			if i+1 < len(events) && events[i+1].Cols == 0 {
				continue
			}
			if cutShort(held) {
				return "" // the window changes in the middle of a sequence
			}
			w.feed(held)
			held = held[:0]
		}
		if term.AltScreen() {
			continue
		}
		if where := w.differs(term); where != "" {
			return fmt.Sprintf("event %d of %d, %dx%d: %s", i, len(events), e.Cols, e.Rows, where)
		}
	}
	return ""
}

// cutShort reports whether p ends within a sequence.
func cutShort(p []byte) bool {
	begin := bytes.LastIndexByte(p, 0x1b)
	if begin < 0 {
		return false
	}
	if p = p[begin+1:]; len(p) == 0 {
		return true
	}
	switch p[0] {
	case '[':
		return bytes.IndexFunc(p[1:], func(r rune) bool { return r >= '@' && r <= '~' }) < 0
	case ']', 'P', '_':
		return bytes.IndexByte(p, 7) < 0 // ours end with ESC \
	}
	return false
}

// A feeder is a window whose program writes what it is given, and tells when tmux has read it.
type feeder struct {
	m       *tmux
	window  string
	chunk   string
	in, out *os.File
	told    *bufio.Reader
}

func (m *tmux) feeder(cols, rows int) *feeder {
	m.t.Helper()
	m.files++
	path := func(name string) string { return filepath.Join(filepath.Dir(m.socket), fmt.Sprint(name, m.files)) }
	f := &feeder{m: m, chunk: path("chunk")}
	for _, name := range []string{"in", "out"} {
		if err := syscall.Mkfifo(path(name), 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
	f.window = strings.TrimSpace(m.run("new-window", "-d", "-P", "-F", "#{window_id}", fmt.Sprintf(
		`stty raw -echo; exec 3<%s 4>%s; while read -r _ <&3; do cat %s; `+
			`printf '\033[5n'; dd bs=1 count=4 >&2 2>/dev/null; echo >&4; done`, path("in"), path("out"), f.chunk)))
	f.resize(cols, rows)
	var err error
	if f.in, err = os.OpenFile(path("in"), os.O_WRONLY, 0); err != nil {
		m.t.Fatal(err)
	}
	if f.out, err = os.Open(path("out")); err != nil {
		m.t.Fatal(err)
	}
	f.told = bufio.NewReader(f.out)
	return f
}

func (f *feeder) resize(cols, rows int) {
	f.m.t.Helper()
	f.m.run("resize-window", "-t", f.window, "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows))
}

// feed writes p without the requests in it: nobody takes their answers.
func (f *feeder) feed(p []byte) {
	f.m.t.Helper()
	err := os.WriteFile(f.chunk, bytes.ReplaceAll(p, []byte(ansi.CPRRequest), nil), 0o600)
	if err == nil {
		_, err = io.WriteString(f.in, "\n")
	}
	if err == nil {
		_, err = f.told.ReadString('\n')
	}
	if err != nil {
		f.m.t.Fatal(err)
	}
}

func (f *feeder) close() {
	f.m.run("kill-window", "-t", f.window)
	f.in.Close()
	f.out.Close()
}

// differs says where the lines of the window are others than those of term, or its cursor is on
// another row.
func (f *feeder) differs(term *vt.Terminal) string {
	f.m.t.Helper()
	said := strings.Split(strings.TrimRight(f.m.run("capture-pane", "-p", "-J", "-S", "-", "-t", f.window, ";",
		"display-message", "-p", "-t", f.window, "#{cursor_y}"), "\n"), "\n")
	last := len(said) - 1
	if got, want := said[last], fmt.Sprint(term.Cursor().Row); got != want {
		return fmt.Sprintf("the cursor is on row %s, want %s", got, want)
	}
	return difference(squeezed(said[:last]), squeezed(term.Lines()))
}
