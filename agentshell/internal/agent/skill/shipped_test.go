//go:build unix

package skill

import (
	"strings"
	"testing"
)

// The shipped skill is read by its name, costs nothing before, and gives way to the person's.
func TestTheReviewThatShipsIsReadByItsNameAndGivesWay(t *testing.T) {
	var none Folder
	if _, told := none.Part(); told {
		t.Error("the model is told of it beforehand")
	}
	if text, err := none.Read("review"); err != nil || !strings.Contains(text, "git diff main...BRANCH") {
		t.Errorf("%q %v", text, err)
	}
	if text, err := none.Read("review/x.md"); err == nil {
		t.Errorf("it has no files, and there is %q", text)
	}
	c := Shipped().Commands[0]
	if got := c.Text("HEAD~1"); c.Name != "review" ||
		got != "Review this, as skill://review says, which you read first: HEAD~1" {
		t.Errorf("%q", got)
	}
	if got := c.Text(""); !strings.HasSuffix(got, "the working tree") {
		t.Errorf("%q", got)
	}
	own := t.TempDir()
	write(t, own+"/skills/review/SKILL.md", "Mine.")
	if text, err := Load(own, "", taken).Read("review"); err != nil || text != "Mine." {
		t.Errorf("%q %v", text, err)
	}
}

func TestTheMessageOfInitAsksForAProposal(t *testing.T) {
	text := Instructions("in German")
	for _, want := range []string{"AGENTS.md", "CLAUDE.md exists", "write_file", "\n\nin German"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.ContainsAny(text[:1], "/!$") {
		t.Error("it begins like a command")
	}
}
