package approval

import (
	"strings"
	"testing"
)

// What runs the code in its input is covered by a rule that has that code: neither an answer to
// another text nor a rule for its words covers it.
func TestCodeInAnInputIsNamedWithItsLine(t *testing.T) {
	for _, c := range []string{"python3 -", "python3", "python3 /dev/stdin", "python3 -i x.py", "bash", "bash -s x",
		"sh",
		"node", "perl -", "env bash", "timeout 5 python3 -", "psql app", "sqlite3 app.db",
		"ssh host", "make -f -", "make --file=/dev/stdin", "make -f/dev/stdin", "go run -",
		"docker exec -i c sh", "docker build -", "xargs sh", "kubectl apply -f -",
		"cmake -P /dev/stdin", "uv run python -", "bash -c 'python3 -'", "rails runner -",
		"python manage.py shell", "source /dev/stdin", "python3 /dev/fd/3 3<<E\nx\nE\n: "} {
		for _, form := range []string{"%s <<'E'\necho TEXT\nE", "%s <<< 'echo TEXT'", "echo TEXT | %s", "%s < TEXT",
			"{ true; %s; } <<'E'\necho TEXT\nE", "make && echo TEXT | %s", "while read x; do %s; done < TEXT",
			"%s 0< TEXT", "echo TEXT |& %s"} {
			line := func(text string) string { return strings.NewReplacer("%s", c, "TEXT", text).Replace(form) }
			s := bash(line("one"))
			for _, offer := range (&Policy{}).Offers(s) {
				p := &Policy{}
				if err := p.Grant(offer); err != nil {
					t.Fatal(err)
				}
				if p.Decide(s).Action != Allow || p.Decide(bash(line("two"))).Action == Allow {
					t.Errorf("%q: the offer %q covers not this line, or another", s.Command, offer)
				}
			}
			for _, words := range []string{c, c + " *", strings.Fields(c)[0] + " *"} {
				r, err := ParseRule(Allow, "bash("+words+")")
				if err != nil {
					continue // no rule can have these words
				}
				p, err := NewPolicy(PolicyConfig{Rules: append(rules(t, "allow bash(make)", "allow bash(echo *)",
					"allow bash(true)", "allow read_file(*)"), Entry{Rule: r})})
				if err != nil || p.Decide(s).Action == Allow {
					t.Errorf("%q runs under %s: %v", s.Command, words, err)
				}
			}
		}
	}
	for line, words := range map[string]string{"go test ./... | tail -3": "go test *",
		"git commit -F - <<'E'\nx\nE": "git commit -F -", "make < /dev/null": "make",
		"python3 x.py < f": "python3 *", "python3 -c x": "python3 -c x",
		"tar xf - < f": "tar xf -"} {
		if !covered(t, []string{words, "tail *"}, line) {
			t.Errorf("%q asks under %s", line, words)
		}
	}
}

// A line that a rule cannot have as it stands is offered as bash quotes it.
func TestALineWithBreaksOrPatternsCanBeNamed(t *testing.T) {
	for line, want := range map[string]string{
		"python3 - <<'E'\nprint(1)\nE": `bash($'python3 - <<\'E\'\nprint(1)\nE')`,
		"sed -i 's/\\./b/' docs/*.md":  `bash($'sed -i \'s/\\./b/\' docs/*.md')`,
		"make &":                       "bash(make &)",
		"$'make' &":                    `bash($'$\'make\' &')`,
	} {
		s := bash(line)
		p := &Policy{}
		offers := p.Offers(s)
		if len(offers) != 1 || offers[0] != want || p.Grant(want) != nil || p.Decide(s).Action != Allow {
			t.Errorf("%q: %q", line, offers)
		}
	}
	p := &Policy{}
	if err := p.Grant(`bash($'sed -i s/a/b/ docs/*.md')`); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"sed -i s/a/b/ docs/x.md", "sed -i s/a/b/ docs/*.md; ./x",
		"$'sed -i s/a/b/ docs/*.md'"} {
		if p.Decide(bash(line)).Action == Allow {
			t.Errorf("%q runs", line)
		}
	}
	for _, text := range []string{`bash($'make\x20x')`, `bash($'make' x)`, `bash($'make'; ./x')`, `bash($'make\')`,
		"bash($'make\u202e')", `bash($'make\r')`, `bash($' make')`, `bash($'')`, `bash($'if')`, `bash($'make\\\nx')`} {
		if r, err := ParseRule(Allow, text); err == nil {
			t.Errorf("%s is taken: %q", text, r.line)
		}
	}
	if _, err := ParseRule(Deny, `bash($'make &')`); err == nil {
		t.Error("a rule that denies takes a line")
	}
	if _, err := Kept(`bash($'rm -r build\nls')`, false); err == nil {
		t.Error("a dangerous line is kept")
	}
}
