//go:build terminals

package realterm

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/term"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/profile"
)

var (
	sessions     = flag.Int("sessions", 12, "random sessions to compare with the profile of a terminal")
	firstSession = flag.Uint64("session", 1, "the seed of the first one")
)

// relay returns the program in the terminal: what comes through the socket it writes, what is typed
// it sends back.
func relay(socket string) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	if _, err := term.MakeRaw(0); err != nil {
		return err
	}
	go func() { _, _ = io.Copy(conn, os.Stdin) }()
	_, err = io.Copy(os.Stdout, conn)
	return err
}

// remote is a terminal at the other end of a relay.
type remote struct {
	t    *testing.T
	term terminal
	conn net.Conn
	got  []byte
}

func relayed(t *testing.T, term terminal) *remote {
	socket := filepath.Join(t.TempDir(), "relay")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term.start(t, "SCROLLKEEP_RELAY="+socket+" "+self)
	if err := l.(*net.UnixListener).SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); l.Close() })
	return &remote{t: t, term: term, conn: conn}
}

// ask writes s and returns the numbers of the answer.
func (r *remote) ask(s string, answer *regexp.Regexp) (a, b int, err error) {
	if _, err := io.WriteString(r.conn, s); err != nil {
		return 0, 0, err
	}
	if err := r.conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return 0, 0, err
	}
	for buf := make([]byte, 4096); ; {
		if m := answer.FindSubmatchIndex(r.got); m != nil {
			a, _ = strconv.Atoi(string(r.got[m[2]:m[3]]))
			b, _ = strconv.Atoi(string(r.got[m[4]:m[5]]))
			r.got = r.got[m[1]:]
			return a, b, nil
		}
		n, err := r.conn.Read(buf)
		r.got = append(r.got, buf[:n]...)
		if err != nil {
			return 0, 0, errors.Join(fmt.Errorf("after %q there is %q", s, r.got), err)
		}
	}
}

var (
	cursorAnswer = regexp.MustCompile(`\x1b\[(\d+);(\d+)R`)
	sizeAnswer   = regexp.MustCompile(`\x1b\[8;(\d+);(\d+)t`)
)

// cursor writes s and says where the cursor is then, once all of s is taken.
func (r *remote) cursor(s string) [2]int {
	r.t.Helper()
	row, col, err := r.ask(s+"\x1b[6n", cursorAnswer)
	if err != nil {
		r.t.Fatal(err)
	}
	return [2]int{row - 1, col - 1}
}

func (r *remote) resize(cols, rows int) {
	r.t.Helper()
	n := 0
	eventually(r.t, fmt.Sprintf("a window of %dx%d", cols, rows), func() bool {
		if n++; n%10 == 1 { // sway may lose an order that comes while foot is still busy with the one before
			r.term.resize(r.t, cols, rows)
		}
		high, wide, err := r.ask("\x1b[18t", sizeAnswer)
		if err != nil {
			r.t.Fatal(err)
		}
		return high == rows && wide == cols
	})
}

// randomSteps returns the steps of a random session: bytes, or a size in columns and rows.
func randomSteps(rng *rand.Rand, wides, shifts, marks bool) (steps []any) {
	cols, rows, lines := 20, 8, 0
	for range 2 + rng.IntN(4) {
		for range 1 + rng.IntN(12) {
			var b strings.Builder
			switch k := rng.IntN(14); {
			case k < 6:
				lines++
				fmt.Fprintf(&b, "line%d", lines)
				for range rng.IntN(2 * cols / 5) {
					b.WriteString([]string{" word", " longer", "0123456789"}[rng.IntN(3)])
				}
				if wides && rng.IntN(3) == 0 {
					b.WriteString(strings.Repeat("漢", 1+rng.IntN(cols)))
				}
				if rng.IntN(6) > 0 {
					b.WriteString("\r\n")
				}
			case k < 8:
				b.WriteString("\r\n")
			case k == 8 && !wides: // the other half of what is written over stays in foot, unseen
				fmt.Fprintf(&b, "\x1b[%dA", 1+rng.IntN(4))
			case k == 9:
				fmt.Fprintf(&b, "\x1b[%dB", 1+rng.IntN(4))
			case k == 10:
				// Cells that nobody has printed part lines where foot reads its tape.
				fmt.Fprintf(&b, "\x1b[%dG", 1+rng.IntN(4))
			case k == 11:
				b.WriteString([]string{"\x1b[K", "\r\x1b[K", "\x1b[J", "\r\n\x1b[J"}[rng.IntN(4)])
			case k == 12 && shifts && rng.IntN(2) == 0:
				// Not everybody leaves the column alone.
				b.WriteString([]string{"\r\x1b[L", "\r\x1b[2L", "\r\x1b[M", "\x1b[X"}[rng.IntN(4)])
			case k == 12:
				b.WriteString("x")
			default:
				b.WriteString("\r")
			}
			if marks {
				steps = append(steps, strings.ReplaceAll(b.String(), "o", "o\u0302"))
				continue
			}
			steps = append(steps, b.String())
		}
		for range 1 + rng.IntN(2) {
			c, h := cols, rows
			if rng.IntN(4) > 0 {
				c = 8 + rng.IntN(40)
			}
			if rng.IntN(3) > 0 {
				h = 2 + rng.IntN(14)
			}
			if c != cols || h != rows {
				cols, rows = c, h
				steps = append(steps, [2]int{c, h})
			}
		}
	}
	return steps
}

func TestSessionsAreAsTheirProfile(t *testing.T) {
	for _, tt := range []struct {
		name  string
		needs []string
		open  func() terminal
	}{
		{"foot", []string{"foot", "sway", "wtype"}, func() terminal { return &foot{} }},
		{"urxvt", []string{"urxvt", "Xvfb", "xdotool"}, func() terminal { return &urxvt{} }},
		{"konsole", []string{"konsole", "Xvfb", "xdotool", "xclip"}, func() terminal { return &konsole{} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range tt.needs {
				need.Program(t, p)
			}
			p, _ := profile.ByName(tt.name)
			r := relayed(t, tt.open())
			for seed := *firstSession; seed < *firstSession+uint64(*sessions); seed++ {
				// foot cannot be read after IL
				steps := randomSteps(rand.New(rand.NewPCG(seed, 0)), seed%2 == 0, tt.name != "foot",
					tt.name == "urxvt" && seed%3 > 0)
				t.Logf("session %d", seed)
				if r.differs(p, steps) == "" {
					continue
				}
				for i := len(steps) - 1; i >= 0; i-- { // made smaller
					if fewer := slices.Delete(slices.Clone(steps), i, i+1); r.differs(p, fewer) != "" {
						steps = fewer
					}
				}
				t.Fatalf("seed %d: after %q %s", seed, steps, r.differs(p, steps))
			}
		})
	}
}

// differs plays a session in the terminal and in the emulator, and says what is not the same.
func (r *remote) differs(p profile.Profile, steps []any) string {
	r.resize(20, 8)
	r.cursor("\x1bc\x1b[3J")
	e := p.New(20, 8, 20000)
	for i, step := range steps {
		var at [2]int
		switch step := step.(type) {
		case string:
			at = r.cursor(step)
			e.WriteString(step)
		case [2]int:
			r.resize(step[0], step[1])
			at = r.cursor("")
			e.Resize(step[0], step[1])
		}
		if c := e.Cursor(); at != [2]int{c.Row, c.Col} {
			return fmt.Sprintf("(step %d) the cursor is at %v, in the profile at %d,%d:\n%s\nthe profile:\n%s", i+1, at,
				c.Row, c.Col, r.term.tape(r.t), strings.Join(e.Lines(), "\n"))
		}
	}
	if got, want := trimmed(r.term.tape(r.t)), trimmed(strings.Join(e.Lines(), "\n")); !slices.Equal(got, want) {
		return fmt.Sprintf("the tape is\n%s\nthe profile's\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return ""
}

// trimmed returns the lines of a tape without blanks at their ends, and without blank ones at its
// ends: foot writes none of these.
func trimmed(tape string) []string {
	lines := strings.Split(strings.TrimRight(tape, " \r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return lines
}
