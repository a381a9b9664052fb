package helper

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// family starts all programs of these tests, and inherits what they leave.
var family = new(child.Family)

// lines is a client for programs that say hello and answer each line by one.
type lines struct {
	process *Process
	answers chan string
}

var errGarbage = errors.New("it sent what is no answer")

// greetLines waits until the program says hello.
func greetLines(ctx context.Context, p *Process) (*lines, error) {
	c := &lines{process: p, answers: make(chan string, 16)}
	hello := make(chan struct{})
	go c.read(hello)
	select {
	case <-hello:
		return c, nil
	case <-p.Gone():
		return nil, io.ErrUnexpectedEOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *lines) read(hello chan struct{}) {
	in := bufio.NewReaderSize(c.process.Out, 4<<10)
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		text := strings.TrimSpace(string(line))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			err = errGarbage
		case err != nil:
		case first && text == "hello":
			close(hello)
			continue
		case !first && strings.HasPrefix(text, "answer "):
			select {
			case c.answers <- text:
			case <-c.process.Gone():
				return
			}
			continue
		default:
			err = errGarbage
		}
		c.process.Fail(err)
		return
	}
}

// ask sends a line and returns the answer.
func (c *lines) ask(ctx context.Context, question string) (string, error) {
	if _, err := io.WriteString(c.process.In, question+"\n"); err != nil {
		c.process.Fail(err)
		return "", c.process.Why()
	}
	select {
	case answer := <-c.answers:
		return answer, nil
	case <-c.process.Gone():
		return "", c.process.Why()
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

const well = `echo hello; while read l; do echo "answer $l"; done`

// shell returns a program that runs a script.
func shell(script string) Program {
	return Program{Name: "the helper", Command: []string{"/bin/sh", "-c", script}, Dir: "/",
		Env: []string{"PATH=/usr/bin:/bin"}, Family: family, Grace: 20 * time.Millisecond}
}

func TestAHelperStartsWhenItIsUsedAndStaysForTheNextUse(t *testing.T) {
	h := New(shell(well), Options{}, greetLines, nil)
	defer h.Close()
	if s := h.Status(); s.State != NotStarted || s.Text(time.Now()) != "not started" {
		t.Fatalf("before its use: %+v", s)
	}
	var first *lines
	for n := range 2 {
		c, release, err := h.Use(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = c
		}
		answer, err := c.ask(t.Context(), "how")
		if release(); err != nil || answer != "answer how" || c != first {
			t.Fatalf("use %d: %q, %v, the same program: %v", n, answer, err, c == first)
		}
	}
	if s := h.Status(); s.State != Ready {
		t.Errorf("after its use: %+v", s)
	}
	h.Close()
	if _, _, err := h.Use(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// Each run has a folder of its own, which goes with it, whatever is in it.
func TestAHelperSharesAFolderWithUs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := shell(well)
	p.Shared = true
	h := New(p, Options{}, greetLines, nil)
	defer h.Close()
	seen := map[string]bool{}
	for range 2 {
		c, release, err := h.Use(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		release()
		dir := c.process.Shared()
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 || seen[dir] {
			t.Fatalf("%q: %v, %v", dir, info, err)
		}
		seen[dir] = true
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "a/b"), 0o700), os.Symlink("/", filepath.Join(dir, "l")),
			os.WriteFile(filepath.Join(dir, "f"), nil, 0o400)); err != nil {
			t.Fatal(err)
		}
		h.Stop()
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", dir, err)
		}
	}
	p.Dir = "/no/such/folder"
	if _, err := Start(p); err == nil {
		t.Error("it starts nowhere")
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

// The bounds of a helper where nobody names others.
func TestTheBoundsOfAHelper(t *testing.T) {
	want := Options{Start: 30 * time.Second, Idle: 10 * time.Minute, Memory: 4 << 30, Pause: time.Second,
		Retries: 5, Settled: time.Minute}
	if h := New(shell(well), Options{}, greetLines, nil); h.options != want {
		t.Errorf("%+v, want %+v", h.options, want)
	}
}

func TestAHelperThatIsNotInstalledSaysHowToInstallIt(t *testing.T) {
	h := New(Program{Name: "nols", Command: []string{"no-such-server"}, Install: "go install example.com/nols@latest"},
		Options{}, greetLines, nil)
	h.program.Family = family
	defer h.Close()
	if s := h.Status(); s.Install == "" {
		t.Errorf("the status before: %+v", s)
	}
	_, _, err := h.Use(t.Context())
	want := "no-such-server is not installed. To install it: go install example.com/nols@latest"
	if err == nil || err.Error() != want {
		t.Errorf("it says %v", err)
	}
	if s := h.Status(); s.State != NotStarted { // it may be installed by the next use
		t.Errorf("after: %+v", s)
	}
}

func TestAHelperThatIsStartedOnceIsGivenUpAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "starts")
	h := New(shell("echo x >>"+file+"; exit 3"), Options{Once: true}, greetLines, nil)
	defer h.Close()
	_, _, err := h.Use(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || h.Status().State != Failed {
		t.Errorf("%v, %+v", err, h.Status())
	}
	if text, _ := os.ReadFile(file); string(text) != "x\n" {
		t.Errorf("its starts: %q", text)
	}
}

func TestAHelperThatEndsByItselfWaitsLongerEachTimeAndIsGivenUp(t *testing.T) {
	h := New(shell("echo 'error: no luck, key hunter2-hunter2-hunter2' >&2; exit 3"),
		Options{Pause: time.Millisecond}, greetLines, nil)
	h.program.Secrets = secret.New("hunter2-hunter2-hunter2")
	defer h.Close()
	for n := 1; n <= maxRetries; n++ { // the first use starts it twice
		_, _, err := h.Use(t.Context())
		if err == nil || !strings.Contains(err.Error(), "exit status 3: error: no luck") ||
			strings.Contains(err.Error(), "hunter2") {
			t.Fatalf("start %d: %v", n, err)
		}
		if s := h.Status(); (s.State == Failed) != (n == maxRetries) || strings.Contains(s.Why, "hunter2") {
			t.Fatalf("start %d: %+v", n, s)
		}
	}
	if _, _, err := h.Use(t.Context()); err == nil || !strings.Contains(err.Error(), "failed: ") {
		t.Errorf("given up: %v", err)
	}
	h.Stop()
	if s := h.Status(); s.State != NotStarted {
		t.Errorf("after Stop: %+v", s)
	}
}

func TestAHelperThatEndsWhileItStartsIsStartedOnceMore(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "started")
	h := New(shell("if [ -e "+mark+" ]; then "+well+"; else : >"+mark+"; fi"), Options{Pause: time.Millisecond},
		greetLines, nil)
	defer h.Close()
	c, release, err := h.Use(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if answer, err := c.ask(t.Context(), "how"); err != nil || answer != "answer how" {
		t.Errorf("after the second start: %q, %v", answer, err)
	}
}

func TestPausesDoubleAndALongRunForgetsThem(t *testing.T) {
	var r retries
	o := Options{Pause: time.Second, Retries: 5, Settled: time.Minute}
	for _, want := range []time.Duration{1, 2, 4, 8, 16} {
		if got, giveUp := r.next(0, o); giveUp || got != want*time.Second {
			t.Errorf("%v, %v, want %v s", got, giveUp, want)
		}
	}
	if _, giveUp := r.next(0, o); !giveUp {
		t.Error("it is started for ever")
	}
	if got, giveUp := r.next(o.Settled, o); giveUp || got != time.Second {
		t.Errorf("after a long run: %v, %v", got, giveUp)
	}
}

func TestAHelperEndsWhenNobodyUsesIt(t *testing.T) {
	h := New(shell(well), Options{Idle: 5 * time.Millisecond}, greetLines, nil)
	defer h.Close()
	c, release, err := h.Use(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // it stays while it is used
		if _, err := c.ask(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
	}
	release()
	<-c.process.Gone()
	if again, release, err := h.Use(t.Context()); err != nil || again == c {
		t.Errorf("it does not start again: %v", err)
	} else {
		release()
	}
}

func TestAHelperThatTakesTooMuchMemoryIsEnded(t *testing.T) {
	h := New(shell(well), Options{Memory: 1}, greetLines, nil)
	h.look = time.Millisecond
	defer h.Close()
	c, release, err := h.Use(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if c.process.Memory() == 0 {
		return // the system does not tell
	}
	<-c.process.Gone()
	h.mu.Lock()
	r := h.run
	h.mu.Unlock()
	if r != nil {
		<-r.ended
	}
	if s := h.Status(); s.State != Waiting || !strings.Contains(s.Why, "MiB of memory") {
		t.Errorf("%+v", s)
	}
}

func TestAUseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New(Program{Name: "x", Command: []string{"/x"}}, Options{}, greetLines, nil)
		h.status = Status{State: Waiting, Again: time.Now().Add(time.Hour)}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := h.Use(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it says %v", err)
		}
		s := Status{State: Waiting, Why: "it broke", Again: time.Now().Add(3 * time.Second)}
		if got := s.Text(time.Now()); got != "ended: it broke; can start again in 3s" {
			t.Errorf("the status is %q", got)
		}
		<-time.After(2 * time.Hour) // of the bubble: the timer of the pause ends
	})
}

func TestReachIsWhatTheProgramCanReach(t *testing.T) {
	if got := (Program{}).Reach(); got != "not confined: can change any file" {
		t.Error(got)
	}
	if got := fmt.Sprint(Status{State: Ready, Memory: 5 << 20}.Text(time.Time{})); got != "ready, 5 MiB" {
		t.Error(got)
	}
}

// What a program printed long before its end has another reason.
func TestOnlyTheLastWordsOfAProgramSayWhyItEnded(t *testing.T) {
	w := new(stderr)
	_, _ = w.Write([]byte("error: handled\n"))
	if got := w.lastLine(w.at.Add(-lastWords)); got != "error: handled" {
		t.Errorf("at once: %q", got)
	}
	if got := w.lastLine(w.at.Add(lastWords)); got != "" {
		t.Errorf("later: %q", got)
	}
	w.at = w.at.Add(-2 * lastWords)
	_, _ = w.Write([]byte("it falls\n"))
	if got := w.lastLine(w.at); got != "it falls" {
		t.Errorf("another line: %q", got)
	}
}

func TestAnEndWithoutAReasonIsTold(t *testing.T) {
	for script, want := range map[string]string{"exit 0": "it ended by itself, with exit status 0",
		"exec >&-; exec sleep 1000": "its output has ended, and it still runs"} {
		h := New(shell(script), Options{Pause: time.Millisecond}, greetLines, nil)
		_, _, err := h.Use(t.Context())
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", script, err)
		}
		h.Close()
	}
}
