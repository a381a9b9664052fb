package tui

import (
	"context"
	"io"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// canvas is the interface through which the loop paints: a [renderer.Renderer], or an output of
// plain text.
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

// device is the part of [terminal.Terminal] that the loop uses.
type device interface {
	io.Writer
	writeTracker
	lender
	modeSwitcher
	outOfBandSender
	Next(context.Context) (Event, error)
	Size() (cols, rows int)
	Caps() Caps
	ExpectCursor()
	Close() error
}

// writeTracker reports how much output the terminal has taken.
type writeTracker interface {
	Backlog() int
	Behind() bool
	CaughtUp() (drainedAt, lastSlow time.Time)
}

// lender lends the terminal to another program.
type lender interface {
	Lend(context.Context, func(*terminal.Lent) error) error
	Stop() error
}

// modeSwitcher switches modes of the terminal on and off.
type modeSwitcher interface {
	SetAltScreen(on bool)
	SetMouse(on bool)
	SetDrags(on bool)
	SetKeyReleases(on bool)
}

// outOfBandSender sends what is not shown as rows: notifications, the title, the progress, and the
// clipboard.
type outOfBandSender interface {
	Notify(title, body string)
	SetTitle(string)
	SetProgress(percent int)
	Copy(string) error
}
