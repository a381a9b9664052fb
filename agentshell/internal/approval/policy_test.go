package approval

import (
	"slices"
	"strings"
	"testing"
)

func rules(t testing.TB, texts ...string) []Entry {
	t.Helper()
	var es []Entry
	for _, text := range texts {
		verb, rule, _ := strings.Cut(text, " ")
		r, err := ParseRule(map[string]Action{"deny": Deny, "ask": Ask, "allow": Allow}[verb], rule)
		if err != nil {
			t.Fatal(err)
		}
		if r.String() != rule {
			t.Fatalf("rule %q became %q", rule, r)
		}
		es = append(es, Entry{Rule: r, Origin: "flag"})
	}
	return es
}

func write(path string) Subject {
	return Subject{Tool: "write_file", Path: path, Mutates: true, Asks: true}
}
func bash(c string) Subject {
	s := Subject{Tool: "bash", Command: c, Mutates: true, Asks: true}
	if why := ParseCommand(c).Opaque; why != "" {
		s.Flags = []Flag{{FlagOpaque, why}}
	}
	return s
}
func read(path string) Subject { return Subject{Tool: "read_file", Path: path} }

func flagged(s Subject, name string) Subject {
	s.Flags = append(s.Flags, Flag{Name: name})
	return s
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		name  string
		mode  string
		rules []string
		s     Subject
		want  Action
		by    string
	}{
		{"a write asks", "", nil, write("a"), Ask, ""},
		{"a tool that was taken away runs nowhere", "", []string{"deny diff"}, Subject{Tool: "diff", Path: "a"}, Deny,
			"rule"},
		{"nor does one that reads no file", "", []string{"deny diff", "allow diff"}, Subject{Tool: "diff"}, Deny,
			"rule"},
		{"each tool is taken away by itself", "", []string{"deny read_file"}, Subject{Tool: "diff"}, Allow, ""},
		{"a read runs", "", nil, read("a"), Allow, ""},
		{"a rule allows below a directory", "", []string{"allow write_file(docs/**)"}, write("docs/a/b.md"),
			Allow, "rule"},
		{"a star does not cross a slash", "", []string{"allow write_file(docs/*)"}, write("docs/a/b.md"), Ask, ""},
		{"a one-segment glob does not match deeper", "", []string{"allow write_file(*.md)"},
			write("docs/a.md"), Ask, ""},
		{"a rule of one tool says nothing of another", "", []string{"allow write_file(docs/**)"},
			Subject{Tool: "edit_file", Path: "docs/a", Asks: true, Mutates: true}, Ask, ""},
		{"deny beats allow in any order", "", []string{"allow write_file", "deny write_file(docs/**)"}, write("docs/a"),
			Deny, "rule"},
		{"deny beats allow in the other order", "", []string{"deny write_file(docs/**)", "allow write_file"},
			write("docs/a"), Deny, "rule"},
		{"deny beats ask", "", []string{"ask write_file", "deny write_file"}, write("a"), Deny, "rule"},
		{"ask beats allow", "", []string{"allow write_file", "ask write_file(docs/**)"}, write("docs/a"), Ask, "rule"},
		{"ask makes a read ask", "", []string{"ask read_file(secrets/**)"}, read("secrets/key"), Ask, "rule"},
		{"deny refuses a read", "", []string{"deny read_file(secrets/**)"}, read("secrets/key"), Deny, "rule"},
		{"deny looks at the second path too", "", []string{"deny diff(secrets/**)"},
			Subject{Tool: "diff", Path: "a", Also: []string{"secrets/key"}}, Deny, "rule"},
		{"allow must cover both paths", "", []string{"allow diff(a)"},
			Subject{Tool: "diff", Path: "a", Also: []string{"b"}, Asks: true}, Ask, ""},
		{"allow of both paths covers", "", []string{"allow diff(*)"},
			Subject{Tool: "diff", Path: "a", Also: []string{"b"}, Asks: true}, Allow, "rule"},
		{"a flag beats an allow rule", "", []string{"allow write_file"}, flagged(write("a"), FlagRunsCode),
			Ask, "flag"},
		{"a flag beats mode edits", ModeEdits, nil, flagged(write("a"), FlagHardLink), Ask, "flag"},
		{"a flag beats mode trusted", ModeTrusted, nil, flagged(write("a"), FlagBinary), Ask, "flag"},
		{"mode edits lets a write run", ModeEdits, nil, write("a"), Allow, "mode"},
		{"mode edits asks for a command", ModeEdits, nil, bash("ls"), Ask, ""},
		{"mode plan refuses a write", ModePlan, []string{"allow write_file"}, write("a"), Deny, "mode"},
		{"mode plan lets a read run", ModePlan, nil, read("a"), Allow, ""},
		{"mode plan refuses mcp", ModePlan, nil, Subject{Tool: "mcp__s__read"}, Deny, "mode"},
		{"mode trusted lets a command run", ModeTrusted, nil, bash("ls -l"), Allow, "mode"},
		{"mode trusted asks for an opaque command", ModeTrusted, nil, bash("sh -c 'eval ls'"), Ask, "flag"},
		{"mode trusted refuses what is denied", ModeTrusted, []string{"deny bash(rm *)"}, bash("rm x"), Deny, "rule"},
		{"a foreign tool asks although it has no proposal", "", nil, Subject{Tool: "mcp__s__t"}, Ask, ""},
		{"a foreign tool is allowed by its own rule", "", []string{"allow mcp(s/t)"}, Subject{Tool: "mcp__s__t"},
			Allow, "rule"},
		{"an exact command", "", []string{"allow bash(go vet)"}, bash("go vet"), Allow, "rule"},
		{"an exact command has no further words", "", []string{"allow bash(go vet)"}, bash("go vet ./..."), Ask, ""},
		{"a last star stands for further words", "", []string{"allow bash(go test *)"},
			bash("go test -run 'A b' ./..."), Allow, "rule"},
		{"and for none", "", []string{"allow bash(go test *)"}, bash("go test"), Allow, "rule"},
		{"words match whole", "", []string{"allow bash(go test *)"}, bash("go testing"), Ask, ""},
		{"two commands need two rules", "", []string{"allow bash(go test *)"}, bash("go test && rm -rf x"), Ask, ""},
		{"and are allowed by them", "", []string{"allow bash(go test *)", "allow bash(git diff *)"},
			bash("go test; git diff | git diff --stat"), Allow, "rule"},
		{"an expansion that may be an option is opaque", "", []string{"allow bash(ls *)"}, bash("ls $x"), Ask, "flag"},
		{"one that is data is not", "", []string{"allow bash(echo *)"}, bash("echo $x"), Allow, "rule"},
		{"a redirection needs a rule for its file", "", []string{"allow bash(echo *)"}, bash("echo x > f"), Ask, ""},
		{"and is allowed by it", "", []string{"allow bash(echo *)", "allow write_file(*)"}, bash("echo x > f"), Allow,
			"rule"},
		{"of the file where it lies", "", []string{"allow bash(echo *)", "allow bash(cd d)", "allow write_file(*)"},
			bash("cd d && echo x > f"), Ask, ""},
		{"mode edits allows a redirection, not its command", ModeEdits, nil, bash("echo x > f"), Ask, ""},
		{"mode edits needs the rule for the command", ModeEdits, []string{"allow bash(echo *)"}, bash("echo x > f"),
			Allow, "rule"},
		{"deny sees the file of a redirection", ModeTrusted, []string{"deny write_file(f)"}, bash("echo x > f"), Deny,
			"rule"},
		{"ask sees the file of a redirection", ModeTrusted, []string{"ask write_file(d/*)"}, bash("cd d && ls >> f"),
			Ask,
			"rule"},
		{"a substitution has parts of its own", "", []string{"allow bash(echo *)", "allow bash(id)"},
			bash("echo $(id)"), Allow, "rule"},
		{"which need a rule", "", []string{"allow bash(echo *)"}, bash("echo $(id)"), Ask, ""},
		{"nor does a word of it cover an option", "", []string{"allow bash(ls *)", "allow bash(id)"},
			bash("ls $(id)"), Ask, "flag"},
		{"a redirection is opaque", "", []string{"allow bash(echo *)"}, bash("echo x > .git/hooks/post-commit"),
			Ask, "flag"},
		{"output to the null device is not", "", []string{"allow bash(echo *)"}, bash("echo x > /dev/null 2>&1"),
			Allow, "rule"},
		{"a bare bash rule does not cover an opaque command", "", []string{"allow bash"}, bash("eval ls"), Ask, "flag"},
		{"a bare bash rule covers literal commands", "", []string{"allow bash"}, bash("ls | wc -l"), Allow, "rule"},
		{"deny sees a command in a pipe", "", []string{"deny bash(rm *)"}, bash("ls | rm -rf x"), Deny, "rule"},
		{"deny sees a command in a substitution", "", []string{"deny bash(rm *)"}, bash("echo \"$(rm -rf x)\""),
			Deny, "rule"},
		{"deny sees a command behind a wrapper", "", []string{"deny bash(rm *)"}, bash("sudo env A=b rm -rf x"),
			Deny, "rule"},
		{"deny sees a command by its path", "", []string{"deny bash(rm *)"}, bash("/bin/rm x"), Deny, "rule"},
		{"deny sees words that are not literal", "", []string{"deny bash(rm *)"}, bash("rm $x"), Deny, "rule"},
		{"deny sees a quoted command name", "", []string{"deny bash(rm *)"}, bash(`"r"m x`), Deny, "rule"},
		{"deny sees a script of a shell", "", []string{"deny bash(rm *)"}, bash("bash -lc 'cd / && rm -rf x'"),
			Deny, "rule"},
		{"deny sees a function body", "", []string{"deny bash(rm *)"}, bash("f() { rm x; }; f"), Deny, "rule"},
		{"deny sees a line that does not parse", "", []string{"deny bash(rm *)"}, bash("rm x; ("), Deny, "rule"},
		{"deny sees find -exec", "", []string{"deny bash(rm *)"}, bash("find . -exec rm {} ;"), Deny, "rule"},
		{"deny does not see an argument", "", []string{"deny bash(rm *)"}, bash("echo rm x"), Ask, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := NewPolicy(PolicyConfig{Mode: c.mode, Rules: rules(t, c.rules...)})
			if err != nil {
				t.Fatal(err)
			}
			v := p.Decide(c.s)
			if v.Action != c.want || v.By != c.by {
				t.Errorf("got %v by %q, want %v by %q", v.Action, v.By, c.want, c.by)
			}
			if v.Action == Deny && v.Reason == "" {
				t.Error("a denial without a reason")
			}
			if v.By == "rule" && v.Rule == "" {
				t.Error("by a rule without its text")
			}
		})
	}
}

func TestWhatIsOpaque(t *testing.T) {
	for _, c := range []string{
		"$x", "$(x) y", "eval ls", ". ./x", "source x", "/bin/bash x.sh", "sudo ls", "xargs rm",
		"find . -delete",
		"python3 -c 'x'", "python3.12 -cx", "perl -e x", "node --eval=x", "awk '{print > 1}' f", "sed s/a/b/e f",
		"X=1",
		"ls &", "f() { ls; }", "ls *.go", "ls ?", "ls {a,b}", "ls ~",
		"ls $HOMES", "ls $PWD", "ls `id`", "ls >(id)", "ls $'a'",
		"((x))", "[[ a ]]", "coproc ls", "ls \"$x\"", "(", "", "# nothing", "exec ls", "git -c a=b log",
		"export A=b", "ls >& f",
		"tar --to-command=x -xf y", "busybox ls", "sort -o f g", "ls\r", "ls \x1b[m",
		"ls #\\\n x", "ls \\",
	} {
		if ParseCommand(c).Opaque == "" {
			t.Errorf("%q is not opaque", c)
		}
	}
	for _, c := range []string{"ls", "ls -l 'a b' \"c d\" e\\ f", "go test ./... && git status", "! grep -q x f",
		"{ ls; }", "(ls)", "a | b || c; d", "ls 2>&1", "ls 2>/dev/null", "python3 x.py", "echo a=b", "find . -name x",
		"echo '*' \\*", "sh -c ls", "env ls", "find . -exec ls {} \\;", "X=1 ls", "ls > f", "ls >> f", "ls < f",
		"cat <<E\nx\nE", "if true; then ls; fi", "for i in a; do ls; done", "ls ~/x", "ls $HOME", "ls \"$PWD\"",
		"time ls", "timeout 5 ls", "ls <(id)", "awk '{print}' f", "echo \"$(id)\"", "ls \"a$(id)\"",
		"nohup ls", "ls 2> f", "ls &> f", "cd x && ls", "echo $x *", "ls src/*.go", "ls -- *"} {
		if why := ParseCommand(c).Opaque; why != "" {
			t.Errorf("%q is opaque: %s", c, why)
		}
	}
}

// The reason why only a rule for the whole line covers it is one fact.
func TestWhyNoPatternCoversALine(t *testing.T) {
	for command, want := range map[string]string{
		"dlv dap --listen=127.0.0.1:0": "dlv runs code",
		"unset x":                      "unset changes what later commands mean",
		"docker compose up":            "docker compose up runs code or writes files",
		"sort -o f g":                  "sort -o runs code or writes files",
	} {
		if why := ParseCommand(command).Opaque; why != want {
			t.Errorf("%q: %q, want %q", command, why, want)
		}
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "write_file(", "write_file()", "write_file(a", "write_file(/etc/x)", "write_file(../x)",
		"write_file(a/../b)", "write_file([)",
		"write_file(~u/a)", "write_file(~)", "write_file(~/)", "write_file(~/../a)",
		"bash()", "bash(*)", "bash(a * b)", "bash(a*)", "bash(a; b *)", "bash(a \u200b)", "bash(a; ()", "bash(ls *.go)",
		"mcp(a)", "mcp(a*/b)", "mcp(a/b*)", "mcp(a/*@0123456789abcdef)", "a b", "mcp__a(x)",
	} {
		if r, err := ParseRule(Allow, text); err == nil {
			t.Errorf("%q is a rule: %+v", text, r)
		}
	}
	for _, text := range []string{"bash($x)", "bash(a; b)", "bash(a > f)", "bash(X=1 a)", "bash(a &)", "bash(! a)"} {
		if r, err := ParseRule(Deny, text); err == nil { // it would guard against nothing
			t.Errorf("%q denies: %+v", text, r)
		}
		if _, err := ParseRule(Allow, text); err != nil {
			t.Error(err)
		}
	}
}

func TestGrantsAreExactlyWhatIsOffered(t *testing.T) {
	p := &Policy{}
	for _, c := range []struct {
		s    Subject
		want []string
		not  []Subject
	}{
		{write("docs/a[1].md"), []string{`write_file(docs/a\[1\].md)`, `edit_file(docs/a\[1\].md)`},
			[]Subject{write("docs/a1.md"), write("docs/b.md")}},
		{bash("git commit -m 'fix it' '*'"), []string{"bash(git commit -m 'fix it' '*')", "bash(git commit *)"},
			[]Subject{bash("git commit -m 'fix it' x"), bash("git commit -m fix it '*'"),
				bash("git commit -m 'fix it' '*' y")}},
		{bash("a; b"), []string{"bash(a)\nbash(b)"}, []Subject{bash("a; b x"), bash("c")}},
		{bash("echo $x"), []string{"bash(echo *)"}, []Subject{bash("ls")}},
		{bash("cd d && go test ./x > log"), []string{"bash(cd d)\nbash(go test ./x)\nwrite_file(d/log)",
			"bash(cd d)\nbash(go test *)\nwrite_file(d/log)"},
			[]Subject{bash("cd e && go test ./x"), bash("go test ./x > log"), bash("go test ./y")}},
		{bash("ls $x"), []string{"bash(ls $x)"}, []Subject{bash("ls $y"), bash("ls  $x"), bash("ls $x; ls $x")}},
		{flagged(write("a"), FlagTooLong), nil, nil},
		{Subject{Tool: "mcp__a__b"}, nil, nil},
		{write("a\nb"), nil, nil},
	} {
		got := p.Offers(c.s)
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: offers %q, want %q", c.s, got, c.want)
		}
		if len(got) == 0 {
			continue
		}
		g := &Policy{}
		if g.Decide(c.s).Action != Ask {
			t.Error("allowed before")
		}
		if err := g.Grant(got[0]); err != nil {
			t.Fatal(err)
		}
		if v := g.Decide(c.s); v.Action != Allow || v.Rule != strings.ReplaceAll(got[0], RuleSeparator, ", ") {
			t.Errorf("the grant %s does not cover %+v: %+v", got[0], c.s, v)
		}
		for _, s := range c.not {
			if v := g.Decide(s); v.Action != Ask {
				t.Errorf("the grant %s covers %+v", got[0], s)
			}
		}
		for text := range strings.SplitSeq(got[0], RuleSeparator) {
			if !g.Revoke(text) || g.Revoke(text) {
				t.Error("the rule was not there")
			}
		}
		if g.Decide(c.s).Action != Ask {
			t.Error("revoking does not end it")
		}
	}
}

// What key a offers covers the command as it was shown and nothing beside it: no option is learned
// from one answer, least of all for a program that nobody knows.
func TestAnOfferedRuleCoversNoOtherOption(t *testing.T) {
	p := &Policy{}
	offered := 0
	for _, command := range []string{
		"git log", "git log -1", "git push origin main", "go test ./...", "sort f", "ls", "ls -l x", "unknown",
		"unknown x", "unknown -x", "unknown sub x", "./run.sh", "./run.sh -v", "make all",
		"python3 x.py", "npm test", "cargo test", "tar -tf a.tar", "docker ps", "true", "echo x", "printf x",
		"test -f x", "/tmp/git log", "grep x y", "find .", "cp a b", "git unknown",
	} {
		for _, text := range p.Offers(bash(command)) {
			offered++
			r, err := ParseRule(Allow, text)
			if err != nil {
				t.Fatal(err)
			}
			c := ParseCommand(command).Simple[0]
			if !r.allows(c) {
				t.Errorf("%s does not cover %s", text, command)
			}
			for _, more := range []string{"--an-option-of-tomorrow", "-X", "-o=x", "+x", "@x", "of=x"} {
				if name := c[0].Text; (name == "echo" || name == "true" || name == "test") && r.open {
					continue // which take any word for data
				}
				if r.open && !strings.HasPrefix(more, "--") {
					continue // which is an operand, or a harmless option of the table
				}
				if r.allows(append(slices.Clone(c), Word{Text: more, Literal: true})) {
					t.Errorf("%s covers %s as well", text, more)
				}
			}
		}
	}
	if offered < 25 {
		t.Errorf("only %d rules were offered", offered)
	}
}

func TestModes(t *testing.T) {
	p := &Policy{}
	var seen []string
	for range 4 {
		if err := p.SetMode(p.Next()); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, p.Mode())
	}
	if want := []string{"edits", "plan", "ask", "edits"}; !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
	if p.SetMode(ModeTrusted) == nil || p.SetMode("x") == nil || p.Mode() != ModeEdits {
		t.Error("a key chose a mode that it must not")
	}
	if _, err := NewPolicy(PolicyConfig{Mode: ModeTrusted, Broad: "home"}); err == nil {
		t.Error("the home directory is trusted")
	}
	broad, err := NewPolicy(PolicyConfig{Broad: "home"})
	if err != nil || broad.SetMode(ModeEdits) == nil || broad.Next() != ModePlan {
		t.Error("the home directory has mode edits")
	}
	if _,
		err := NewPolicy(
		PolicyConfig{Rules: []Entry{{Rule: rules(t, "allow write_file")[0].Rule, Origin: "workspace"}}}); err == nil {
		t.Error("a workspace allows")
	}
}

func TestAnswerText(t *testing.T) {
	if got := (Decision{}).Text(); got != "user denied this tool call" {
		t.Errorf("%q", got)
	}
	if got := (Decision{Reason: "not now"}).Text(); got != "user denied this tool call\nnot now" {
		t.Errorf("%q", got)
	}
}

func TestConfusableNames(t *testing.T) {
	for name, want := range map[string]bool{"a.go": false, "p\u0430yload.go": true, "日本/a": false, "файл/a.go": false,
		"a\u202eb": true, "a\u200bb": true, "x\x1by": true, "naïve.md": false} {
		if got := Confusable(name) != ""; got != want {
			t.Errorf("%q: %v %s", name, got, Confusable(name))
		}
	}
}
