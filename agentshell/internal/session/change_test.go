package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	secrets "github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

func change(n int, before string) undo.Change {
	return undo.Change{
		N: n, Time: time.Date(2026, 1, 1, 0, 0, n, 0, time.UTC), Root: "workspace", Rel: "f",
		Tool: "write_file", Added: 1,
		Before: undo.StateOf(0o644, []byte(before)), After: undo.StateOf(0o644, []byte("x")), Dirs: []string{"d"},
	}
}

func keepChange(t *testing.T, l *session.Log, n int, before string) undo.Change {
	t.Helper()
	c := change(n, before)
	if err := l.KeepChange(c, []byte(before)); err != nil {
		t.Fatal(err)
	}
	return c
}

// What a change displaced can be had again after the session was resumed or copied; the
// conversation is as it was without changes.
func TestChangesComeBackWithTheirContent(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk[:2]...) // in the middle of a turn, as changes are
	want := []undo.Change{keepChange(t, l, 1, "one"), keepChange(t, l, 2, "")}
	for _, m := range talk[2:] {
		if err := l.Append(m); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, keepChange(t, l, 3, "three"))
	look := func(l *session.Log) {
		t.Helper()
		if got, err := l.Changes(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
		for i, text := range []string{"one", "", "three"} {
			if b, err := l.Displaced(want[i].Before.Sum); err != nil || string(b) != text {
				t.Errorf("%q, %v", b, err)
			}
		}
	}
	look(l)
	l.Close()
	l, messages := resume(t, cfg, l.ID())
	if !reflect.DeepEqual(messages, talk) || len(l.Repaired) > 0 {
		t.Errorf("%#v %q", messages, l.Repaired)
	}
	look(l)
	nodes, leaf, err := l.Tree()
	nodes = messagesOf(nodes)
	if err != nil || len(nodes) != len(talk) || leaf != nodes[len(nodes)-1].ID {
		t.Errorf("%d nodes, leaf %s, %v", len(nodes), leaf, err)
	}
	if messages, err := l.Move(nodes[1].ID, ""); err != nil || !reflect.DeepEqual(messages, talk[:3]) {
		// The results come along, although a change stands between.
		t.Errorf("%#v, %v", messages, err)
	}
	fork, _, err := session.Fork(cfg, l.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	look(fork)
	files, _ := filepath.Glob(strings.TrimSuffix(l.Path(), ".jsonl") + ".undo/*")
	for _, name := range append(files, filepath.Dir(files[0])) {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

// A change that was denied can be looked at after the session was resumed, read or copied. It is no
// change that could be undone, and no part of the conversation.
func TestADeniedChangeComesBackWithItsContents(t *testing.T) {
	const secret = "sk-0123456789abcdef"
	cfg := config(t)
	cfg.Secrets = secrets.New(secret)
	l := create(t, cfg, talk[:2]...)
	denied := undo.Change{Root: "workspace", Rel: "f", Tool: "edit_file", Call: "1", Added: 1,
		Before: undo.StateOf(0, []byte("old\n")), After: undo.StateOf(0, []byte("new\n"))}
	var h undo.History
	h.Load(l, nil)
	h.Deny(denied, []byte("old\n"), []byte("new\n"), false)
	private := denied
	private.Call, private.After = "2", undo.StateOf(0, []byte("KEY="+secret+"\n"))
	h.Deny(private, []byte("old\n"), []byte("KEY="+secret+"\n"), false)
	hidden := undo.Change{Root: "workspace", Rel: "h", Call: "3", After: undo.StateOf(0, []byte("hidden\n"))}
	h.Deny(hidden, nil, []byte("hidden\n"), true)
	for _, c := range []undo.Change{private, hidden} {
		if _, err := h.Content(c.After); err != nil {
			t.Errorf("as long as it runs: %v", err)
		}
	}
	for _, m := range talk[2:] {
		if err := l.Append(m); err != nil {
			t.Fatal(err)
		}
	}
	look := func(h *undo.History) {
		t.Helper()
		list := h.Denied()
		if len(list) != 3 || !reflect.DeepEqual(list[0], denied) || len(h.Changes()) != 0 {
			t.Fatalf("%+v, changes %+v", list, h.Changes())
		}
		before, err := h.Content(list[0].Before)
		after, err2 := h.Content(list[0].After)
		if string(before) != "old\n" || string(after) != "new\n" {
			t.Errorf("%q %v, %q %v", before, err, after, err2)
		}
		for _, c := range list[1:] {
			if data, err := h.Content(c.After); err == nil {
				t.Errorf("%q is on the disk", data)
			}
		}
	}
	of := func(l *session.Log) *undo.History {
		list, err := l.DeniedChanges()
		if err != nil {
			t.Fatal(err)
		}
		h := new(undo.History)
		h.Load(l, nil)
		h.LoadDenied(list)
		return h
	}
	l.Close()
	l, messages := resume(t, cfg, l.ID())
	if !reflect.DeepEqual(messages, talk) {
		t.Errorf("%#v", messages)
	}
	look(of(l))
	r, err := session.Read(cfg, l.ID())
	if err != nil {
		t.Fatal(err)
	}
	recorded := new(undo.History)
	r.LoadChanges(recorded)
	look(recorded)
	fork, _, err := session.Fork(cfg, l.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	look(of(fork))
}

// A change that was begun and not recorded is told to who goes on, also in a copy; the conversation
// is as it was.
func TestAChangeThatWasBegunIsKnown(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	begun := func(l *session.Log, want *undo.Change) {
		t.Helper()
		if got, err := l.UnfinishedChange(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	c := change(0, "one")
	begin := func(c *undo.Change) {
		t.Helper()
		if err := l.BeginChange(c, []byte("one")); err != nil {
			t.Fatal(err)
		}
	}
	begun(l, nil)
	begin(&c)
	keepChange(t, l, 1, "one")
	begun(l, nil)
	begin(&c)
	begin(nil)
	begun(l, nil)
	begin(&c)
	l.Close()
	l, messages := resume(t, cfg, l.ID())
	if begun(l, &c); !reflect.DeepEqual(messages, talk) || len(l.Repaired) > 0 {
		t.Errorf("%#v %q", messages, l.Repaired)
	}
	fork, messages, err := session.Fork(cfg, l.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	begun(fork, &c)
	if b, err := fork.Displaced(c.Before.Sum); err != nil || string(b) != "one" || !reflect.DeepEqual(messages, talk) {
		t.Errorf("%q, %v, %#v", b, err, messages)
	}
	if err := l.Append(talk[0]); err != nil {
		t.Fatal(err)
	}
	nodes, leaf, err := l.Tree()
	if nodes = messagesOf(nodes); err != nil || len(nodes) != len(talk)+1 ||
		nodes[len(nodes)-1].Parent != nodes[len(nodes)-2].ID || leaf != nodes[len(nodes)-1].ID {
		t.Errorf("%+v, leaf %s, %v", nodes, leaf, err)
	}
}

func TestNoKeyIsInWhatIsKeptOfChanges(t *testing.T) {
	l := create(t, config(t), talk...)
	c := change(1, "KEY="+secret+"\n")
	c.Rel = "by-" + secret
	if err := l.KeepChange(c, []byte("KEY="+secret+"\n")); err == nil {
		t.Error("it was promised to be kept")
	}
	if err := l.KeepChange(change(2, "x"), nil); err == nil {
		t.Error("nothing was given, and it was promised to be kept")
	}
	root := filepath.Dir(l.Path())
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if bytes.Contains(b, []byte(secret)) || bytes.Contains(b, []byte(`0123456789`)) {
			t.Errorf("%s has it", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.Changes(); err != nil || len(got) != 2 || got[0].Rel != "by-"+secrets.Hidden {
		t.Errorf("%+v %v", got, err)
	}
	for _, sum := range []string{"", "../x", strings.Repeat("0", 63), c.Before.Sum, strings.Repeat("/", 64)} {
		if b, err := l.Displaced(sum); err == nil {
			t.Errorf("%q gives %q", sum, b)
		}
	}
}

// What is kept goes after a month, with its directory, and when a session or all of them have too
// much.
func TestWhatIsKeptOfChangesIsBounded(t *testing.T) {
	cfg := config(t)
	old := create(t, cfg, talk...)
	keepChange(t, old, 1, "old")
	old.Close()
	dir := strings.TrimSuffix(old.Path(), ".jsonl") + ".undo"
	files, _ := filepath.Glob(dir + "/*")
	at := cfg.Now().Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(files[0], at, at); err != nil {
		t.Fatal(err)
	}
	l := create(t, cfg, talk...)
	if _, err := os.Stat(dir); err == nil {
		t.Error("it is kept after a month")
	}
	big := strings.Repeat("0123456789abcdef", 4<<20/16)
	var all []undo.Change
	for i := range 17 { // 68 MiB
		all = append(all, keepChange(t, l, i+1, big+string(rune('a'+i))))
		name := strings.TrimSuffix(l.Path(), ".jsonl") + ".undo/" + all[i].Before.Sum
		now := cfg.Now()
		if err := os.Chtimes(name, now, now); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for i, c := range all {
		_, err := l.Displaced(c.Before.Sum)
		if err == nil {
			kept++
		}
		if i == 16 && err != nil {
			t.Errorf("the newest is gone: %v", err)
		}
	}
	if kept != 15 {
		t.Errorf("%d of 17 are kept, want those of 64 MiB", kept)
	}
}

// A message knows which changes came before it, also in a copy and on another branch: a rewind to
// it takes back those behind it.
func TestAMessageKnowsTheChangesBeforeIt(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk[:2]...)
	keepChange(t, l, 1, "one")
	for _, m := range talk[2:] {
		if err := l.Append(m); err != nil {
			t.Fatal(err)
		}
	}
	keepChange(t, l, 2, "two")
	numbers := func(l *session.Log) (list []int) {
		t.Helper()
		nodes, _, err := l.Tree()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range nodes {
			if n.IsMessage() {
				list = append(list, n.Change)
			}
		}
		return list
	}
	want := numbers(l)
	if want[0] != 0 || want[1] != 0 || want[2] != 1 || want[len(want)-1] != 1 {
		t.Errorf("%d", want)
	}
	fork, _, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if got := numbers(fork); !reflect.DeepEqual(got, want) {
		t.Errorf("a copy has %d, want %d", got, want)
	}
}
