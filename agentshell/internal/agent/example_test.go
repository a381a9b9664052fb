package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// refuser is an Approver that says no to everything.
type refuser struct{}

func (refuser) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	return approval.No{ID: p.ID, Reason: "look only"}, nil
}

// A second conversation in the same process needs a model, its tools and who answers for it.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("the weir leaks\n"), 0o600); err != nil {
		panic(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		panic(err)
	}
	defer ws.Close()
	all := tool.Builtin(tool.Env{Workspace: ws}).Tools()
	tools, err := tool.NewRegistry(slices.DeleteFunc(all, func(t tool.Tool) bool {
		return t.Spec().Name != "read_file" && t.Spec().Name != "write_file"
	})...)
	if err != nil {
		panic(err)
	}
	model, err := script.Parse("example", []byte(
		`{"tool_calls":[{"id":"1","name":"read_file","input":{"path":"notes.txt"}},`+
			`{"id":"2","name":"write_file","input":{"path":"notes.txt","content":"it does not\n"}}]}`+"\n"+
			`{"expect":["the weir leaks","look only"],"say":"It leaks.","chunk_runes":20}`))
	if err != nil {
		panic(err)
	}

	sub := agent.New(agent.Config{Model: model, Tools: tools, Approver: refuser{}})
	err = sub.RunText(context.Background(), "What do the notes say?", func(e agent.Event) {
		switch e := e.(type) {
		case agent.ToolEnd:
			fmt.Println(e.Name, e.OK)
		case agent.MessageEnd:
			fmt.Printf("%s %q\n", e.Stop, e.Text)
		case agent.TurnEnd:
			fmt.Println(e.Reason)
		}
	})
	fmt.Println(err, len(sub.Messages()), "messages")
	// Output:
	// tool ""
	// read_file true
	// write_file false
	// end "It leaks."
	// done
	// <nil> 4 messages
}
