package shell

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// sight is what a screen holds of a decision: the title, "" unless a row of the body stands below
// it and the whole row of keys below that.
type sight struct {
	at    time.Time
	title string
	what  approvalTarget
	rows  string // of the screen, if nothing is seen there
}

// offReason is the reason why a key did nothing, which may stand after the keys. choosing are the
// digits that choose a rule.
const (
	why       = ` +((.|Enter) does nothing |not yet|(.|Enter): ).*`
	offReason = `(` + why + `)?`
	choosing  = `1(-\d)?( chooses?)?`
)

// The rows of a pane, as a person would know them. A key that does not work yet stands in
// parentheses.
var (
	titleRow = regexp.MustCompile(`\d+%$`)
	keyRows  = map[approvalTarget]*regexp.Regexp{
		targetProposal: regexp.MustCompile(
			`^(([[(]y[])]es|press Y to approve|wait, then press Y|[[(]Y[])]es!) .*[[(]\?[])]|` +
				`(press Y: .+|wait, then press Y)  \[n\]o)` + offReason + `$`),
		targetRule: regexp.MustCompile(
			`^([[(]y[])]es: store rule \d and approve|` + choosing + ` (a|the) rule)( +\[w\] for \w+ \w+)?` +
				`( +\[n\]o  Esc back` + offReason + `|` + why + `)$|` +
				`^([[(]y[])]es: \d|` + choosing + `)( +\[w\] [a-z ]+)?` +
				`( +\[n\]o  ?Esc( back)?` + offReason + `|` + why + `)$`),
		targetList: regexp.MustCompile(`^[[(]y[])]es to \d +\[n\]o to \d  Esc back` + offReason + `$|` +
			`^[[(]y[])]es: \d +\[n\]o Esc` + offReason + `$`),
	}
)

// seeing reads a screen. Of a list of rules and one of all changes in a narrow window only the
// title tells which it is.
func seeing(screen string) (title string, what approvalTarget) {
	rows := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	for d := len(rows) - 1; d > 1; d-- {
		for _, sc := range []approvalTarget{targetProposal, targetRule, targetList} {
			if !keyRows[sc].MatchString(rows[d]) {
				continue
			}
			body := false
			for t := d - 1; t >= 0; t-- {
				switch {
				case !titleRow.MatchString(rows[t]):
					body = body || strings.TrimSpace(rows[t]) != "" && !strings.HasPrefix(rows[t], "! ")
					continue
				case !body || strings.HasPrefix(rows[t], "keys "):
					return "", noTarget
				case strings.Contains(rows[t], "all changes"):
					sc = targetList
				}
				return rows[t], sc
			}
			return "", noTarget
		}
	}
	return "", noTarget
}

// witness keeps what stood on the screen, and says of each yes whether it may have been one.
type witness struct {
	*Shell
	mu     sync.Mutex
	tape   []sight
	hidden bool // the window is not the one that has the focus
	keys   []sent
	yes    map[approvalTarget]int
	wrong  []string
}

// sent is a key that the person pressed, or that their terminal has repeated.
type sent struct {
	at       time.Time
	repeated bool // and says so
}

// press takes note of a key, unless it is one that moves the body.
func (w *witness) press(key string, repeated bool) {
	if strings.Contains("jw[/\x15", key) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keys = append(w.keys, sent{time.Now(), repeated})
}

// glimpse is what a terminal of ordinary speed needs for a frame at most: rows that are gone for no
// longer have not been out of sight.
const glimpse = 100 * time.Millisecond

func (w *witness) watch(v *vt.Terminal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := sight{at: time.Now()}
	if !w.hidden {
		if s.title, s.what = seeing(v.String()); s.what == noTarget {
			s.rows = v.String()
		}
	}
	w.tape = append(w.tape, s)
}

// judge takes a yes to the file name.
func (w *witness) judge(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, single := time.Now(), false
	for i, k := range slices.Backward(w.keys) { // the letter that has acted may have others behind it
		if time.Since(k.at) <= letterPause+glimpse && !k.repeated &&
			(i == 0 || k.at.Sub(w.keys[i-1].at) >= keyPause) {
			now, single = k.at, true
			break
		}
	}
	end := name[max(len(name)-5, 0):] // what a narrow title holds of it
	shows := func(s sight, what approvalTarget) bool {
		return s.what == what && s.title != "" && (what == targetList || strings.Contains(s.title, end))
	}
	tape := w.tape
	for len(tape) > 0 && !tape[len(tape)-1].at.Before(now) { // the frame that the key made
		tape = tape[:len(tape)-1]
	}
	last := sight{}
	for i := len(tape) - 1; i >= 0; i-- {
		last = tape[i]
		if last.rows == "" || now.Sub(last.at) > glimpse {
			break
		} // else it may be the first half of a frame
	}
	w.yes[last.what]++
	until := now // from when on the decision has been seen without a break
	for i := len(tape) - 1; i >= 0; i-- {
		if s := tape[i]; shows(s, last.what) {
			until = s.at
		} else if until.Sub(s.at) > glimpse || s.rows == "" && until.Equal(now) {
			break
		}
	}
	long := now.Sub(until)
	if last.what == targetList { // each of the list has had its own time before
		long = min(long, stretch(w.tape, func(s sight) bool { return shows(s, targetProposal) }))
	}
	if last.what == noTarget || long < defaultMinVisible {
		w.wrong = append(w.wrong, fmt.Sprintf("a yes to %s (%q) after %v; %v before it the screen was\n%s", name,
			last.what, long, now.Sub(last.at), last.rows))
	}
	if n := len(w.keys); !single {
		w.wrong = append(w.wrong, fmt.Sprintf("a yes to %s by a key that was held: %v", name, w.keys[max(n-3, 0):]))
	}
}

// stretch returns the longest time for which a tape shows something.
func stretch(tape []sight, shows func(sight) bool) (longest time.Duration) {
	var from, gone time.Time
	for i, s := range tape {
		switch {
		case !shows(s):
			if gone.IsZero() {
				gone = s.at
			}
			continue
		case from.IsZero(), !gone.IsZero() && s.at.Sub(gone) > glimpse:
			from = s.at
		}
		gone = time.Time{}
		if i+1 < len(tape) {
			longest = max(longest, tape[i+1].at.Sub(from))
		}
	}
	return longest
}

// AskAll tells the judge of each yes.
func (w *witness) AskAll(ctx context.Context, ps []*approval.Proposal,
	answered func(i int, a approval.Answer) *approval.Proposal) error {
	return w.Shell.AskAll(ctx, ps, func(i int, a approval.Answer) *approval.Proposal {
		if _, yes := a.(approval.Yes); yes {
			w.judge(path.Base(ps[i].Path))
		}
		return answered(i, a)
	})
}

// Ask is AskAll for one.
func (w *witness) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	a, err := w.Shell.Ask(ctx, p)
	if _, yes := a.(approval.Yes); yes {
		w.judge(path.Base(p.Path))
	}
	return a, err
}

var sightSizes = [][2]int{{80, 24}, {60, 16}, {20, 6}, {20, 7}, {30, 8}, {45, 9}, {120, 40}, {19, 6}, {20, 5}, {3, 10},
	{10, 3}, {2, 2}, {40, 3}, {5, 30}}

// Whatever happens to the window, to the line to it and to what stands on it: a yes is one only if
// title, a row of the body and the keys have been on the screen for a second. SCROLLKEEP_SIGHTS
// says how many sessions are played (`make fuzz`: 5,000).
func TestNothingIsApprovedThatWasNotInSight(t *testing.T) {
	sessions, seed := 8, uint64(time.Now().UnixNano())
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_SIGHTS")); err == nil {
		sessions = n
	}
	if n, err := strconv.ParseUint(os.Getenv("SCROLLKEEP_SEED"), 10, 64); err == nil {
		sessions, seed = 1, n
	}
	t.Logf("%d sessions from seed %d", sessions, seed) // also where one hangs
	yes := map[approvalTarget]int{}
	for i := range uint64(sessions) {
		w := &witness{yes: yes}
		synctest.Test(t, func(t *testing.T) { playSight(t, w, seed+i) })
		if len(w.wrong) > 0 {
			t.Fatalf("SCROLLKEEP_SEED=%d: %s", seed+i, strings.Join(w.wrong, "; "))
		}
	}
	t.Logf("%d sessions from seed %d: %v", sessions, seed, yes)
	if sessions >= 16 && yes[targetProposal] < sessions/8 || sessions >= 1000 &&
		(yes[targetRule] == 0 || yes[targetList] == 0) {
		t.Errorf("%d sessions from seed %d had too few answers: %v", sessions, seed, yes)
	}
}

func playSight(t *testing.T, w *witness, seed uint64) {
	var (
		r     = rand.New(rand.NewPCG(seed, 20))
		slow  time.Duration // of the next writes
		delay = func() time.Duration {
			w.mu.Lock()
			defer w.mu.Unlock()
			return slow
		}
		size   = [2]int{60, 16}
		screen = tuitest.Config{Cols: size[0], Rows: size[1], Slow: delay}
	)
	if r.IntN(2) == 0 { // a terminal that does not report its size, and paints what it gets at once
		screen.Personality.Replies = &vt.Replies{DA1: "\x1b[?62c", CellPixels: true}
	}
	s := beginSeen(t, screen, map[string]string{"notes.md": notes}, nil, func(sh *Shell) approval.Approver {
		w.Shell = sh
		return w
	}, threeFiles, oneEdit, overwriting, threeFiles, overwriting, `{"say":"Done."}`)
	policy, err := approval.NewPolicy(approval.PolicyConfig{})
	if err != nil {
		t.Fatal(err)
	}
	edits := rand.New(rand.NewPCG(seed, 21)) // of the editor's goroutine
	s.sh.app.Do(func() {
		s.sh.cfg.Approval.Policy = policy
		s.sh.cfg.Prompt.Editor.Run = func(context.Context, *exec.Cmd) error {
			<-time.After(time.Duration(edits.IntN(2000)) * time.Millisecond)
			return nil
		}
	})
	s.Watch(w.watch)
	look := func() { s.Inspect(w.watch) }
	wait := func(d time.Duration) {
		<-time.After(d)
		synctest.Wait()
	}
	tell := func(bytes string) { s.Send([]byte(bytes)) }
	send := func(key string) {
		w.press(key, false)
		tell(key)
	}
	// A kernel signals every change of size. What takes two changes for none on its way (ssh, if
	// the window is as before when it looks) is not played: nothing tells of it.
	quiet := [][2]int{size} // the sizes since the last signal
	send("go")
	wait(10 * time.Millisecond)
	send("\r")
	for range 80 {
		switch d := r.IntN(8); d {
		case 0, 1:
			wait(time.Duration(1+r.IntN(60)) * time.Millisecond)
		case 2:
			wait(time.Duration(380+r.IntN(100)) * time.Millisecond)
		case 3, 4:
			wait(time.Duration(950+r.IntN(100)) * time.Millisecond)
		default:
			wait(time.Duration(1100+r.IntN(1200)) * time.Millisecond)
		}
		switch what := r.IntN(26); what {
		default: // keys
			const keys = "yyyyyyYYYYaA11?fvj/\x1b\tx\x7f}{nriw[\x15\x15" // Ctrl+U empties the prompt
			k := keys[r.IntN(len(keys))]
			if k == '\x1b' && r.IntN(4) > 0 || k == 'n' && r.IntN(3) > 0 {
				k = 'y'
			}
			send(string(k))
		case 0, 1, 2: // another size; sometimes the program hears of it later
			size = sightSizes[r.IntN(len(sightSizes))]
			if r.IntN(3) == 0 {
				size = [2]int{60, 16}
			}
			if r.IntN(3) == 0 && !slices.Contains(quiet, size) {
				quiet = append(quiet, size)
				s.Inspect(func(v *vt.Terminal) { v.Resize(size[0], size[1]) })
			} else {
				quiet = [][2]int{size}
				s.Reshape(size[0], size[1])
			}
			look()
		case 3: // and back before it has settled
			s.Reshape(3, 10)
			look()
			wait(time.Duration(1+r.IntN(300)) * time.Millisecond)
			s.Reshape(size[0], size[1])
			quiet = [][2]int{size}
			look()
		case 4: // a slow line
			w.mu.Lock()
			slow = time.Duration(r.IntN(4)*r.IntN(400)) * time.Millisecond
			w.mu.Unlock()
		case 5: // something over it
			var close func()
			// Drawn here: the loop is another goroutine.
			place := tui.Place{Replace: r.IntN(2) == 0, Full: r.IntN(2) == 0}
			s.sh.app.Do(func() {
				close = s.sh.app.Overlay(tui.ComponentFunc(func(tui.Space) tui.View {
					return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: "something else"}}}}}
				}), place)
			})
			wait(time.Duration(1+r.IntN(1500)) * time.Millisecond)
			s.sh.app.Do(func() { close() })
		case 6: // another program, or another window
			switch r.IntN(3) {
			case 0:
				send("\x1a")
			case 1:
				send("e")
			default:
				w.mu.Lock()
				w.hidden = true
				w.mu.Unlock()
				tell("\x1b[O")
				look()
				wait(time.Duration(1+r.IntN(1500)) * time.Millisecond)
				w.mu.Lock()
				w.hidden = false
				w.mu.Unlock()
				tell("\x1b[I")
				look()
			}
		case 8: // keys that come sooner than frames
			for _, k := range []string{"a1y", "x\x7fa1y", "Ay", "??y", "?y", "}y", "fy", "{Ay", "/x\ry",
				"ryyy"}[r.IntN(10)] {
				send(string(k))
				wait(time.Duration(r.IntN(3)) * time.Millisecond)
			}
		case 9, 10: // a key is held down
			h := holding{key: string("yyYm"[r.IntN(4)]), delay: []time.Duration{250, 500, 660}[r.IntN(3)],
				gap: []time.Duration{30, 33, 250, 400, 500, 900}[r.IntN(6)], kitty: r.IntN(2) == 0}
			for i := range 1 + r.IntN(int(3000/h.gap)) {
				w.press(h.key, h.kitty && i > 0)
				tell(h.bytes(min(i+1, 2)))
				wait([]time.Duration{h.delay, h.gap}[min(i, 1)] * time.Millisecond)
			}
		case 7: // another program writes the file
			if err := os.WriteFile(filepath.Join(s.dir, "notes.md"),
				[]byte(fmt.Sprintf("one %d\nteh end\n", r.IntN(9))), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	w.mu.Lock()
	slow = 0
	w.mu.Unlock()
	wait(2 * time.Second) // an editor may still be open
}
