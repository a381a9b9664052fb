package tool

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
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

// Each tool that takes a path goes by one rule: the exact name, then the one name in that folder
// that looks the same, with a note, then the question which of several is meant.
func TestEachToolWithAPathKnowsNamesThatLookAlike(t *testing.T) {
	const alike = "the same but for characters that look alike"
	packed := zipOf(t, map[string]string{"it\u2019s/m\u00a0n.txt": "in the zip\n", "p\u2018": "1", "p\u2019": "2"})
	calls := map[string][]func(path string) args{
		"read_file": {func(p string) args { return args{"path": p} },
			func(p string) args { return args{"path": p + ":1-1"} }},
		"list_dir": {func(p string) args { return args{"path": p} }},
		"find": {func(p string) args { return args{"paths": []string{p}} },
			func(p string) args { return args{"paths": []string{p + "/*"}} }},
		"search": {func(p string) args { return args{"pattern": "x", "path": p} },
			func(p string) args { return args{"pattern": "x", "paths": []string{"plain", p}} },
			func(p string) args { return args{"pattern": "x", "path": p + ":1-2"} },
			func(p string) args { return args{"pattern": "x", "path": p + "/*"} }},
		"diff": {func(p string) args { return args{"path_a": "plain", "path_b": p} },
			func(p string) args { return args{"path_a": p, "path_b": "plain"} }},
		"write_file":    {func(p string) args { return args{"path": p, "content": "new\n"} }},
		"edit_file":     {func(p string) args { return args{"path": p, "old_string": "x", "new_string": "y"} }},
		"edit":          {func(p string) args { return args{"input": p} }},
		"inspect_image": {func(p string) args { return args{"path": p, "question": "what?"} }},
	}
	for name, is := range Traits() {
		if is.Subject == approval.PathSubject && calls[name] == nil {
			t.Errorf("%s takes a path: add a call of it, so that it goes by the rule", name)
		}
	}
	for name, shapes := range calls {
		for i, shape := range shapes {
			b := newBench(t, map[string]string{"a\u202fb": "x\n", "plain": "x\nz\n", "q\u2018": "x\n", "q\u2019": "x\n",
				"both c": "x\n", "both\u00a0c": "other\n", "d\uff11/f\u3000g": "x\n", "dir\u2019s/x": "x\n"})
			if name == "edit" {
				b.env.Tags = new(snapshot.Store)
				b.reg = Builtin(b.env)
				head, _, _ := strings.Cut(b.run("read_file", args{"path": "dir\u2019s/x"}).Text, "\n")
				head = strings.ReplaceAll(head, "\u2019", "'")
				got := b.run("edit", args{"input": head + "\nreplace 1..1:\n+y"}).Text
				if !strings.Contains(got, alike) || b.read("dir\u2019s/x") != "y\n" {
					t.Errorf("edit: %q", got)
				}
				continue
			}
			if name == "inspect_image" {
				for _, file := range []string{"a\u202fb", "both c", "both\u00a0c"} {
					b.write(file, pngOf(t, 3, 2))
				}
				b.sight(&eye{name: "eye", events: says("A door.")}, nil)
			}
			path, exact := "a b", "both c"
			globbed := strings.Contains(fmt.Sprint(shape("")), "/*")
			if name == "list_dir" || globbed {
				path, exact = "dir's", "d\uff11"
			}
			call, err := b.prepare(name, shape(path))
			if err != nil {
				t.Errorf("%s %d %q: %v", name, i, path, err)
				continue
			}
			if got := call.Subject(name); !strings.ContainsAny(got.Path+strings.Join(call.Also, ""), "\u202f\u2019") {
				t.Errorf("%s %d: rules are asked about %q", name, i, got.Path)
			}
			got, err := call.Run(t.Context(), func(string) {})
			if err != nil || !strings.Contains(got.Text, alike) {
				t.Errorf("%s %d %q: %q, %v", name, i, path, got.Text, err)
			}
			if name != "list_dir" && !globbed {
				_, err := b.prepare(name, shape("q'"))
				if err == nil || !strings.Contains(err.Error(), "did you mean") {
					t.Errorf("%s %d: of two names it takes one: %v", name, i, err)
				}
			}
			call, err = b.prepare(name, shape(exact))
			if err == nil {
				got, err = call.Run(t.Context(), func(string) {})
			}
			if err != nil || strings.Contains(got.Text, alike) {
				t.Errorf("%s %d %q: an exact name: %q, %v", name, i, exact, got.Text, err)
			}
		}
	}
	b := newBench(t, map[string]string{"z\u00a0z.zip": packed})
	for tool, a := range map[string]args{"read_file": {"path": "z z.zip:it's/m n.txt"},
		"search": {"pattern": "zip", "path": "z z.zip:it's/m n.txt"}} {
		if got := b.run(tool, a).Text; !strings.Contains(got, "in the zip") || strings.Count(got, alike) != 2 {
			t.Errorf("%s: %q", tool, got)
		}
	}
	b.fails("read_file", args{"path": "z z.zip:p'"}, "not_found")
	p := b.must("write_file", args{"path": "z z.zip:it's/m n.txt", "content": "new\n"}).Proposal
	if string(p.Before) != "in the zip\n" || strings.Count(strings.Join(p.Notes, "\n"), alike) != 2 {
		t.Errorf("%q %q", p.Before, p.Notes)
	}
}

// A write makes no second file beside one that looks the same, and no second folder.
func TestAWriteTakesTheNameThatLooksTheSame(t *testing.T) {
	b := newBench(t, map[string]string{"it\u2019s/a\u202fb.txt": "old\n", "exact c": "1\n", "exact\u00a0c": "2\n"})
	c := b.must("write_file", args{"path": "it's/a b.txt", "content": "new\n"})
	if string(c.Proposal.Before) != "old\n" || c.Path != "it\u2019s/a\u202fb.txt" ||
		!strings.Contains(strings.Join(c.Proposal.Notes, ""), "look alike") {
		t.Errorf("%q %q %q", c.Path, c.Proposal.Before, c.Proposal.Notes)
	}
	b.run("write_file", args{"path": "it's/a b.txt", "content": "new\n"})
	got := b.run("write_file", args{"path": "./it's/deep/fresh.txt", "content": "fresh\n"}).Text
	if b.read("it\u2019s/a\u202fb.txt") != "new\n" || b.read("it\u2019s/deep/fresh.txt") != "fresh\n" ||
		!strings.Contains(got, "look alike") {
		t.Errorf("%q", got)
	}
	b.run("write_file", args{"path": "exact c", "content": "3\n"})
	if b.read("exact c") != "3\n" || b.read("exact\u00a0c") != "2\n" {
		t.Error("the exact name does not come first")
	}
	b.run("write_file", args{"path": "brand new.txt", "content": "n\n"})
	if list, err := os.ReadDir(b.dir); err != nil || len(list) != 4 {
		t.Errorf("%v, %v", list, err)
	}
}
