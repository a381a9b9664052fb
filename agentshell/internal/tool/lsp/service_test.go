package lsp

import (
	"context"
	"strings"
	"testing"
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
