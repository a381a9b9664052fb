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

// ErrClosed is the error of [Terminal.Write] and [Terminal.Suspend] after Close.
var ErrClosed = errors.New("terminal: closed")

// GoneError is the error of [Terminal.Next] if the terminal has ended without Close: the connection
// was cut, the terminal reads nothing any more, or a signal asks the process to end. errors.Is(err,
// io.EOF) is true for it.
type GoneError struct{ Cause error }

func (e *GoneError) Error() string        { return "terminal: gone: " + e.Cause.Error() }
func (e *GoneError) Unwrap() error        { return e.Cause }
func (e *GoneError) Is(target error) bool { return target == io.EOF }

// TTY is the device of a terminal. Start puts it into raw mode, Stop restores it. Nothing is read
// or written between Stop and the next Start. After Stop a Read returns an error and takes no byte,
// not even one that has come already. NotifyResize sets the function that is called, from any
// goroutine, when the size may have changed. A TTY that is an [io.Closer] is closed after the last
// Stop.
type TTY interface {
	io.ReadWriter
	Start() error
	Stop() error
	Size() (cols, rows int, err error)
	NotifyResize(f func())
}

// Config holds the settings of [Open]. The zero value opens the process's controlling terminal.
type Config struct {
	TTY TTY // The device; nil: the process's own terminal. Signals are handled only then.
	// Controlling opens the process's controlling terminal even if its standard input or output is
	// not a terminal. It is for a program in a pipeline that asks what its terminal can do. It has
	// no effect on Windows. Open fails while another process group uses the terminal.
	Controlling bool
	Env         func(string) string // Returns environment variables; nil: os.Getenv.
	Log         *slog.Logger        // Receives log messages; nil: they are dropped.
	Stop        func(sig os.Signal) // Called for Ctrl+Z, for tests; nil: the process group is stopped.

	// OnForcedExit is called before a signal ends a process that has not reacted to it, when the
	// terminal is restored. It must return soon. nil: nothing is called.
	OnForcedExit func()

	// Stderr receives what the process, its libraries and its children write to standard error
	// while the program uses the terminal. It would appear in the middle of a frame otherwise. nil:
	// standard error is left alone. The message of a crash goes to the real standard error, too
	// (debug.SetCrashOutput). It works only with the process's own terminal, and not on Windows.
	Stderr io.Writer

	// Guard restores the terminal if the process dies without doing so; nil: nobody does. It works
	// only with the process's own terminal.
	Guard *Guard

	// Tmux runs tmux with args and returns its standard output, to find out what no escape sequence
	// tells (see [AskTmux]). It is called once, in a goroutine of its own, and only if TMUX is set.
	// nil: tmux is not run.
	Tmux func(ctx context.Context, args ...string) ([]byte, error)

	// The most bytes that may wait to be written before frames should pause, see [Drained]; 0: 256
	// KiB.
	BacklogLimit int
	// How long the terminal may read nothing before it is considered gone; 0: 15 minutes, since a
	// laptop may be closed for a while.
	Patience time.Duration
}

// Time limits that the user cannot change.
const (
	// For the rest of an escape sequence on slow connections, in multiplexers, and where the Escape
	// key sends more than ESC.
	slowEscTime    = 150 * time.Millisecond
	handoffTime    = 10 * time.Millisecond  // For a read that has ended to reach the event loop.
	schemeDebounce = 100 * time.Millisecond // For reports of the theme, which come in twos and threes.
	flushTime      = time.Second            // For queued bytes to be written before the terminal is released.
	// For replies that are still to come before the terminal is released. The shell would get them
	// otherwise.
	drainTime = 150 * time.Millisecond
	// For the answer to the last request, of a terminal that has answered before.
	endReplyTime  = time.Second
	slowDrainTime = 400 * time.Millisecond // Replaces drainTime over SSH.
	// For the report of a mode's old state. The mode is switched on after it.
	modesTime        = time.Second
	questionLifetime = 2 * time.Second // For the answer to a request. After that it counts as never answered.
	defaultBacklog   = 256 << 10
)

// Terminal is a terminal in raw mode. Its methods may be called from any goroutine, but Next only
// from one at a time.
type Terminal struct {
	tty     TTY
	env     func(string) string
	log     *slog.Logger
	config  Config
	writer  *writer
	signals *signals // nil if the device is not the process's own.

	reads   chan chunk
	resized chan struct{} // Receives a value when the size may have changed.
	wake    chan struct{} // Receives a value when another goroutine has queued events.
	done    chan struct{} // Closed when there is nothing more to read.

	handover   handover
	suspending sync.Mutex // Held during a Suspend.

	mu       sync.Mutex // Guards all fields below.
	input    input
	events   []Event
	requests requests
	size     size
	loan     loan

	probes         probes
	modes          modeState
	caps           Caps
	facts          []Fact
	modesDue       time.Time // When modes are switched on whose old state was not reported; zero: all are on.
	graphemeAsked  bool      // Mode 2027 was switched on, and its state was requested.
	keyReleases    bool      // SetKeyReleases is on.
	schemeAt       time.Time // When the last report of the theme takes effect; zero: there is none.
	appearanceSent bool      // The first Appearance event was sent.
	title          string
	focus          focus
	cause          error // Why done was closed.
}

// handover is locked while the terminal is released or taken. The lock guards its fields.
type handover struct {
	sync.Mutex
	released bool // The terminal is released: the program does not use it.
	closed   bool
	reader   *reader
	stderr   *stderrCapture // nil: standard error is not captured.
}

// input holds the bytes that were read and have not become events.
type input struct {
	buf     stdinbuf.Buffer
	flushAt time.Time // When buf has to be flushed; zero: no incomplete token is in it.
	mixed   bool      // The incomplete token in buf came together with other tokens in one read.
	raw     rawPaste  // A paste without brackets.
	pieces  pastePieces
}

// requests counts the requests that the program has written, and knows whether all requests are
// answered.
type requests struct {
	cursorReports int // The number of cursor reports that ExpectCursor has announced.
	unanswered    int // The number of requests for the cursor or the status without an answer.
	status        int // The number of those for the status.
	// The program has requested the status before, so that it wants to know the order of replies.
	statusUsed  bool
	askedAt     time.Time     // When the last request was written.
	allAnswered chan struct{} // Closed while all requests are answered.
}

// size is the size of the terminal as the last Resize event has told it.
type size struct {
	cols, rows    int
	reportedEarly bool // A report has told the size, and the signal for it may still come.
}

// loan is the state of the terminal while another program uses it.
type loan struct {
	active     bool            // Another program uses the terminal.
	borrower   *Lent           // The device that Lend has handed out; nil: none.
	modesLater [modeCount]bool // The modes that are switched on afterwards.
	returnedAt time.Time
}

// focus says whether the window is known to have the keyboard focus.
type focus uint8

const (
	focusUnknown focus = iota // No report has come.
	focusIn
	focusOut
)

// chunk holds the bytes of one read.
type chunk struct {
	data []byte
	at   time.Time
}

// Open puts the terminal into raw mode, switches on modes and requests what it can do. It does not
// wait for replies. Close undoes all of it. If there is no terminal the error is ErrNotTerminal.
// ctx is not used after Open has returned.
func Open(ctx context.Context, c Config) (*Terminal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &Terminal{
		tty: c.TTY, env: c.Env, log: c.Log, config: c,
		reads: make(chan chunk), resized: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		done:     make(chan struct{}),
		requests: requests{allAnswered: make(chan struct{})},
		size:     size{cols: 80, rows: 24},
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
		t.size.cols, t.size.rows = cols, rows
	}
	t.caps, t.facts = resolve(t.env, replies{})
	t.caps.Answered = t.probes.allAnswered(t.env)
	t.applyCaps()
	t.modes.unsupported[modeKeypad] = t.caps.Name == "emacs" // 28.2 draws ESC >
	limit, patience := c.BacklogLimit, c.Patience
	if limit <= 0 {
		limit = defaultBacklog
	}
	if patience <= 0 {
		patience = 15 * time.Minute
	}
	t.startStderrCapture()
	t.writer = newWriter(t.tty, limit, patience, func(err error) { t.endReading(err) },
		func() { t.pushEvent(Drained{}) })
	t.writer.setDropStrings(!t.caps.Strings)
	go t.writer.run()
	t.tty.NotifyResize(t.sizeMayHaveChanged)
	t.startReader()
	out := t.probes.appendNames(nil, t.env)
	t.requests.askedAt = time.Now()
	if t.probes.naming {
		t.modesDue = t.requests.askedAt.Add(modesTime)
	}
	if _, err := t.writer.enqueue(t.enterModes(out)); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.armGuard()
	if !t.probes.inFlight() {
		close(t.requests.allAnswered)
	}
	if c.TTY == nil {
		t.signals = watchSignals(t)
	}
	t.askTmux()
	return t, nil
}

// poke sends a value to c, unless c is full.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Next waits for the next event and returns it. When the terminal was closed or has ended it
// returns io.EOF or a [GoneError], after all earlier events.
func (t *Terminal) Next(ctx context.Context) (Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ev, due, ok := t.popEvent()
		if ok {
			return ev, nil
		}
		select {
		case <-t.done:
			return nil, t.endCause()
		default:
		}
		t.waitForInput(ctx, due)
	}
}

// endCause returns the error of Next after done was closed.
func (t *Terminal) endCause() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cause == nil {
		return io.EOF
	}
	return t.cause
}

// waitForInput waits for one of these and handles it: a read, the timer at due, a new size, or a
// wake-up by another goroutine.
func (t *Terminal) waitForInput(ctx context.Context, due time.Time) {
	var expired <-chan time.Time
	if !due.IsZero() {
		timer := time.NewTimer(time.Until(due))
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case c := <-t.reads:
		t.feedChunk(c)
	case <-expired:
		// What the kernel has for us is older than the timer: a slow loop must not turn a sequence
		// into an Escape key.
		select {
		case c := <-t.reads:
			t.feedChunk(c)
		default:
			t.runTimers()
		}
	case <-t.resized:
		// a size that came and went: what it did to the screen is news.
		if reported := t.clearReportedEarly(); !t.measureSize() && !reported {
			cols, rows := t.Size()
			t.pushEvent(Resize{cols, rows})
		}
	case <-t.wake:
	case <-t.done:
	case <-ctx.Done():
	}
}

// popEvent removes the first event from the queue and returns it. If there is none, ok is false and
// due is the time of the next timer.
func (t *Terminal) popEvent() (ev Event, due time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.events) > 0 {
		ev = t.events[0]
		t.events[0] = nil
		t.events = t.events[1:]
		return ev, due, true
	}
	t.events = nil
	return nil, t.nextTimer(), false
}

// pushEvent appends an event to the queue. Any goroutine may call it.
func (t *Terminal) pushEvent(ev Event) {
	t.mu.Lock()
	t.events = append(t.events, ev)
	t.mu.Unlock()
	poke(t.wake)
}

// endReading records that the terminal has ended, and why.
func (t *Terminal) endReading(cause error) {
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

// Write queues a copy of p. Buffers are sent in order and each in one piece. Write never waits.
// After Close, or when the terminal has ended, it returns an error.
func (t *Terminal) Write(p []byte) (int, error) {
	n, status := bytes.Count(p, []byte(ansi.CPRRequest)), bytes.Count(p, []byte(ansi.StatusRequest))
	if n += status; n > 0 { // Close has to wait for the answers
		t.mu.Lock()
		t.requests.unanswered, t.requests.status, t.requests.askedAt = t.requests.unanswered+n,
			t.requests.status+status, time.Now()
		t.requests.statusUsed = t.requests.statusUsed || status > 0
		t.setAnswered(false)
		t.mu.Unlock()
	}
	return t.writer.enqueue(p)
}

// Size returns the present size of the terminal in columns and rows. It asks the device, which
// takes about a microsecond. A [Resize] event reports a change.
func (t *Terminal) Size() (cols, rows int) {
	if cols, rows, err := t.tty.Size(); err == nil && cols > 0 && rows > 0 {
		return cols, rows
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size.cols, t.size.rows
}

// Caps returns what is known about the terminal now.
func (t *Terminal) Caps() Caps {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caps
}

// Facts returns the reasons for the values in Caps, for a report.
func (t *Terminal) Facts() []Fact {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.facts
}

// ExpectCursor announces that the program has written a request for the cursor's position (CSI 6
// n). The next report is then its answer, even if it looks like F3 with modifiers, which sends CSI
// 1;2 R to CSI 1;16 R. Reports of other rows, or of columns from 17 on, need no announcement.
func (t *Terminal) ExpectCursor() {
	t.mu.Lock()
	t.requests.cursorReports++
	t.mu.Unlock()
}

// SetAltScreen switches to the alternate screen or back, after everything that was written before.
// When the terminal is released or closed, it leaves the alternate screen first, but only if it was
// entered: leaving it without that moves the cursor on some consoles. After a suspension the
// alternate screen is empty.
func (t *Terminal) SetAltScreen(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.loan.active {
		t.loan.modesLater[modeAlt] = on
		return
	}
	if t.modes.active[modeAlt] == on {
		return
	}
	// The keyboard's modes are those of a screen in kitty and ghostty: take them along.
	var out []byte
	var carried []mode
	for _, m := range []mode{modeOtherKeys, modeReleases, modeKitty} {
		if t.modes.active[m] {
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
	_, _ = t.writer.enqueue(out)
}

// measureSize asks the device for its size. It returns true if that is a new size, or if the device
// has none.
func (t *Terminal) measureSize() bool {
	cols, rows, err := t.tty.Size()
	if err != nil || cols <= 0 || rows <= 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.noteSize(cols, rows)
}

// clearReportedEarly reports whether a size report has already told the size whose signal has come
// now.
func (t *Terminal) clearReportedEarly() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	early := t.size.reportedEarly
	t.size.reportedEarly = false
	return early
}

// noteSize stores a size and returns true if it is a new one. The caller holds t.mu.
func (t *Terminal) noteSize(cols, rows int) bool {
	if cols == t.size.cols && rows == t.size.rows {
		return false
	}
	t.size.cols, t.size.rows = cols, rows
	t.events = append(t.events, Resize{cols, rows})
	return true
}
