// Package tuitest runs a tui program on a virtual screen. Nothing above the tty is mocked.
package tuitest

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Config is the screen. The zero value is 80 by 24, Unicode, 16 colours.
type Config struct {
	Cols, Rows int
	Env        map[string]string
	Before     string // rows that stand on the screen before the program starts
}

// Screen is a program on its screen. Its methods are for the test's goroutine.
type Screen struct{}

// Start runs a until the test ends. Inside a testing/synctest bubble its time is the bubble's.
func Start(tb testing.TB, a *tui.App, c Config) *Screen { return &Screen{} }

// Type types s, one key in each read.
func (s *Screen) Type(text string) {}

// Press presses keys by name, as in "ctrl+c", "enter", "alt+b".
func (s *Screen) Press(keys ...string) {}

// Paste pastes text, bracketed.
func (s *Screen) Paste(text string) {}

// Resize gives the screen a new size, in columns and rows.
func (s *Screen) Resize(cols, rows int) {}

// Settle waits until all that is under way is on the screen. A running animation does not count.
func (s *Screen) Settle() {}

// Visible is the grid as text, trailing spaces and blank rows cut.
func (s *Screen) Visible() string { return "" }

// Scrollback is the history as text.
func (s *Screen) Scrollback() string { return "" }

// Bytes is all that the program wrote.
func (s *Screen) Bytes() []byte { return nil }

// Golden compares history and grid with testdata/<test name>.golden, and writes it with -update.
func (s *Screen) Golden() {}

// Wait waits for the program's end and returns what Run returned.
func (s *Screen) Wait() error { return nil }
