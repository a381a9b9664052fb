package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// graceTime is how long Run waits for Main and the goroutines of App.Go to finish after the
// context has ended or Quit was called.
const graceTime = time.Second

// Run takes over the terminal until ctx ends, Quit is called or Main returns. It then makes every
// row final and writes it. It returns the error of Quit, Main or ctx. A panic in a callback or in
// Main restores the terminal and then ends the process. A panic in a goroutine of App.Go becomes
// the error. Run can be called only once.
//
// Without a terminal, or with TERM=dumb, it writes final rows as plain text. Lines of Input go to
// the [Submitter] of the shown question ([Ask]), or else to the one in Footer. If there is no Main,
// the end of Input also ends Run, once every Stream is closed. If there is no Footer either, an
// overlay that takes keys but no lines ends Run with [terminal.ErrNotTerminal].
func (a *App) Run(ctx context.Context) (err error) {
	s := a.getState()
	s.mu.Lock()
	ranBefore := s.ran
	s.ran = true
	s.mu.Unlock()
	if ranBefore {
		return errors.New("tui: Run was called before")
	}
	defer close(s.ended)
	defer s.queue.close()
	defer func() { err = s.runError(err) }()

	set, err := a.settings()
	if err != nil {
		return err
	}
	term, err := a.openDevice(ctx)
	l := &loop{app: a, state: s, queue: s.queue, transcript: &s.transcript,
		chrome: chrome{footer: slot{comp: a.Footer}}, settings: set}
	switch {
	case errors.Is(err, terminal.ErrNotTerminal) && a.NeedsTerminal != "":
		return needsTerminalError{a.NeedsTerminal}
	case errors.Is(err, terminal.ErrNotTerminal):
		l.usePlainOutput(a)
	case err != nil:
		return fmt.Errorf("tui: opening the terminal: %w", err)
	default:
		if err := l.attach(term); err != nil {
			term.Close()
			return err
		}
	}
	if l.redrawLog != nil {
		defer l.redrawLog.file.Close()
	}
	s.mu.Lock()
	s.loop = l
	s.mu.Unlock()
	return l.runLoop(ctx)
}

// attach makes l paint on term.
func (l *loop) attach(term device) error {
	l.term = term
	l.cols, l.rows = term.Size()
	l.historyCols = l.cols
	l.transcript.retained.limit = retainLimit(l.app.Retain, l.settings.resize)
	l.pictures = newPictures(l.queue, l.app.Images, time.Now(), func() {
		l.markAllDirty()
		l.transcript.markAllDirty()
		l.requestFrame(ordinary, "picture")
	})
	l.updateCaps()
	c := renderer.Config{
		Out: countedDevice{term, &l.frames.writes}, Cols: l.cols, Rows: l.rows, Model: l.widthModel(),
		Sync: l.caps.Sync, Mux: l.caps.Mux != "",
		Quirks: quirksOf(l.caps), Strict: l.settings.strict, Links: l.caps.Links, Marks: l.caps.Marks,
	}
	if l.settings.logFile != "" {
		var err error
		if l.redrawLog, err = openRedrawLog(l.settings.logFile); err != nil {
			return err
		}
		c.Trace = l.redrawLog.trace
	}
	l.canvas = renderer.New(c)
	return nil
}

// countedDevice is a device that counts its writes.
type countedDevice struct {
	device
	n *int // number of writes
}

// Write writes p and counts it as one write.
func (c countedDevice) Write(p []byte) (int, error) {
	*c.n++
	return c.device.Write(p)
}

// openDevice opens the terminal, or calls openTerminal in tests.
func (a *App) openDevice(ctx context.Context) (device, error) {
	if a.openTerminal != nil {
		return a.openTerminal(ctx)
	}
	t, err := terminal.Open(ctx, a.guardedConfig())
	if err != nil {
		return nil, err
	}
	return t, nil
}

// widthMethod returns how the terminal assigns columns to grapheme clusters. kitty uses the width
// of the first character, which a test checks with its core.
func widthMethod(c Caps) width.Method {
	switch {
	case c.Grapheme && c.Name == "kitty" && c.Mux == "":
		return width.Leading
	case c.Grapheme:
		return width.Grapheme
	}
	return width.Wcwidth
}

// quirksOf returns the known quirks of the terminal. A terminal based on xterm.js need not behave
// like xterm.js itself: behind ConPTY (and in VS Code with WSL) there is another grid in between.
func quirksOf(c Caps) renderer.Quirks {
	name := c.Name
	switch {
	case c.XtermJS:
		name = "xterm.js"
	case name == "xterm.js":
		name = "vscode"
	}
	return renderer.Known(name)
}

// usePlainOutput makes l write plain text to App.Output instead of a terminal.
func (l *loop) usePlainOutput(a *App) {
	out := a.Output
	if out == nil {
		out = os.Stdout
	}
	l.canvas = &plainCanvas{w: out}
	l.cols, l.rows = 80, 24
	l.caps = Caps{Unicode: true}
	l.theme = l.makeTheme()
}

// runLoop starts the goroutines around the loop, serves until the end of the run, and closes the
// terminal.
func (l *loop) runLoop(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := false
	defer func() {
		if !ended && l.term != nil { // a panic goes by: leave the screen to it
			defer l.term.Close()
			_ = l.canvas.Release(true)
		}
	}()

	read := make(chan struct{})
	reading, stopReading := context.WithCancel(context.WithoutCancel(ctx))
	defer stopReading()
	if l.term != nil {
		go func() {
			defer close(read)
			l.readEvents(ctx, reading)
		}()
	} else {
		close(read)
		l.inputLines.slots = make(chan struct{}, maxWaitingLines)
		go l.readLines()
	}
	l.queue.allowWaiting()
	l.state.startWaiting(ctx)
	done := l.startMain(ctx)

	l.queue.signal() // the first frame
	l.requestFrame(forced, "start")
	err := l.serve(ctx, cancel, done)
	if l.fatalErr == nil {
		if e := l.finishRun(); err == nil {
			err = e
		}
	}
	ended = true
	if l.term != nil {
		if e := l.term.Close(); err == nil && l.fatalErr == nil {
			err = e
		}
	}
	cancel()
	stopReading()
	<-read
	return err
}

// mainOutcome is the result of App.Main: an error, or a panic with its stack.
type mainOutcome struct {
	err   error
	panic any
	stack []byte
}

// startMain calls App.Main in a goroutine. The returned channel receives the result.
func (l *loop) startMain(ctx context.Context) <-chan mainOutcome {
	done := make(chan mainOutcome, 1)
	if l.app.Main == nil {
		return done
	}
	go func() {
		var o mainOutcome
		defer func() {
			if r := recover(); r != nil {
				o.panic, o.stack = r, debug.Stack()
			}
			done <- o
			l.queue.signal()
		}()
		o.err = l.app.Main(ctx)
	}()
	return done
}

// readEvents queues the terminal's events with their times until reading ends. After the end of
// ctx, the context of the run, it queues only Resumed, which the end of the run has to wait for.
func (l *loop) readEvents(ctx, reading context.Context) {
	for {
		ev, err := l.term.Next(reading)
		if err != nil {
			if ctx.Err() == nil {
				l.queue.add(op{kind: opGone, err: err})
			}
			return
		}
		if _, back := ev.(terminal.Resumed); ctx.Err() != nil && !back {
			continue
		}
		o := op{kind: opEvent, event: ev, at: time.Now()}
		if p, ok := ev.(Paste); ok && p.More { // no more than a few pieces are on the way
			l.queue.add(o)
			l.awaitLoop(reading)
			continue
		}
		l.queue.add(o)
	}
}

// awaitLoop waits until the loop has taken everything queued before, or until ctx ends.
func (l *loop) awaitLoop(ctx context.Context) {
	taken := make(chan struct{})
	if l.queue.add(op{kind: opQuiet, fn: func() { close(taken) }}) {
		select {
		case <-taken:
		case <-ctx.Done():
		}
	}
}
