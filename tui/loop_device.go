package tui

import (
	"context"
	"io"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// canvas is what the loop paints on: a [renderer.Renderer], or plain text.
type canvas interface {
	Render(renderer.Frame) (renderer.Seam, error)
	Resize(cols, rows int)
	Overtaken()
	Ask() error
	Locate() (asked bool, err error)
	Top() (row int, known bool)
	Anchor(col, row int) bool
	Predict()
	Prove(from, n int) ([]renderer.Ends, error)
	Measure(samples []string, cols int) (asked int, err error)
	Restart()
	Release(keep bool) error
	CaretShown() bool
	SetModel(width.Model)
	SetSync(on bool)
	SetQuirks(renderer.Quirks)
	SetLinks(on bool)
	SetMarks(on bool)
	Reset(renderer.ResetMode) (renderer.ResetMode, error)
}

// device is the part of a [terminal.Terminal] that the loop needs.
type device interface {
	io.Writer
	taker
	lender
	modes
	outside
	Next(context.Context) (Event, error)
	Size() (cols, rows int)
	Caps() Caps
	ExpectCursor()
	Close() error
}

// taker tells which writes the terminal has taken.
type taker interface {
	Backlog() int
	Behind() bool
	CaughtUp() (drainedAt, lastSlow time.Time)
}

// lender gives the terminal to another program.
type lender interface {
	Lend(context.Context, func(*terminal.Lent) error) error
	Stop() error
}

// modes switches modes of the terminal.
type modes interface {
	SetAltScreen(on bool)
	SetMouse(on bool)
	SetDrags(on bool)
	SetKeyReleases(on bool)
}

// outside is what a program can send besides the picture.
type outside interface {
	Notify(title, body string)
	SetTitle(string)
	SetProgress(percent int)
	Copy(string) error
}
