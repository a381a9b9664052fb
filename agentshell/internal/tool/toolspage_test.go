package tool

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// The page of the tools names each of them, and no other.
func TestThePageOfToolsNamesEach(t *testing.T) {
	page, err := os.ReadFile("../../../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	traits := Traits()
	named := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cell, _, isRow := strings.Cut(strings.TrimPrefix(line, "| `"), " |")
		if !strings.HasPrefix(line, "| `") || !isRow {
			continue
		}
		for _, m := range regexp.MustCompile("[a-z0-9_]+").FindAllString(cell, -1) {
			named[m] = true
			if is, there := traits[m]; !there {
				t.Errorf("the page names %s, which is no tool", m)
			} else if says := subjectOnPage(line); says != is.Subject {
				t.Errorf("the page says of %s %d, it is %d: %s", m, says, is.Subject, line)
			}
		}
	}
	for name := range traits {
		if !named[name] {
			t.Errorf("the page does not name %s", name)
		}
	}
}

// subjectOnPage returns what the last cell of a row says that patterns match.
func subjectOnPage(row string) approval.SubjectKind {
	cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(row), " |"), " | ")
	switch cell := cells[len(cells)-1]; {
	case cell == "nothing":
		return approval.NoSubject
	case strings.HasPrefix(cell, "a path"):
		return approval.PathSubject
	case cell == "the command line":
		return approval.LineSubject
	}
	return approval.NameSubject
}
