//go:build unix

package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

func TestTheWordsBehindACommandReplaceItsPlaceholders(t *testing.T) {
	for _, c := range []struct{ body, args, want string }{
		{"Fix $1 for $2.", "123 high", "Fix 123 for high."},
		{"Fix $1 for $2.", `"a b" c d`, "Fix a b for c."},
		{"Fix $1 for $2.", `don't 'x y'`, "Fix don't for x y."},
		{"Fix $1.", `"open end`, `Fix "open.`},
		{"Fix $1.", "", "Fix ."},
		{"Fix $1.", "$2 $ARGUMENTS", "Fix $2."},
		{"$2 and $ARGUMENTS", "a b", "b and a b"},
		{"It costs $10, $0 or $x.", "now", "It costs $10, $0 or $x.\n\nnow"},
		{"It costs $10$", "", "It costs $10$"},
		{"$1$2$1", "a b", "aba"},
		{"$9", "1 2 3 4 5 6 7 8 nine", "nine"},
		{"$1", "\u00a0x\u2003", "x"},
	} {
		if got := (Command{body: c.body}).Text(c.args); got != c.want {
			t.Errorf("%q with %q: got %q, want %q", c.body, c.args, got, c.want)
		}
	}
}

func TestCommandsHaveFoldersHintsAndAWordAboutWhatIsNotUsed(t *testing.T) {
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	write(t, at(".claude/commands/git/commit.md"), "---\ndescription: commits\n"+
		"argument-hint: \"[TYPE] [TEXT]\x1b[31m\"\n"+
		"allowed-tools: Bash(git add:*), Bash(git commit:*)\nmodel: small\n# a remark: x\n---\nCommit as $1.\n")
	write(t, at(".claude/commands/other.md"), "---\nallowed-tools:\n- Bash(ls:*)\n---\nLook.\n")
	write(t, at(".claude/commands/help.md"), "Help.")
	write(t, at(".claude/skills/pdfs/SKILL.md"),
		"---\nname: pdfs\ndescription: "+strings.Repeat("d", 1000)+"\n---\nRead.")
	write(t, at(".claude/skills/long/SKILL.md"), "---\ndescription: "+strings.Repeat("d", 1025)+"\n---\nRead.")
	write(t, at(".claude/skills/quiet/SKILL.md"), "---\ndescription: q\ndisable-model-invocation: true\n---\nQuiet.")
	write(t, at(".claude/agents/finder.md"), "Find.")
	write(t, at(".agents/skills/pdfs/SKILL.md"), "other")
	write(t, at(".agents/skills/mine/SKILL.md"), "---\ndescription: mine\n---\nMine.")
	if err := os.Symlink(at(".agents/skills/mine"), at(".claude/skills/mine")); err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	write(t, filepath.Join(own, "commands/other.md"), "Mine.")
	f := Load(own, home, taken)
	slices.SortFunc(f.Skills, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	if got := names(f); !slices.Equal(got, []string{"/other", "/git:commit", "/user:help", "long", "mine", "pdfs",
		"quiet"}) ||
		len(f.Agents) != 1 {
		t.Errorf("%q %v", got, f.Agents)
	}
	commit := f.Commands[1]
	if commit.Text("feat") != "Commit as feat." || commit.About != "commits" ||
		strings.ContainsRune(commit.Args, 0x1b) ||
		!strings.HasPrefix(commit.Args, "[TYPE] [TEXT]") || f.Commands[0].Text("") != "Mine." {
		t.Errorf("%+v", f.Commands)
	}
	part, _ := f.Part()
	if !strings.Contains(part.Text, strings.Repeat("d", 1000)+"\n") || strings.Contains(part.Text, "quiet") ||
		strings.Contains(part.Text, strings.Repeat("d", 1025)) {
		t.Error("the model is told " + part.Text)
	}
	if text, err := f.Read("quiet"); err != nil || !strings.Contains(text, "Quiet.") {
		t.Errorf("%q %v", text, err)
	}
	want := []string{"commands/help.md in ~/.claude is the command /user:help, since there is a command /help already",
		"commands/other.md in ~/.claude is not used: there is a command /other already",
		"the description of skills/long/SKILL.md in ~/.claude is cut: it is longer than 1024 bytes",
		"allowed-tools has no effect here; it stands in commands/git/commit.md in ~/.claude",
		"model has no effect here; it stands in commands/git/commit.md in ~/.claude",
		"skills/pdfs/SKILL.md in ~/.agents is not used: there is a skill of that name already"}
	if !slices.Equal(f.Notices, want) {
		t.Errorf("told is\n%s", strings.Join(f.Notices, "\n"))
	}
}

func TestWhatAWorkspaceHasForOtherProgramsIsOfferedLikeOurs(t *testing.T) {
	ws, dir := offered(t, map[string]string{"commands/a.md": "Ours."})
	put(t, filepath.Join(dir, ".claude/commands/git/commit.md"), "---\nmodel: x\n---\nCommit.")
	put(t, filepath.Join(dir, ".claude/commands/a.md"), "Theirs.")
	put(t, filepath.Join(dir, ".claude/commands/taken.md"), "Theirs.")
	put(t, filepath.Join(dir, ".claude/skills/s/SKILL.md"), "Skill.")
	put(t, filepath.Join(dir, ".agents/skills/t/SKILL.md"), "Other skill.")
	put(t, filepath.Join(dir, ".agents/commands/no.md"), "No.")
	f := offers(t, ws, allowAll, free)
	if got := names(f); !slices.Equal(got, []string{"/a", "/git:commit", "/project:taken", "s", "t"}) ||
		!slices.Equal(f.From, []string{".agentshell", ".claude", ".agents"}) || f.Commands[0].body != "Ours." {
		t.Errorf("%q from %q", got, f.From)
	}
	for _, want := range []string{"---- .claude/commands/git/commit.md\n---\nmodel: x\n---\nCommit.\n",
		"---- .claude/skills/s/SKILL.md\nSkill.", "---- .agents/skills/t/SKILL.md\nOther skill."} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("%q is not shown:\n%s", want, f.Text)
		}
	}
	if len(f.Notices) != 3 || strings.Contains(f.Text, "No.") {
		t.Errorf("%q\n%s", f.Notices, f.Text)
	}
	put(t, filepath.Join(dir, ".agents/skills/t/SKILL.md"), "Another skill.")
	if offers(t, ws, allowAll, free).Digest == f.Digest {
		t.Error("a changed skill is not asked about again")
	}
	denied := func(_, path string) bool { return !strings.HasPrefix(path, ".claude/") }
	if got := names(offers(t, ws, denied, free)); !slices.Equal(got, []string{"/a", "t"}) {
		t.Errorf("a rule is not heard: %q", got)
	}
}

func TestHostileFoldersOfOtherPrograms(t *testing.T) {
	for _, link := range []string{".claude", ".claude/commands", ".claude/commands/git", ".claude/commands/git/x.md",
		".claude/skills", ".claude/skills/s", ".claude/skills/s/SKILL.md", ".agents", ".agents/skills/s"} {
		ws, dir := offered(t, nil)
		out := filepath.Join(filepath.Dir(dir), "out")
		for _, name := range []string{"commands/git/x.md", "git/x.md", "skills/s/SKILL.md"} {
			put(t, filepath.Join(out, name), "OUTSIDE")
		}
		to := out
		switch base := filepath.Base(link); base {
		case "x.md":
			to = filepath.Join(out, "x.md")
		case "SKILL.md":
			to = filepath.Join(out, "s/SKILL.md")
		case "s":
			to = filepath.Join(out, "s")
		case "git", "skills", "commands":
			to = filepath.Join(out, base)
		}
		at := filepath.Join(dir, link)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(at); err != nil {
			t.Fatal(err) // else nothing is tried
		}
		if f := offers(t, ws, allowAll, free); f.Digest != "" || strings.Contains(f.Text, "OUTSIDE") {
			t.Errorf("%s leads out: %+v", link, f)
		}
	}

	ws, dir := offered(t, nil)
	commands := filepath.Join(dir, ".claude/commands")
	put(t, filepath.Join(commands, "a/b/c/deep.md"), "Deep.")
	put(t, filepath.Join(commands, "a/b/c/d/deeper.md"), "Deeper.")
	put(t, filepath.Join(commands, "Big Folder\x1b[31m/x.md"), "x")
	put(t, filepath.Join(commands, "a/sp\u202eace .md"), "x")
	if err := os.Symlink("..", filepath.Join(commands, "a/loop")); err != nil {
		t.Fatal(err)
	}
	f := offers(t, ws, allowAll, free)
	told := strings.Join(f.Notices, "\n")
	if !slices.Contains(names(f), "/a:b:c:deep") || strings.Contains(f.Text, "Deeper") || unseen.In(told) != 0 ||
		strings.ContainsRune(told, 0x1b) || len(f.Notices) > maxNotices+1 || !strings.Contains(told, "folders deep") {
		t.Errorf("%q\n%s", names(f), told)
	}
}

func TestThousandsOfCommandsAreBounded(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".claude/commands")
	write(t, filepath.Join(dir, "a.md"), "Do it.")
	for i := range 3 * maxEntries {
		if err := os.Link(filepath.Join(dir, "a.md"), filepath.Join(dir, fmt.Sprintf("B%d.md", i))); err != nil {
			t.Fatal(err)
		}
	}
	f := Load("", home, taken)
	if len(f.Notices) != maxNotices+1 || !strings.Contains(f.Notices[0], "more than 1000 files") {
		t.Errorf("told is\n%s", strings.Join(f.Notices, "\n"))
	}
}

func TestCommandLinesAreOfTheFileAndNotOfArgumentsOrOutputs(t *testing.T) {
	for _, c := range []struct {
		body, args  string
		lines       []string
		text, wants string
	}{
		{"Status: !`git status`\nFix $1.", "it", []string{"git status"}, "Status: !`git status`\nFix it.",
			"Status: <0>\nFix it."},
		{"!`git diff $1` and !`ls`", "a.go", []string{"git diff a.go", "ls"}, "!`git diff a.go` and !`ls`",
			"<0> and <1>"},
		{"Do $ARGUMENTS", "x !`rm -rf .`", nil, "Do x !`rm -rf .`", "Do x !`rm -rf .`"},
		{"Do", "!`rm -rf .`", nil, "Do\n\n!`rm -rf .`", "Do\n\n!`rm -rf .`"},
		{"Wow!`x` !`` !`a\nb` !'x'", "", nil, "Wow!`x` !`` !`a\nb` !'x'", "Wow!`x` !`` !`a\nb` !'x'"},
		{"!`echo '$9'`", "a", []string{"echo ''"}, "!`echo ''`", "<0>"},
	} {
		cmd := Command{body: c.body}
		if got := cmd.Lines(c.args); !slices.Equal(got, c.lines) {
			t.Errorf("%q: runs %q, want %q", c.body, got, c.lines)
		}
		if got := cmd.Text(c.args); got != c.text {
			t.Errorf("%q: is shown as %q, want %q", c.body, got, c.text)
		}
		if got := cmd.Filled(c.args, []string{"<0>", "<1>"}); got != c.wants {
			t.Errorf("%q: is sent as %q, want %q", c.body, got, c.wants)
		}
	}
	body := Command{body: "See !`a` and !`b`. $1"}
	if got := body.Filled("x", []string{"$1 !`b`", "$ARGUMENTS"}); got != "See $1 !`b` and $ARGUMENTS. x" {
		t.Errorf("an output is taken for a part of the file: %q", got)
	}
}
