package tuitest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Config describes the screen. The zero value is 80 columns by 24 rows of an empty ghostty with a
// UTF-8 locale and 16 colours.
type Config struct {
	Cols, Rows  int
	Env         map[string]string // added to the default; nothing of the process's environment is seen
	Before      string            // stands on the screen before the program starts
	Personality vt.Personality    // how the terminal differs from ghostty
	Light       bool              // its background is light, and it reports so; pictures of it are light, too

	// Slow returns how long the terminal takes for a write, whose first half it shows at once; nil:
	// no time.
	Slow func() time.Duration

	Recover bool // a panic ends the program and not the test: Wait returns it as an error

	// Returns the bytes of a write that the terminal gets, for tests of tests; nil: all.
	Wire func(p []byte) []byte

	// The answer of tmux, see [terminal.Config]; nil: it is not asked.
	Tmux func(ctx context.Context, args ...string) ([]byte, error)
}

// Screen is a program on its screen. Its methods are for the test's goroutine.
type Screen struct {
	tb     testing.TB
	app    *tui.App
	tty    *tty
	done   chan struct{}
	err    error
	stops  atomic.Int32
	bubble bool
	light  bool
	film   *Film // nil: none is being made
}

// Start runs a until the test ends, and waits until it has painted. It sets a.Terminal.
func Start(tb testing.TB, a *tui.App, c Config) *Screen {
	tb.Helper()
	env := map[string]string{"TERM": "xterm-ghostty", "LANG": "C.UTF-8"}
	for k, v := range c.Env {
		env[k] = v
	}
	s := &Screen{tb: tb, app: a, done: make(chan struct{}), bubble: inBubble(), light: c.Light}
	s.tty = newTTY(vt.Config{Cols: c.Cols, Rows: c.Rows, Scrollback: 100_000, Now: time.Now, Light: c.Light,
		Personality: c.Personality})
	if c.Light {
		s.tty.vt.WriteString("\x1b]10;" + lightColors.fg + "\a\x1b]11;" + lightColors.bg + "\a")
	}
	s.tty.wire, s.tty.slow = c.Wire, c.Slow
	s.tty.vt.WriteString(strings.ReplaceAll(c.Before, "\n", "\r\n"))
	a.Terminal = terminal.Config{
		TTY:  s.tty,
		Tmux: c.Tmux,
		Env:  func(k string) string { return env[k] },
		Stop: func(os.Signal) { s.stops.Add(1) }, // and goes on at once
	}
	ctx, cancel := context.WithCancel(tb.Context())
	go func() {
		defer close(s.done)
		if c.Recover {
			defer func() {
				if p := recover(); p != nil {
					s.err = fmt.Errorf("tuitest: panic: %v", p)
				}
			}()
		}
		s.err = a.Run(ctx)
	}()
	tb.Cleanup(func() {
		cancel()
		<-s.done
	})
	s.Settle()
	return s
}

// inBubble reports whether the caller is in a synctest bubble: outside of one, Wait panics.
func inBubble() (yes bool) {
	defer func() { _ = recover() }()
	synctest.Wait()
	return true
}

// Type types text, one key in each read, as a person does.
func (s *Screen) Type(text string) {
	for _, r := range text {
		s.key(terminal.Key{Code: r})
	}
	s.Settle()
}

// Press presses keys by name, as in "ctrl+c", "enter", "alt+b" (terminal.ParseKey).
func (s *Screen) Press(keys ...string) {
	s.tb.Helper()
	for _, name := range keys {
		k, err := terminal.ParseKey(name)
		if err != nil {
			s.tb.Fatal(err)
		}
		s.key(k)
	}
	s.Settle()
}

func (s *Screen) key(k terminal.Key) {
	s.tty.mu.Lock()
	kitty := s.tty.vt.KittyKeyboard()
	s.tty.mu.Unlock()
	s.tty.send(encodeKey(k, kitty))
	if k.Code == terminal.KeyEscape {
		s.advance(200 * time.Millisecond) // a lone ESC is a key only after a while
	}
}

// Paste pastes text, in brackets if the program has asked for them (mode 2004).
func (s *Screen) Paste(text string) {
	text = strings.ReplaceAll(text, "\n", "\r")
	s.tty.mu.Lock()
	brackets := s.tty.vt.Mode(2004, true)
	s.tty.mu.Unlock()
	if brackets {
		text = "\x1b[200~" + text + "\x1b[201~"
	}
	s.tty.send([]byte(text))
	s.Settle()
}

// Resize gives the screen a new size, in columns and rows, and lets the program follow.
func (s *Screen) Resize(cols, rows int) {
	s.tty.resize(cols, rows)
	s.advance(150 * time.Millisecond) // a program waits until a resize has settled
	s.Settle()
}

// Send gives the program bytes from the terminal, in one read, and does not wait.
func (s *Screen) Send(p []byte) { s.tty.send(p) }

// Reshape gives the screen a new size as Resize does, without waiting.
func (s *Screen) Reshape(cols, rows int) { s.tty.resize(cols, rows) }

// Settle waits until everything that is under way is on the screen. A running animation does not
// count: any of its pictures may be shown.
func (s *Screen) Settle() {
	s.tb.Helper()
	for n, quiet := 0, 0; quiet < 2; n++ {
		if n == 1000 {
			s.tb.Fatal("tuitest: the program does not settle")
		}
		s.advance(5 * time.Millisecond)
		if quiet++; !s.app.Settled() {
			quiet = 0
		}
	}
}

// Pass lets d pass, as when somebody reads, and then settles.
func (s *Screen) Pass(d time.Duration) {
	s.tb.Helper()
	if s.film == nil {
		s.advance(d)
	} else {
		s.film.clock += d
		s.film.passUntil(s.film.clock)
	}
	s.Settle()
}

// advance lets time pass.
func (s *Screen) advance(d time.Duration) {
	if s.film == nil {
		s.sleep(d)
	} else {
		s.film.passUntil(time.Since(s.film.startedAt) + d)
	}
}

func (s *Screen) sleep(d time.Duration) {
	if s.bubble {
		synctest.Wait()
		defer synctest.Wait()
	}
	time.Sleep(d)
}

// Wait waits for the program's end and returns what Run returned.
func (s *Screen) Wait() error {
	s.tb.Helper()
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		s.tb.Fatal("tuitest: the program does not end")
	}
	return s.err
}

// Stops returns how often Ctrl+Z has stopped the program. It continues at once.
func (s *Screen) Stops() int { return int(s.stops.Load()) }

// Visible returns the grid as text: trailing spaces, and blank rows at the end, are cut.
func (s *Screen) Visible() string {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return s.tty.vt.String()
}

// Scrollback returns the history as text, a row a line, without a newline at the end.
func (s *Screen) Scrollback() string {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return strings.Join(s.tty.vt.Scrollback(), "\n")
}

// Lines returns history and grid as the person copies them: rows that the terminal has wrapped are
// one line.
func (s *Screen) Lines() []string {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return s.tty.vt.Lines()
}

// Prompts returns the text of the rows, history first, at which a terminal's jump to the previous
// prompt stops (OSC 133), see [tui.Line].
func (s *Screen) Prompts() (rows []string) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	add := func(r vt.Row) {
		if r.Prompt() == vt.PromptStart {
			rows = append(rows, r.Text())
		}
	}
	for i := range s.tty.vt.ScrollbackLen() {
		add(s.tty.vt.ScrollbackRow(i))
	}
	_, n := s.tty.vt.Size()
	for i := range n {
		add(s.tty.vt.Row(i))
	}
	return rows
}

// Cursor returns the place of the cursor on the grid, 0-based, and whether it is shown.
func (s *Screen) Cursor() (col, row int, shown bool) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	c := s.tty.vt.Cursor()
	return c.Col, c.Row, c.Visible
}

// Bytes returns all that the program has written since the last call.
func (s *Screen) Bytes() []byte {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	b := bytes.Clone(s.tty.out)
	s.tty.out = s.tty.out[:0]
	return b
}

// Inspect calls f with the emulator, which f does not keep.
func (s *Screen) Inspect(f func(*vt.Terminal)) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	f(s.tty.vt)
}

// Watch calls f with the emulator after each piece of output, until the program ends; f does not
// keep it, and calls no method of s.
func (s *Screen) Watch(f func(*vt.Terminal)) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	s.tty.watch = f
}

// Want compares the grid with rows.
func (s *Screen) Want(rows ...string) {
	s.tb.Helper()
	if got, want := s.Visible(), strings.Join(rows, "\n"); got != want {
		s.tb.Errorf("the screen is not as wanted:\n%s", diffText(got, want))
	}
}
