package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// /tools shows the language servers that are installed for the workspace, and starts none of them.
func TestTheStateOfServersForTheWorkspaceIsKnownWithoutAStart(t *testing.T) {
	need.Program(t, "true")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.mod"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{".x": "x"}
	r := &conversation{project: &project{}}
	if list := r.helperStates(); len(list) > 0 {
		t.Errorf("without language servers: %+v", list)
	}
	r.helpers.languages = lsp.NewService(lsp.Config{Dir: dir, Family: new(child.Family), Table: lsp.Table{
		"fits":    {Name: "fits", Command: []string{"true"}, Kinds: kinds, Roots: []string{"x.mod"}},
		"foreign": {Name: "foreign", Command: []string{"true"}, Kinds: kinds, Roots: []string{"y.mod"}},
		"missing": {Name: "missing", Command: []string{"no-such-server"}, Kinds: kinds, Roots: []string{"x.mod"}}}})
	defer r.helpers.languages.Close()
	list := r.helperStates()
	if len(list) != 1 || list[0].Kind != "language server" || list[0].Name != "fits" || list[0].Reach == "" ||
		list[0].State != "not started" {
		t.Errorf("%+v", list)
	}
	if used := r.helpers.languages.Status(); len(used) > 0 {
		t.Errorf("it has started %+v", used)
	}
}
