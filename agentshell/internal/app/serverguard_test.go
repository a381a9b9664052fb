package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// A server that the person has configured starts in the workspace and runs nothing of it.
func TestAServerOfThePersonRunsNothingOfTheWorkspace(t *testing.T) {
	dir := t.TempDir()
	s := mcp.Server{Dir: dir, Command: []string{"npx", "-y", "foo"}}
	guardServer(&s)
	if err := s.Refuse(); err != nil || len(s.Env) > 0 {
		t.Errorf("without a package there: %v, %q", err, s.Env)
	}
	if err := os.MkdirAll(filepath.Join(dir, "node_modules", "foo"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := mcp.Start(t.Context(), s, "1"); !errors.Is(err, child.ErrLocal) {
		t.Errorf("with one: %v", err)
	}
	python := mcp.Server{Dir: dir, Command: []string{"python3", "-m", "foo"}, Env: []string{"A=b"}}
	guardServer(&python)
	if err := python.Refuse(); err != nil || !slices.Equal(python.Env, []string{"PYTHONSAFEPATH=1", "A=b"}) {
		t.Errorf("%v, %q", err, python.Env)
	}
	page := mcp.Server{URL: "https://example.com"}
	if guardServer(&page); page.Refuse != nil {
		t.Error("an address is refused")
	}
}
