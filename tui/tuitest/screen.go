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

// Config describes the virtual screen. The zero value is an empty ghostty window of 80 by 24 cells,
// with a UTF-8 locale and 16 colours.
type Config struct {
	Cols, Rows  int
	Env         map[string]string // added to the default environment; that of the process is not visible
	Before      string            // text that is on the screen before the program starts
	Personality vt.Personality    // how the terminal differs from ghostty
	Light       bool              // the terminal has a light background and reports it; pictures are light, too

	// Slow returns the time that the terminal takes for a write. It shows the first half of the
	// write at once. If Slow is nil writes take no time.
	Slow func() time.Duration

	Recover bool // a panic ends only the program, and Wait returns it as an error

	// Wire returns the bytes of a write that reach the terminal, for testing tests; nil: all bytes
	// do.
	Wire func(p []byte) []byte

	// Tmux answers commands to tmux, see [terminal.Config]; nil: tmux is not asked.
	Tmux func(ctx context.Context, args ...string) ([]byte, error)
}

// Screen is an App that runs on a virtual screen. Call its methods only on the test's goroutine.
type Screen struct {
	tb     testing.TB
	app    *tui.App
	tty    *tty
	done   chan struct{}
	err    error
	stops  atomic.Int32 // number of times Ctrl+Z has stopped the program
	bubble bool         // the test runs in a synctest bubble
	light  bool
	film   *Film // the film that is being recorded; nil: none
}

// Start runs a until the test ends, and waits until it has painted its first frame. It sets
// a.Terminal.
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

// inBubble reports whether the caller is in a synctest bubble. Outside of one, synctest.Wait
// panics.
func inBubble() (yes bool) {
	defer func() { _ = recover() }()
	synctest.Wait()
	return true
}

// Type types text. Each character arrives in a read of its own, as when a user types.
func (s *Screen) Type(text string) {
	for _, r := range text {
		s.key(terminal.Key{Code: r})
	}
	s.Settle()
}

// Press presses keys, given by their names: "ctrl+c", "enter", "alt+b" (terminal.ParseKey).
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

// Paste pastes text, as a bracketed paste if the program has requested that (mode 2004).
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

// Resize changes the size of the screen, and waits until the program has adapted to it.
func (s *Screen) Resize(cols, rows int) {
	s.tty.resize(cols, rows)
	s.advance(150 * time.Millisecond) // a program waits until a resize has settled
	s.Settle()
}

// Send sends bytes from the terminal to the program, in one read. It does not wait.
func (s *Screen) Send(p []byte) { s.tty.send(p) }

// Reshape changes the size of the screen without waiting for the program.
func (s *Screen) Reshape(cols, rows int) { s.tty.resize(cols, rows) }

// Settle waits until everything in progress is on the screen. Animations do not count: any of their
// frames may be shown.
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

// Pass lets the time d pass, as if the user were reading, and then calls Settle.
func (s *Screen) Pass(d time.Duration) {
	s.tb.Helper()
	if s.film == nil {
		s.advance(d)
	} else {
		s.film.scriptTime += d
		s.film.passUntil(s.film.scriptTime)
	}
	s.Settle()
}

// advance lets the time d pass, and takes frames if a film is being recorded.
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

// Wait waits for the end of the program and returns the error of Run.
func (s *Screen) Wait() error {
	s.tb.Helper()
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		s.tb.Fatal("tuitest: the program does not end")
	}
	return s.err
}

// Stops returns the number of times that Ctrl+Z has stopped the program. It continues at once.
func (s *Screen) Stops() int { return int(s.stops.Load()) }

// Visible returns the grid as text, without trailing spaces and trailing blank rows.
func (s *Screen) Visible() string {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return s.tty.vt.String()
}

// Scrollback returns the terminal's history as text, one line for each row, without a final
// newline.
func (s *Screen) Scrollback() string {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return strings.Join(s.tty.vt.Scrollback(), "\n")
}

// Lines returns history and grid as lines in the way a user would copy them: rows that the terminal
// has wrapped form one line.
func (s *Screen) Lines() []string {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	return s.tty.vt.Lines()
}

// Prompts returns the text of the rows, beginning with history, at which the terminal stops when
// the user jumps to the previous prompt (OSC 133), see [tui.Line].
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

// Cursor returns the position of the cursor on the grid, counted from 0, and whether it is visible.
func (s *Screen) Cursor() (col, row int, shown bool) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	c := s.tty.vt.Cursor()
	return c.Col, c.Row, c.Visible
}

// Bytes returns everything that the program has written since the last call.
func (s *Screen) Bytes() []byte {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	b := bytes.Clone(s.tty.out)
	s.tty.out = s.tty.out[:0]
	return b
}

// Inspect calls f with the emulator. f must not keep it.
func (s *Screen) Inspect(f func(*vt.Terminal)) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	f(s.tty.vt)
}

// Watch sets a function that is called with the emulator after each write of the program, until the
// program ends. f must not keep the emulator, and must not call methods of s.
func (s *Screen) Watch(f func(*vt.Terminal)) {
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	s.tty.watch = f
}

// Want fails the test if the grid differs from rows.
func (s *Screen) Want(rows ...string) {
	s.tb.Helper()
	if got, want := s.Visible(), strings.Join(rows, "\n"); got != want {
		s.tb.Errorf("the screen is not as wanted:\n%s", diffText(got, want))
	}
}
