package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

func TestReadFileReadsAddressesAsItReadsFiles(t *testing.T) {
	b := newBench(t, map[string]string{"notes.md": "one\n", "other:/a": "a file\n",
		"artifact:/x": "a file of that name\n"})
	var asked []string
	long := ""
	for i := range 5000 {
		long += fmt.Sprintf("line %d\n", i+1)
	}
	b.env.Addresses = Addresses{"artifact": func(_ context.Context, id string) (string, error) {
		asked = append(asked, id)
		if id == "long" {
			return long, nil
		}
		return "", errors.New("no such text")
	}}
	b.reg = Builtin(b.env)
	read := func(path string) (string, Call, error) {
		call, err := b.reg.Prepare(t.Context(), "read_file", "c", []byte(fmt.Sprintf(`{"path":%q}`, path)))
		if err != nil {
			return "", call, err
		}
		r, err := call.Run(t.Context(), nil)
		return r.Text, call, err
	}
	for _, c := range []struct{ path, want, id string }{
		{"artifact://long", "1\tline 1\n", "long"},
		{"artifact://long", "[lines 1-3000 of 5000; read on with artifact://long:3001]", "long"},
		{"artifact://long:4000-4001", "4000\tline 4000\n4001\tline 4001\n", "long"},
		{"artifact://long:4999", "4999\tline 4999\n5000\tline 5000\n", "long"},
		{"artifact://long:2+1:raw", "line 2\n", "long"},
		{"artifact://long:9000", "has 5000 lines; line 9000 is beyond its end", "long"},
		{"artifact://../notes.md", "no such text", "../notes.md"},
		{"artifact:///etc/passwd", "no such text", "/etc/passwd"},
		{"other://a", "a file", ""},
		{"notes.md", "one", ""},
	} {
		asked = nil
		text, call, err := read(c.path)
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, c.want) || strings.Join(asked, ",") != c.id {
			t.Errorf("%s: %.300q, asked for %q", c.path, text, asked)
		}
		if call.Mutates || call.Proposal != nil {
			t.Errorf("%s: %+v", c.path, call)
		}
	}
	// A rule about all paths holds for them, too.
	_, call, _ := read("artifact://long:2")
	policy, err := approval.NewPolicy(approval.PolicyConfig{
		Rules: []approval.Entry{{Rule: mustRule(t, "read_file(**)")}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := policy.Decide(call.Subject("read_file")); v.Action != approval.Deny {
		t.Errorf("%+v", v)
	}
}

func mustRule(t *testing.T, text string) approval.Rule {
	t.Helper()
	r, err := approval.ParseRule(approval.Deny, text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
