package approval

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"
)

// corpus returns the lines of a file, at @@.
func corpus(t *testing.T, name string) (all [][2]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		before, after, ok := strings.Cut(line, " @@ ")
		if !ok {
			t.Fatalf("%q has no command", line)
		}
		all = append(all, [2]string{before, after})
	}
	return all
}

// Of ordinary command lines nearly all can be covered by what key a offers, and every offer covers
// the line for which it is made.
func TestOrdinaryLinesCanBeCovered(t *testing.T) {
	for _, c := range []struct {
		file        string
		lines, want int
	}{{"ordinary.txt", 200, 190}, {"ordinary_heldout.txt", 40, 37}} {
		covered, all := 0, corpus(t, c.file)
		for _, line := range all {
			s := bash(line[1])
			if len(s.Flags) == 0 {
				offers := (&Policy{}).Offers(s)
				for _, offer := range offers {
					p := &Policy{}
					if v := p.Decide(s); v.Action != Ask {
						t.Errorf("%q runs without a rule", line[1])
					}
					if err := p.Grant(offer); err != nil {
						t.Fatal(err)
					}
					if v := p.Decide(s); v.Action != Allow {
						t.Errorf("%q is not covered by what is offered for it: %q", line[1], offer)
					}
				}
				if len(offers) > 0 {
					covered++
					continue
				}
			}
			t.Logf("%s: not covered: %s: %s", c.file, line[1], ParseCommand(line[1]).Opaque)
		}
		t.Logf("%s: %d of %d can be covered", c.file, covered, len(all))
		if len(all) != c.lines || covered < c.want {
			t.Errorf("%s: %d of %d lines can be covered, want %d of %d", c.file, covered, len(all), c.want, c.lines)
		}
	}
}

// No smuggling line runs under the rules beside it. Each of the rules covers a plain command, but
// for those that cover nothing, which nobody is offered.
func TestNoSmugglingLineIsCovered(t *testing.T) {
	plain := map[string]string{"tar *": "tar tf a.tar"} // where * is not x
	nothing := []string{"cd *", "sh *", "env *"}
	for file, lines := range map[string]int{"smuggling.txt": 360, "smuggling_heldout.txt": 40} {
		all := corpus(t, file)
		for _, line := range all {
			var rules []string
			for r := range strings.SplitSeq(line[0], ", ") {
				rules = append(rules, r)
				command := cmp.Or(plain[r], strings.Replace(r, "*", "x", 1))
				if got := covered(t, []string{r}, command); got == slices.Contains(nothing, r) {
					t.Errorf("%s: the rule %q covers %q: %v", file, r, command, got)
				}
			}
			command := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\u00a0`, "\u00a0", `\u2003`, "\u2003").
				Replace(line[1])
			if covered(t, rules, command) {
				t.Errorf("%s: %q runs under %q", file, command, rules)
			}
		}
		if len(all) != lines {
			t.Errorf("%s has %d lines", file, len(all))
		}
	}
}
