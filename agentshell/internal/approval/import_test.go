package approval

import (
	"slices"
	"strings"
	"testing"
)

func TestRulesOfAnotherProgramAreTakenOver(t *testing.T) {
	for _, c := range []struct {
		action Action
		from   string
		want   string // joined by blanks; "": it is not taken over
		why    string // a part of the reason
	}{
		{Allow, "Bash(npm run test:*)", "bash(npm run test *)", ""},
		{Allow, "Bash(npm run lint)", "bash(npm run lint)", ""},
		{Allow, "Bash(git diff *)", "bash(git diff *)", ""},
		{Allow, "Bash(npx tsc --noEmit)", "bash(npx tsc --noEmit)", ""},
		{Allow, "Bash(cd src && make)", "bash(cd src && make)", ""},
		{Allow, "Bash(npm run build:* *)", "bash(npm run build:* *)", ""},
		{Allow, "Bash(npx:*)", "", "runs what its words say"},
		{Allow, "Bash(sh:*)", "", "runs what its words say"},
		{Allow, "Bash(rm -rf:*)", "", "asked about in each session"},
		{Allow, "Bash(git push:*)", "", "asked about in each session"},
		{Allow, "Bash", "", "config file only"},
		{Deny, "Bash(rm -rf:*)", "bash(rm -rf *)", ""},
		{Deny, "Bash", "bash", ""},
		{Ask, "Bash(git push:*)", "bash(git push *)", ""},
		{Deny, "Bash(a; b)", "", "simple command"},
		{Allow, "Bash(* --version)", "", "must be the last"},
		{Allow, "Bash(a\nb)", "", "more than one line"},
		{Deny, "Read(./.env)", "read_file(.env)", ""},
		{Deny, "Read(./secrets/**)", "read_file(secrets/**)", ""},
		{Deny, "Read(//etc/**)", "", "outside of the workspace"},
		{Deny, "Read(~/.ssh/**)", "read_file(~/.ssh/**)", ""},
		{Deny, "Read(~root/**)", "", "outside of the workspace"},
		{Allow, "Read(src/**)", "", "without a question"},
		{Allow, "Edit(/docs/**)", "write_file(docs/**) edit_file(docs/**)", ""},
		{Allow, "Write(../x)", "", "outside of the workspace"},
		{Allow, "Edit", "", "config file only"},
		{Allow, "Edit(docs/../../x)", "", ".."},
		{Allow, "WebFetch(domain:docs.python.org)", "read_file(https://docs.python.org/**)", ""},
		{Deny, "WebFetch(domain:*.Example.com)", "read_file(https://*.example.com/**)", ""},
		{Allow, "WebFetch(domain:a/b)", "", "names their host"},
		{Allow, "WebFetch(domain:*)", "", "names their host"},
		{Allow, "WebSearch", "", "no such tool"},
		{Allow, "mcp__github__get_issue", "mcp(github/get_issue)", ""},
		{Allow, "mcp__github", "mcp(github/*)", ""},
		{Allow, "mcp__github__*", "mcp(github/*)", ""},
		{Allow, "mcp__github__get_issue(x)", "", "no pattern"},
		{Allow, "Bash(", "", "does not end"},
		{Allow, "Bash()", "", "does not end"},
		{Allow, "", "", "no such tool"},
	} {
		got := importRule(c.action, c.from)
		if strings.Join(got.Rules, " ") != c.want || (got.Why == "") != (c.want != "") ||
			!strings.Contains(got.Why, c.why) {
			t.Errorf("%s %s: %q, %s", c.action, c.from, got.Rules, got.Why)
		}
		for _, text := range got.Rules {
			if _, err := ParseRule(c.action, text); err != nil {
				t.Error(err)
			}
		}
	}
	list, _, err := ImportRules([]byte(`{"permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(.env)"],
		"ask": ["X"]}}`))
	got := slices.Collect(func(yield func(string) bool) {
		for _, i := range list {
			yield(i.Action.String() + " " + i.From)
		}
	})
	if err != nil || !slices.Equal(got, []string{"ask X", "allow Bash(ls:*)", "deny Read(.env)"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", "{}", "[]", `{"permissions": 1}`, `{"permissions": {"allow": [1]}}`} {
		if _, _, err := ImportRules([]byte(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// A rule about a tool that does not exist names the one that was meant.
func TestARuleOfAnUnknownToolNamesTheOneThatWasMeant(t *testing.T) {
	tools := Tools{"bash": {Subject: LineSubject}, "read_file": {Subject: PathSubject},
		"write_file": {Subject: PathSubject}, "edit_file": {Subject: PathSubject}}
	for text, want := range map[string]string{
		"Bash(ls:*)": "did you mean bash(ls *)?", "red_file(.env)": "did you mean read_file(.env)?",
		"write(docs/**)":  "did you mean write_file(docs/**)?",
		"Write(docs/**)":  "did you mean write_file(docs/**) and edit_file(docs/**)?",
		"Bash(npm run:*)": `there is no tool "Bash"`, "tide(x)": `there is no tool "tide"`,
		"bahs(ls)": "did you mean bash(ls)?",
	} {
		if err := tools.Check(rule(t, Allow, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
