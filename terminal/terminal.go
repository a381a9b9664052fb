// Package terminal owns the tty: raw mode, the mode table, key and paste events, hand-over and restore.
package terminal

import (
	"context"
	"io"
	"log/slog"
	"os"
)

// TTY is the device. Start takes it into raw mode, Stop gives it back as it was; between Stop and the next Start nobody reads or writes.
// Read returns an error after Stop. NotifyResize calls f, from any goroutine, when the size may have changed.
type TTY interface {
	io.ReadWriter
	Start() error
	Stop() error
	Size() (cols, rows int, err error)
	NotifyResize(f func())
}

// Config says which terminal and how. The zero value is the process's controlling terminal and environment.
type Config struct {
	TTY  TTY
	Env  func(string) string
	Log  *slog.Logger
	Stop func(sig os.Signal) // what Ctrl+Z does, for tests; nil: stops the process group
}

// Caps is what the terminal can do, from the environment and from its replies.
type Caps struct {
	Mux      string // "tmux", "screen", ... or ""
	Sync     bool   // DEC 2026
	Grapheme bool   // mode 2027 confirmed
	Color    int    // 0 none (NO_COLOR), 16, 256, 1<<24
	Dark     bool
	Unicode  bool // glyphs outside ASCII may be used
}

// Terminal is one terminal in raw mode.
type Terminal struct{}

// Open takes the terminal and sets the modes of the table. Close undoes all of it.
func Open(ctx context.Context, c Config) (*Terminal, error) { return nil, io.EOF }

// Next waits for the next event. It returns io.EOF when the terminal is gone.
func (t *Terminal) Next(ctx context.Context) (Event, error) { return nil, io.EOF }

// Write queues p, whole, behind what was written before; a single goroutine sends it. p is copied.
func (t *Terminal) Write(p []byte) (int, error) { return 0, io.EOF }

// Backlog is the number of bytes that the terminal has not taken yet.
func (t *Terminal) Backlog() int { return 0 }

// Size is the terminal's size as last seen, in columns and rows.
func (t *Terminal) Size() (cols, rows int) { return 0, 0 }

// Caps is what is known now.
func (t *Terminal) Caps() Caps { return Caps{} }

// Suspend gives the terminal to f with all modes restored and takes it back after.
func (t *Terminal) Suspend(ctx context.Context, f func() error) error { return nil }

// Stop stops the process group as Ctrl+Z does in a shell; when it goes on, Next returns Resumed.
func (t *Terminal) Stop() error { return nil }

// Close restores the terminal. Idempotent, any goroutine.
func (t *Terminal) Close() error { return nil }
