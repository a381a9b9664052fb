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

// mainTime is how long Run waits for Main, and for the goroutines of App.Go, after ctx was
// cancelled or Quit was called, so that they can finish.
const mainTime = time.Second

// Run owns the terminal until ctx ends, Quit is called or Main returns. Then every row is final and
// written. It returns the error of Quit or Main, or that of ctx. A panic in a callback or in Main
// restores the terminal and is not caught. A panic in a goroutine of App.Go is the error. Run is
// called once.
//
// Without a terminal (or with TERM=dumb) it writes final rows as plain text. The lines of Input go
// to the [Submitter] of the question that is shown ([Ask]), or to that in Footer. Their end ends
// Run too, if there is no Main, once every Stream is closed. An overlay that takes keys and no
// lines, without a Footer, ends it with [terminal.ErrNotTerminal].
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
		return needsTerminal{a.NeedsTerminal}
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
	if l.log != nil {
		defer l.log.file.Close()
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
	l.laidCols = l.cols
	l.transcript.retained.limit = retainLimit(l.app.Retain, l.settings.resize)
	l.pictures = newPictures(l.queue, l.app.Images, time.Now(), func() {
		l.markAllDirty()
		l.transcript.markAllDirty()
		l.requestFrame(ordinary, "picture")
	})
	l.updateCaps()
	c := renderer.Config{
		Out: counted{term, &l.frames.writes}, Cols: l.cols, Rows: l.rows, Model: l.widthModel(), Sync: l.caps.Sync,
		Mux:    l.caps.Mux != "",
		Quirks: quirksOf(l.caps), Strict: l.settings.strict, Links: l.caps.Links, Marks: l.caps.Marks,
	}
	if l.settings.logFile != "" {
		var err error
		if l.log, err = openRedrawLog(l.settings.logFile); err != nil {
			return err
		}
		c.Trace = l.log.trace
	}
	l.canvas = renderer.New(c)
	return nil
}

// counted counts the writes to a device.
type counted struct {
	device
	n *int
}

// Write writes p and counts it.
func (c counted) Write(p []byte) (int, error) {
	*c.n++
	return c.device.Write(p)
}

// openDevice opens the terminal.
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

// widthMethod returns how the terminal gives columns to clusters. kitty uses the width of the first
// character, which a test checks with its core.
func widthMethod(c Caps) width.Method {
	switch {
	case c.Grapheme && c.Name == "kitty" && c.Mux == "":
		return width.Leading
	case c.Grapheme:
		return width.Grapheme
	}
	return width.Wcwidth
}

// quirksOf returns what is known of the terminal. A terminal that is built on xterm.js need not be
// its bare core: behind ConPTY (and in VS Code with WSL) another grid stands in between.
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

// usePlainOutput makes l write to an output that is no terminal.
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

// runLoop starts everything around the turns of the loop, serves until the end, and closes the
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
		l.lines.slots = make(chan struct{}, maxLines)
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

// outcome is the result of Main.
type outcome struct {
	err   error
	panic any
	stack []byte
}

// startMain runs Main. The channel gets its outcome.
func (l *loop) startMain(ctx context.Context) <-chan outcome {
	done := make(chan outcome, 1)
	if l.app.Main == nil {
		return done
	}
	go func() {
		var o outcome
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

// readEvents queues the events of the terminal as they come, with their time, until reading ends.
// Once ctx, that of the run, has ended only Resumed counts, for which the end of the run waits.
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

// awaitLoop waits until the loop has taken everything that was queued before, or ctx ends.
func (l *loop) awaitLoop(ctx context.Context) {
	taken := make(chan struct{})
	if l.queue.add(op{kind: opQuiet, fn: func() { close(taken) }}) {
		select {
		case <-taken:
		case <-ctx.Done():
		}
	}
}
