package extension

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
)

// family starts all programs of these tests, and inherits what they leave.
var family = new(child.Family)

// TestMain is also the extension of the tests: it does what its variable says.
func TestMain(m *testing.M) {
	if how := os.Getenv(extensiontest.Variable); how != "" {
		extensiontest.Main(how)
		return
	}
	flag.Parse()
	ctx, cancel := context.WithCancel(context.Background())
	if err := family.AdoptOrphans(ctx); err != nil {
		panic(err)
	}
	code := m.Run()
	family.Close(0)
	cancel()
	os.Exit(code)
}

// fakeScreen answers questions at once, and tells of frames.
type fakeScreen struct {
	news  chan struct{}
	asked chan Dialog
	value string // the answer; "": the person leaves
}

func (f *fakeScreen) Size() (columns, rows int) { return 80, 24 }

func (f *fakeScreen) Refresh() {
	select {
	case f.news <- struct{}{}:
	default:
	}
}

func (f *fakeScreen) Show(_ context.Context, d Dialog) (json.RawMessage, error) {
	f.asked <- d
	if d.Kind == PartView {
		return <-d.Closed, nil
	}
	if f.value == "" {
		return nil, ErrCancelled
	}
	return json.RawMessage(f.value), nil
}

// started returns an extension that behaves in a way, and its screen.
func started(t *testing.T, how string, screen *fakeScreen) *Extension {
	t.Helper()
	m, err := Parse([]byte(extensiontest.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	m.Command = []string{os.Args[0]}
	s := NewService(Config{Dir: t.TempDir(), Family: family, Version: "test",
		Options: helper.Options{Start: 5 * time.Second, Pause: time.Millisecond}})
	t.Cleanup(s.Close)
	if screen != nil {
		s.Attach(screen)
	}
	e, err := s.Add(Source{Name: "test", Dir: t.TempDir(), Manifest: m,
		Env: []string{extensiontest.Variable + "=" + how}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func newScreen(value string) *fakeScreen {
	return &fakeScreen{news: make(chan struct{}, 1), asked: make(chan Dialog, 8), value: value}
}

// text returns the text of rows.
func text(rows Rows) string {
	var lines []string
	for _, r := range rows {
		var b strings.Builder
		for _, s := range r {
			b.WriteString(s.Text)
		}
		lines = append(lines, b.String())
	}
	return strings.Join(lines, "\n")
}

// waitRows waits until a part has the rows that it shall have.
func waitRows(t *testing.T, e *Extension, screen *fakeScreen, a Asked, want string) {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		got := text(e.Rows(a))
		if got == want {
			return
		}
		select {
		case <-screen.news:
		case <-late:
			t.Fatalf("%q, want %q; %+v", got, want, e.helper.Status())
		}
	}
}

func TestAnExtensionAnswersCommandsAndTools(t *testing.T) {
	e := started(t, "well", nil)
	if e.helper.Status().State != helper.NotStarted {
		t.Error("it runs before it is used")
	}
	for args, want := range map[string]string{"this": "did this", "events": "heard: ",
		"pick": `{"code":1,"message":"no screen"}`} {
		r, err := e.Command(t.Context(), "do", args, 80, nil)
		if err != nil || text(r.Rows) != want {
			t.Errorf("%s: %q, %v, want %q", args, text(r.Rows), err, want)
		}
	}
	if r, err := e.Command(t.Context(), "do", "draft", 80, nil); err != nil || r.Draft != "a draft" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := e.Command(t.Context(), "other", "", 80, nil); err == nil ||
		err.Error() != "the program does not serve the command other" {
		t.Errorf("another command: %v", err)
	}
	if items := e.Complete(t.Context(), "do", "ma"); len(items) != 1 || items[0].Text != "max" {
		t.Errorf("completions: %+v", items)
	}
	var reports []string
	r, err := e.Tool(t.Context(), "count", json.RawMessage(`{"text":"abc"}`),
		func(s string) { reports = append(reports, s) })
	if err != nil || r.Text != "3 letters" || r.Failed {
		t.Errorf("the tool: %+v, %v", r, err)
	}
	if len(reports) > 1 || len(reports) == 1 && reports[0] != "half" {
		t.Errorf("progress: %q", reports)
	}
}

func TestAQuestionOfAnExtensionHasAnAnswer(t *testing.T) {
	screen := newScreen(`"main"`)
	e := started(t, "well", screen)
	r, err := e.Command(t.Context(), "do", "pick", 80, nil)
	if err != nil || text(r.Rows) != `{"value":"main"}` {
		t.Errorf("%q, %v", text(r.Rows), err)
	}
	if d := <-screen.asked; d.Extension != "test" || d.Place != "prompt" || len(d.Items) != 2 {
		t.Errorf("%+v", d)
	}
	screen.value = ""
	if r, err := e.Command(t.Context(), "do", "pick", 80, nil); err != nil || text(r.Rows) != `{"cancelled":true}` {
		t.Errorf("left: %q, %v", text(r.Rows), err)
	}
	<-screen.asked
	tool, err := e.Tool(t.Context(), "count", json.RawMessage(`{"text":"ask"}`), nil)
	if d := <-screen.asked; err != nil || !d.Late || tool.Text != `{"cancelled":true}` {
		t.Errorf("of a tool: %+v, %+v, %v", d, tool, err)
	}
	// A question without a command that runs is refused.
	if _, err := e.Command(t.Context(), "do", "remember", 80, nil); err != nil {
		t.Fatal(err)
	}
	r, err = e.Command(t.Context(), "do", "stale", 80, nil)
	if err != nil || text(r.Rows) != `{"code":2,"message":"not now"}` || len(screen.asked) > 0 {
		t.Errorf("%q, %d questions, %v", text(r.Rows), len(screen.asked), err)
	}
}

func TestAViewGetsKeysAndGivesAValue(t *testing.T) {
	screen := newScreen("")
	e := started(t, "well", screen)
	done := make(chan Reply)
	go func() {
		r, err := e.Command(t.Context(), "do", "view", 80, nil)
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	d := <-screen.asked
	see := func(want string) {
		late := time.After(20 * time.Second)
		for text(d.Rows(40, 4)) != want {
			select {
			case <-screen.news:
			case <-late:
				t.Fatalf("%q, want %q", text(d.Rows(40, 4)), want)
			}
		}
	}
	see("view 40×4 keys: ")
	d.Key("down", "")
	see("view 40×4 keys: down")
	d.Key("enter", "")
	if r := <-done; text(r.Rows) != `{"value":"down enter"}` {
		t.Errorf("%q", text(r.Rows))
	}
}

// frameOf returns what is known of the rows of a part.
func (e *Extension) frameOf(part string) partFrame {
	e.mu.Lock()
	defer e.mu.Unlock()
	return *e.frames[frameKey{part: part}]
}

func TestPartsOfTheScreenAreKeptUntilTheyChange(t *testing.T) {
	screen := newScreen("")
	e := started(t, "well", screen)
	if rows := e.Rows(Asked{Part: PartStatus, Width: 30, Height: 1}); len(rows) != 0 {
		t.Errorf("rows before the program runs: %v", rows)
	}
	waitRows(t, e, screen, Asked{Part: PartStatus, Width: 30, Height: 1}, "status of 30")
	if e.frameOf(PartStatus).isAsking || text(e.Rows(Asked{Part: PartStatus, Width: 30, Height: 1})) != "status of 30" {
		t.Error("rows that are known are asked for again")
	}
	if got := text(e.Rows(Asked{Part: PartStatus, Width: 20, Height: 1})); got != "status of 30" {
		t.Errorf("before the answer: %q", got)
	}
	waitRows(t, e, screen, Asked{Part: PartStatus, Width: 20, Height: 1}, "status of 20")
	e.partChanged(PartFooter, "")
	other := e.frameOf(PartStatus)
	e.partChanged(PartStatus, "")
	if own := e.frameOf(PartStatus); !other.isCurrent || own.isCurrent {
		t.Errorf("rows hold after a change of another part: %v, of this part: %v", other.isCurrent, own.isCurrent)
	}
	a := AskedOf(PartResult, "1", "bash", json.RawMessage(`{}`))
	a.Text, a.Width, a.Height = "out", 80, MaxRows
	if rows, known := e.Result(t.Context(), a); !known || text(rows) != "shown: out" || rows[0][0].Style != "strong" {
		t.Errorf("%q, %v", text(rows), known)
	}
}

func TestEventsAreToldInOrder(t *testing.T) {
	e := started(t, "well", nil)
	for _, name := range []string{TurnBegin, CallAsked, CallResult} {
		e.service.Event(Event{Event: name, Text: strings.Repeat("x", 100_000), Input: json.RawMessage(`{"broken`)})
	}
	late := time.Now().Add(20 * time.Second)
	for {
		r, err := e.Command(t.Context(), "do", "events", 80, nil)
		if err != nil || time.Now().After(late) {
			t.Fatalf("%q, %v", text(r.Rows), err)
		}
		if text(r.Rows) == "heard: turn_begin call result" {
			return
		}
	}
}

func TestAnExtensionThatFailsIsStartedOnceMore(t *testing.T) {
	for how, why := range map[string]string{"crash at once": "error: no luck", "crash": "error: it fell",
		"beyond": "registers the command more", "huge": "more than 1 MiB", "garbage": "no message",
		"prints": `no message: "info: starting up"`} {
		e := started(t, how, nil)
		var err error
		for range 4 {
			if _, err = e.Command(t.Context(), "do", "this", 80, nil); err == nil {
				t.Fatalf("%s: it works", how)
			}
		}
		st := e.service.List()[0]
		if st.State != helper.Failed || !strings.Contains(st.Why, why) {
			t.Errorf("%s: %s, %v", how, st.Text(time.Now()), err)
		}
	}
}

// failures is a screen that is told of extensions that were given up.
type failures struct {
	*fakeScreen
	told chan string
}

func (f failures) Failed(st Status) { f.told <- st.Extension + ": " + st.Why }

func TestAPartOfTheScreenThatFailsIsToldOnce(t *testing.T) {
	screen := failures{newScreen(""), make(chan string, 8)}
	e := started(t, "crash", screen.fakeScreen)
	e.service.Attach(screen)
	late := time.After(20 * time.Second)
	for told := ""; told == ""; {
		e.Rows(Asked{Part: PartStatus, Width: 30, Height: 1})
		select {
		case told = <-screen.told:
			if !strings.Contains(told, "test: ") || !strings.Contains(told, "error: it fell") {
				t.Errorf("told: %q", told)
			}
		case <-screen.news:
		case <-late:
			t.Fatal("nobody is told")
		}
	}
	e.Rows(Asked{Part: PartStatus, Width: 20, Height: 1}) // asks again, and is refused
	<-screen.news
	if len(screen.told) > 0 {
		t.Errorf("told again: %q", <-screen.told)
	}
}

// What is cut stands in the log, once for each part.
func TestWhatIsCutStandsInTheLogOnce(t *testing.T) {
	var log strings.Builder
	e := started(t, "many rows", nil)
	e.log = &lateLog{open: func() io.Writer { return &log }}
	for _, part := range []string{PartFooter, PartStatus, PartFooter} {
		rows, known, err := e.Ask(t.Context(), Asked{Part: part, Width: 80, Height: 3})
		if len(rows) != 3 || !known || err != nil {
			t.Errorf("%d rows, %v, %v", len(rows), known, err)
		}
	}
	want := "agentshell: the rows of the part footer are 20000, and only the first 3 are used\n" +
		"agentshell: the rows of the part status are 20000, and only the first 3 are used\n"
	if log.String() != want {
		t.Errorf("the log: %s", &log)
	}
}

func TestAnExtensionThatIsNotBuiltIsNamed(t *testing.T) {
	e := started(t, "well", nil)
	program := filepath.Join(t.TempDir(), "program")
	command := e.Manifest.Command
	e.Manifest.Command = []string{program}
	_, err := e.Command(t.Context(), "do", "this", 80, nil)
	want := program + " is no program yet. Build it, in Go by: cd " + e.Dir + " && go build"
	if err == nil || err.Error() != want || e.Status().Why != want || e.Status().Final {
		t.Errorf("%v, %+v", err, e.Status())
	}
	e.Manifest.Command = command // it is built meanwhile
	if _, err := e.Command(t.Context(), "do", "this", 80, nil); err != nil {
		t.Error(err)
	}
}

func TestTheStatesOfExtensionsNameCommandsAsTheyAreEntered(t *testing.T) {
	e := started(t, "well", nil)
	for by, taken := range map[string]bool{"/do": false, "/test:do": true} {
		lines := e.service.Lines(time.Now(), func(string) bool { return taken }, strings.ToLower)
		if len(lines) != 2 || !strings.HasPrefix(lines[1], "  adds  "+by+"; tool count; ") {
			t.Errorf("%q", lines)
		}
	}
}

func TestAnExtensionIsNotStartedAgainstItsCheck(t *testing.T) {
	e := started(t, "well", nil)
	e.Verify = func() error { return errors.New("its files have changed") }
	if _, err := e.Command(t.Context(), "do", "this", 80, nil); err == nil || err.Error() != "its files have changed" {
		t.Error(err)
	}
	if st := e.service.List()[0]; st.State != helper.Failed || st.Why != "its files have changed" || !st.Final {
		t.Errorf("%+v", st)
	}
}

func TestACommandIsGivenUp(t *testing.T) {
	e := started(t, "well", nil)
	ctx, cancel := context.WithCancel(t.Context())
	done, waits := make(chan error), make(chan string, 1)
	go func() {
		_, err := e.Command(ctx, "do", "wait", 80, func(text string) { waits <- text })
		done <- err
	}()
	if text := <-waits; text != "it waits" {
		t.Errorf("progress: %q", text)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if r, err := e.Command(t.Context(), "do", "given-up", 80, nil); err != nil || text(r.Rows) == "given up: " {
		t.Errorf("%q, %v", text(r.Rows), err)
	}
}
