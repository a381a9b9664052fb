package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// A write that a person approved is refused if the file changed meanwhile.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "notes.txt")
	os.WriteFile(name, []byte("old\n"), 0o644)

	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		panic(err)
	}
	defer ws.Close()
	p, err := ws.Resolve("notes.txt")
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	file, err := ws.Snapshot(ctx, p, workspace.MaxProposal)
	if err != nil {
		panic(err)
	}
	change := workspace.Change{Path: p, Base: file.Print, Data: []byte("new\n")}

	os.WriteFile(name, []byte("somebody else\n"), 0o644)
	_, err = ws.Commit(ctx, change)
	fmt.Println(err, errors.Is(err, &workspace.Error{Kind: workspace.Conflict}))

	_, err = ws.Resolve("../secret")
	fmt.Println(workspace.KindOf(err) == workspace.NotPermitted)
	// Output:
	// file changed since last read: workspace/notes.txt true
	// true
}
