package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// reportBench is a service whose fake server runs and is told of changes.
type reportBench struct {
	t *testing.T
	s *Service
	c *Client
}

func newReportBench(t *testing.T) *reportBench {
	t.Helper()
	s, fake := fakeService(t, func(c *Config) { c.Report = true })
	c, release, err := s.Use(context.Background(), fake)
	if err != nil {
		t.Fatal(err)
	}
	release()
	return &reportBench{t, s, c}
}

func (b *reportBench) file(name string) string { return filepath.Join(b.s.Dir(), name) }

// release has the server tell what it has held back, and waits until it has.
func (b *reportBench) release() {
	b.t.Helper()
	if _, err := b.c.Request(context.Background(), "x/release", nil); err != nil {
		b.t.Fatal(err)
	}
}

// busy reports whether the server is asked about a change.
func (b *reportBench) busy() bool {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	return b.s.analysisDone != nil
}

// wants compares what changes have brought with lines.
func (b *reportBench) wants(when string, want ...string) {
	b.t.Helper()
	var got []string
	for _, n := range b.s.News(0) {
		got = append(got, n.Summary())
		got = append(got, n.Lines...)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s: %q, want %q", when, got, want)
	}
}

// What a server finds of a change is told once, however late it comes, in whatever file. What was
// there before is not told, nor what it says of a file that was opened meanwhile.
func TestWhatAServerFindsLateOfAChangeIsToldOnce(t *testing.T) {
	b := newReportBench(t)
	a := b.file("a.x")
	b.s.Note(a, []byte("bad old\n"), []byte("bad old\nbad new, late\n"), true)
	b.wants("before the server has said anything")
	for b.busy() { // the text is sent beside us
		b.release()
	}
	b.wants("late, in the changed file", "fake: 1 new error in a.x", "a.x:2: error: bad new, late")
	b.wants("told again")
	b.s.Note(a, []byte("bad old\nbad new, late\n"), []byte("bad old\nelsewhere\n"), true)
	b.s.Judged()
	b.wants("a mended file")
	if _, _, err := b.c.Open(context.Background(), b.file("opened.x"), "bad as ever\n"); err != nil {
		t.Fatal(err)
	}
	b.release()
	b.wants("late, in another file", "fake: 1 new error in z.x", "z.x:7: error: there")
	b.release()
	b.wants("told again")
}

// Of a file that a command has changed only what is new is told.
func TestOfAFileThatACommandHasChangedOnlyWhatIsNewIsTold(t *testing.T) {
	b := newReportBench(t)
	a := b.file("a.x")
	b.s.Note(a, nil, []byte("bad old\n"), false)
	b.s.Judged()
	b.wants("a file that nobody knew")
	b.s.Note(a, nil, []byte("more\nbad old\nbad new\n"), false)
	b.s.Judged()
	b.wants("a known file", "fake: 1 new error in a.x", "a.x:3: error: bad new")
}

// What comes long after a change is not put down to it.
func TestWhatComesLongAfterAChangeIsNotPutDownToIt(t *testing.T) {
	b := newReportBench(t)
	b.s.Note(b.file("a.x"), []byte("x\n"), []byte("elsewhere\n"), true)
	b.s.Judged()
	b.wants("at once")
	b.s.mu.Lock()
	for _, w := range b.s.activeWatches {
		w.until = time.Now()
	}
	b.s.mu.Unlock()
	b.release()
	b.wants("after the time in which it counts")
}

// A server hears once that a change is on disk, which some look at only then.
func TestAServerHearsThatAChangeIsOnDisk(t *testing.T) {
	b := newReportBench(t)
	a := b.file("a.x")
	b.s.Note(a, []byte("x\n"), []byte("bad\n"), true)
	b.s.Judged()
	b.wants("at once", "fake: 1 new error in a.x", "a.x:1: error: bad")
	if state := fakeState(t, b.s, b.s.servers()["fake"]); state.Saved != 1 || state.Texts[URIOf(a)] != "bad\n" {
		t.Errorf("it has %+v", state)
	}
}

// A file of a copy of the workspace is not told to the servers.
func TestAFileOfACopyOfTheWorkspaceIsNotToldToTheServers(t *testing.T) {
	b := newReportBench(t)
	b.s.Note(strings.TrimSuffix(b.s.Dir(), "/")+"-copy/a.x", []byte("x\n"), []byte("bad\n"), true)
	b.s.Judged()
	b.wants("of a copy")
	if files := b.c.OpenFiles(); len(files) > 0 {
		t.Errorf("the server has %q", files)
	}
}

// A text that a change has written is not sent once a call has sent a newer one: answers to the
// call are about that.
func TestANewerTextOfACallIsNotReplacedByThatOfAChange(t *testing.T) {
	for name, before := range map[string]string{"open": "old\n", "not open": ""} {
		b := newReportBench(t)
		ctx, a := context.Background(), b.file("a.x")
		if before != "" {
			if _, _, err := b.c.Open(ctx, a, before); err != nil {
				t.Fatal(err)
			}
		}
		if !b.c.holdExclusively(ctx) {
			t.Fatal("it cannot be held")
		}
		b.s.Note(a, []byte("old\n"), []byte("written\n"), true)
		for b.pending() > 0 { // until the change waits for the server
			runtime.Gosched()
		}
		version, _, err := b.c.Open(ctx, a, "newer\n")
		if err != nil {
			t.Fatal(err)
		}
		b.c.releaseExclusive()
		b.s.Judged()
		if got := b.c.Version(a); got != version {
			t.Errorf("%s: a call has sent version %d, and the server has %d", name, version, got)
		}
		if state := fakeState(t, b.s, b.s.servers()["fake"]); state.Texts[URIOf(a)] != "newer\n" {
			t.Errorf("%s: it has %+v", name, state)
		}
	}
}

// pending returns how many changes wait for their turn.
func (b *reportBench) pending() int {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	return len(b.s.pending)
}
