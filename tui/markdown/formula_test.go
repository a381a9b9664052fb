package markdown

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// A dollar sign with a backslash does not end a formula, streamed at any cut.
func TestADollarSignWithinAFormulaDoesNotEndIt(t *testing.T) {
	s := tui.Space{Width: 70, Theme: tui.NewTheme(tui.Caps{Color: 16, Unicode: true})}
	for src, want := range map[string]string{
		"It is $\\$5$ and *so* on.":      "It is $\\$5$ and so on.",
		"$p_1 = \\$a*b*c$, *q*":          "$p_1 = \\$a*b*c$, q",
		"Escaped \\$5 and \\$6 *both*.":  "Escaped $5 and $6 both.",
		"From $5\\$ to $6, *each*.":      "From $5$ to $6, each.",
		"Open $a\\$ and *no* end of it.": "Open $a$ and no end of it.",
	} {
		for seed := range uint64(12) {
			check(t, src, 30+int(seed), seed)
		}
		d := Document{}
		_, _ = d.Write([]byte(src))
		if got := strings.Join(texts(d.View(s).Lines), "\n"); got != want {
			t.Errorf("%q is shown as %q, want %q", src, got, want)
		}
	}
}
