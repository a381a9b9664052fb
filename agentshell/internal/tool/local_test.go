package tool

import (
	"strconv"
	"strings"
	"testing"
)

// A text that agents share is written without a question, read in parts and searched as others, and
// listed; its name is no path, and it has bounds.
func TestTextsThatAgentsShare(t *testing.T) {
	b := newBench(t, map[string]string{"a": "old\n"})
	if err := b.fails("write_file", args{"path": "local://ctx.md", "content": "x"}, "invalid_args"); !strings.Contains(
		err.Error(), "is an address") {
		t.Errorf("without such texts: %v", err)
	}
	b.env.Team.Local = new(LocalTexts)
	b.env.Addresses = Addresses{LocalScheme: b.env.Team.Local.Read}
	b.reg = Builtin(b.env)
	has := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not in %q", w, text)
			}
		}
	}
	has(b.run("read_file", args{"path": "local://"}).Text, "No text was written.")
	has(b.fails("read_file", args{"path": "local://ctx.md"}, "tool_failed").Error(), "no text was written")
	call := b.must("write_file", args{"path": "local://ctx.md", "content": "one\ntwo\nthree\n"})
	if call.Proposal != nil || call.Mutates {
		t.Errorf("%+v", call)
	}
	has(b.run("write_file", args{"path": "local://ctx.md", "content": "one\ntwo\nthree\n"}).Text,
		"local://ctx.md has 14 bytes now.")
	has(b.run("read_file", args{"path": "local://ctx.md:2-2"}).Text, "2\ttwo\n")
	has(b.run("search", args{"pattern": "thr", "paths": []string{"local://ctx.md"}}).Text, "three")
	has(b.run("read_file", args{"path": "local://"}).Text, "local://ctx.md, 14 bytes")
	has(b.fails("read_file", args{"path": "local://other"}, "tool_failed").Error(), "there are", "local://ctx.md")
	has(b.fails("edit_file", args{"path": "local://ctx.md", "old_string": "one", "new_string": "1"},
		"invalid_args").Error(), "write_file replaces it")
	for _, name := range []string{"", "../a", "a/b", ".git", "a\nb", strings.Repeat("x", 81)} {
		run := b.must("write_file", args{"path": "local://" + name, "content": "x"}).Run
		if _, err := run(t.Context(), func(string) {}); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	b.run("write_file", args{"path": "local://ctx.md", "content": ""})
	has(b.run("read_file", args{"path": "local://"}).Text, "No text was written.")
	for i := range maxLocalTexts {
		b.run("write_file", args{"path": "local://t" + strconv.Itoa(i), "content": "x"})
	}
	has(b.fails("write_file", args{"path": "local://more", "content": "x"}, "tool_failed").Error(), "100 texts already")
	b.run("write_file", args{"path": "local://t1", "content": "y"})
	if err := b.env.Team.Local.write("t2", strings.Repeat("x", maxLocalBytes)); err == nil {
		t.Error("too much was written")
	}
	if text, err := b.env.Team.Local.Read(t.Context(), "t2"); text != "x" || err != nil {
		t.Errorf("t2 is %q, %v", text, err)
	}
	if b.env.Team.Local.Forget("t2"); b.env.Team.Local.Has("t2") || !b.env.Team.Local.Has("t3") {
		t.Error("t2 is there, or t3 is not")
	}
	if b.env.Team.Local.Forget(""); b.env.Team.Local.Has("t3") || b.env.Team.Local.bytes != 0 {
		t.Error("not all is forgotten")
	}
}
