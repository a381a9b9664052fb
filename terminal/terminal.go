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

// ErrClosed is the error of Write and Suspend after Close.
var ErrClosed = errors.New("terminal: closed")

// GoneError is the end of a terminal that was not closed by us: the line was cut, the terminal
// takes nothing any more, or a signal asks the process to end. errors.Is(err, io.EOF) is true for
// it.
type GoneError struct{ Cause error }

func (e *GoneError) Error() string        { return "terminal: gone: " + e.Cause.Error() }
func (e *GoneError) Unwrap() error        { return e.Cause }
func (e *GoneError) Is(target error) bool { return target == io.EOF }

// TTY is the device. Start takes it into raw mode, Stop gives it back as it was. Between Stop and
// the next Start nobody reads or writes. After Stop a Read returns an error and takes no byte, even
// one that was waiting. NotifyResize calls f, from any goroutine, when the size may have changed. A
// TTY that is an [io.Closer] is closed after the last Stop.
type TTY interface {
	io.ReadWriter
	Start() error
	Stop() error
	Size() (cols, rows int, err error)
	NotifyResize(f func())
}

// Config says which terminal to open, and how. The zero value is the process's controlling terminal
// and environment.
type Config struct {
	TTY TTY // nil: the process's own; only then are signals handled
	// Controlling takes the process's controlling terminal even if its standard input or output is
	// no terminal: for a program in a pipeline that asks what its terminal can do. It has no effect
	// on Windows. Open fails while another process group has the terminal.
	Controlling bool
	Env         func(string) string // nil: os.Getenv
	Log         *slog.Logger        // nil: discard
	Stop        func(sig os.Signal) // what Ctrl+Z does, for tests; nil: stops the process group

	// OnForcedExit is called, once the terminal is restored, before a signal ends a process that
	// has not reacted to it. It must not take long. nil: nothing is called.
	OnForcedExit func()

	// Stderr gets what the process, its libraries and children write to standard error while we
	// have the terminal, where it would land in the middle of a frame. nil: standard error is left
	// alone. The message of a crash goes to the real one too (debug.SetCrashOutput). It works only
	// with the process's own terminal, and not on Windows.
	Stderr io.Writer

	// Guard gives the terminal back when the process dies without having done so; nil: nobody does.
	// It works only with the process's own terminal.
	Guard *Guard

	// Tmux runs tmux with args and returns its standard output. It asks for what no escape sequence
	// tells (see [AskTmux]). It is called once, in a goroutine of its own, and only where TMUX is
	// set. nil: tmux is not asked.
	Tmux func(ctx context.Context, args ...string) ([]byte, error)

	BacklogLimit int // bytes of backlog above which no frames should be made, see [Drained]; 0: 256 KiB
	// How long the terminal may take nothing before it counts as gone; 0: 15 minutes, since a
	// laptop may be closed for a while.
	Patience time.Duration
}

// Times that do not concern the user.
const (
	// For the other bytes of an escape sequence on slow links, in multiplexers, and where the
	// Escape key sends more than ESC.
	slowEscTime    = 150 * time.Millisecond
	handoffTime    = 10 * time.Millisecond  // for a read that has happened to reach the loop
	schemeDebounce = 100 * time.Millisecond // for reports of the colour scheme, which come in twos and threes
	flushTime      = time.Second            // for queued bytes when the terminal is given away
	// For replies that are under way when the terminal is given away: they would go to the shell.
	drainTime = 150 * time.Millisecond
	// For the answer to the last question, of a terminal that has answered before.
	endReplyTime  = time.Second
	slowDrainTime = 400 * time.Millisecond // drainTime over ssh
	// For the report of what a mode was before us: behind it the mode is set.
	modesTime        = time.Second
	questionLifetime = 2 * time.Second // then a question counts as never answered
	defaultBacklog   = 256 << 10
)

// Terminal is one terminal in raw mode. Its methods may be called from any goroutine; Next from one
// at a time.
type Terminal struct {
	tty     TTY
	env     func(string) string
	log     *slog.Logger
	config  Config
	writer  *writer
	signals *signals // nil if the TTY is not the process's

	reads   chan chunk
	resized chan struct{} // the size may have changed
	wake    chan struct{} // events were queued by another goroutine
	done    chan struct{} // closed when there will be nothing more to read

	handover   handover
	suspending sync.Mutex // one Suspend at a time

	mu       sync.Mutex // guards everything below
	input    input
	events   []Event
	requests requests
	size     size
	loan     loan

	probes         probes
	modes          modeState
	caps           Caps
	facts          []Fact
	modesDue       time.Time // when modes are set whose state was not reported; zero: they are set
	graphemeAsked  bool      // mode 2027 was set, and its state asked for
	keyReleases    bool      // SetKeyReleases is on
	schemeAt       time.Time // when a report of the colour scheme counts; zero: there is none
	appearanceSent bool      // the first Appearance was sent
	title          string
	focus          focus
	cause          error // why done is closed
}

// handover is locked while the terminal is given away or taken. The lock guards its fields.
type handover struct {
	sync.Mutex
	released bool // we do not have the terminal
	closed   bool
	reader   *reader
	stderr   *stderrCapture // nil: not captured
}

// input holds the bytes that have been read and are no events yet.
type input struct {
	buf     stdinbuf.Buffer
	flushAt time.Time // when buf is to be flushed; zero: nothing is pending
	mixed   bool      // the bytes that are pending in buf came with other tokens in one read
	raw     rawPaste  // a paste without brackets
	pieces  pastePieces
}

// requests counts the requests that the program has written, and knows whether all questions are
// answered.
type requests struct {
	cursorReports int           // reports that ExpectCursor has announced
	unanswered    int           // requests for the cursor or the status without an answer
	status        int           // those for the status
	statusUsed    bool          // there was one: the program wants to know the order of replies
	askedAt       time.Time     // when something was asked last
	allAnswered   chan struct{} // closed while no question is under way
}

// size is the size of the terminal as events have told it.
type size struct {
	cols, rows    int
	reportedEarly bool // a report has told it, and the signal for it may still come
}

// loan is the state of the terminal while another program has it.
type loan struct {
	active     bool            // another program has the terminal
	borrower   *Lent           // nil: it is not lent inside of this process
	modesLater [modeCount]bool // the modes that are set when we have it again
	returnedAt time.Time
}

// focus says whether the window is known to have the focus.
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

// Open takes the terminal, sets its modes and asks what it can do. It does not wait for the
// replies. Close undoes all of it. If there is no terminal, the error is ErrNotTerminal. ctx is for
// opening only.
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

// poke fills c without waiting.
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

// endCause returns the reason why done is closed.
func (t *Terminal) endCause() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cause == nil {
		return io.EOF
	}
	return t.cause
}

// waitForInput waits for one thing and acts on it: a read, the timer, a wake-up by another
// goroutine.
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

// popEvent returns the first event, or the time of the next timer.
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

// pushEvent queues an event from any goroutine.
func (t *Terminal) pushEvent(ev Event) {
	t.mu.Lock()
	t.events = append(t.events, ev)
	t.mu.Unlock()
	poke(t.wake)
}

// endReading notes that the terminal is gone, and why.
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

// Write queues a copy of p after everything that was written before. One goroutine sends it in one
// piece. Write never waits. After Close, or when the terminal is gone, it returns an error.
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

// Size returns the terminal's size now, in columns and rows. It asks the device, which costs about
// a microsecond. [Resize] tells of a change.
func (t *Terminal) Size() (cols, rows int) {
	if cols, rows, err := t.tty.Size(); err == nil && cols > 0 && rows > 0 {
		return cols, rows
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size.cols, t.size.rows
}

// Caps returns what is known of the terminal now.
func (t *Terminal) Caps() Caps {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caps
}

// Facts returns the reasons for Caps, for a report.
func (t *Terminal) Facts() []Fact {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.facts
}

// ExpectCursor says that the caller has written a request for the cursor's position (CSI 6 n). The
// next report is its answer, even if it looks like F3 with modifiers, which is sent as CSI 1;2 R to
// CSI 1;16 R. Reports in other rows or in columns from 17 on need no announcement.
func (t *Terminal) ExpectCursor() {
	t.mu.Lock()
	t.requests.cursorReports++
	t.mu.Unlock()
}

// SetAltScreen goes to the alternate screen or back, in the order of the writes. Every way to leave
// the terminal leaves the alternate screen first, and only if it was entered (a blind leave moves
// the cursor on some consoles). After a suspension the alternate screen is empty.
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

// measureSize asks the device for its size. It reports whether that is a new size, or whether there
// is none.
func (t *Terminal) measureSize() bool {
	cols, rows, err := t.tty.Size()
	if err != nil || cols <= 0 || rows <= 0 {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.noteSize(cols, rows)
}

// clearReportedEarly reports whether a size report had told this change before its signal came.
func (t *Terminal) clearReportedEarly() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	early := t.size.reportedEarly
	t.size.reportedEarly = false
	return early
}

// noteSize notes a size and reports whether it is a new one. mu is held.
func (t *Terminal) noteSize(cols, rows int) bool {
	if cols == t.size.cols && rows == t.size.rows {
		return false
	}
	t.size.cols, t.size.rows = cols, rows
	t.events = append(t.events, Resize{cols, rows})
	return true
}
