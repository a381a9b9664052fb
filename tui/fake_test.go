package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// fakeDevice is a terminal without decoding: events are given, what is written goes to an emulator.
// It can stall.
type fakeDevice struct {
	mu      sync.Mutex
	vt      *vt.Terminal
	caps    Caps
	events  chan Event
	stalled bool
	above   bool
	held    []byte
	waits   time.Time // since when something has been held
	taken   time.Time // when nothing was, for the last time
	even    time.Time // the end of the last time that something was for more than 100 ms
	out     []byte
	writes  int
	sizes   []int               // of each Write, if not nil
	mute    bool                // requests get no answer
	deaf    bool                // status requests get none
	draws   func(string) string // what it takes what is written for
	answers int                 // cursor requests that are answered; 0: all
	twice   bool                // each of them is, twice
	late    []Event             // answers that are held back
	holds   bool
	stops   int
	stopped string   // what was on the screen at the last stop
	asked   []string // for what is outside of the picture
	closed  bool
}

// replies are those that the device passes on: the cursor's position, a size, a status.
var replies = regexp.MustCompile(`\x1b\[(?:(\d+);(\d+)R|48;(\d+);(\d+)[;\d]*t|0n)`)

func newFakeDevice(cols, rows int) *fakeDevice {
	d := &fakeDevice{even: time.Now(), events: make(chan Event, 4096), caps: Caps{Unicode: true, Color: 16}}
	d.vt = vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: 100_000, Reply: d.reply})
	return d
}

// reply returns what the emulator answers.
func (d *fakeDevice) reply(p []byte) {
	for _, m := range replies.FindAllSubmatch(p, -1) {
		number := func(i int) int {
			n, _ := strconv.Atoi(string(m[i]))
			return n
		}
		switch {
		case d.mute:
		case len(m[1]) > 0 && d.answers != 1:
			d.answers = max(d.answers-1, 0)
			ev := terminal.CursorReport{Col: number(2) - 1, Row: number(1) - 1}
			if d.holds {
				d.late = append(d.late, ev)
				break
			}
			d.events <- ev
			if d.twice {
				d.events <- ev
			}
		case len(m[1]) > 0:
		case len(m[3]) > 0:
			d.events <- terminal.SizeReport{Cols: number(4), Rows: number(3)}
		case !d.deaf:
			d.events <- terminal.StatusReport{}
		}
	}
}

func (d *fakeDevice) Next(ctx context.Context) (Event, error) {
	select {
	case ev := <-d.events:
		if ev == nil {
			return nil, io.EOF
		}
		return ev, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *fakeDevice) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	d.out = append(d.out, p...)
	if d.sizes != nil {
		d.sizes = append(d.sizes, len(p))
	}
	if d.stalled {
		if len(d.held) == 0 {
			d.waits = time.Now()
		}
		d.held = append(d.held, p...)
		d.above = d.above || len(d.held) > maxBacklog
		return len(p), nil
	}
	d.taken = time.Now()
	if d.draws != nil {
		d.vt.WriteString(d.draws(string(p)))
		return len(p), nil
	}
	return d.vt.Write(p)
}

// hold keeps answers back, or lets those go that were.
func (d *fakeDevice) hold(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holds = on
	for _, ev := range d.late {
		d.events <- ev
	}
	d.late = nil
}

// flow ends a stall.
func (d *fakeDevice) flow() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stalled = false
	if len(d.held) > 0 {
		d.taken = time.Now()
		if d.taken.Sub(d.waits) > 100*time.Millisecond {
			d.even = d.taken
		}
	}
	d.vt.Write(d.held)
	d.held = nil
	if d.above {
		d.above = false
		d.events <- terminal.Drained{}
	}
}

func (d *fakeDevice) stall() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stalled = true
}

func (d *fakeDevice) resize(cols, rows int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.vt.Resize(cols, rows)
	d.events <- Resize{Cols: cols, Rows: rows}
}

func (d *fakeDevice) Backlog() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.held)
}

const maxBacklog = 256 << 10 // bytes that the device keeps without being behind

func (d *fakeDevice) Behind() bool { return d.Backlog() > maxBacklog }

func (d *fakeDevice) CaughtUp() (drainedAt, lastSlow time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) > 0 {
		return time.Time{}, d.even
	}
	return d.taken, d.even
}

func (d *fakeDevice) Size() (int, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.vt.Size()
}

func (d *fakeDevice) Caps() Caps { return d.caps }

func (d *fakeDevice) Lend(ctx context.Context, f func(*terminal.Lent) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := f(&terminal.Lent{})
	d.events <- terminal.Resumed{}
	return err
}

func (d *fakeDevice) Stop() error {
	d.mu.Lock()
	d.stops, d.stopped = d.stops+1, d.vt.String()
	d.mu.Unlock()
	d.events <- terminal.Resumed{}
	return nil
}

func (d *fakeDevice) SetAltScreen(on bool) {
	if on {
		d.Write([]byte(ansi.AltEnter))
	} else {
		d.Write([]byte(ansi.AltLeave))
	}
}

func (d *fakeDevice) ExpectCursor() {}

func (d *fakeDevice) SetKeyReleases(on bool) { d.note("releases", fmt.Sprint(on)) }

func (d *fakeDevice) SetDrags(on bool) { d.note("drags", fmt.Sprint(on)) }

func (d *fakeDevice) SetMouse(on bool) {
	if on {
		d.Write([]byte("\x1b[?1000h\x1b[?1006h"))
	} else {
		d.Write([]byte("\x1b[?1006l\x1b[?1000l"))
	}
}

func (d *fakeDevice) Notify(title, body string) { d.note("notify", title, body) }
func (d *fakeDevice) SetTitle(title string)     { d.note("title", title) }
func (d *fakeDevice) SetProgress(percent int)   { d.note("progress", fmt.Sprint(percent)) }
func (d *fakeDevice) Copy(text string) error    { d.note("copy", text); return nil }

func (d *fakeDevice) note(words ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, strings.Join(words, " "))
}

func (d *fakeDevice) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.stalled = false
	d.vt.Write(d.held)
	d.held = nil
	return nil
}

// rig is an App on a fakeDevice inside a bubble.
type rig struct {
	t    *testing.T
	d    *fakeDevice
	app  *App
	done chan error
}

// start runs app; the test ends it with quit or by itself.
func start(t *testing.T, app *App, cols, rows int, with ...func(*fakeDevice)) *rig {
	t.Helper()
	r := &rig{t: t, d: newFakeDevice(cols, rows), app: app, done: make(chan error, 1)}
	for _, f := range with {
		f(r.d)
	}
	app.openTerminal = func(context.Context) (device, error) { return r.d, nil }
	ctx, cancel := context.WithCancel(t.Context())
	go func() { r.done <- app.Run(ctx) }()
	t.Cleanup(cancel)
	r.settle()
	return r
}

// settle lets all that is due now and within one frame interval happen.
func (r *rig) settle() {
	synctest.Wait()
	pass(frameInterval)
	synctest.Wait()
}

// quit ends the run and returns its error.
func (r *rig) quit() error {
	r.t.Helper()
	r.app.Quit(nil)
	return r.wait()
}

func (r *rig) wait() error {
	r.t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(time.Minute):
		r.t.Fatal("Run does not end")
		return nil
	}
}

func (r *rig) press(names ...string) {
	r.t.Helper()
	for _, n := range names {
		k, ok := keyNames[n]
		if !ok {
			rs := []rune(n)
			if len(rs) != 1 {
				r.t.Fatalf("no key %q", n)
			}
			k = Key{Code: rs[0]}
		}
		k.Alone = true
		r.d.events <- k
	}
}

func (r *rig) typed(s string) {
	for _, c := range s {
		r.press(string(c))
	}
	r.settle()
}

// keyNames are the keys of these tests; terminal.ParseKey knows all.
var keyNames = func() map[string]Key {
	m := map[string]Key{
		"enter": {Code: terminal.KeyEnter}, "esc": {Code: terminal.KeyEscape}, "up": {Code: terminal.KeyUp},
		"down": {Code: terminal.KeyDown},
		"left": {Code: terminal.KeyLeft}, "right": {Code: terminal.KeyRight}, "home": {Code: terminal.KeyHome},
		"end":       {Code: terminal.KeyEnd},
		"backspace": {Code: terminal.KeyBackspace}, "delete": {Code: terminal.KeyDelete},
		"tab": {Code: terminal.KeyTab},
	}
	for n, k := range m {
		for p, mod := range map[string]Mod{"ctrl+": terminal.Ctrl, "alt+": terminal.Alt, "shift+": terminal.Shift} {
			if strings.HasPrefix(n, "ctrl+") || strings.HasPrefix(n, "alt+") || strings.HasPrefix(n, "shift+") {
				continue
			}
			defer func() { m[p+n] = Key{Code: k.Code, Mods: mod} }()
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		m["ctrl+"+string(c)] = Key{Code: c, Mods: terminal.Ctrl}
		m["alt+"+string(c)] = Key{Code: c, Mods: terminal.Alt}
	}
	m["ctrl+_"], m["alt+_"] = Key{Code: '_', Mods: terminal.Ctrl}, Key{Code: '_', Mods: terminal.Alt}
	return m
}()

// tape returns history and grid as text; a line of dashes stands between them if there is history.
func (r *rig) tape() string {
	r.d.mu.Lock()
	defer r.d.mu.Unlock()
	var b strings.Builder
	if h := r.d.vt.Scrollback(); len(h) > 0 {
		b.WriteString(strings.Join(h, "\n") + "\n--\n")
	}
	b.WriteString(r.d.vt.String())
	return b.String()
}

// want compares the tape with lines.
func (r *rig) want(lines ...string) {
	r.t.Helper()
	if got, want := r.tape(), strings.Join(lines, "\n"); got != want {
		r.t.Errorf("the screen is\n%s\n\nand should be\n%s", indent(got), indent(want))
	}
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// bytes returns what was written since the last call.
func (r *rig) bytes() []byte {
	r.d.mu.Lock()
	defer r.d.mu.Unlock()
	b := bytes.Clone(r.d.out)
	r.d.out = nil
	return b
}

// rows is the component that shows its own text, one row for each line, all stable up to stable.
type rows struct {
	lines  []string
	stable int
	views  int
}

func (r *rows) View(s Space) View {
	r.views++
	v := View{Stable: r.stable}
	for _, l := range r.lines {
		v.Lines = append(v.Lines, Line{Spans: []Span{{Text: l}}})
	}
	return v
}

func numbered(format string, from, to int) (lines []string) {
	for i := from; i <= to; i++ {
		lines = append(lines, fmt.Sprintf(format, i))
	}
	return lines
}

// pass lets the bubble's time pass.
func pass(d time.Duration) { <-time.After(d) }
