package session_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

func TestARecordTellsWhatTheFileHolds(t *testing.T) {
	began := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	cfg := session.Config{Dir: t.TempDir(), Workspace: t.TempDir(), Model: "m", Now: func() time.Time { return began },
		Random: bytes.NewReader(make([]byte, 64))}
	l, err := session.Create(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var h undo.History
	h.Load(l, nil)
	before := []byte("old\n")
	change := undo.Change{Root: "workspace", Rel: "a.txt", Call: "1", Added: 1, Before: undo.StateOf(0o644, before)}
	h.Add(change, before, false)
	l.SetSpent(session.Spent{Dollars: 2, Priced: true})
	if err := l.Append(provider.Message{Role: provider.User,
		Parts: []provider.Part{provider.Text{Text: "hello"}}}); err != nil {
		t.Fatal(err)
	}
	if err := l.Rename("a name"); err != nil {
		t.Fatal(err)
	}
	r, err := session.Read(cfg, l.ID())
	if err != nil || r.ID != l.ID() || r.Name != "a name" || r.Model != "m" || !r.Began.Equal(began) ||
		r.Spent.Dollars != 2 || len(r.Messages) != 1 || r.Damaged != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	var read undo.History
	r.LoadChanges(&read)
	if data, err := read.Content(change.Before); len(read.Changes()) != 1 || string(data) != "old\n" || err != nil {
		t.Errorf("the changes are %v, the content %q, %v", read.Changes(), data, err)
	}
	if n := read.Add(change, before, false); n != 2 { // in memory alone
		t.Errorf("change %d", n)
	}
	if again, err := session.Read(cfg, l.ID()); err != nil || len(again.Messages) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := session.Read(cfg, "20260101-nothing"); err == nil {
		t.Error("a session that is not there is read")
	}
}
