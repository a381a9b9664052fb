package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// A rule about files below the home directory holds for the real path of a file. A rule that allows
// follows no link, and one that denies follows all.
func TestRulesBelowTheHomeDirectory(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"u/w/in", "u/notes/a", "u/lib", "far/notes", "u/w/lib", "u/w/~"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"home": "u", "u/linked": "far/notes", "u/w/out": "u/notes"} {
		if err := os.Symlink(filepath.Join(base, to), filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: filepath.Join(base, "u/w")},
		{Name: "notes", Dir: filepath.Join(base, "u/notes")}, {Name: "far", Dir: filepath.Join(base, "far")},
		{Name: "lib", Dir: filepath.Join(base, "u/lib")}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, c := range []struct {
		rule, path, home string
		allow, deny      bool
	}{
		{"~/notes/**", "notes/a/x", "home", true, true},
		{"~/notes/**", "notes/a/x", "u", true, true},
		{"~/notes/*", "notes/a/x", "u", false, false},
		{"~/w/in/*", "in/x", "u", true, true},
		{"~/w/in/*", "in/x", "", false, true}, // the home directory is not known
		{"~/w/in/*", "in/x", "relative", false, true},
		{"~/linked/**", "far/notes/x", "u", false, true},
		{"~/linked/**", "far/other", "u", false, false},
		{"~/notes/**", "in/x", "u", false, false},
		{"~/w/lib/*", "lib/x", "u", false, true}, // it may be that of another root
		{"~/lib/*", "lib/x", "u", false, true},
		{"~/**", "in/x", "u", true, true},
		{"~/**", "far/notes/x", "u", false, false},
		{"./~/*", "~/x", "u", true, true},
		{"~/x", "~/x", "u", false, false},
	} {
		home := c.home
		if home == "u" || home == "home" {
			home = filepath.Join(base, home)
		}
		for _, action := range []approval.Action{approval.Allow, approval.Deny} {
			rule, err := approval.ParseRule(action, "write_file("+c.rule+")")
			if err != nil {
				t.Fatal(err)
			}
			policy, err := approval.NewPolicy(approval.PolicyConfig{Rules: []approval.Entry{{Rule: rule}},
				InHome: inHome(ws, home), Tools: tool.Traits()})
			if err != nil {
				t.Fatal(err)
			}
			got := policy.Decide(approval.Subject{Tool: "write_file", Path: c.path, Mutates: true, Asks: true}).Action
			want := map[approval.Action]bool{approval.Allow: c.allow, approval.Deny: c.deny}[action]
			if (got == action) != want {
				t.Errorf("%v write_file(%s) of %s with HOME %s: %v", action, c.rule, c.path, c.home, got)
			}
		}
	}
}

// A rule with ~ that has no meaning stops the start, and another person's home directory is
// refused with the reason.
func TestRulesWithATildeThatMeansNothing(t *testing.T) {
	for text, want := range map[string]string{
		"read_file(~root/x)": "only ~/ stands for a home directory, your own", "read_file(~)": "only ~/ stands",
		"read_file(~/../x)": "must not have .. in it", "read_file(~/)": "~/ alone is no file",
		"bash(cat ~/x *)": "words must be literal",
	} {
		if _, err := parseRules(Options{}, config.Config{Deny: []string{text}}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	rules, err := parseRules(Options{}, config.Config{Allow: []string{"read_file(~/notes/**)", "bash(cat ~/x)"}})
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	r := &project{ws: ws, settings: settings{rules: rules}}
	if err := r.newPolicy("", "", ""); err == nil || !strings.Contains(err.Error(), "HOME is not set") {
		t.Error(err)
	}
	if err := r.newPolicy("", "", t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]approval.Action{"cat ~/x": approval.Allow, "cat ~/y": approval.Ask,
		"cat ~/x ~/y": approval.Ask, "cat ~root/x": approval.Ask, "cat ~/x; rm -r y": approval.Ask,
		"cat ~/x/../y": approval.Ask} {
		got := r.policy.Decide(approval.Subject{Tool: "bash", Command: command, Mutates: true, Asks: true}).Action
		if got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}
