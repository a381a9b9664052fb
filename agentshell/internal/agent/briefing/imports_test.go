//go:build unix

package briefing

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestImportsAreWordsOutsideOfCode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"@a.md", "a.md!"},
		{"See @docs/a.md, and @b.", "docs/a.md! b"},
		{"- @a.txt\n- see @c.txt", "a.txt c.txt"},
		{"@a.txt", "a.txt!"},
		{"mail me@x.md or x@y", ""},
		{"`@a.md` and ``@b.md ` @c.md`` but @d.md", "d.md!"},
		{"an open ` @a.md", "a.md!"},
		{"```\n@a.md\n```\n@b.md", "b.md!"},
		{"```go\n@a.md\n~~~\n@c.md\n````\n@b.md", "b.md!"},
		{"~~~\n@a.md", ""},
		{"``` @a.md ```", ""},
		{"text\n\n    @a.md\n    @c.md\n@b.md", "b.md!"},
		{"\t@a.md", ""},
		{"- item\n\n    @a.md", "a.md!"},
		{"@a.md @a.md", "a.md!"},
		{"@ @. @@x", "@x"},
		{"", ""},
	} {
		var got []string
		for _, r := range importsOf(c.text) {
			mark := ""
			if r.explicit {
				mark = "!"
			}
			got = append(got, r.path+mark)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestImportsOfInstructionsAreFollowedWithinTheirFolder(t *testing.T) {
	p := newPlace(t, "a/b")
	p.dir("w/.git")
	p.write("config/AGENTS.md", "Mine.\n@style.md\n@../secret.md\n@"+p.path("config/abs.md")+"\n")
	p.write("config/style.md", "My style.")
	p.write("config/abs.md", "My absolute one.")
	p.write("secret.md", "SECRET")
	p.link(p.path("secret.md"), "config/out.md")
	p.write("config/style.md", "My style. @out.md")
	p.write("w/AGENTS.md", "Top.\n@a/b/docs/top.md\n@beside.md\n")
	p.write("w/beside.md", "SECRET")
	p.write("w/a/b/docs/top.md", "From the top.")
	p.write("w/a/b/CLAUDE.md", "Here: @docs/one.md and @someone.\n@missing.md\n@docs\n@../../beside.md\n"+
		"@/etc/hostname\n@docs/link.md @docs/top.md\n`@docs/not.md`\n")
	p.link("/etc/hostname", "w/a/b/docs/link.md")
	p.write("w/a/b/docs/one.md", "One. @two.md")
	p.write("w/a/b/docs/two.md", "Two. @../CLAUDE.md @one.md @two.md")
	p.write("w/a/b/docs/not.md", "NOT")
	b := p.make()
	want := []string{p.path("config/AGENTS.md"), p.path("config/style.md"), p.path("config/abs.md"), "../../AGENTS.md",
		"docs/top.md", "CLAUDE.md", "docs/one.md", "docs/two.md"}
	if !slices.Equal(b.InstructionFiles, want) {
		t.Errorf("read %q", b.InstructionFiles)
	}
	if text := b.Text(); strings.Contains(text, "SECRET") || strings.Contains(text, "NOT") ||
		strings.Count(text, "Two. ") != 1 ||
		!strings.Contains(text, "Instructions that docs/one.md imports, as above:\n"+
			`<instructions from="docs/two.md">`) {
		t.Error(text)
	}
	refused := []string{"@out.md", "@../secret.md", "@beside.md", "@missing.md", "@../../beside.md", "@/etc/hostname",
		"@docs/link.md", "@docs"}
	told := strings.Join(b.Notices, "\n")
	for _, path := range refused {
		if !strings.Contains(told, path+" in ") {
			t.Errorf("%s is not named in\n%s", path, told)
		}
	}
	if len(b.Notices) != len(refused) {
		t.Errorf("told is\n%s", told)
	}
	p.Allows = func(_, path string) bool { return path != "docs/one.md" }
	if b := p.make(); slices.Contains(b.InstructionFiles, "docs/one.md") ||
		!strings.Contains(strings.Join(b.Notices, "\n"), "@docs/one.md in CLAUDE.md is not read: a rule") {
		t.Errorf("a rule is not heard: %q", b.Notices)
	}
}

func TestHostileImportsAreBounded(t *testing.T) {
	p := newPlace(t, "")
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "@no\u202e%d.md\n", i)
	}
	p.write("w/AGENTS.md", many.String())
	b := p.make()
	if len(b.Notices) > maxImportNotices+1 || len(b.Notices) < maxImportNotices ||
		strings.ContainsRune(strings.Join(b.Notices, "\n"), 0x202e) {
		t.Errorf("%d notices: %q", len(b.Notices), b.Notices)
	}
	for i := range 9 {
		p.write(fmt.Sprintf("w/d%d.md", i), fmt.Sprintf("@d%d.md", i+1))
	}
	p.write("w/AGENTS.md", "@d0.md\n@pipe\n@big.md\n@bytes.md\n@.\n")
	fifo(t, p.path("w/pipe"))
	p.write("w/big.md", strings.Repeat("x", maxFile+1))
	p.write("w/bytes.md", "\x00\x01")
	b = p.make()
	want := []string{"AGENTS.md", "d0.md", "d1.md", "d2.md", "d3.md", "d4.md"}
	if told := strings.Join(b.Notices, "\n"); !slices.Equal(b.InstructionFiles, want) ||
		!strings.Contains(told, "@d5.md in d4.md is not read: imports are followed 5 files deep") {
		t.Errorf("%q\n%s", b.InstructionFiles, told)
	}
	p.write("w/AGENTS.md", "@e0.md\n@e1.md\n@e2.md\n@e3.md\n@e4.md\n@e5.md\n")
	for i := range 6 {
		p.write(fmt.Sprintf("w/e%d.md", i), strings.Repeat("x", maxFile))
	}
	if b = p.make(); len(b.InstructionFiles) != 1+3 || len(b.Notices) != 3 {
		t.Errorf("%q %q", b.InstructionFiles, b.Notices)
	}
}

func TestInstructionsBelowImportToo(t *testing.T) {
	p := newPlace(t, "")
	p.write("w/c/AGENTS.md", "Below.\n@more.md\n@../../out.md\n")
	p.write("w/c/more.md", "More. @AGENTS.md")
	p.write("out.md", "SECRET")
	p.write("w/c/x.go", "x")
	file, err := p.ws.Resolve(filepath.Join(p.ws.Dir(), "c/x.go"))
	if err != nil {
		t.Fatal(err)
	}
	n := Nested{Config: p.Config}
	text := n.ForFile(t.Context(), file)
	if strings.Count(text, "More. ") != 1 || strings.Contains(text, "SECRET") || strings.Count(text, "Below.") != 1 ||
		!strings.Contains(text, "@../../out.md in c/AGENTS.md is not read") || len(n.Parts()) != 2 {
		t.Errorf("%s %d", text, len(n.Parts()))
	}
	if news := n.News(); !slices.Equal(news, []string{"Using instructions from c/more.md, which c/AGENTS.md imports"}) {
		t.Errorf("%q", news)
	}
	if again := n.ForFile(t.Context(), file); again != "" {
		t.Errorf("it comes again: %s", again)
	}
}
