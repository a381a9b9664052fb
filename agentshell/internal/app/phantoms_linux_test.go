package app_test

import (
	"strings"
	"testing"
)

// A command that only reads sees the workspace as it is. One that may write sees the places where
// nothing can be made.
func TestAConfinedCommandThatReadsSeesNoNamesThatAreNotThere(t *testing.T) {
	p := confinedPlace(t)
	p.write("a.txt", "text\n")
	if text, by, _ := p.one("ls -A && cat a.txt"); text != "a.txt\ntext\n" || by != "sandbox" {
		t.Errorf("by %s: %q", by, text)
	}
	if text, by, _ := p.one("ls -A > list; cat list"); !strings.Contains(text, ".envrc\n") || by != "sandbox" {
		t.Errorf("the control, by %s: %q", by, text)
	}
}
