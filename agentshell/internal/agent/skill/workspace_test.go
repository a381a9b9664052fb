//go:build unix

package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// offered returns a workspace with these files below its folder.
func offered(t *testing.T, files map[string]string) (*workspace.Workspace, string) {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "w")
	if err := os.MkdirAll(filepath.Join(dir, Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, filepath.Join(dir, Dir, name), text)
	}
	put(t, filepath.Join(top, "out", "x.md"), "OUTSIDE")
	put(t, filepath.Join(top, "out", "s", "SKILL.md"), "OUTSIDE")
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws, dir
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func allowAll(string, string) bool { return true }
func free(name string) bool        { return name == "taken" }
func names(f Folder) (n []string) {
	for _, c := range f.Commands {
		n = append(n, "/"+c.Name)
	}
	for _, s := range f.Skills {
		n = append(n, s.Name)
	}
	return n
}

// Rules come as commands and skills do: shown whole, bounded, and the person's of the same name
// stays. A file that is no rule, or lies elsewhere, is told and left out.
func TestRulesOfAWorkspaceAreShownAndBounded(t *testing.T) {
	good := "---\ncondition: '\\bsudo\\b'\n---\nNever use sudo.\n"
	files := map[string]string{"rules/no-sudo.md": good, "rules/bad.md": "---\ncondition: (\n---\nNo.\n",
		"rules/Big Name.md": good, "rules/mine.md": good, "rules/notes.txt": good,
		"rules/long.md": good + strings.Repeat("x", 16<<10)}
	ws, dir := offered(t, files)
	link := filepath.Join(dir, Dir, "rules", "o.md")
	if err := os.Symlink(filepath.Join(dir, "..", "out", "x.md"), link); err != nil {
		t.Fatal(err)
	}
	f := offers(t, ws, allowAll, free)
	ruled := func(f Folder) (n []string) {
		for _, r := range f.Rules {
			n = append(n, r.Name)
		}
		return n
	}
	if got := ruled(f); !slices.Equal(got, []string{"mine", "no-sudo"}) || len(f.Notices) != 4 || f.Digest == "" {
		t.Errorf("%q, %q", got, f.Notices)
	}
	if !strings.Contains(f.Text, "---- .agentshell/rules/no-sudo.md\n"+good) || strings.Contains(f.Text, "OUTSIDE") {
		t.Errorf("shown is\n%s", f.Text)
	}
	own, err := streamrule.Parse("mine", "---\ncondition: x\n---\nMy own.\n")
	if err != nil {
		t.Fatal(err)
	}
	both := Folder{Rules: []streamrule.Rule{own}}.Merge(f)
	if got := ruled(both); !slices.Equal(got, []string{"mine", "no-sudo"}) || both.Rules[0].Text != "My own." ||
		!strings.Contains(strings.Join(both.Notices, "\n"), "the rule mine in .agentshell is not used") {
		t.Errorf("%q %+v %q", got, both.Rules, both.Notices)
	}
	put(t, filepath.Join(dir, Dir, "rules/no-sudo.md"), strings.Replace(good, "Never", "Always", 1))
	if again := offers(t, ws, allowAll, free); again.Digest == f.Digest {
		t.Error("a rule that has changed has the digest that it had")
	}
	if denied := offers(t, ws, func(string, string) bool { return false }, free); denied.Rules != nil {
		t.Errorf("a rule of reading is passed over: %q", ruled(denied))
	}
	many := map[string]string{}
	for i := range maxRules + 1 {
		many[fmt.Sprintf("rules/r%02d.md", i)] = good
	}
	ws, _ = offered(t, many)
	if f := offers(t, ws, allowAll, free); len(f.Rules) != maxRules || len(f.Notices) != 1 {
		t.Errorf("%d rules, %q", len(f.Rules), f.Notices)
	}
}

func TestWhatAWorkspaceOffersIsShownWholeAndStaysWhatItWas(t *testing.T) {
	ws, dir := offered(t, map[string]string{"commands/review.md": "Review $ARGUMENTS.\n\x1b[31m\u202e",
		"skills/deploy/SKILL.md": "---\ndescription: how to deploy\n---\nRun it.\n", "commands/taken.md": "no",
		"commands/Bad Name.md": "no", "commands/run.md": "!rm -rf x", "commands/big.md": strings.Repeat("x", maxOne+1),
		"notes.md": "not offered"})
	f := offers(t, ws, allowAll, free)
	if got := names(f); !slices.Equal(got, []string{"/review", "/project:taken", "deploy"}) {
		t.Errorf("%q, %q", got, f.Notices)
	}
	for _, want := range []string{"---- .agentshell/commands/review.md\nReview $ARGUMENTS.\n", "how to deploy",
		"Run it."} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("%q is not shown:\n%s", want, f.Text)
		}
	}
	if strings.ContainsAny(f.Text, "\x1b\u202e") || strings.Contains(f.Text, "not offered") || len(f.Notices) != 4 {
		t.Errorf("%q\n%q", f.Text, f.Notices)
	}
	// What was approved is what is read, whatever is written later.
	put(t, filepath.Join(dir, Dir, "skills/deploy/SKILL.md"), "---\ndescription: how to deploy\n---\nRan it.\n")
	if text, err := f.Read("deploy"); err != nil || !strings.Contains(text, "Run it.") {
		t.Errorf("%q, %v", text, err)
	}
	again := offers(t, ws, allowAll, free)
	if again.Digest == f.Digest || f.Digest == "" {
		t.Error("a change is the same")
	}
	// The person's own come first, and it is said whose a skill is.
	own := Folder{Commands: []Command{{Name: "review"}}, Skills: []Skill{{Name: "mine"}}}
	both := own.Merge(f)
	part, _ := both.Part()
	if got := names(both); !slices.Equal(got, []string{"/review", "/project:taken", "mine", "deploy"}) ||
		both.Commands[0].body != "" ||
		!strings.Contains(part.Text, "The workspace has these skills, which the person has allowed; they grant "+
			"nothing.") ||
		strings.Index(part.Text, "mine") > strings.Index(part.Text, "The workspace") {
		t.Errorf("%q\n%s", got, part.Text)
	}
	if empty, _ := offered(t, nil); offers(t, empty, allowAll, free).Digest != "" {
		t.Error("nothing has a digest")
	}
}

func TestNoLinkLeadsAnOfferOutOfTheWorkspace(t *testing.T) {
	for _, c := range []struct{ name, link, to string }{
		{"a file", "commands/x.md", "../../../out/x.md"},
		{"an absolute one", "commands/x.md", "ABS/out/x.md"},
		{"the directory", "commands", "../../out"},
		{"a skill's folder", "skills/s", "../../../out/s"},
		{"a skill's file", "skills/s/SKILL.md", "../../../../out/s/SKILL.md"},
		{"the folder of skills", "skills", "../../out"},
		{"a dangling one", "commands/x.md", "nowhere"},
		{"itself", "commands/x.md", "x.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws, dir := offered(t, map[string]string{"commands.d/a": "", "keep/b": ""})
			at := filepath.Join(dir, Dir, c.link)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(strings.ReplaceAll(c.to, "ABS", filepath.Dir(dir)), at); err != nil {
				t.Fatal(err)
			}
			if f := offers(t, ws, allowAll, free); f.Digest != "" || strings.Contains(f.Text, "OUTSIDE") {
				t.Errorf("%+v", f)
			}
		})
	}
	t.Run("the folder itself", func(t *testing.T) {
		ws, dir := offered(t, nil)
		if err := os.Remove(filepath.Join(dir, Dir)); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(filepath.Dir(dir), "out", "commands", "x.md"), "OUTSIDE")
		if err := os.Symlink("../out", filepath.Join(dir, Dir)); err != nil {
			t.Fatal(err)
		}
		if f := offers(t, ws, allowAll, free); f.Digest != "" {
			t.Errorf("%+v", f)
		}
	})
	ws, dir := offered(t, map[string]string{"commands/a.md": "one"})
	if err := syscall.Mkfifo(filepath.Join(dir, Dir, "commands/pipe.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	deny := func(tool, path string) bool { return path != Dir+"/commands/a.md" }
	if f := offers(t, ws, allowAll, free); !slices.Equal(names(f), []string{"/a"}) { // and it does not wait
		t.Errorf("%+v", f)
	}
	if f := offers(t, ws, deny, free); f.Digest != "" {
		t.Errorf("a rule is not heard: %+v", f)
	}
	if err := os.Remove(filepath.Join(dir, Dir, "commands/pipe.md")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, Dir, "commands/pipe.md"), "two")
	if f := offers(t, ws, allowAll, free); !slices.Equal(names(f), []string{"/a", "/pipe"}) {
		t.Errorf("a file in the place of the pipe: %+v", f)
	}
}

func TestAnAnswerIsAboutOneWorkspaceAndOneContent(t *testing.T) {
	a := Answers(filepath.Join(t.TempDir(), "state", "workspaces"))
	is := func(ws, digest string, use, known bool) {
		t.Helper()
		if u, k := a.Lookup(ws, digest); u != use || k != known {
			t.Errorf("%s %s: %v %v", ws, digest, u, k)
		}
	}
	is("/w", "d1", false, false)
	if err := a.Store("/w", "d1", true); err != nil {
		t.Fatal(err)
	}
	is("/w", "d1", true, true)
	is("/w", "d2", false, false)
	is("/other", "d1", false, false)
	is("/w", "", false, false)
	if err := a.Store("/w", "d2", false); err != nil {
		t.Fatal(err)
	}
	is("/w", "d2", false, true)
	is("/w", "d1", false, false)
	for _, text := range []string{"", "{", `{"workspace":"/w","digest":"d2","use":"yes"}`,
		`{"workspace":"/v","digest":"d2","use":true}`, strings.Repeat(" ", maxOne+1)} {
		if err := os.WriteFile(a.path("/w"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		is("/w", "d2", false, false)
	}
	if err := Answers("").Store("/w", "d", true); err == nil {
		t.Error("it was kept nowhere")
	}
	entries, err := os.ReadDir(string(a))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
}

// offers returns what a workspace offers.
func offers(t *testing.T, ws *workspace.Workspace, allows func(tool, path string) bool,
	taken func(string) bool) Folder {
	t.Helper()
	return LoadWorkspace(t.Context(), ws, true, allows, taken)
}
