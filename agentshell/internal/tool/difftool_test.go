package tool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

func TestDiffTool(t *testing.T) {
	b := newBench(t, map[string]string{"a": "hello\nworld\n", "b": "hello\nthere\n", "same": "hello\nworld\n",
		"bin": "a\x00", "bin2": "b\x00", "big": strings.Repeat("x", 4<<20+2), "dir/x": ""})
	os.Symlink("/etc/passwd", filepath.Join(b.dir, "out"))
	for _, c := range []struct {
		name string
		a    args
		want DiffResult
	}{
		{"paths", args{"path_a": "a", "path_b": "b"},
			DiffResult{"--- a\n+++ b\n@@ -1,2 +1,2 @@\n hello\n-world\n+there\n", "a", "b", 2, 2, false, 6, false}},
		{"identical files", args{"path_a": "a", "path_b": "same"}, DiffResult{"", "a", "same", 2, 2, true, 0, false}},
		{"texts", args{"text_a": "x\n", "text_b": "x"},
			DiffResult{"--- a\n+++ b\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n", "a", "b", 1, 1, false,
				6, false}},
		{"empty texts", args{"text_a": "", "text_b": ""}, DiffResult{"", "a", "b", 0, 0, true, 0, false}},
		{"an empty text", args{"text_a": "", "text_b": "x\n"},
			DiffResult{"--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n", "a", "b", 0, 1, false, 4, false}},
		{"labels", args{"text_a": "x\n", "text_b": "y\n", "label_a": "be\nfore", "label_b": "after"},
			DiffResult{"--- be\\nfore\n+++ after\n@@ -1 +1 @@\n-x\n+y\n", "be\nfore", "after", 1, 1, false, 5, false}},
		{"labels of paths", args{"path_a": "a", "path_b": "b", "label_a": "L", "context_lines": 0},
			DiffResult{"--- L\n+++ b\n@@ -2 +2 @@\n-world\n+there\n", "L", "b", 2, 2, false, 5, false}},
	} {
		r := b.run("diff", c.a)
		if r.Data != c.want {
			t.Errorf("%s: got\n%+v\nwant\n%+v", c.name, r.Data, c.want)
		}
		var back DiffResult
		if err := json.Unmarshal([]byte(r.Text), &back); err != nil || back != c.want {
			t.Errorf("%s: the text is %s", c.name, r.Text)
		}
	}
	for _, c := range []struct {
		a    args
		kind string
	}{
		{args{}, "invalid_args"},
		{args{"path_a": "a"}, "invalid_args"},
		{args{"text_b": "a"}, "invalid_args"},
		{args{"path_a": "a", "text_b": "x"}, "invalid_args"},
		{args{"path_a": "a", "path_b": "b", "text_a": ""}, "invalid_args"},
		{args{"text_a": "", "text_b": "", "path_b": "b"}, "invalid_args"},
		{args{"text_a": "", "text_b": "", "context_lines": 21}, "invalid_args"},
		{args{"text_a": "", "text_b": "", "context_lines": -1}, "invalid_args"},
		{args{"text_a": "", "text_b": "", "context_lines": 1.5}, "invalid_args"},
		{args{"text_a": "", "text_b": "", "context_lines": "3"}, "invalid_args"},
		{args{"path_a": "a", "path_b": "none"}, "not_found"},
		{args{"path_a": "a", "path_b": "out"}, "fs_denied"},
		{args{"path_a": "../x", "path_b": "a"}, "fs_denied"},
		{args{"path_a": "a", "path_b": "dir"}, "tool_failed"},
		{args{"path_a": "big", "path_b": "a"}, "tool_failed"},
		{args{"path_a": "bin", "path_b": "a"}, "tool_failed"},
		{args{"path_a": "bin", "path_b": "bin2"}, "tool_failed"},
	} {
		err := b.fails("diff", c.a, c.kind)
		if c.a["path_a"] == "big" && err.Error() != "file too large: 4194306 bytes > 4194304" {
			t.Errorf("%v", err)
		}
	}
	r := b.run("diff", args{"text_a": strings.Repeat("a\n", 400_000), "text_b": strings.Repeat("b\n", 400_000)}).
		Data.(DiffResult)
	if !r.Truncated || len(r.Diff) > diff.MaxText || !strings.HasSuffix(r.Diff, " bytes]\n") {
		t.Errorf("truncated %v, %d bytes", r.Truncated, len(r.Diff))
	}
}

func TestTheRegistry(t *testing.T) {
	b := newBench(t, nil)
	var names []string
	for _, s := range b.reg.Specs() {
		names = append(names, s.Name)
		var schema struct {
			Type                 string
			Properties           map[string]struct{ Type string }
			Required             []string
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(s.Schema, &schema); err != nil || schema.Type != "object" ||
			len(schema.Properties) == 0 || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("%s: %v %s", s.Name, err, s.Schema)
		}
		if s.Description == "" {
			t.Errorf("%s has no description", s.Name)
		}
		for _, r := range schema.Required {
			if schema.Properties[r].Type == "" {
				t.Errorf("%s: %s is required and not there", s.Name, r)
			}
		}
		// The schema and the decoder agree: without its required arguments a call is refused.
		if len(schema.Required) > 0 {
			b.fails(s.Name, args{}, "invalid_args")
		}
		b.fails(s.Name, args{"no_such_argument": 1}, "invalid_args")
	}
	slices.Sort(names)
	if want := []string{"bash", "diff", "edit_file", "find", "list_dir", "read_file", "search", "todo",
		"write_file"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if _, err := NewRegistry(&todoTool{}, &todoTool{}); err == nil {
		t.Error("two tools of one name")
	}
	var limits struct {
		Properties map[string]struct{ Minimum, Maximum *int }
	}
	for _, s := range Builtin(b.env).Specs() {
		if s.Name == "diff" {
			json.Unmarshal(s.Schema, &limits)
		}
	}
	if c := limits.Properties["context_lines"]; c.Minimum == nil || c.Maximum == nil || *c.Minimum != 0 ||
		*c.Maximum != 20 {
		t.Errorf("%+v", limits)
	}
}

func TestKinds(t *testing.T) {
	for want, err := range map[string]error{
		"invalid_args": &workspace.Error{Kind: workspace.InvalidArgs},
		"fs_denied":    &workspace.Error{Kind: workspace.NotPermitted},
		"not_found":    &workspace.Error{Kind: workspace.NotFound},
		"conflict":     &workspace.Error{Kind: workspace.Conflict},
		"too_large":    &workspace.Error{Kind: workspace.TooLarge}, "tool_failed": os.ErrClosed,
		"edit_not_unique": &EditNotUniqueError{}, "edit_not_found": &EditNotFoundError{},
	} {
		if got := Kind(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
