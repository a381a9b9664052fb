package tool

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// bookcase is a server with one resource.
type bookcase struct{ asked []string }

func (s *bookcase) Resources(context.Context) (string, error) { return "notes://a  a\n", nil }

func (s *bookcase) Read(_ context.Context, uri string) (string, error) {
	if s.asked = append(s.asked, uri); uri != "notes://a" {
		return "", errors.New("no \x1b such thing")
	}
	return "one\ntwo of s3cr3t-s3cr3t\nthree\n", nil
}

func TestAResourceOfAServerIsReadOnceTheServerIsAllowed(t *testing.T) {
	b := newBench(t, nil)
	notes := new(bookcase)
	b.env.Resources = new(Resources)
	b.env.Resources.Add("notes", notes, false)
	b.env.Secrets = secret.Set{}.With("s3cr3t-s3cr3t")
	b.reg = Builtin(b.env)
	list := b.must("read_file", args{"path": "mcp://notes/"})
	if r, err := list.Run(t.Context(), nil); list.Proposal != nil || err != nil || r.Text != "1\tnotes://a  a\n"+
		"[read one with mcp://notes/ADDRESS]\n" {
		t.Errorf("%+v, %v", list, err)
	}
	c := b.must("read_file", args{"path": "mcp://notes/notes://a:2-3"})
	p := c.Proposal
	if p == nil || !p.Flagged(approval.FlagNetwork) || c.Path != "mcp://notes/notes://a" || c.Mutates ||
		p.Payload.Line() != "Read mcp://notes/notes://a" || len(notes.asked) > 0 {
		t.Fatalf("%+v", c)
	}
	if r, err := c.Run(t.Context(), nil); err != nil || strings.Contains(r.Text, "s3cr3t") ||
		!strings.HasPrefix(r.Text, "2\ttwo of ") || !strings.HasSuffix(r.Text, "3\tthree\n") {
		t.Errorf("%q, %v", r.Text, err)
	}
	again := b.must("read_file", args{"path": "mcp://notes/notes://none\x1b"})
	if _, err := again.Run(t.Context(), nil); again.Proposal != nil || Kind(err) != "tool_failed" ||
		strings.Contains(err.Error(), "notes://none\x1b") {
		t.Errorf("%+v, %v", again, err)
	}
	for path, want := range map[string]string{
		"mcp://none/x":                    "not_found: no server is named none; there are: notes",
		"mcp://notes/x?key=s3cr3t-s3cr3t": "invalid_args: the address holds a key that must not leave this machine",
	} {
		code, text, _ := strings.Cut(want, ": ")
		if err := b.fails("read_file", args{"path": path}, code); !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
