package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// ErrClosed is what Write and Suspend return after Close.
var ErrClosed = errors.New("terminal: closed")

// GoneError is the end of a terminal that was not closed by us: the line was cut, it takes nothing
// any more, or a signal asks the process to end. errors.Is(err, io.EOF) is true for it.
type GoneError struct{ Cause error }

func (e *GoneError) Error() string        { return "terminal: gone: " + e.Cause.Error() }
func (e *GoneError) Unwrap() error        { return e.Cause }
func (e *GoneError) Is(target error) bool { return target == io.EOF }

// TTY is the device. Start takes it into raw mode, Stop gives it back as it was; between Stop and
// the next Start nobody reads or writes. Read returns an error after Stop, also one that was
// waiting, and takes no byte then. NotifyResize calls f, from any goroutine, when the size may have
// changed. A TTY that is an [io.Closer] is closed after the last Stop.
type TTY interface {
	io.ReadWriter
	Start() error
	Stop() error
	Size() (cols, rows int, err error)
	NotifyResize(f func())
}

// Config says which terminal and how. The zero value is the process's controlling terminal and
// environment.
type Config struct {
	TTY TTY // nil: the process's own; only then are signals handled
	// Controlling takes the process's controlling terminal also where its standard input or output
	// are none, for a program in a pipeline that asks what its terminal can. Not on Windows, and
	// not while another process group has the terminal: then there is none.
	Controlling bool
	Env         func(string) string // nil: os.Getenv
	Log         *slog.Logger        // nil: discard
	Stop        func(sig os.Signal) // what Ctrl+Z does, for tests; nil: stops the process group

	// Last is called, once the terminal is restored, before a signal ends the process that the
	// program has not answered; nil: nothing is. It must not take long.
	Last func()

	// Stderr takes what the process, its libraries and children write to standard error while we
	// have the terminal, where it would land in the middle of a frame. nil: it is left alone. A
	// crash's message goes to the real one too (debug.SetCrashOutput). Only with the process's own
	// terminal, and not on Windows.
	Stderr io.Writer

	// Guard gives the terminal back when the process dies without having done so; nil: nobody does.
	// Only with the process's own terminal.
	Guard *Guard

	// Tmux runs tmux with args and returns its standard output, for what no escape sequence tells
	// (see [AskTmux]); it is called once, beside everything else, only where TMUX is set. nil: tmux
	// is not asked.
	Tmux func(ctx context.Context, args ...string) ([]byte, error)

	Limit int // bytes of backlog from which on no frames should be made, see [Drained]; 0: 256 KiB
	// How long the terminal may take nothing before it counts as gone; 0: 15 minutes, which a
	// closed laptop may outlast.
	Patience time.Duration
}

// Times that are not of the user's concern.
const (
	// For the rest of an escape sequence on slow links, in multiplexers, and where the Escape key
	// sends more than ESC.
	escSlow   = 150 * time.Millisecond
	handTime  = 10 * time.Millisecond  // for a read that has happened to reach the loop
	debounce  = 100 * time.Millisecond // for reports of the colour scheme, which come in twos and threes
	flushTime = time.Second            // for what is queued when the terminal is given away
	// For replies that are under way when the terminal is given away: they would go to the shell.
	drainTime = 150 * time.Millisecond
	// For the answer of a terminal that has answered before to the last thing it is told.
	endTime    = time.Second
	drainSlow  = 400 * time.Millisecond // the same over ssh
	stale      = 2 * time.Second        // after which a question counts as never answered
	defaultLim = 256 << 10
)

// Terminal is one terminal in raw mode. Its methods may be called from any goroutine; Next from one
// at a time.
type Terminal struct {
	tty  TTY
	env  func(string) string
	log  *slog.Logger
	conf Config
	w    *writer
	sig  *signals // nil if the TTY is not the process's

	reads   chan chunk
	resized chan struct{} // the size may have changed
	kick    chan struct{} // events were queued by another goroutine
	done    chan struct{} // closed when there will be nothing more to read

	handover sync.Mutex // held while the terminal is given away or taken
	away     bool       // given away; under handover
	closed   bool       // under handover
	reader   *reader
	stderr   *stderr    // nil: not captured; under handover
	suspend  sync.Mutex // one Suspend at a time

	mu         sync.Mutex // all below
	buf        stdinbuf.Buffer
	mixed      bool // what is pending in buf came with other tokens in one read
	events     []Event
	probes     probes
	modes      modeState
	caps       Caps
	facts      []Fact
	cols, rows int
	early      bool      // a report has told that size, and the signal for it may still come
	cursor     int       // cursor reports that are expected
	asked      int       // requests for the cursor or the status without an answer
	status     int       // those for the status
	marked     bool      // there were some: who writes them wants to know the order of replies
	askedAt    time.Time // when something was asked last
	confirming bool
	again      [modeCount]bool // what is on when we have the terminal again
	releases   bool            // of keys are wanted
	given      bool            // the terminal is given away: modes wait in again
	lease      *Lent           // to whom it is lent
	back       time.Time       // when it came back
	flushAt    time.Time       // when buf is to be flushed; zero: nothing is pending
	schemeAt   time.Time       // when a report of the colour scheme counts; zero: there is none
	told       bool            // Appearance was sent
	title      string
	raw        raw // a paste without brackets
	pieces     pieces
	focus      focus
	cause      error         // why done is closed
	answered   chan struct{} // closed while no question is under way
}

// focus is what is known of the window's focus.
type focus uint8

const (
	focusUnknown focus = iota // no report has come
	focusIn
	focusOut
)

// chunk is one read.
type chunk struct {
	data []byte
	at   time.Time
}

// Open takes the terminal, sets the modes of the table and asks what the terminal is; it does not
// wait for the replies. Close undoes all of it. If there is no terminal, the error is
// ErrNotTerminal. ctx is for opening only.
func Open(ctx context.Context, c Config) (*Terminal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &Terminal{
		tty: c.TTY, env: c.Env, log: c.Log, conf: c,
		reads: make(chan chunk), resized: make(chan struct{}, 1), kick: make(chan struct{}, 1),
		done: make(chan struct{}), answered: make(chan struct{}),
		cols: 80, rows: 24,
	}
	if t.env == nil {
		t.env = os.Getenv
	}
	if t.log == nil {
		t.log = slog.New(slog.DiscardHandler)
	}
	if term := t.env("TERM"); term == "dumb" || term == "" && t.tty == nil {
		return nil, ErrNotTerminal
	}
	if t.tty == nil {
		tty, err := openDevice(c.Controlling)
		if err != nil {
			return nil, err
		}
		t.tty = tty
	}
	if err := t.tty.Start(); err != nil {
		t.closeTTY()
		return nil, err
	}
	if cols, rows, err := t.tty.Size(); err == nil && cols > 0 && rows > 0 {
		t.cols, t.rows = cols, rows
	}
	t.caps, t.facts = resolve(t.env, replies{})
	t.settle()
	t.modes.without[modeKeypad] = t.caps.Name == "emacs" // 28.2 draws ESC >
	limit, patience := c.Limit, c.Patience
	if limit <= 0 {
		limit = defaultLim
	}
	if patience <= 0 {
		patience = 15 * time.Minute
	}
	t.captureStderr()
	t.w = newWriter(t.tty, limit, patience, func(err error) { t.die(err) }, func() { t.push(Drained{}) })
	t.w.shut(!t.caps.Strings)
	go t.w.run()
	t.tty.NotifyResize(t.sizeMayHaveChanged)
	t.read()
	// The questions come first: what the modes were is asked before they are set.
	out := t.probes.burst(nil, t.env, t.caps.Strings)
	t.askedAt = time.Now()
	if _, err := t.w.put(t.modes.enter(out, t.again)); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.arm()
	if !t.probes.under() {
		close(t.answered)
	}
	if c.TTY == nil {
		t.sig = watchSignals(t)
	}
	t.askTmux()
	return t, nil
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Next waits for the next event. When the terminal is gone, or closed, it returns io.EOF or a
// [GoneError], after the events that came before.
func (t *Terminal) Next(ctx context.Context) (Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ev, due, ok := t.pop()
		if ok {
			return ev, nil
		}
		select {
		case <-t.done:
			return nil, t.why()
		default:
		}
		t.wait(ctx, due)
	}
}

// why returns the reason for which done is closed.
func (t *Terminal) why() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cause == nil {
		return io.EOF
	}
	return t.cause
}

// wait lets one thing happen: a read, a timer, a signal from another goroutine.
func (t *Terminal) wait(ctx context.Context, due time.Time) {
	var expired <-chan time.Time
	if !due.IsZero() {
		timer := time.NewTimer(time.Until(due))
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case c := <-t.reads:
		t.feed(c)
	case <-expired:
		// What the kernel has for us is older than the timer: a slow loop must not turn a sequence
		// into an Escape key.
		select {
		case c := <-t.reads:
			t.feed(c)
		default:
			t.expire()
		}
	case <-t.resized:
		if told := t.expected(); !t.measure() && !told { // a size that came and went: what it did to the screen is news
			cols, rows := t.Size()
			t.push(Resize{cols, rows})
		}
	case <-t.kick:
	case <-t.done:
	case <-ctx.Done():
	}
}

// pop takes the first event, or says when the next timer is due.
func (t *Terminal) pop() (ev Event, due time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.events) > 0 {
		ev = t.events[0]
		t.events[0] = nil
		t.events = t.events[1:]
		return ev, due, true
	}
	t.events = nil
	return nil, t.due(), false
}

// push queues an event from any goroutine.
func (t *Terminal) push(ev Event) {
	t.mu.Lock()
	t.events = append(t.events, ev)
	t.mu.Unlock()
	poke(t.kick)
}

// die ends reading: the terminal is gone.
func (t *Terminal) die(cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.done:
		return
	default:
	}
	if cause != nil && cause != io.EOF && !errors.Is(cause, ErrClosed) {
		t.cause = &GoneError{cause}
		t.log.Info("the terminal is gone", "cause", cause)
	}
	close(t.done)
}

// Write queues p, whole, behind what was written before; a single goroutine sends it. p is copied.
// It never waits. After Close, or when the terminal is gone, it returns an error.
func (t *Terminal) Write(p []byte) (int, error) {
	n, status := bytes.Count(p, []byte(ansi.CPRRequest)), bytes.Count(p, []byte(ansi.StatusRequest))
	if n += status; n > 0 { // Close has to wait for the answers
		t.mu.Lock()
		t.asked, t.status, t.askedAt = t.asked+n, t.status+status, time.Now()
		t.marked = t.marked || status > 0
		t.setAnswered(false)
		t.mu.Unlock()
	}
	return t.w.put(p)
}

// Backlog returns the number of bytes that the terminal has not taken yet.
func (t *Terminal) Backlog() int { return t.w.waiting() }

// Behind reports whether a frame should wait for [Drained]: the backlog is above Config.Limit, or
// the terminal has taken more than 100 ms for what it was given last, so that frames would only
// queue up before what a key does (a slow line).
func (t *Terminal) Behind() bool { return t.w.behind() }

// Taken tells what the terminal has of what was written. all is when it had taken the last of it,
// zero while something waits. even is when it last took something that had waited for more than 100
// ms: since then it has kept up, but for what may wait now.
func (t *Terminal) Taken() (all, even time.Time) { return t.w.keeps() }

// Size returns the terminal's size now, in columns and rows: the device is asked, which costs about
// a microsecond. A change is told by [Resize] too.
func (t *Terminal) Size() (cols, rows int) {
	if cols, rows, err := t.tty.Size(); err == nil && cols > 0 && rows > 0 {
		return cols, rows
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cols, t.rows
}

// Caps returns what is known now.
func (t *Terminal) Caps() Caps {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caps
}

// Facts returns what Caps rests on, for a report.
func (t *Terminal) Facts() []Fact {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.facts
}

// ExpectCursor says that the caller has written a request for the cursor's position (CSI 6 n): the
// next report is its answer, even if it looks like F3 with modifiers, which is sent as CSI 1;2 R to
// CSI 1;16 R. Reports in other rows or in columns from 17 on need no announcement.
func (t *Terminal) ExpectCursor() {
	t.mu.Lock()
	t.cursor++
	t.mu.Unlock()
}

// AltScreen goes to the alternate screen or back, in the order of the writes. Every way to leave
// the terminal leaves the alternate screen first, and only if it was entered (a blind leave moves
// the cursor on some consoles). After a suspension the alternate screen is empty.
func (t *Terminal) AltScreen(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.given {
		t.again[modeAlt] = on
		return
	}
	if t.modes.on[modeAlt] == on {
		return
	}
	// The keyboard's modes are those of a screen in kitty and ghostty: take them along.
	var out []byte
	var carried []mode
	for _, m := range []mode{modeOtherKeys, modeReleases, modeKitty} {
		if t.modes.on[m] {
			out = t.modes.reset(out, m)
			carried = append(carried, m)
		}
	}
	if on {
		out = t.modes.set(out, modeAlt)
	} else {
		out = t.modes.reset(out, modeAlt)
	}
	for _, m := range slices.Backward(carried) {
		out = t.modes.set(out, m)
	}
	_, _ = t.w.put(out)
}

// measure asks the device for its size and reports whether that is another one, or none.
func (t *Terminal) measure() bool {
	cols, rows, err := t.tty.Size()
	if err != nil || cols <= 0 || rows <= 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.resize(cols, rows)
}

// expected reports whether the signal that has come belongs to a change that a report had told
// before.
func (t *Terminal) expected() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	early := t.early
	t.early = false
	return early
}

// resize notes a size and reports whether it is another one; mu is held.
func (t *Terminal) resize(cols, rows int) bool {
	if cols == t.cols && rows == t.rows {
		return false
	}
	t.cols, t.rows = cols, rows
	t.events = append(t.events, Resize{cols, rows})
	return true
}
