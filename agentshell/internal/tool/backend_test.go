package tool

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// client is a backend that knows whole texts only, as an editor would be; it counts what it is
// asked for.
type client struct {
	workspace.TextOnly
	files         map[string]string
	reads, writes int
}

func (c *client) ReadText(_ context.Context, p workspace.Path, line, limit int) (string, error) {
	c.reads++
	if line != 0 || limit != 0 {
		return "", &workspace.Error{Kind: workspace.InvalidArgs, Reason: "whole texts only"}
	}
	text, ok := c.files[p.String()]
	if !ok {
		return "", &workspace.Error{Kind: workspace.NotFound, Path: p.String()}
	}
	return text, nil
}

func (c *client) WriteText(_ context.Context, p workspace.Path, content string) error {
	c.writes++
	c.files[p.String()] = content
	return nil
}

// An edit is put together from a read and a write of whole texts, so that a client needs to know
// nothing of patches (FS-3); and the result says whose guarantee it is (FS-8).
func TestAnEditOverAClientIsAReadAndAWrite(t *testing.T) {
	c := &client{files: map[string]string{"workspace/f": "one\ntwo\n"}}
	c.TextOnly = workspace.TextOnly{Text: c, Label: "the test client"}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: t.TempDir()}}, Backend: c})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	b := &bench{t: t, ws: ws, env: Env{Workspace: ws}}
	b.reg = Builtin(b.env)
	call := b.must("edit_file", args{"path": "f", "old_string": "two", "new_string": "2"})
	if c.writes != 0 || c.reads == 0 {
		t.Errorf("preparing read %d times and wrote %d times", c.reads, c.writes)
	}
	r, err := call.Run(context.Background(), nil)
	if err != nil || c.files["workspace/f"] != "one\n2\n" || c.writes != 1 {
		t.Errorf("%v, %q, %d writes", err, c.files, c.writes)
	}
	if !strings.Contains(r.Text, "Written by the test client, which is responsible for atomicity.") {
		t.Errorf("the result does not say whose guarantee it is: %q", r.Text)
	}
	local := newBench(t, map[string]string{"f": "one\ntwo\n"})
	if r, err := local.must("edit_file", args{"path": "f", "old_string": "two", "new_string": "2"}).
		Run(context.Background(), nil); err != nil || strings.Contains(r.Text, "responsible") {
		t.Errorf("the local disk: %q, %v", r.Text, err)
	}
}

// What a replacing commit cannot keep stands in the proposal, before anybody answers (FS-63).
func TestWhatIsLostStandsInTheProposal(t *testing.T) {
	b := newBench(t, map[string]string{"f": "old\n"})
	p, err := b.ws.Resolve("f")
	if err != nil {
		t.Fatal(err)
	}
	f, err := b.ws.Snapshot(context.Background(), p, workspace.MaxProposal)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change change
		want   []string
	}{
		{change{target: wholeFile{}}, []string{"owner is not kept", "attribute security.capability is not kept"}},
		{change{target: wholeFile{}, inPlace: true}, nil},
		{change{target: removal{}}, nil},
	} {
		c.change.env, c.change.tool, c.change.asked, c.change.file, c.change.after = b.env, "write_file", "f", f,
			[]byte("new\n")
		c.change.file.Loses = []string{"owner", "attribute security.capability"}
		c.change.payload = c.change.writePayload
		call, err := c.change.prepare()
		if err != nil || !slices.Equal(call.Proposal.Notes, c.want) {
			t.Errorf("%+v: notes %q, %v", c.change.inPlace, call.Proposal.Notes, err)
		}
	}
}
