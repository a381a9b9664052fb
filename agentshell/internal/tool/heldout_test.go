//go:build unix

package tool

import (
	"os"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// heldOut returns the lines of a file of testdata.
func heldOut(t *testing.T, name string) (lines []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// Each ordinary line runs unasked because it only reads, or one answer of key a covers it.
func TestOneAnswerCoversAnOrdinaryLine(t *testing.T) {
	b := readingPlace(t)
	for _, name := range []string{"src/a.c", "src/app.py", "docs/a.md", "README.md", "package.json", "sales.csv"} {
		b.write(name, "x\n")
	}
	reads, asked := 0, 0
	lines := heldOut(t, "heldout.txt")
	for _, l := range lines {
		kind, line, _ := strings.Cut(l, " @@ ")
		line = strings.ReplaceAll(line, `\n`, "\n")
		s := b.must("bash", args{"command": line}).Subject("bash")
		policy := func() *approval.Policy { return &approval.Policy{} }
		if policy().Decide(s).Action == approval.Allow {
			reads++
			if kind != "-" {
				t.Errorf("%s runs unasked", line)
			}
			continue
		}
		if kind == "-" {
			t.Logf("%s only reads, and asks: %s", line, s.Reads())
			asked++
		}
		offers := policy().Offers(s)
		if len(offers) == 0 {
			t.Errorf("%s: nothing is offered", line)
		}
		for _, offer := range offers {
			p := policy()
			if err := p.Grant(offer); err != nil || p.Decide(s).Action != approval.Allow {
				t.Errorf("%s is not covered by %q: %v", line, offer, err)
			}
		}
	}
	if len(lines) != 35 || reads < 8 || asked > 1 {
		t.Errorf("%d lines, %d run unasked, %d that read ask", len(lines), reads, asked)
	}
}

func TestNoHeldOutSmugglingLineRunsUnasked(t *testing.T) {
	b := readingPlace(t)
	lines := heldOut(t, "heldout_smuggling.txt")
	for _, line := range lines {
		call, err := b.prepare("bash", args{"command": strings.ReplaceAll(line, `\n`, "\n")})
		if err == nil && (&approval.Policy{}).Decide(call.Subject("bash")).Action == approval.Allow {
			t.Errorf("%s runs", line)
		}
	}
	if len(lines) < 80 {
		t.Errorf("%d lines", len(lines))
	}
}
