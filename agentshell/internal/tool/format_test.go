package tool

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// newFormatted returns a bench with a formatter of .go files: lines have no blanks at their end. A
// text with "!" is none for it.
func newFormatted(t *testing.T, files map[string]string) *bench {
	b := newTagged(t, files)
	b.env.Format = func(_ context.Context, file string, text []byte) ([]byte, string, error) {
		if !strings.HasSuffix(file, ".go") {
			return text, "", nil
		}
		if i := strings.IndexByte(string(text), '!'); i >= 0 {
			return text, "fmt\x1b", errors.New("what is \x1b this?")
		}
		var out []string
		for line := range strings.Lines(string(text)) {
			out = append(out, strings.TrimRight(line, " \n")+"\n")
		}
		return []byte(strings.Join(out, "")), "fmt\x1b", nil
	}
	b.reg = Builtin(b.env)
	return b
}

func TestTheFormatterIsAPartOfWhatIsShown(t *testing.T) {
	b := newFormatted(t, map[string]string{"in.go": "one\ntwo\n", "out.go": "one  \ntwo\n", "bad.go": "a!\n"})
	for _, c := range []struct {
		tool, file, content string // of write_file; of edit_file old=new
		want, note          string
	}{
		{"write_file", "new.go", "a  \nb\n", "a\nb\n", `fmt\x1b put it in order, +1 -1`},
		{"write_file", "new.go", "a\nb\n", "a\nb\n", ""},
		{"write_file", "in.go", "one \ntwo \n3\n", "one\ntwo\n3\n", `fmt\x1b put it in order, +2 -2`},
		{"edit_file", "in.go", "two=2   ", "one\n2\n", `fmt\x1b put it in order, +1 -1`},
		{"edit", "in.go", "2   ", "one\n2\n", `fmt\x1b put it in order, +1 -1`},
		{"write_file", "in.go", "one!\n", "one!\n", `fmt\x1b failed on it: what is \x1b this?`},
		// What was not in order is nobody's business.
		{"write_file", "out.go", "one  \n2 \n", "one  \n2 \n", ""},
		{"edit_file", "out.go", "two=2 ", "one  \n2 \n", ""},
		{"write_file", "bad.go", "a \n", "a\n", `fmt\x1b put it in order, +1 -1`},
		{"write_file", "x.txt", "a \n", "a \n", ""},
	} {
		a := args{"path": c.file, "content": c.content}
		switch c.tool {
		case "edit_file":
			old, fresh, _ := strings.Cut(c.content, "=")
			a = args{"path": c.file, "old_string": old, "new_string": fresh}
			b.env.Tags = nil
		case "edit":
			a = args{"input": b.head(c.file) + "\nreplace 2:\n+" + c.content + "\n"}
		}
		reg := b.reg
		if b.env.Tags == nil {
			b.reg = Builtin(b.env)
		}
		p := b.must(c.tool, a).Proposal
		if string(p.After) != c.want {
			t.Errorf("%s %s %q: %q, want %q", c.tool, c.file, c.content, p.After, c.want)
		}
		if c.note != "" && !slices.Contains(p.Notes, c.note) || c.note == "" && len(p.Notes) > 0 {
			t.Errorf("%s %s %q: notes %q, want %q", c.tool, c.file, c.content, p.Notes, c.note)
		}
		b.reg, b.env.Tags = reg, newTagged(t, nil).env.Tags
	}
	r := b.run("write_file", args{"path": "new.go", "content": "a  \n"})
	if got := b.read("new.go"); got != "a\n" || !strings.HasPrefix(r.Text, b.head("new.go")) ||
		!strings.Contains(r.Text, "put it in order") {
		t.Errorf("%q, %q", got, r.Text)
	}
	// What a person writes instead is written as it is.
	call, err := b.must("write_file", args{"path": "new.go", "content": "b\n"}).Revise(t.Context(), []byte("own  \n"))
	if err != nil || string(call.Proposal.After) != "own  \n" {
		t.Errorf("%q, %v", call.Proposal.After, err)
	}
}
