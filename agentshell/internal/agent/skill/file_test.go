//go:build unix

package skill

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// filesOfASkill has paths in the folder of a skill, and what a read of each gives.
var filesOfASkill = []struct{ path, want string }{
	{"references/forms.md", "Forms."}, {"references/inner.md", "Forms."}, {"./references/forms.md", "Forms."},
	{"SKILL.md", "Read forms."}, {"references/../references/forms.md", "Forms."},
	{"out.md", ""}, {"abs.md", ""}, {"outdir/x.md", ""}, {"../other/SKILL.md", ""}, {"other.md", ""}, {"pipe", ""},
	{"references", ""}, {"", ""}, {"/etc/passwd", ""}, {"big.md", ""}, {"picture.png", ""}, {"missing.md", ""},
	{"references/../../other/SKILL.md", ""}, {"..", ""}, {"a\x00b", ""}, {"loop.md", ""},
}

// fillSkill makes the folder of a skill with files, and links that lead out of it.
func fillSkill(t *testing.T, skills, out string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(skills, "pdfs", name) }
	write(t, at("SKILL.md"), "Read forms.")
	write(t, at("references/forms.md"), "Forms.")
	write(t, at("big.md"), strings.Repeat("x", 64<<10+1))
	write(t, at("picture.png"), "\x89PNG\x00\x00")
	write(t, filepath.Join(skills, "other/SKILL.md"), "SECRET")
	write(t, filepath.Join(out, "x.md"), "SECRET")
	for link, to := range map[string]string{"out.md": filepath.Join(out, "x.md"), "abs.md": "/etc/hostname",
		"outdir": out, "other.md": "../other/SKILL.md", "references/inner.md": "forms.md", "loop.md": "loop.md"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(at("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAFileOfASkillIsReadAndNoLinkLeadsOutOfItsFolder(t *testing.T) {
	check := func(t *testing.T, f Folder) {
		t.Helper()
		for _, c := range filesOfASkill {
			text, err := f.Read("pdfs/" + c.path)
			if (err == nil) != (c.want != "") || !strings.HasPrefix(text, c.want) || strings.Contains(text, "SECRET") {
				t.Errorf("%q: %q, %v", c.path, text, err)
			}
		}
		if text, err := f.Read("none/references/forms.md"); err == nil {
			t.Errorf("no skill gives %q", text)
		}
	}
	t.Run("of the person", func(t *testing.T) {
		home := t.TempDir()
		fillSkill(t, filepath.Join(home, ".claude/skills"), filepath.Join(home, "out"))
		check(t, Load("", home, taken))
	})
	t.Run("of the person, behind a link", func(t *testing.T) {
		home := t.TempDir()
		fillSkill(t, filepath.Join(home, "dotfiles"), filepath.Join(home, "out"))
		if err := os.MkdirAll(filepath.Join(home, ".claude"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, "dotfiles"), filepath.Join(home, ".claude/skills")); err != nil {
			t.Fatal(err)
		}
		check(t, Load("", home, taken))
	})
	t.Run("of a workspace", func(t *testing.T) {
		ws, dir := offered(t, nil)
		fillSkill(t, filepath.Join(dir, ".claude/skills"), filepath.Join(dir, "elsewhere"))
		check(t, offers(t, ws, allowAll, free))
		denied := func(_, path string) bool { return !strings.HasSuffix(path, "forms.md") }
		if text, err := offers(t, ws, denied, free).Read("pdfs/references/forms.md"); err == nil {
			t.Errorf("a rule is not heard: %q", text)
		}
	})
}
