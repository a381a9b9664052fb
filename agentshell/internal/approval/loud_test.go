package approval

import (
	"strings"
	"testing"
)

func TestWhatDeletesOrPublishesIsLoud(t *testing.T) {
	for _, command := range []string{
		"git push", "git -C x push origin main", "make && git push --force", "sh -c 'git push'", "env A=b git push",
		"rm -r x", "rm -fr x", "rm --rec x", "rm x -R", "rm *.go", "rm $x", `rm "$(cat list)"`, "find . | xargs rm -rf",
		"/bin/rm -rf /", "if true; then rm -r x; fi", "x=$(rm -r y)", "timeout 5 rm -r x", "find . -delete",
		"find . -exec rm -r {} +",
		`find . -exec rm {} \;`, "ls | xargs rm", "ls | xargs rm -f", "find . -exec rm ./{} +",
		"git clean -fdx", "git reset --hard HEAD~1", "git stash drop", "git checkout -- f",
		"git checkout .", "git checkout HEAD f", "git checkout f.go", "git checkout sub/", "git checkout :/",
		"git checkout -qf main", "git reset --har", "git switch -fc x", "git switch --discard x",
		"git checkout-index -fa",
		"git read-tree --reset -u HEAD", "git worktree remove --force x",
		"git submodule deinit -f .", "git branch -D x",
		"git branch -d --force x", "git update-ref -d refs/heads/x", "git gc --prune=now", "git prune",
		"rsync -a --remove-source-files a b", "npm publish", "cargo publish", "twine upload dist/*", "docker push x",
		"gh pr merge 3", "gh release create v1", "git switch -f x",
		"git restore f", "shred f", "rsync -a --delete a/ b", `r\m -r x`,
		"echo" + strings.Repeat(" git", 40) + " rm -r x", // it would take for ever
		"eval 'rm -r x'", "rm -r 'x", // the last one cannot be parsed
	} {
		if Danger(command) == "" {
			t.Errorf("%s is silent", command)
		}
	}
	for _, command := range []string{"", "rm f", "rm -f f g", "git rm f", "git commit -m push.", "git checkout main",
		"git checkout -b x", "git checkout -b x origin/main", "git checkout -B x v1.2",
		"git branch -d x", "git branch x",
		"git switch x", "git remote prune origin", "git worktree list", "npm test", "npm run publish", "cargo build",
		"docker build .", "gh pr view 3", "gh release list", "gh pr merge --help", "git gc", "git reset f",
		"git stash", "go test ./...", "ls -R", "find . -name x", "rsync -a a b",
		"x=1; eval $x"} {
		if why := Danger(command); why != "" {
			t.Errorf("%s: %s", command, why)
		}
	}
}

// What rules and modes make of a command that is confined, and of the same one that is not.
func TestAConfinedCommandIsDecidedByTheSandbox(t *testing.T) {
	const opaque, plain, quiet = "eval x", "make x", "ls x"
	rules := []Entry{{Rule: rule(t, Deny, "bash(dd *)")}, {Rule: rule(t, Ask, "bash(curl *)")},
		{Rule: rule(t, Allow, "bash(rm -r build)")}}
	for _, c := range []struct {
		mode, command    string
		confined, hidden bool
		want             Action
		by               string
	}{
		{ModeAsk, plain, true, false, Allow, "sandbox"},
		{ModeAsk, plain, false, false, Ask, ""},
		{ModeAsk, opaque, true, false, Allow, "sandbox"},
		{ModeAsk, opaque, false, false, Ask, "flag"},
		{ModeAsk, plain, true, true, Ask, "flag"},
		{ModeEdits, opaque, true, false, Allow, "sandbox"},
		{ModePlan, plain, true, false, Deny, "mode"},
		{ModeTrusted, opaque, true, false, Allow, "sandbox"},
		{ModeTrusted, opaque, false, false, Ask, "flag"},
		{ModeTrusted, plain, false, false, Allow, "mode"},
		{ModeTrusted, "rm -r x", true, false, Ask, "sandbox"},
		{ModeTrusted, "rm -r build", true, false, Allow, "rule"},
		{ModeTrusted, "rm -r x", false, false, Ask, "mode"},
		{ModeTrusted, "rm -r build", false, false, Allow, "rule"},
		{ModeTrusted, "git status; git push", false, false, Ask, "mode"},
		{ModeTrusted, "eval x; git push", false, false, Ask, "flag"},
		{ModeTrusted, "dd if=x; " + quiet, true, false, Deny, "rule"},
		{ModeTrusted, "eval x; dd if=x", true, false, Deny, "rule"},
		{ModeTrusted, "curl x", true, false, Ask, "rule"},
		{ModeUnconfined, opaque, false, true, Allow, "mode"},
		{ModeUnconfined, "git push", false, false, Allow, "mode"},
		{ModeUnconfined, "dd if=x", false, false, Deny, "rule"},
		{ModeUnconfined, "curl x", false, false, Ask, "rule"},
	} {
		p, err := NewPolicy(PolicyConfig{Mode: c.mode, Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		s := Subject{Tool: "bash", Command: c.command, Mutates: true, Asks: true, Confined: c.confined}
		if why := ParseCommand(c.command).Opaque; why != "" {
			s.Flags = append(s.Flags, Flag{Name: FlagOpaque, Text: why})
		}
		if c.hidden {
			s.Flags = append(s.Flags, Flag{Name: FlagHidden})
		}
		if got := p.Decide(s); got.Action != c.want || got.By != c.by {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	p, err := NewPolicy(PolicyConfig{})
	if err != nil || p.SetMode(ModeUnconfined) == nil {
		t.Error("mode unconfined can be chosen in the shell", err)
	}
}

// What deletes or publishes runs under a rule only if the rule itself says it.
func TestAWideRuleDoesNotSilenceWhatIsLoud(t *testing.T) {
	for _, c := range []struct {
		rule, command string
		want          Action
	}{
		{"bash", "make", Allow}, {"bash", "git push", Ask}, {"bash", "make && rm -r x", Ask},
		{"bash(git *)", "git log", Allow}, {"bash(git *)", "git push", Ask}, {"bash(git push)", "git push", Allow},
		{"bash(git push *)", "git push origin", Allow}, {"bash(git push)", "timeout 9 git push", Allow},
		{"bash(rm -r build)", "rm -r build", Allow}, {"bash(rm -r build)", "rm -r x", Ask},
		{"bash(git reset *)", "git reset f", Allow}, {"bash(git reset *)", "git reset --hard", Ask},
	} {
		for _, confined := range []bool{false, true} {
			p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: rule(t, Allow, c.rule)}}})
			if err != nil {
				t.Fatal(err)
			}
			s := Subject{Tool: "bash", Command: c.command, Mutates: true, Asks: true, Confined: confined}
			if got := p.Decide(s).Action; got != c.want {
				t.Errorf("%s under %s, confined %v: %v", c.command, c.rule, confined, got)
			}
		}
	}
}

func rule(t *testing.T, a Action, text string) Rule {
	t.Helper()
	r, err := ParseRule(a, text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
