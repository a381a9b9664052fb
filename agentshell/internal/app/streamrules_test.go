package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// What the config file says of rules holds for those of the person, the workspace and the program.
func TestTheConfigFileSaysWhichRulesHold(t *testing.T) {
	own, err := streamrule.Parse("mine", "---\ncondition: x\n---\nNo.")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "mine,left-out-code,conflict-marks",
		"[rules]\nbuiltin = false\ninterrupt = \"never\"\nrepeat = 4\ncontext = \"keep\"": "mine 4 gentle keep",
		"[rules]\ndisabled = [\"mine\", \"conflict-marks\"]":                              "left-out-code",
	} {
		cfg, err := config.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r := &project{settings: settings{cfg: cfg}, skills: skill.Folder{Rules: []streamrule.Rule{own}}}
		var got []string
		for _, rule := range r.rules() {
			name := rule.Name
			if rule.RepeatAfter == 4 && rule.Gentle && rule.KeepText {
				name += " 4 gentle keep"
			}
			got = append(got, name)
		}
		if strings.Join(got, ",") != want || len(r.ruleNotices()) > 0 {
			t.Errorf("%q: %q, %q, want %s", text, got, r.ruleNotices(), want)
		}
	}
	for text, want := range map[string]string{"[rules]\nrepeat = -1": "2: rules.repeat",
		"[rules]\ninterrupt = \"maybe\"": "2: rules.interrupt may be always or never",
		"[rules]\ncontext = \"drop\"":    "2: rules.context may be discard or keep"} {
		if _, err := config.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	r := &project{settings: settings{cfg: config.Config{Rules: config.Rules{Disabled: []string{"none"}}}}}
	if got := r.ruleNotices(); len(got) != 1 ||
		!strings.Contains(got[0], "rules.disabled in the config file names none") {
		t.Errorf("%q", got)
	}
}

// A rule without conditions is told at the start, or listed and read; one on the stream is not
// told, and one that is turned off is nowhere.
func TestRulesAreToldReadAndLookedFor(t *testing.T) {
	p, r := opened(t)
	rules := filepath.Join(config.Dir(p.getenv), "rules")
	if err := os.MkdirAll(rules, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, head := range map[string]string{"always": "alwaysApply: true", "book": "description: about boats",
		"stream": "condition: x", "off": "alwaysApply: true"} {
		text := "---\n" + head + "\n---\nThe text of " + name + ".\n"
		if err := os.WriteFile(filepath.Join(rules, name+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.cfg.Rules.Disabled = []string{"off"}
	r.loadSkills(t.Context(), p, config.Dir(p.getenv))
	c := conversationIn(t, p, r, conversationOptions{NoLog: true})
	for _, want := range []string{"The text of always.", "- book: about boats", "rule://NAME"} {
		if !strings.Contains(c.system, want) {
			t.Errorf("the model is not told %q", want)
		}
	}
	for _, name := range []string{"book", "stream", "off"} {
		if strings.Contains(c.system, "The text of "+name) {
			t.Errorf("the model is told the rule %s", name)
		}
	}
	for name, want := range map[string]string{"book": "The text of book.", "stream": "The text of stream.", "off": ""} {
		if got, err := c.ruleText(t.Context(), name); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if names := strings.Split(ruleNames(c.rules()), ", "); !slices.Equal(names, []string{"stream"}) {
		t.Errorf("/context lists %q", names)
	}
}
