package lsp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A new table ends servers that are others in it, and what was asked of them by the old one is an
// error.
func TestANewTableEndsServersThatItChanges(t *testing.T) {
	need.Program(t, "true")
	kinds := map[string]string{".x": "x"}
	old := Table{"same": {Name: "same", Command: []string{"true"}, Kinds: kinds},
		"other": {Name: "other", Command: []string{"true"}, Kinds: kinds}}
	s := NewService(Config{Dir: t.TempDir(), Family: new(child.Family), Table: old,
		Options: helper.Options{Pause: time.Millisecond}})
	t.Cleanup(s.Close)
	for _, server := range old {
		if _, _, err := s.Use(context.Background(), server); err == nil { // it ends at once
			t.Fatalf("%s has answered", server.Name)
		}
	}
	changed := old["other"]
	changed.Options = map[string]any{"run": "x"}
	s.SetTable(Table{"same": old["same"], "other": changed})
	if list := s.Status(); len(list) != 1 || list[0].Name != "same" {
		t.Errorf("there are %+v", list)
	}
	_, _, err := s.Use(context.Background(), old["other"])
	if err == nil || !strings.Contains(err.Error(), "the command or the settings of other have changed") {
		t.Errorf("the old one: %v", err)
	}
	if len(s.Status()) != 1 {
		t.Error("the old one was started")
	}
}

// A server with root markers is for files below one, not above the top of the workspace.
func TestAServerIsForFilesBelowItsRootMarker(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "w")
	for _, name := range []string{"other.x", "w/sub/root.x", "w/sub/deep/a.x", "w/a.x"} {
		path := filepath.Join(outer, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kinds := map[string]string{".x": "x", "Namefile": "name"}
	s := NewService(Config{Dir: dir, Family: new(child.Family), Table: Table{
		"rooted":  {Name: "rooted", Command: []string{"x"}, Kinds: kinds, Roots: []string{"root.x", "other.x"}},
		"linter":  {Name: "linter", Command: []string{"x"}, Kinds: kinds, Linter: true},
		"another": {Name: "another", Command: []string{"x"}, Kinds: map[string]string{".y": "y"}}}})
	t.Cleanup(s.Close)
	for name, want := range map[string]string{"a.x": "linter", "sub/a.x": "rooted linter",
		"sub/Namefile": "rooted linter", "sub/deep/a.x": "rooted linter", "a.y": "another", "a.z": "",
		"sub/name.Namefile": ""} {
		var got []string
		for _, server := range s.Servers(filepath.Join(dir, name)) {
			got = append(got, server.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A server may load its project before it is asked, for a time.
func TestAServerMayLoadItsProjectFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		load := func(ends time.Duration) time.Duration {
			c := &Client{process: new(helper.Process), changed: make(chan struct{}),
				state: clientState{runningWork: map[string]bool{}}}
			c.handleProgress([]byte(`{"token":1,"value":{"kind":"begin"}}`))
			end := time.AfterFunc(ends, func() { c.handleProgress([]byte(`{"token":1,"value":{"kind":"end"}}`)) })
			defer end.Stop()
			began := time.Now()
			c.Load(t.Context(), LoadTime)
			return time.Since(began)
		}
		for ends, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Hour: 15 * time.Second} {
			if took := load(ends); took != want {
				t.Errorf("loaded after %v it is asked after %v, want %v", ends, took, want)
			}
		}
	})
}
