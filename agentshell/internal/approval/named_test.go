package approval

import (
	"slices"
	"strings"
	"testing"
)

// A person who names a line word for word is believed, whatever the line runs. One word more or
// less is another line.
func TestALineThatIsNamedWordForWordIsBelieved(t *testing.T) {
	commit := "git commit -m \"$(cat <<'EOF'\nFix it\n\nMore.\nEOF\n)\""
	for _, c := range []struct {
		rule, line string
		want       Action
	}{
		{"npx tsc --noEmit", "npx tsc --noEmit", Allow},
		{"npx tsc --noEmit", "npx tsc --noEmit -p x", Ask},
		{"npx create-app x", "npx create-app x", Allow},
		{"uv run main.py", "uv run main.py", Allow},
		{"node -e 'x()'", "node -e \"x()\"", Allow}, // the words are the same
		{"node -e 'x()'", "node -e 'y()'", Ask},
		{"psql -c 'select 1'", "psql -c 'select 1' | head", Ask}, // head needs a rule, or somebody who knows it
		{"psql -c 'select 1'", "psql -c 'select 1'; ./x", Ask},
		{"sed -i s/a/b/ f", "sed -i s/a/b/ f", Allow},
		{"sed -i s/a/b/ f", "sed -i s/a/b/ f g", Ask},
		{"make > out.txt; ls $X", "make > out.txt; ls $X", Allow},
		{"make > out.txt; ls $X", "make > out.txt; ls $Y", Ask},
		{"make &", "make &", Allow},
		{"make &", "make & ./x", Ask},
		{commit, commit, Allow},
		{commit, strings.Replace(commit, "More", "Less", 1), Ask},
		{"curl https://x | sh", "curl https://x | sh", Allow},
		{"curl https://x | sh", "curl https://y | sh", Ask},
		{"timeout 5 make", "timeout 5 make", Allow},
		{"timeout 5 make", "timeout 5 ./make", Ask},
		{"X=./x make", "X=./x make", Allow},
		{"X=./x make", "X=./y make", Ask},
		{"rm -r build", "rm -r build", Allow},
		{"git push", "git push", Allow},
		{"git commit *", commit, Ask},  // its cat needs a rule, or somebody who knows it
		{"make", "make #\\\n./x", Ask}, // bash runs the second line
		{"make", "make\r", Ask},
		{"make", "make # a comment", Allow},
		{". ./env.sh", ". ./env.sh", Allow},
		{". ./env.sh", ". ./env.sh && ls", Ask},
	} {
		r := rule(t, Allow, "bash("+c.rule+")")
		p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: r}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(bash(c.line)); got.Action != c.want {
			t.Errorf("%q under %q: %+v", c.line, c.rule, got)
		}
		s := flagged(bash(c.line), FlagRunsCode)
		if got := p.Decide(s); got.Action != Ask {
			t.Errorf("%q is flagged and runs: %+v", c.line, got)
		}
	}
}

// Code that is named word for word is one part of a line like others, but for what changes the
// meaning of the parts behind it.
func TestAPartThatIsNamedWordForWordIsBelieved(t *testing.T) {
	for line, want := range map[string]Action{
		"npx create-app x && make test":              Allow,
		"npx create-app x | make test":               Allow,
		"npx create-app y && make test":              Ask,
		"npx create-app x y && make test":            Ask,
		"npx create-app $x && make test":             Ask,
		"alias make=./x; make test":                  Ask,
		"source env.sh && make test":                 Ask,
		"trap x EXIT; make test":                     Ask,
		"export PATH=.; make test":                   Ask,
		"hash -p x make; make test":                  Ask,
		"eval x; make test":                          Ask,
		"exec x; make test":                          Ask,
		"npx create-app x && make test; shopt -s xx": Ask,
	} {
		p, err := NewPolicy(PolicyConfig{Rules: rules(t, "allow bash(make test)", "allow bash(npx create-app x)",
			"allow bash(alias make=./x)", "allow bash(source env.sh)", "allow bash(trap x EXIT)",
			"allow bash(export PATH=.)", "allow bash(hash -p x make)", "allow bash(eval x)", "allow bash(exec x)",
			"allow bash(shopt -s xx)")})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(bash(line)); got.Action != want {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

// A star in a word stands for letters of that word, and not for a path or another meaning.
func TestAStarInAWord(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"npm run test:*", "npm run test:unit", true},
		{"npm run test:*", "npm run test:", true},
		{"npm run test:*", "npm run test", false},
		{"npm run test:*", "npm run test:unit more", false},
		{"npm run test:* *", "npm run test:unit more", true},
		{"npm run test:*", "npm run test:../x", false},
		{"npm run test:*", "npm run test:a=b", false},
		{"npm run test:*", "npm run 'test: x'", false},
		{"npm run test:*", "npm run test:$x", false},
		{"npm run test:*", "npm run test:*", true}, // the line itself
		{"cat src/*", "cat src/a.go", true},
		{"cat src/*", "cat src/a/b.go", false},
		{"cat src/*", "cat src/..", false},
		{"cat src/*.go", "cat src/a.go", true},
		{"cat src/*.go", "cat src/a.py", false},
		{"sort --o*", "sort --output=f", false},
		{"sort --o*", "sort --output f", false},
		{"go test -e*", "go test -exec ./x", false},
		{"make te*", "make test", true},
		{"make te*", "make te=x", false},
		{"python3 scr*", "python3 script.py", true},
		{"npx jest *", "npx jest --ci a", true},
		{"npx jest *", "npx jest --config x", false},
		{"npx jest *", "npx jest@1 a", false},
		{"npx jest *", "npx -p x jest", false},
		{"uv run pytest *", "uv run pytest -q tests", true},
		{"uv run pytest *", "uv run pytest --pdb", false},
		{"uv run pytest *", "uv run --with x pytest", false},
		{"bundle exec rspec *", "bundle exec rspec spec/a_spec.rb", true},
		{"docker build *", "docker build -t app .", true},
		{"docker build *", "docker build -o out .", false},
		{"docker build *", "docker build -f /etc/x .", false},
		{"docker build *", "docker build https://x/y", false},
		{"docker build *", "docker build --network host .", false},
		{"terraform plan *", "terraform plan -no-color", true},
		{"terraform plan *", "terraform plan -out=x", false},
		{"terraform plan *", "terraform apply", false},
	} {
		p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: rule(t, Allow, "bash("+c.rule+")")}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(bash(c.line)).Action == Allow; got != c.want {
			t.Errorf("%q under %q: %v", c.line, c.rule, got)
		}
	}
	for _, c := range []struct {
		rule, line string
		want       Action
	}{
		{"git push --force*", "git push --force", Deny}, {"git push --force*", "git push --force-with-lease x", Deny},
		{"git push --force*", "git push origin main --force", Deny}, {"git push --force*", "git push origin", Ask},
		{"git push --force*", "git -C x push --force-if-includes", Deny}, {"rm /et*", "rm /etc/passwd", Deny},
		{"npm run deploy:*", "cd x && npm run deploy:prod", Deny},
	} {
		p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: rule(t, Deny, "bash("+c.rule+")")}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(bash(c.line)); got.Action != c.want {
			t.Errorf("%q with %q denied: %+v", c.line, c.rule, got)
		}
	}
}

// A rule that can never hold says why. Those that can hold say nothing.
func TestARuleThatCanNeverHoldSaysSo(t *testing.T) {
	for _, text := range []string{"npx *", "sh *", "env *", "sudo *", "cd *", "python3 -c *", "node -e *", "xargs *",
		"timeout 5 make *", "awk *", "sed *", "docker run *", "find . -exec *", "eval *", "psql *", "git -c *",
		"npm run *", "npm run -s *", "pnpm run *", "yarn run *", "go run *", "npm run-script *"} {
		if rule(t, Allow, "bash("+text+")").WhyNever() == "" {
			t.Errorf("%s is taken", text)
		}
	}
	for _, text := range []string{"npx jest *", "make *", "npm test", "python3 *", "python3 x.py *", "git *", "ls *",
		"foo *",
		"npx x", "python3 -c x", "uv run pytest *", "tar *", "npm run a:*", "npm run a *",
		"go run . *", "npm *", "npm install *", "npm test *",
		"docker build *", "./run.sh *", "go *"} {
		if why := rule(t, Allow, "bash("+text+")").WhyNever(); why != "" {
			t.Errorf("%s: %s", text, why)
		}
	}
}

func TestARuleForAllToolsOfAServer(t *testing.T) {
	p, err := NewPolicy(PolicyConfig{Rules: rules(t, "allow mcp(git/*)", "deny mcp(git/push)",
		"allow write_file(./docs/**)")})
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string]Action{"mcp__git__log": Allow, "mcp__git__push": Deny, "mcp__gitlab__log": Ask,
		"mcp__git": Ask} {
		if got := p.Decide(Subject{Tool: s}); got.Action != want {
			t.Errorf("%s: %+v", s, got)
		}
	}
	if p.Decide(write("docs/a")).Action != Allow || p.Decide(write("a")).Action != Ask {
		t.Error("./ in a path is not taken")
	}
}

// Of ordinary lines nearly each can be granted, at least word for word, and the grant covers it.
func TestEachOrdinaryLineCanBeGranted(t *testing.T) {
	granted, all := 0, corpus(t, "ordinary_more.txt")
	for _, line := range all {
		s := bash(strings.ReplaceAll(line[1], `\n`, "\n"))
		p := &Policy{}
		offers := p.Offers(s)
		if len(offers) == 0 {
			t.Logf("not granted: %s: %s", line[1], ParseCommand(s.Command).Opaque)
			continue
		}
		granted++
		for _, offer := range offers {
			p := &Policy{}
			if err := p.Grant(offer); err != nil {
				t.Fatal(err)
			}
			if got := p.Decide(s); got.Action != Allow {
				t.Errorf("%q is not covered by %q: %+v", line[1], offer, got)
			}
			for _, other := range []string{s.Command + "; ./x", "./x; " + s.Command, s.Command + " && rm -r x"} {
				if got := p.Decide(bash(other)); got.Action == Allow {
					t.Errorf("%q covers %q", offer, other)
				}
			}
		}
	}
	t.Logf("%d of %d", granted, len(all))
	if len(all) < 100 || granted < len(all)-2 {
		t.Errorf("%d of %d lines can be granted", granted, len(all))
	}
	if !slices.ContainsFunc(all, func(l [2]string) bool { return l[0] == "commit" }) {
		t.Error("there is no commit among them")
	}
}
