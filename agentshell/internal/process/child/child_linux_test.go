package child

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/nasty"
)

func TestMain(m *testing.M) {
	nasty.Main()
	os.Exit(m.Run())
}

// adopting returns a family that inherits orphans. Tests that use one do not run beside each other:
// what one starts is an orphan for the other.
func adopting(t *testing.T) *Family {
	t.Helper()
	f := &Family{}
	if err := f.AdoptOrphans(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.Close(0)
		nasty.Gone(t, t.Name())
	})
	return f
}

// self returns a command that plays do.
func self(t *testing.T, do string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = nasty.Env(do, t.Name())
	return cmd
}

// heard is what a program says, and tells when a text came.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
	want string
	come chan struct{}
}

func hears(want string) *heard { return &heard{want: want, come: make(chan struct{})} }

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.want == "" {
		return len(p), nil
	}
	if h.text.Write(p); strings.Contains(h.text.String(), h.want) {
		h.want = ""
		close(h.come)
	}
	return len(p), nil
}

// startReady starts a program and waits until it is where it says so.
func startReady(t *testing.T, f *Family, do string) *Process {
	t.Helper()
	h := hears("ready")
	cmd := self(t, do)
	cmd.Stdout, cmd.Stderr = h, os.Stderr
	p, err := f.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-h.come:
	case <-time.After(20 * time.Second):
		t.Fatal("it does not get ready")
	}
	return p
}

// hardToEnd are programs with all that they start.
var hardToEnd = []string{
	"ready,wait",
	"hear,ready,wait",
	"ignore,ready,wait",
	"ready,stop",
	"ignore,ready,stop",
	"child,ignore,ready,wait",
	"orphan,ready,wait",
	"orphan,ignore,ready,wait",
	"orphan,orphan,ignore,ready,stop",
	"group,ignore,ready,wait",
	"group,orphan,child,group,ignore,ready,wait",
	"ignore,again,ready,wait",
	"orphan,again,ready,again,wait",
	"ready,chain",
	"ready,chainsid",
	"orphan,ignore,ready,chainsid",
	"ready,out",
	"orphan,ignore,ready,out",
}

func TestEverythingThatAProgramStartedEndsWithIt(t *testing.T) {
	const grace = 100 * time.Millisecond
	for i, do := range hardToEnd {
		ways := []string{"End", "Close", "Close at once"}
		if os.Getenv("SCROLLKEEP_NASTY") == "" { // make stress sets it
			ways = ways[i%3 : i%3+1]
		}
		for _, way := range ways {
			t.Run(do+" "+way, func(t *testing.T) {
				f := adopting(t)
				p := startReady(t, f, do)
				began := time.Now()
				most := grace + killWait
				switch way {
				case "End":
					p.End(grace)
				case "Close":
					f.Close(grace)
				default:
					f.Close(0)
				}
				if took := time.Since(began); took > most {
					t.Errorf("it took %v", took)
				}
				nasty.Gone(t, t.Name())
				select {
				case <-p.Done():
				case <-time.After(outputDelay + time.Second):
					t.Error("it is not done")
				}
			})
		}
	}
}

// Somebody who forks and ends at once falls through most looks.
func TestNobodyIsLeftOnlyWhenSeveralLooksMeetNobody(t *testing.T) {
	for _, c := range []struct {
		met  string // how many each look meets
		over bool
	}{{"1", false}, {"01", false}, {"001", false}, {"0001", false}, {"00001", false}, {"00000", true}} {
		looks := 0
		got := noneFound(func() int {
			looks++
			return int(c.met[looks-1] - '0')
		})
		if got != c.over || looks != len(c.met) {
			t.Errorf("%s: over %v after %d looks", c.met, got, looks)
		}
	}
}

// What an orphan has left may come too late for the look that finds it ended.
func TestALookMeetsWhoHasEndedOnce(t *testing.T) {
	f := adopting(t)
	h := search{family: f}
	h.visit(nothing)
	startReady(t, f, "orphan,ready,wait").End(0)
	if n := h.visit(nothing); n == 0 {
		t.Error("an orphan that has ended is not met")
	}
	if n := h.visit(nothing); n != 0 {
		t.Errorf("%d are met that have ended long ago", n)
	}
}

func TestAProgramIsAskedBeforeItIsKilled(t *testing.T) {
	f := adopting(t)
	p := startReady(t, f, "hear,ready,wait")
	p.End(10 * time.Second)
	var exit *exec.ExitError
	if !errors.As(p.Err(), &exit) || exit.ExitCode() != 7 {
		t.Errorf("it ended with %v", p.Err())
	}
}

func TestAProgramIsDoneAlthoughADescendantHoldsItsOutput(t *testing.T) {
	f := adopting(t)
	began := time.Now()
	p := startReady(t, f, "orphan,ignore,ready,wait")
	select {
	case <-p.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("it is not done")
	}
	if p.Err() != nil || time.Since(began) > outputDelay+5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), p.Err())
	}
	if left := nasty.Left(t.Name()); len(left) != 1 {
		t.Errorf("what left the group lives on until Close: %q", left)
	}
}

func TestTheEndOfOneProgramLeavesOthersAlone(t *testing.T) {
	f := adopting(t)
	early := startReady(t, f, "orphan,ready,wait")
	<-early.Done()
	other := startReady(t, f, "ready,wait")
	p := startReady(t, f, "orphan,ignore,ready,wait")
	p.End(0)
	if left := nasty.Left(t.Name()); len(left) != 2 {
		t.Errorf("%d are left of 2: %q", len(left), left)
	}
	other.End(0) // it was there before p, and what p left is not its own
	if left := nasty.Left(t.Name()); len(left) != 1 {
		t.Errorf("%d are left of 1: %q", len(left), left)
	}
	early.End(0)
	nasty.Gone(t, t.Name())
}

func TestWhatAProgramOfThePersonLeavesIsTheirs(t *testing.T) {
	f := adopting(t)
	if out, _, err := Output(t.Context(), f.Lend, self(t, "orphan,ready,wait"), 100); err != nil ||
		string(out) != "ready\n" {
		t.Errorf("%q, %v", out, err)
	}
	p := startReady(t, f, "ready,wait")
	f.Close(0)
	<-p.Done()
	left := nasty.Left(t.Name())
	if len(left) != 1 {
		t.Errorf("%d are left of 1: %q", len(left), left)
	}
	again := &Family{adopts: true} // one that does not know whose it is
	again.Close(0)
	nasty.Gone(t, t.Name())
}

func TestNothingIsStartedAfterTheEnd(t *testing.T) {
	f := adopting(t)
	f.Close(0)
	if _, err := f.Start(self(t, "wait")); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestOrphansAreReapedAndTheOthersKeepTheirStatus(t *testing.T) {
	f := adopting(t)
	for range 3 {
		p := startReady(t, f, "orphan,ready")
		<-p.Done()
		if p.Err() != nil {
			t.Errorf("its status was taken: %v", p.Err())
		}
	}
	for end := time.Now().Add(10 * time.Second); ; {
		zombies := 0
		for _, pid := range children(os.Getpid()) {
			if k, ok := status(pid); ok && k.ended {
				zombies++
			}
		}
		if zombies == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d orphans are not reaped", zombies)
		}
		pause(pollInterval)
	}
}

func TestTheTwoWaysToFindChildrenAgree(t *testing.T) {
	f := adopting(t)
	startReady(t, f, "ready,wait")
	startReady(t, f, "ready,wait")
	a, b := children(os.Getpid()), childrenByParent(os.Getpid())
	if len(a) < 2 || len(a) != len(b) {
		t.Errorf("%v and %v", a, b)
	}
}

// speak starts a program to be spoken to.
func speak(t *testing.T, f *Family, do string, patience time.Duration) *Talk {
	t.Helper()
	c, err := f.Talk(self(t, do), patience)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAWriteThatIsNotTakenFails(t *testing.T) {
	f := adopting(t)
	c := speak(t, f, "wait", 100*time.Millisecond)
	n, err := c.In.Write(make([]byte, 1<<20))
	if !errors.Is(err, ErrUnread) || n == 0 || n > 256<<10 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := c.In.Write([]byte("x")); err == nil {
		t.Error("a write after half a message works")
	}
}

func TestAWriteEndsWhenTheInputIsClosed(t *testing.T) {
	f := adopting(t)
	c := speak(t, f, "wait", time.Hour)
	done := make(chan error)
	go func() {
		_, err := c.In.Write(make([]byte, 1<<20))
		done <- err
	}()
	c.In.Close()
	if err := <-done; err == nil {
		t.Error("it was taken")
	}
}

func TestAReadEndsAlthoughADescendantHoldsTheOutput(t *testing.T) {
	f := adopting(t)
	c := speak(t, f, "orphan,ignore,ready,wait", time.Hour)
	began := time.Now()
	text, err := io.ReadAll(c.Out)
	if string(text) != "ready\n" || err == nil || time.Since(began) > outputDelay+5*time.Second {
		t.Errorf("%q, %v after %v", text, err, time.Since(began))
	}
}

func TestAFloodIsReadAtAPace(t *testing.T) {
	f := adopting(t)
	c := speak(t, f, "out", time.Hour)
	began := time.Now()                           // only the least time counts: a busy machine is slower by itself
	n, err := io.CopyN(io.Discard, c.Out, 44<<20) // a burst, and 12 MiB at 8 MiB a second
	if took := time.Since(began); err != nil || took < 1500*time.Millisecond {
		t.Errorf("%d MiB were read in %v, %v", n>>20, took, err)
	}
	c.End(0)
}

// What a shell leaves is noted with its command line, and whether it ends with the shell.
func TestWhatAShellLeavesIsNoted(t *testing.T) {
	f := adopting(t)
	for script, want := range map[string]string{
		"true": "",
		// Each script ends when what it leaves has become the program that is looked for.
		"sleep 81 & until grep -q sleep /proc/$!/comm; do :; done": "sleep 81",
		"(sleep 82; true) & until pgrep -P $! sleep >/dev/null; do :; done; " +
			"(sleep 83 & until grep -q sleep /proc/$!/comm; do :; done)": "sleep 82, sleep 83",
		"setsid sleep 84 & until grep -q sleep /proc/$!/comm; do :; done": "sleep 84 goes on",
	} {
		cmd := exec.Command("bash", "-c", script)
		p, err := f.StartShell(cmd)
		if err != nil {
			t.Fatal(err)
		}
		<-p.Done()
		var got []string
		for _, s := range p.Survivors() {
			if s.GoesOn {
				s.Command += " goes on"
			}
			got = append(got, s.Command)
		}
		if slices.Sort(got); strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
		p.End(0)
	}
}
