//go:build unix

package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func taken(name string) bool { return name == "help" }

func TestCommandsAndSkillsOfAFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/commands/review.md",
		"---\ndescription: \"Look at a change\"\n---\nReview $ARGUMENTS.\nOnce more: $ARGUMENTS\n")
	write(t, dir+"/commands/plain.md", "# Say hello\r\nSay hello.\r\n")
	write(t, dir+"/commands/notes.txt", "no command")
	write(t, dir+"/skills/release/SKILL.md",
		"---\nname: release\ndescription: >\n  How to make\n  a release\n---\nTag it.\n")
	write(t, dir+"/skills/README", "no skill")
	f := Load(dir, "", taken)
	if len(f.Commands) != 2 || len(f.Skills) != 1 || len(f.Notices) != 0 {
		t.Fatalf("%+v", f)
	}
	hello, review := f.Commands[0], f.Commands[1]
	for _, c := range []struct{ got, want string }{
		{hello.About, "Say hello"}, {hello.Text(""), "# Say hello\nSay hello."},
		{hello.Text("loudly"), "# Say hello\nSay hello.\n\nloudly"},
		{review.About, "Look at a change"}, {review.Text("a $ARGUMENTS"),
			"Review a $ARGUMENTS.\nOnce more: a $ARGUMENTS"},
		{review.Text(""), "Review .\nOnce more: "},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	part, ok := f.Part()
	if !ok || !strings.Contains(part.Text, "- release: How to make a release\n") ||
		strings.Contains(part.Text, "Tag it") {
		t.Errorf("the model is told %q", part.Text)
	}
	if text, err := f.Read("release"); err != nil || !strings.HasSuffix(text, "Tag it.\n") {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{"", "other", "../skills/release", "release/other.md", "/etc/passwd",
		"release\x00"} {
		if text, err := f.Read(name); err == nil {
			t.Errorf("%q is read: %q", name, text)
		}
	}
}

// Whatever stands in the folder: nothing makes the start wait, costs more than its bound, or stands
// for another command.
func TestHostileFolders(t *testing.T) {
	const good = "Do it.\n"
	long := strings.Repeat("x", 65)
	tests := []struct {
		name, file string // "" file: what make does
		text       string
		notice     string // "": it is left out silently
	}{
		{"capital letters", "commands/Help.md", good, errName.Error()},
		{"a control in a name", "commands/a\x1b[31m.md", good, errName.Error()},
		{"a blank in a name", "commands/a b.md", good, errName.Error()},
		{"letters that look alike", "commands/h\u0435lp.md", good, errName.Error()},
		{"a long name", "commands/" + long + ".md", good, errName.Error()},
		{"no name", "commands/.md", good, errName.Error()},
		{"no text", "commands/a.md", "---\ndescription: x\n---\n \n", "it is empty"},
		{"a command line", "commands/a.md", "!rm -rf .", "it begins with ! or /"},
		{"another command", "commands/a.md", "/quit", "it begins with ! or /"},
		{"bytes that are no text", "commands/a.md", "a\x00b", "it is no text"},
		{"too many bytes", "commands/a.md", strings.Repeat("x", 64<<10+1), "longer than 64 KiB"},
		{"a skill of another name", "skills/A B/SKILL.md", good, errName.Error()},
		{"a skill that is no text", "skills/a/SKILL.md", "\xff\xfe", "it is no text"},
		{"a skill with too many bytes", "skills/a/SKILL.md", strings.Repeat("x", 64<<10+1), "longer than 64 KiB"},
		{"a skill in the wrong place", "skills/SKILL.md", good, ""},
	}
	for file, text := range map[string]string{"commands/a.md": good, "commands/a-b.md": good,
		"commands/" + long[1:] + ".md": good, "skills/a-b/SKILL.md": "---\ndescription: x\n---\n" + good,
		"commands/b.md": strings.Repeat("x", 64<<10)} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, file), text)
		if f := Load(dir, "", taken); len(f.Commands)+len(f.Skills) != 1 || len(f.Notices) > 0 {
			t.Errorf("%s is a good one: %+v", file, f)
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, tt.file), tt.text)
			f := Load(dir, "", taken)
			if len(f.Commands)+len(f.Skills) > 0 || strings.Contains(strings.Join(f.Notices, "\n"),
				tt.notice) != true ||
				len(f.Notices) > 0 != (tt.notice != "") {
				t.Errorf("%+v", f)
			}
		})
	}
	for _, name := range []string{"commands", "skills", "commands/a.md", "skills/a/SKILL.md"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
		if f := Load(dir, "", taken); len(f.Commands)+len(f.Skills) > 0 { // and it returns
			t.Errorf("a pipe as %s: %+v", name, f)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		file := name
		if !strings.HasSuffix(name, ".md") {
			file = map[string]string{"commands": "commands/a.md", "skills": "skills/a/SKILL.md"}[name]
		}
		write(t, filepath.Join(dir, file), "---\ndescription: x\n---\n"+good)
		if f := Load(dir, "", taken); len(f.Commands)+len(f.Skills) != 1 || len(f.Notices) > 0 {
			t.Errorf("a file in the place of the pipe %s: %+v", name, f)
		}
	}
	dir := t.TempDir()
	for i := range maxItems + 5 {
		write(t, fmt.Sprintf("%s/commands/c%d.md", dir, i), good)
		about := "about"
		if i < 3 {
			about = unseen.Text() + "\x1b[31m"
		}
		write(t, fmt.Sprintf("%s/skills/s%d/SKILL.md", dir, i), "---\ndescription: "+about+"\n---\n"+good)
	}
	f := Load(dir, "", taken)
	part, _ := f.Part()
	if len(f.Commands) != maxItems || len(f.Skills) != maxItems || len(part.Text) > maxItems*(maxAbout+60)+200 ||
		unseen.In(part.Text) != 0 || strings.ContainsRune(part.Text, 0x1b) {
		t.Errorf("%d commands, %d skills, %d bytes", len(f.Commands), len(f.Skills), len(part.Text))
	}
}
