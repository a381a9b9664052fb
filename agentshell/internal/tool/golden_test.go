package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

var update = flag.Bool("update", false, "write the golden files")

// The payloads are an interface: front ends and recorded sessions rely on every field name (PAY-20
// to 41).
func TestPayloads(t *testing.T) {
	long := strings.Repeat("line of text\n", 60)
	b := newBench(t, map[string]string{
		"src/utils.py": "import os\nimport sys\n\ndef helper():\n    pass\n", "notes.md": "# Notes\n\nold\n",
		"crlf.txt": "a\r\nb\r\n", "secrets/config.yaml": "k: v\n", "bin": "a\x00b",
		"many": "x = 1\ny = 1\nx = 2\n",
	})
	for _, c := range []struct {
		name, tool string
		a          args
	}{
		{"write-new", "write_file", args{"path": "haiku.txt", "content": "an old silent pond\n<splash>\n"}},
		{"write-existing", "write_file", args{"path": "notes.md", "content": "# Notes\n\nnew\nmore"}},
		{"write-long", "write_file", args{"path": "docs/long.txt", "content": long}},
		{"write-empty", "write_file", args{"path": "empty.txt", "content": ""}},
		{"write-crlf", "write_file", args{"path": "crlf.txt", "content": "a\nc\n"}},
		{"write-binary", "write_file", args{"path": "bin", "content": "text\n"}},
		{"edit", "edit_file", args{"path": "workspace/src/utils.py", "old_string": "import os\nimport sys",
			"new_string": "import os\nimport sys\nimport json"}},
		{"edit-replace-all", "edit_file",
			args{"path": "many", "old_string": "x", "new_string": "z", "replace_all": true}},
		{"read", "read_file", args{"path": "secrets/config.yaml"}},
		{"command", "bash", args{"command": "go test ./... | tail -n 3", "timeout_s": 30}},
		{"command-opaque", "bash", args{"command": "for f in *; do rm $f; done"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			call := b.must(c.tool, c.a)
			p := call.Proposal
			if p == nil {
				var err error
				if p, err = call.Propose(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			got := goldenJSON(t, p.Payload)
			var flags []approval.Flag
			if flags = p.Flags; flags == nil {
				flags = []approval.Flag{}
			}
			got = append(got, goldenJSON(t, map[string]any{"flags": flags, "notes": p.Notes})...)
			name := filepath.Join("testdata", c.name+".golden")
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				text, _ := diff.Make(want, got, 2).Unified(diff.PlainLabels("want", "got"), 0)
				t.Errorf("%s", text)
			}
		})
	}
}

func goldenJSON(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// No payload holds an escape sequence as a byte (PAY-1): JSON escapes what content has,
// descriptions and labels escape themselves.
func TestDescriptionsHoldNoControls(t *testing.T) {
	b := newBench(t, map[string]string{"a\x1b[31m\nb": "x\n", "d\x1bir/x": ""})
	control := regexp.MustCompile(`[\x00-\x1f\x7f-\x9f\x{202e}]`)
	for _, c := range []Call{
		b.must("write_file", args{"path": "a\x1b[31m\nb", "content": "y\n"}),
		b.must("write_file", args{"path": "n\u202ew\x07", "content": "y\n"}),
		b.must("edit_file", args{"path": "a\x1b[31m\nb", "old_string": "x", "new_string": "y"}),
		b.must("bash", args{"command": "echo \x1b[2J\nls"}),
		b.must("search", args{"pattern": "\x1b", "path": "a\x1b[31m\nb"}),
		b.must("find", args{"paths": []string{"\x1b*"}}),
		b.must("read_file", args{"path": "a\x1b[31m\nb"}),
		b.must("list_dir", args{"path": "d\x1bir"}),
	} {
		if control.MatchString(c.Title) {
			t.Errorf("title %q", c.Title)
		}
		if c.Proposal == nil {
			continue
		}
		if line := c.Proposal.Payload.Line(); control.MatchString(line) {
			t.Errorf("description %q", line)
		}
		if w, ok := c.Proposal.Payload.(approval.Write); ok {
			if head, _, _ := strings.Cut(w.UnifiedDiff,
				"@@"); control.MatchString(strings.ReplaceAll(head, "\n", "")) || strings.Count(head, "\n") != 2 {
				t.Errorf("header %q", head)
			}
		}
	}
}
