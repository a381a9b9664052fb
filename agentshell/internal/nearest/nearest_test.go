package nearest_test

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

func TestTheNearestNameIsFound(t *testing.T) {
	names := []string{"submit", "newline", "undo", "redo"}
	for _, test := range []struct {
		text   string
		within int
		want   string
	}{
		{"submit", 2, "submit"}, {"sumbit", 2, "submit"}, {"Submitt", 2, "submit"}, {"send", 2, ""}, {"und", 2, "undo"},
		{"rndo", 2, "undo"}, {"", 2, ""}, {"xndo", 0, ""}, {"redo", 2, "redo"},
	} {
		if got := nearest.Name(test.text, test.within, names...); got != test.want {
			t.Errorf("Name(%q, %d) is %q, want %q", test.text, test.within, got, test.want)
		}
	}
}
