package tool

import (
	"strings"
	"testing"
)

// A name that looks like that of a file means it, and the model is told. Two that do are asked
// about.
func TestANameThatLooksAlikeIsFound(t *testing.T) {
	const shot = "shots/Screenshot at 9.41\u202fAM.txt"
	b := newBench(t, map[string]string{shot: "old\n", "it\u2019s/a": "in\n", "q\u2018": "1\n", "q\u2019": "2\n",
		"exact b": "right\n", "exact\u00a0b": "wrong\n"})
	const asked = "shots/Screenshot at 9.41 AM.txt"
	for _, name := range []string{asked, "workspace/" + asked, asked + ":1"} {
		got := b.run("read_file", args{"path": name})
		if !strings.HasPrefix(got.Text, "[There is no workspace/"+asked) || !strings.HasSuffix(got.Text, "1\told\n") {
			t.Errorf("%q: %q", name, got.Text)
		}
	}
	if c := b.must("read_file", args{"path": asked}); c.Path != shot { // rules are about the file that is read
		t.Errorf("%q", c.Path)
	}
	if got := b.run("read_file", args{"path": "it's/a"}).Text; !strings.HasSuffix(got, "1\tin\n") {
		t.Errorf("%q", got)
	}
	if got := b.run("read_file", args{"path": "exact b"}).Text; got != "1\tright\n" {
		t.Errorf("%q", got)
	}
	if err := b.fails("read_file", args{"path": "q'"}, "not_found"); !strings.Contains(err.Error(), `did you mean`) ||
		!strings.Contains(err.Error(), `"q\u2018"`) {
		t.Error(err)
	}
	b.fails("read_file", args{"path": "none"}, "not_found")
	c := b.must("edit_file", args{"path": asked, "old_string": "old", "new_string": "new"})
	if c.Path != shot || !strings.Contains(strings.Join(c.Proposal.Notes, "\n"), "look alike") {
		t.Errorf("%q, %q", c.Path, c.Proposal.Notes)
	}
	got := b.run("edit_file", args{"path": asked, "old_string": "old", "new_string": "new"}).Text
	if b.read(shot) != "new\n" || !strings.Contains(got, "look alike") {
		t.Errorf("%q, the file has %q", got, b.read(shot))
	}
	b.fails("edit_file", args{"path": "q'", "old_string": "1", "new_string": "x"}, "not_found")
}
