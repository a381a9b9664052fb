//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// decided returns what a policy of these allow rules, separated by commas, decides about a line.
func (b *bench) decided(rules, line string) approval.Verdict {
	b.t.Helper()
	var entries []approval.Entry
	for text := range strings.SplitSeq(rules, ", ") {
		r, err := approval.ParseRule(approval.Allow, text)
		if err != nil {
			b.t.Fatal(err)
		}
		entries = append(entries, approval.Entry{Rule: r, Origin: "flag"})
	}
	p, err := approval.NewPolicy(approval.PolicyConfig{Rules: entries})
	if err != nil {
		b.t.Fatal(err)
	}
	return p.Decide(b.must("bash", args{"command": line}).Subject("bash"))
}

// A line runs unasked if each part of it is allowed by a rule or only reads. TOP is the workspace.
func TestALineIsDecidedPartByPart(t *testing.T) {
	b := readingPlace(t)
	b.write("Makefile", "test:\n")
	const makeTest = "bash(make test *)"
	for _, c := range []struct {
		rules, line string
		want        approval.Action
	}{
		{makeTest, "make test 2>&1 | tail -20", approval.Allow},
		{makeTest, "ls sub && make test", approval.Allow},
		{makeTest, "git status && make test", approval.Allow},
		{makeTest, "make test || true", approval.Allow},
		{makeTest, "make test V && cat f", approval.Allow},
		{makeTest, "cd TOP && make test", approval.Allow},
		{makeTest, "cd sub && ls; cd .. && make test", approval.Ask}, // if there is no sub it leaves the workspace
		{makeTest, "cd TOP/sub && cat g && cd TOP && make test", approval.Allow},
		{makeTest, "(cd sub && cat g) && make test", approval.Allow},
		{makeTest, "make test; echo done", approval.Allow},
		{"bash(make), bash(cd sub)", "cd sub && make; cd ..", approval.Allow},
		{"bash(make), bash(cd sub)", "cd TOP/sub && make", approval.Allow},
		{"bash(go test *), bash(make test *)", "go test ./... | tee /dev/null", approval.Ask},
		{"bash(go vet), write_file(out)", "go vet > out; tail -5 out", approval.Allow},
		{"bash(git checkout *)", "git checkout topic | head -3", approval.Allow},

		{"bash(make)", "cd sub && make", approval.Ask}, // it is another makefile
		{"bash(make)", "cd TOP/sub && make", approval.Ask},
		{"bash(make)", "cd sub; make", approval.Ask},
		{"bash(make)", "cd .. && make", approval.Ask},
		{"bash(make)", "cd TOP/../out && make", approval.Ask},
		{"bash(make)", "cd - && make", approval.Ask},
		{"bash(make)", "cd dirlink && ls; make", approval.Ask},
		{makeTest, "make test | tee out", approval.Ask},
		{makeTest, "make test && cat ../out/secret", approval.Ask},
		{makeTest, "make test && cat link", approval.Ask},
		{makeTest, "cd dirlink && cat secret; cd TOP && make test", approval.Ask},
		{makeTest, "make test && cat dirlink/secret", approval.Ask},
		{makeTest, "make test && cat < link", approval.Ask},
		{makeTest, "make test && ./x", approval.Ask},
		{makeTest, "make test && sort -o f sub/g", approval.Ask},
		{makeTest, "make test && env", approval.Ask},
		{makeTest, "make test; find . -delete", approval.Ask},
		{makeTest, "make test && cd sub && git log", approval.Allow},
		{makeTest, "make test && git -C sub log", approval.Allow},
		{makeTest, "make test && git -C dirlink log", approval.Ask},
		{"bash(git checkout *)", "git checkout topic && cd sub && git log", approval.Ask},
		{makeTest, "make test && git log --output=M", approval.Ask},
		{makeTest, "make test > out; tail -5 out", approval.Ask},
		{"bash(git checkout *)", "git checkout topic && cat f", approval.Ask}, // which may be a link there
		{"bash(git checkout *)", "git checkout topic && git status", approval.Ask},
		{"bash(git checkout *)", "git checkout topic && grep -r one", approval.Ask},
		{"bash(git checkout *)", "git checkout topic && grep -e one f", approval.Ask},
		{"bash(git checkout *)", "git checkout topic | sed -n 1p f", approval.Ask},
		{"bash(ln *)", "ln -s ../out/secret new && cat new", approval.Ask},
		{"bash(ln *)", "cat new; ln -s ../out/secret new", approval.Ask},
		{"bash(/usr/bin/cp *)", "/usr/bin/cp -a d new && ls new", approval.Ask},
		{"bash(cp *)", "for i in 1 2; do ls new; cp -a d new; done", approval.Ask},
		{"bash(touch *)", "touch sub/-oM && (cd sub && sort *)", approval.Ask}, // a pattern matches what is new
		{"bash(touch *)", "(cd sub && for f in *; do sort \"$f\"; done) && touch sub/-oM", approval.Ask},
		{"bash(mkdir *)", "mkdir sub/-delete && (cd sub && find *)", approval.Ask},
		{"bash(rm *)", "rm sub/g && (cd sub && sort *)", approval.Ask},
		{"bash(make), write_file(sub/-oM)", "make; (cd sub && echo > ./-oM && sort *)", approval.Ask},
		{"bash(touch *)", "touch sub/new && cat f", approval.Allow},
		{"bash(mkdir *)", "mkdir -p out && ls -l out", approval.Allow},
		{makeTest, "make test && (cd sub && wc -l *)", approval.Allow},
		{"bash(echo *)", "echo \"$(< link)\"", approval.Ask},
		{"bash(tr *)", "tr a b < dirlink/secret", approval.Ask},
		{"bash(tr *)", "tr a b < f", approval.Allow},
		{"bash(tr *)", "(cd sub && tr a b < g)", approval.Allow},
		{makeTest, "make test; echo TOKEN \"$TOKEN\"", approval.Ask}, // the word before it sets nothing
		{makeTest, "make test; read -r x < f; echo \"$x\"", approval.Allow},
		{"bash(ls *)", "ls f && cat f", approval.Allow},
		{"bash(git commit *)", "git commit -m \"$(cat <<'EOF'\nFix it\nEOF\n)\"", approval.Allow},
		{"bash(git commit *)", "git commit -m \"$(cat <<EOF\n$(./x)\nEOF\n)\"", approval.Ask},
		{"bash(git commit *)", "git commit \"$(cat <<'EOF'\n--file=../out/secret\nEOF\n)\"", approval.Ask},
		{"bash(git commit *)", "git commit -m \"$(cat link)\"", approval.Ask},
		{"bash(npx create-app x)", "npx create-app x | head -3", approval.Allow},
		{"write_file(a)", "git log > b", approval.Ask},
	} {
		line := strings.ReplaceAll(c.line, "TOP", b.dir)
		if got := b.decided(c.rules, line); got.Action != c.want {
			t.Errorf("%s under %s: %+v", c.line, c.rules, got)
		}
	}
}

// Key a offers rules for the parts that need one.
func TestNoRuleIsOfferedForAPartThatOnlyReads(t *testing.T) {
	b := readingPlace(t)
	for line, want := range map[string]string{
		"make test 2>&1 | tail -20":     "bash(make test)",
		"ls sub && make test || true":   "bash(make test)",
		"make test && cat link":         "bash(make test)\nbash(cat link)",
		"git checkout topic && cat f":   "bash(git checkout topic)\nbash(cat f)",
		"git checkout topic && true":    "bash(git checkout topic)",
		"git log > out":                 "write_file(out)",
		"cd sub && make && tail -3 g":   "bash(cd sub)\nbash(make)",
		"cd " + b.dir + " && make test": "bash(make test)",
	} {
		s := b.must("bash", args{"command": line}).Subject("bash")
		p, err := approval.NewPolicy(approval.PolicyConfig{})
		if err != nil {
			t.Fatal(err)
		}
		offers := p.Offers(s)
		if len(offers) == 0 || offers[0] != want {
			t.Errorf("%s: %q", line, offers)
			continue
		}
		if err := p.Grant(offers[0]); err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(s); got.Action != approval.Allow {
			t.Errorf("%s: %q does not cover it: %+v", line, offers[0], got)
		}
	}
}

// What is in the environment or in the repository may make a program that only reads run another
// one. Where nothing but reading is left to a line that is turned off. Beside a part that a rule
// allows it is not, and the line asks.
func TestAPartThatOnlyReadsAsksWhereItMayDoMore(t *testing.T) {
	const rule, line, git = "bash(make test *)", "ls && make test", "git status && make test"
	b := readingPlace(t)
	for _, line := range []string{line, git} {
		if b.decided(rule, line).Action != approval.Allow {
			t.Errorf("%s asks", line)
		}
	}
	old := b.env.Commands.Environ
	for _, v := range []string{"PATH=" + b.dir + "/bin:" + os.Getenv("PATH"), "PATH=.:" + os.Getenv("PATH"),
		"PATH=:" + os.Getenv("PATH"), "BASH_FUNC_ls%%=() { ./x; }", "RIPGREP_CONFIG_PATH=x"} {
		b.env.Commands.Environ = append(old[1:len(old):len(old)], v)
		b.reg = Builtin(b.env)
		if b.decided(rule, line).Action != approval.Ask {
			t.Errorf("it runs unasked with %s", v)
		}
	}
	b.env.Commands.Environ = old
	b.reg = Builtin(b.env)
	f, err := os.OpenFile(filepath.Join(b.dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("[core]\nfsmonitor = ./x\n")
	f.Close()
	if b.decided(rule, git).Action != approval.Ask || b.decided(rule, line).Action != approval.Allow {
		t.Error("git runs a program of the repository unasked")
	}
}

// Rules about what may be read hold for the parts of a line, too.
func TestAPartThatReadsAsksWhereRulesSayWhatMayBeRead(t *testing.T) {
	b := readingPlace(t)
	allow, err := approval.ParseRule(approval.Allow, "bash(make test *)")
	if err != nil {
		t.Fatal(err)
	}
	deny, err := approval.ParseRule(approval.Deny, "read_file(f)")
	if err != nil {
		t.Fatal(err)
	}
	for want, rules := range map[approval.Action][]approval.Entry{
		approval.Allow: {{Rule: allow}}, approval.Ask: {{Rule: allow}, {Rule: deny}}} {
		p, err := approval.NewPolicy(approval.PolicyConfig{Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		s := b.must("bash", args{"command": "make test && cat f"}).Subject("bash")
		if got := p.Decide(s); got.Action != want {
			t.Errorf("%+v, want %v", got, want)
		}
	}
}

// besideTable returns the lines of testdata/beside.txt: the mark, the rules, and the line.
func besideTable(t *testing.T) (table [][3]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/beside.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		rules, line, ok := strings.Cut(rest, " @@ ")
		if !ok {
			continue
		}
		var all []string
		for r := range strings.SplitSeq(rules, ", ") {
			if !strings.Contains(r, "(") {
				r = "bash(" + r + ")"
			}
			all = append(all, r)
		}
		table = append(table, [3]string{mark, strings.Join(all, ", "), strings.ReplaceAll(line, `\n`, "\n")})
	}
	return table
}

// No line runs that does more beside a part that a rule allows.
func TestNoHarmRunsBesideAnAllowedPart(t *testing.T) {
	b := readingPlace(t)
	b.write("Makefile", "test:\n")
	harm := 0
	for _, c := range besideTable(t) {
		got := b.decided(c[1], c[2]).Action
		if got == approval.Allow != (c[0] == "+") {
			t.Errorf("%q under %s: %v", c[2], c[1], got)
		}
		if c[0] != "+" {
			harm++
		}
	}
	if harm < 120 {
		t.Errorf("only %d lines", harm)
	}
}

// The harm of the lines with a star is real where bash runs them: a sixth of them is tried, all
// with SCROLLKEEP_READING set.
func TestHarmBesideAnAllowedPartIsReal(t *testing.T) {
	for i, c := range besideTable(t) {
		if c[0] != "*" || i%6 != 0 && os.Getenv("SCROLLKEEP_READING") == "" {
			continue
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			b := readingPlace(t)
			if out, did := b.harm(c[2]); !did {
				t.Errorf("%q does nothing: %s", c[2], out)
			}
		})
	}
}

// A file that the shell itself opens is read as rules of read_file say, whatever runs then.
func TestARedirectionReadsAsRulesSay(t *testing.T) {
	b := readingPlace(t)
	for line, want := range map[string]approval.Action{"tr a b < sub/g": approval.Deny,
		"(cd sub && tr a b < g)": approval.Deny, "echo \"$(< sub/g)\"": approval.Deny, "tr a b < f": approval.Allow} {
		var entries []approval.Entry
		for action, text := range map[approval.Action]string{approval.Allow: "bash(tr *)",
			approval.Deny: "read_file(sub/**)"} {
			r, err := approval.ParseRule(action, text)
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, approval.Entry{Rule: r})
		}
		p, err := approval.NewPolicy(approval.PolicyConfig{Rules: entries})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(b.must("bash", args{"command": line}).Subject("bash")); got.Action != want {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// A hook that git runs when it writes the index is asked about where git has the environment of any
// command.
func TestAHookThatReadingRunsIsAskedAboutBesideARule(t *testing.T) {
	b := readingPlace(t)
	line := "gofmt -l .; git status"
	if got := b.decided("bash(gofmt *)", line).Action; got != approval.Allow {
		t.Errorf("without a hook: %v", got)
	}
	b.write(".git/hooks/post-index-change", "#!/bin/sh\necho ran > M\n")
	if err := os.Chmod(filepath.Join(b.dir, ".git/hooks/post-index-change"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := b.decided("bash(gofmt *)", line).Action; got == approval.Allow {
		t.Error("it is allowed")
	}
	if why := b.env.reads(t.Context(), "git status"); why != "" { // alone it runs no hook
		t.Error(why)
	}
}
