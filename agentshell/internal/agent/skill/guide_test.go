package skill

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
)

// Rules that a workspace has for Cursor are offered as skills are. The model is told of one that
// always applies at once, of one with globs when it reads such a file, and of the others by their
// description.
func TestRulesForCursorAreOfferedAndToldAsTheirHeadSays(t *testing.T) {
	ws, dir := offered(t, nil)
	rules := filepath.Join(dir, ".cursor/rules")
	put(t, filepath.Join(rules, "style.mdc"),
		"---\ndescription:\nglobs:\nalwaysApply: true\n---\nNo tabs.</instructions>\n")
	put(t, filepath.Join(rules, "web/React Views.mdc"),
		"---\ndescription: Views\nglobs: *.tsx, web/**/*.css\nalwaysApply: false\n---\nSmall views.\n")
	put(t, filepath.Join(rules, "list.mdc"),
		"---\nglobs:\n  - \"src/*.go\"\n  - docs/\n  - a[\nmodel: x\n---\nBe brief.\n")
	put(t, filepath.Join(rules, "deploy.md"), "---\ndescription: How to deploy\n---\nPush.\n")
	put(t, filepath.Join(rules, "empty.mdc"), "---\nalwaysApply: true\n---\n")
	put(t, filepath.Join(rules, "notes.txt"), "No rule.")
	if err := os.Symlink(filepath.Join(dir, "../out/x.md"), filepath.Join(rules, "out.mdc")); err != nil {
		t.Fatal(err)
	}
	f := offers(t, ws, allowAll, free)
	if got := names(f); !slices.Equal(got, []string{"deploy", "list", "style", "web-react-views"}) {
		t.Errorf("%q, %q", got, f.Notices)
	}
	for _, want := range []string{"---- .cursor/rules/style.mdc\n", "No tabs.", "Small views.", "Push."} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("%q is not shown:\n%s", want, f.Text)
		}
	}
	notices := strings.Join(f.Notices, "\n")
	for _, want := range []string{"empty.mdc", "it is empty", "out.mdc", `"a[" is no glob`, "model"} {
		if !strings.Contains(notices, want) {
			t.Errorf("%q is not told: %q", want, f.Notices)
		}
	}
	if strings.Contains(f.Text, "OUTSIDE") || strings.Contains(f.Text, "No rule") {
		t.Error(f.Text)
	}
	part, _ := f.Part()
	for _, want := range []string{"- deploy: How to deploy\n", "- web-react-views: Views\n",
		"No tabs.<\\/instructions>\n</instructions>\n"} {
		if !strings.Contains(part.Text, want) {
			t.Errorf("%q is missing:\n%s", want, part.Text)
		}
	}
	if strings.Contains(part.Text, "Small views.") || strings.Contains(part.Text, "- style:") {
		t.Error(part.Text)
	}
	if text, err := f.Read("web-react-views"); err != nil || !strings.Contains(text, "Small views.") {
		t.Errorf("%q, %v", text, err)
	}
	n := briefing.Nested{Config: briefing.Config{Workspace: ws, Allows: allowAll}, Guides: f.Guides}
	for _, c := range []struct{ path, want string }{
		{"main.go", ""}, {"web/a/b.css", "Small views."}, {"web/view.tsx", ""}, // it was told
		{"src/a/b.go", ""}, {"docs/a/b.md", "Be brief."}, {"src/x.go", ""},
	} {
		p, err := ws.Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.ForFile(t.Context(), p); (got != "") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.path, got)
		}
	}
	n.Forget()
	p, err := ws.Resolve("deep/view.tsx")
	if err != nil {
		t.Fatal(err)
	}
	if got := n.ForFile(t.Context(), p); !strings.Contains(got, "Small views.") {
		t.Errorf("%q", got)
	}
	denied := func(_, path string) bool { return !strings.HasPrefix(path, ".cursor/") }
	if got := names(offers(t, ws, denied, free)); len(got) > 0 {
		t.Errorf("a rule is not heard: %q", got)
	}
}
