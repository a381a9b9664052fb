//go:build unix

package running

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func at(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }

// join adds a session that began so many minutes after noon.
func join(t *testing.T, d Directory, id string, minute int) *Member {
	t.Helper()
	m, err := d.Join(Record{ID: id, PID: os.Getpid(), Front: "terminal", Started: at(minute), State: Idle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Leave() })
	return m
}

// kill ends a session as a kill does: its lock is gone, and its files stay.
func (m *Member) kill() { m.lock.Close() }

func ids(list []Record) string {
	var all []string
	for _, r := range list {
		all = append(all, r.ID)
	}
	return strings.Join(all, " ")
}

func TestSessionsSeeEachOtherUntilTheyLeave(t *testing.T) {
	d := Directory(filepath.Join(t.TempDir(), "running"))
	if runs, killed := d.List(); runs != nil || killed != nil {
		t.Errorf("where no session ever was: %v %v", runs, killed)
	}
	a := join(t, d, "a", 1)
	b := join(t, d, "b", 0)
	if runs, _ := d.List(); ids(runs) != "b a" || ids(a.Others()) != "b" || ids(b.Others()) != "a" {
		t.Errorf("all %s, others of a %s, of b %s", ids(runs), ids(a.Others()), ids(b.Others()))
	}
	update(t, a, func(r *Record) { r.State, r.Asks = Waits, "edit "+strings.Repeat("x", 500) })
	got := b.Others()[0]
	if got.State != Waits || len(got.Asks) > maxText+3 || got.Front != "terminal" || got.PID != os.Getpid() {
		t.Errorf("%+v", got)
	}
	if err := a.Leave(); err != nil {
		t.Fatal(err)
	}
	if runs, killed := d.List(); ids(runs) != "b" || killed != nil {
		t.Errorf("after a left: %s, killed %s", ids(runs), ids(killed))
	}
	if err := errors.Join(a.Leave(), b.Leave()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(string(d)); len(left) > 0 {
		t.Errorf("they left %v", left)
	}
}

func update(t *testing.T, m *Member, change func(*Record)) {
	t.Helper()
	if err := m.Update(change); err != nil {
		t.Fatal(err)
	}
}

// A killed session is noticed once and its files are removed, also where its record is broken or
// half written.
func TestAKilledSessionIsNoticedOnce(t *testing.T) {
	d := Directory(t.TempDir())
	a, b, broken := join(t, d, "a", 0), join(t, d, "b", 1), join(t, d, "broken", 2)
	if err := os.WriteFile(d.path(broken.key, recordSuffix), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.path(a.key, newSuffix), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.kill()
	broken.kill()
	runs, killed := d.List()
	if ids(runs) != "b" || ids(killed) != "a" {
		t.Errorf("runs %s, killed %s", ids(runs), ids(killed))
	}
	if _, killed := d.List(); killed != nil {
		t.Errorf("noticed again: %s", ids(killed))
	}
	left, err := filepath.Glob(filepath.Join(string(d), "*"))
	if err != nil || len(left) != 2 || !strings.Contains(strings.Join(left, " "), b.key) {
		t.Errorf("left: %q, %v", left, err)
	}
}

// Two sessions that change one file are told of each other, each change once: the second before it
// changes the file, the first behind it.
func TestTwoSessionsThatChangeOneFileAreTold(t *testing.T) {
	d := Directory(t.TempDir())
	a, b := join(t, d, "a", 0), join(t, d, "b", 1)
	if _, ok := b.AlsoChanged("/w/notes.md"); ok {
		t.Error("told of a change that was not made")
	}
	update(t, a, func(r *Record) { r.SetChanged("/w/notes.md", at(3)) })
	if by, ok := b.AlsoChanged("/w/notes.md"); !ok || by.ID != "a" || !by.At.Equal(at(3)) {
		t.Errorf("before the second change: %+v, %v", by, ok)
	}
	if _, ok := b.AlsoChanged("/w/other.md"); ok {
		t.Error("told of another file")
	}
	if _, ok := a.AlsoChanged("/w/notes.md"); ok {
		t.Error("told of its own change")
	}
	update(t, b, func(r *Record) { r.SetChanged("/w/notes.md", at(5)) })
	if list := b.NewConflicts(); len(list) > 0 {
		t.Errorf("the second one is told afterwards: %+v", list)
	}
	if list := a.NewConflicts(); len(list) != 1 || list[0].ID != "b" || list[0].Path != "/w/notes.md" {
		t.Errorf("the first one is told %+v", list)
	}
	if list := a.NewConflicts(); len(list) > 0 {
		t.Errorf("and again: %+v", list)
	}
	update(t, b, func(r *Record) { r.SetChanged("/w/notes.md", at(6)) })
	if list := a.NewConflicts(); len(list) != 1 || !list[0].At.Equal(at(6)) {
		t.Errorf("of a further change: %+v", list)
	}
	b.kill()
	update(t, a, func(r *Record) { r.SetChanged("/w/notes.md", at(2)) })
	if list := a.NewConflicts(); len(list) > 0 {
		t.Errorf("of a session that was killed: %+v", list)
	}
}

// Whatever lies in the directory, nothing waits, and what is read is bounded.
func TestHostileRecords(t *testing.T) {
	d := Directory(t.TempDir())
	m := join(t, d, "a", 0)
	update(t, m, func(r *Record) {
		for i := range maxChanges + 50 {
			r.SetChanged(fmt.Sprint("/w/", i), at(i))
		}
	})
	if runs, _ := d.List(); len(runs) != 1 || len(runs[0].Changes) != maxChanges || runs[0].Changes[0].Path != "/w/50" {
		t.Errorf("%d changes", len(runs[0].Changes))
	}
	for name, text := range map[string]string{"x.lock": "", "y.json": "{}", "z": "z", ".lock": ""} {
		if err := os.WriteFile(filepath.Join(string(d), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.WriteFile(outside, []byte("x"), 0o600), os.Mkdir(d.path("dir", lockSuffix), 0o700),
		os.Symlink(outside, d.path("link", lockSuffix))); err != nil {
		t.Fatal(err)
	}
	big := join(t, d, "big", 1)
	if err := os.WriteFile(d.path(big.key, recordSuffix), []byte(`{"id":"`+strings.Repeat("x", maxRecord)+`"}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if runs, killed := d.List(); ids(runs) != "a" || killed != nil {
		t.Errorf("runs %s, killed %s", ids(runs), ids(killed))
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a link led out: ", err)
	}
	if _, err := Directory("").Join(Record{}); err == nil {
		t.Error("a session joins where there is no directory")
	}
	var none *Member
	if err := errors.Join(none.Update(nil), none.Leave()); err != nil || none.Others() != nil ||
		none.NewConflicts() != nil {
		t.Error("a session alone is not quiet")
	}
}

// Sessions that come, are read and are killed at once never remove one that runs.
func TestManyAtOnce(t *testing.T) {
	d := Directory(t.TempDir())
	stays := join(t, d, "stays", 0)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 25 {
				m, err := d.Join(Record{ID: "x"})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.Stat(d.path(m.key, recordSuffix)); errors.Is(err, fs.ErrNotExist) {
					t.Error("a session that runs was removed")
				}
				d.List()
				m.kill()
			}
		})
	}
	wg.Wait()
	d.List()
	if runs, killed := d.List(); ids(runs) != "stays" || killed != nil || len(stays.Others()) > 0 {
		t.Errorf("runs %s, killed %s", ids(runs), ids(killed))
	}
}
