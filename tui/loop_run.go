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
// cancelled or Quit was called, so that they can say their last words.
const mainTime = time.Second

// Run owns the terminal until ctx ends, Quit is called or Main returns; then every row is final and
// written. It returns the error of Quit or Main, or that of ctx. Without a terminal (or with
// TERM=dumb) it writes final rows as plain text and hands the lines of Input to the [Submitter]
// that is asked ([Ask]) or stands in Footer; their end ends Run too, if there is no Main, once
// every Stream is closed. An overlay that takes keys and no lines, without a Footer, ends it with
// [terminal.ErrNotTerminal]. A panic in a callback or in Main restores the terminal and goes on,
// one in a goroutine of App.Go is the error. Run is called once.
func (a *App) Run(ctx context.Context) (err error) {
	s := a.get()
	s.mu.Lock()
	again := s.ran
	s.ran = true
	s.mu.Unlock()
	if again {
		return errors.New("tui: Run was called before")
	}
	defer close(s.ended)
	defer s.q.close()
	defer func() { err = s.last(err) }()

	set, err := a.settings()
	if err != nil {
		return err
	}
	term, err := a.openDevice(ctx)
	l := &loop{app: a, state: s, q: s.q, t: &s.t, chrome: chrome{footer: slot{comp: a.Footer}}, set: set}
	switch {
	case errors.Is(err, terminal.ErrNotTerminal):
		l.plain(a)
	case err != nil:
		return fmt.Errorf("tui: opening the terminal: %w", err)
	default:
		if err := l.attach(term); err != nil {
			term.Close()
			return err
		}
	}
	if l.log != nil {
		defer l.log.w.Close()
	}
	s.mu.Lock()
	s.loop = l
	s.mu.Unlock()
	return l.run(ctx)
}

// attach makes l paint on term.
func (l *loop) attach(term device) error {
	l.term = term
	l.cols, l.rows = term.Size()
	l.laid = l.cols
	l.t.kept.limit = retainLimit(l.app.Retain, l.set.resize)
	l.pics = newPictures(l.q, l.app.Images, time.Now(), func() {
		l.touch()
		l.t.redraw()
		l.want(ordinary, "picture")
	})
	l.learn()
	c := renderer.Config{
		Out: counted{term, &l.frames.wrote}, Cols: l.cols, Rows: l.rows, Model: l.model(), Sync: l.caps.Sync,
		Mux:    l.caps.Mux != "",
		Quirks: quirksOf(l.caps), Strict: l.set.strict, Links: l.caps.Links, Marks: l.caps.Marks,
	}
	if l.set.log != "" {
		var err error
		if l.log, err = openRedrawLog(l.set.log); err != nil {
			return err
		}
		c.Trace = l.log.trace
	}
	l.out = renderer.New(c)
	return nil
}

// counted counts the writes to a device.
type counted struct {
	device
	n *int
}

func (c counted) Write(p []byte) (int, error) {
	*c.n++
	return c.device.Write(p)
}

func (a *App) openDevice(ctx context.Context) (device, error) {
	if a.open != nil {
		return a.open(ctx)
	}
	t, err := terminal.Open(ctx, a.guarded())
	if err != nil {
		return nil, err
	}
	return t, nil
}

// measure returns how the terminal gives columns to clusters. kitty takes their first character's,
// which a test asks its core about.
func measure(c Caps) width.Method {
	switch {
	case c.Grapheme && c.Name == "kitty" && c.Mux == "":
		return width.Leading
	case c.Grapheme:
		return width.Grapheme
	}
	return width.Wcwidth
}

// quirksOf returns what is known of the terminal. One built on xterm.js need not be its bare core:
// behind ConPTY (VS Code with WSL, too) another grid stands between.
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

// plain makes l write to something that is no terminal.
func (l *loop) plain(a *App) {
	out := a.Output
	if out == nil {
		out = os.Stdout
	}
	l.out = &plainOut{w: out}
	l.cols, l.rows = 80, 24
	l.caps = Caps{Unicode: true}
	l.theme = l.newTheme()
}

// run returns the life of the loop around its turns.
func (l *loop) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	clean := false
	defer func() {
		if !clean && l.term != nil { // a panic goes by: leave the screen to it
			defer l.term.Close()
			_ = l.out.Release(true)
		}
	}()

	read := make(chan struct{})
	reading, enough := context.WithCancel(context.WithoutCancel(ctx))
	defer enough()
	if l.term != nil {
		go func() {
			defer close(read)
			l.readEvents(ctx, reading)
		}()
	} else {
		close(read)
		l.lines.room = make(chan struct{}, maxLines)
		go l.readLines()
	}
	l.q.open()
	l.state.begin(ctx)
	done := l.startMain(ctx)

	l.q.signal() // the first frame
	l.want(forced, "start")
	err := l.serve(ctx, cancel, done)
	if l.gone == nil {
		if e := l.finish(); err == nil {
			err = e
		}
	}
	clean = true
	if l.term != nil {
		if e := l.term.Close(); err == nil && l.gone == nil {
			err = e
		}
	}
	cancel()
	enough()
	<-read
	return err
}

// outcome is how Main ended.
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
			l.q.signal()
		}()
		o.err = l.app.Main(ctx)
	}()
	return done
}

// readEvents takes events off the terminal as they come, with their time, until reading ends. When
// ctx, that of the run, has ended only one of them counts: that the terminal is back, for which the
// end of the run waits.
func (l *loop) readEvents(ctx, reading context.Context) {
	for {
		ev, err := l.term.Next(reading)
		if err != nil {
			if ctx.Err() == nil {
				l.q.add(op{kind: opGone, err: err})
			}
			return
		}
		if _, back := ev.(terminal.Resumed); ctx.Err() != nil && !back {
			continue
		}
		o := op{kind: opEvent, event: ev, at: time.Now()}
		if p, ok := ev.(Paste); ok && p.More { // no more than a few pieces are on the way
			l.q.add(o)
			l.awaitLoop(reading)
			continue
		}
		l.q.add(o)
	}
}

// awaitLoop waits until the loop has taken what was queued before, or ctx ends.
func (l *loop) awaitLoop(ctx context.Context) {
	taken := make(chan struct{})
	if l.q.add(op{kind: opQuiet, f: func() { close(taken) }}) {
		select {
		case <-taken:
		case <-ctx.Done():
		}
	}
}
