package streamrule

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/work"
)

func rule(t *testing.T, head string) Rule {
	t.Helper()
	r, err := Parse("r", "---\n"+head+"\n---\nDo not.\n")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func names(rules []Rule) (list []string) {
	for _, r := range rules {
		list = append(list, r.Name)
	}
	return list
}

// However a text is cut into pieces, a rule is found in it once, with nothing behind it needed but
// the end.
func TestAPatternIsFoundHoweverTheStreamIsCut(t *testing.T) {
	text := strings.Repeat("words of no interest, ", 40) + "use sudo rm here" + strings.Repeat(" and more", 3)
	input := `{"path":"a.sh","content":"` + strings.Repeat(`x\n`, 700) + `\u0073udo\trm \ud83d\ude00\\n\"q\""}`
	for size := 1; size < 300; size += 1 + size/7 {
		w := &Watch{Rules: []Rule{rule(t, "condition: sudo\\s+rm")}}
		c := &Watch{Rules: []Rule{rule(t, "condition: '(?m)^sudo\trm 😀\\\\n\"q\"\"'\nscope: tool:write_file")}}
		n, m := 0, 0
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			n += len(w.Text(rest[:min(size, len(rest))], false))
		}
		n += len(w.End())
		for rest := input; rest != ""; rest = rest[min(size, len(rest)):] {
			m += len(c.Call("1", "write_file", rest[:min(size, len(rest))]))
		}
		m += len(c.EndCall("1", "write_file", input, nil))
		if n != 1 || m != 1 {
			t.Errorf("in pieces of %d bytes it is found %d times in a text, %d times in a call", size, n, m)
		}
	}
}

func TestWhatARuleIsAbout(t *testing.T) {
	for scope, want := range map[string]string{
		"text": "text", "thinking": "thinking", "tool": "tool other", "tool:a": "tool", "text, tool:b": "text other",
	} {
		var got []string
		for _, source := range []string{"text", "thinking", "tool", "other"} {
			w := &Watch{Rules: []Rule{rule(t, "condition: bad\nscope: "+scope),
				rule(t, "condition: never\nscope: text, thinking, tool")}} // which is looked for everywhere
			var hits []Rule
			switch source {
			case "text", "thinking":
				hits = append(w.Text("so bad", source == "thinking"), w.End()...)
			case "tool":
				hits = w.EndCall("1", "a", `"bad"`, nil)
			default:
				hits = w.EndCall("1", "b", `"bad"`, nil)
			}
			if len(hits) > 0 {
				got = append(got, source)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", scope, got, want)
		}
	}
}

// The window of a long stream is cut at its beginning. That is no beginning for a pattern.
func TestTheBeginningOfAWindowIsNotThatOfTheText(t *testing.T) {
	w := &Watch{Rules: []Rule{rule(t, "condition: ^foo"), rule(t, "condition: '^a'")}}
	w.Rules[1].Name = "s"
	var hits []string
	hits = append(hits, names(w.Text("a"+strings.Repeat("foo", 20000), false))...)
	if hits = append(hits, names(w.End())...); len(hits) != 1 || hits[0] != "s" {
		t.Errorf("%q", hits)
	}
}

// A flood costs what its bytes cost, in small pieces as in one, and no more memory than a window.
func TestAFloodCostsInProportion(t *testing.T) {
	flood := func(n, size int) {
		w := &Watch{Rules: []Rule{rule(t, "condition: (a+)+b\ncondition: (x|y)*z$")}}
		for range n / size {
			if hits := w.Text(strings.Repeat("a", size), false); len(hits) > 0 {
				t.Fatal("found")
			}
		}
		// The control: what the rule is about, at the end.
		if hits := append(w.Text(" ab", false), w.End()...); len(hits) != 1 {
			t.Fatalf("found %d times", len(hits))
		}
		if c := cap(w.streams["text"].window); c > 4*(Span+maxNewBytes) {
			t.Errorf("the window holds %d bytes", c)
		}
	}
	for _, size := range []int{4, 64 << 10} {
		small := work.Of(t, func() { flood(64<<10, size) })
		large := work.Of(t, func() { flood(1<<20, size) })
		t.Logf("in pieces of %d bytes: 64 KiB by %v of a processor, 1 MiB by %v", size, small, large)
		if large > 64*small {
			t.Errorf("in pieces of %d bytes 1 MiB takes %v, 64 KiB %v", size, large, small)
		}
	}
}

func TestARuleFileIsReadStrictly(t *testing.T) {
	for file, want := range map[string]string{
		"---\ncondition: x\n---\nNo.":                                 "",
		"---\n# why\ncondition: \"a|b\"\nrepeat: 5\n---\nNo.":         "",
		"---\ncondition: x\ninterrupt: never\n---\nNo.":               "",
		"---\ncondition: x\ncontext: keep\n---\nNo.":                  "",
		"condition: x\nNo.":                                           "no head",
		"---\ncondition: x\n---\n \n":                                 "is empty",
		"---\nscope: text\n---\nNo.":                                  "no condition",
		"---\ncondition: (\n---\nNo.":                                 "missing closing",
		"---\ncondition: x(?=y)\n---\nNo.":                            "invalid or unsupported Perl syntax",
		"---\ncondition: x\nscope: air\n---\nNo.":                     `not "air"`,
		"---\ncondition: x\nrepeat: 0\n---\nNo.":                      "repeat may be",
		"---\ncondition: x\ninterrupt: maybe\n---\nNo.":               "always or never",
		"---\ncondition: x\nglob: a\n---\nNo.":                        `no setting "glob"`,
		"---\ncondition: " + strings.Repeat("x", 1001) + "\n---\nNo.": "longer than 1000 bytes",
	} {
		_, err := Parse("r", file)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
}

func TestRulesComeFromAFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b.md": "---\ncondition: x\n---\nNo b.",
		"a.md": "---\ncondition: y\n---\nNo a.", "Bad.md": "---\ncondition: x\n---\nNo.",
		"c.md": "nothing", "d.txt": "x"} {
		if err := os.MkdirAll(filepath.Join(dir, "rules"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "rules", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules, notices := Load(dir)
	if got := strings.Join(names(rules), " "); got != "a b" || len(notices) != 2 {
		t.Errorf("%s, %q", got, notices)
	}
	if rules, notices := Load(filepath.Join(dir, "none")); rules != nil || notices != nil {
		t.Errorf("%v %q", rules, notices)
	}
}
