package streamrule

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestASettingMayHaveSeveralValues(t *testing.T) {
	for name, c := range map[string]struct {
		head       string
		patterns   int
		structures []string
		globs      []string
	}{
		"lines with the key": {"condition: a\ncondition: b", 2, nil, nil},
		"lines below it":     {"condition:\n  - 'a: b'\n  - \"b\"\nglobs:\n- '*.go'", 2, nil, []string{"*.go"}},
		"one line":           {`condition: ["a, b", 'c']`, 2, nil, nil},
		"a class is a pattern": {"condition: [a-z]\nglobs: [*.ts, 'src/**']", 1, nil,
			[]string{"*.ts", "src/**"}},
		"with commas": {"condition: x\nglobs: '*.ts, *.tsx'", 1, nil, []string{"*.ts", "*.tsx"}},
		"of ast-grep": {"astCondition:\n  - if ($X) clearTimeout($X)\n  - foo($A, $A)", 0,
			[]string{"if ($X) clearTimeout($X)", "foo($A, $A)"}, nil},
		"both kinds": {"condition: x\nastCondition: foo($$$)", 1, []string{"foo($$$)"}, nil},
	} {
		r := rule(t, c.head)
		if len(r.patterns) != c.patterns || !slices.Equal(r.structures, c.structures) ||
			!slices.Equal(r.globs, c.globs) {
			t.Errorf("%s: %d patterns, %q, %q", name, len(r.patterns), r.structures, r.globs)
		}
	}
	for _, scope := range []string{"scope: [thinking, 'tool:a']", "scope:\n - thinking\n - tool:a"} {
		if r := rule(t, "condition: x\n"+scope); !slices.Equal(r.scope, []string{"thinking", "tool:a"}) {
			t.Errorf("%q: %q", scope, r.scope)
		}
	}
	for head, want := range map[string]string{"condition: x\nglobs: '['": "no glob", "astCondition: ''": "is empty",
		"astCondition: " + strings.Repeat("x", 1001):         "longer than 1000",
		strings.Repeat("condition: x\n", 11):                 "more than 10",
		strings.Repeat("astCondition: x\n", 11):              "more than 10",
		"condition: x\nalwaysApply: maybe":                   "false or true",
		"globs: '*.go'":                                      "no condition, no description and no alwaysApply",
		"description: d\nscope: [text, air]":                 `not "air"`,
		"condition: x\nscope:\n  - tool:":                    `not "tool:"`,
		"condition: x\ndescription: d\ninterrupt: sometimes": "always or never",
	} {
		if _, err := Parse("r", "---\n"+head+"\n---\nNo."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", head, err, want)
		}
	}
}

// A condition that is no expression is named with its file, and the other conditions and rules
// hold.
func TestAConditionThatIsNoExpressionIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "rules"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, head := range map[string]string{"half": "condition: '('\ncondition: x", "none": "condition: '('",
		"structure": "condition: '('\nastCondition: foo()",
		"whole":     "condition: y", "air": "condition: x\nscope: air"} {
		text := "---\n" + head + "\n---\nNo.\n"
		if err := os.WriteFile(filepath.Join(dir, "rules", name+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules, notices := Load(dir)
	if got := strings.Join(names(rules), " "); got != "half structure whole" {
		t.Errorf("rules: %s", got)
	}
	all := strings.Join(notices, "\n")
	for _, want := range []string{"a part of rules/half.md in your config folder is not used: condition: error parsing",
		"rules/none.md in your config folder is not used: condition: error parsing",
		"a part of rules/structure.md", `rules/air.md in your config folder is not used: scope may have`} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	if len(notices) != 4 {
		t.Errorf("%d notices:\n%s", len(notices), all)
	}
	w := &Watch{Rules: rules}
	if got := names(append(w.Text("so x", false), w.End()...)); !slices.Equal(got, []string{"half"}) {
		t.Errorf("found %q", got)
	}
}

func TestGlobsAreAGateOnPaths(t *testing.T) {
	for _, c := range []struct {
		globs, input string
		paths        []string
		want         bool
	}{
		{"*.go", `{"path":"a.go","content":"bad"}`, nil, true},
		{"*.go", `{"content":"bad","path":"src/a.go"}`, nil, true},
		{"*.go", `{"content":"bad","path":"a.ts"}`, nil, false},
		{"*.go", `{"content":"bad"}`, nil, false},
		{"*.go", `{"content":"bad {\"path\":\"a.go\"}","path":"b.ts"}`, nil, false},
		{"src/**", `{"path":"./src/deep/a","content":"bad"}`, nil, true},
		{"src/**", `{"path":"/work/src/a","content":"bad"}`, nil, true},
		{"src/**", `{"path":"lib/src.go","content":"bad"}`, nil, false},
		{"*.go, *.ts", `{"file_path":"x.ts","content":"bad"}`, nil, true},
		{"a b.go", `{"path":"\u0061 b.go","content":"bad"}`, nil, true},
		{"*.go", `{"edits":[{"path":"a.ts"}, {"path":"b.go","new":"bad"}]}`, nil, true},
		{"*.go", `{"input":"bad"}`, []string{"x.ts", "y.go"}, true},
		{"*.go", `{"input":"bad"}`, []string{"x.ts"}, false},
	} {
		for size := 1; size < 90; size += 8 {
			w := &Watch{Rules: []Rule{rule(t, "condition: bad\nglobs: '"+c.globs+"'")}}
			n := 0
			for rest := c.input; rest != ""; rest = rest[min(size, len(rest)):] {
				n += len(w.Call("1", "write_file", rest[:min(size, len(rest))]))
			}
			if n += len(w.EndCall("1", "write_file", c.input, c.paths)); n > 1 || (n == 1) != c.want {
				t.Errorf("%s in %s, pieces of %d: found %d times", c.globs, c.input, size, n)
			}
		}
		w := &Watch{Rules: []Rule{rule(t, "condition: bad\nglobs: '"+c.globs+"'")}}
		if n := len(w.EndCall("1", "write_file", c.input, c.paths)); (n == 1) != c.want { // in one piece
			t.Errorf("%s in %s: found %d times", c.globs, c.input, n)
		}
	}
	w := &Watch{Rules: []Rule{rule(t, "condition: bad\nglobs: '*'\nscope: text, thinking, tool")}}
	hits := append(w.Text("so bad", false), w.Text("so bad", true)...)
	if hits = append(hits, w.End()...); len(hits) > 0 {
		t.Errorf("text without a path: %q", names(hits))
	}
}

// Where the path comes first, the rest of the call is not waited for.
func TestAPathThatComesFirstIsEnough(t *testing.T) {
	w := &Watch{Rules: []Rule{rule(t, "condition: bad\nglobs: '*.go'")}}
	hits := w.Call("1", "write_file", `{"path":"a.go","content":"`)
	if hits = append(hits, w.Call("1", "write_file", "so bad "+strings.Repeat("word ", 40))...); len(hits) != 1 {
		t.Errorf("found %q before the end", names(hits))
	}
	w = &Watch{Rules: []Rule{rule(t, "condition: bad\nglobs: '*.go'")}}
	hits = w.Call("1", "write_file", `{"content":"so bad `+strings.Repeat("word ", 40)+`"`)
	if len(hits) > 0 {
		t.Errorf("found %q without a path", names(hits))
	}
	if hits = w.Call("1", "write_file", `,"path":"a.go"`); len(hits) != 1 { // it waited for that
		t.Errorf("found %q with the path", names(hits))
	}
}

// A rule is found once in a message, in whichever of its calls.
func TestARuleIsFoundOnceInAMessage(t *testing.T) {
	w := &Watch{Rules: []Rule{rule(t, "condition: bad")}}
	n := len(w.EndCall("1", "a", `{"x":"bad"}`, nil)) + len(w.EndCall("2", "b", `{"x":"bad"}`, nil))
	n += len(w.Text("bad", false)) + len(w.End())
	if n != 1 {
		t.Errorf("found %d times", n)
	}
}
