package approval_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// plainLetters are characters that a word may begin with. No program takes such a word for an
// option, an address or a file with more words.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// Names in the wild are offered as providers take them, each as another one, and rules name either.
func TestTheToolsOfServersHaveNamesThatProvidersTake(t *testing.T) {
	names := []string{"put", "_private", "a-b", "read.file", "read/file", "read file", "read_file", "a__b", "a_b",
		"dépôt",
		"文件", "目录", strings.Repeat("long_", 20), strings.Repeat("long_", 20) + "x", "Read.File", "...", "x/y/z"}
	seen := map[string]string{}
	for _, server := range []string{"notes", "my_server", strings.Repeat("sequential-thinking-", 3), "a_"} {
		for _, own := range names {
			name := approval.ForeignName(server, own)
			if len(name) > 64 || strings.Trim(name, plainLetters) != "" || seen[name] != "" {
				t.Errorf("%s of %s is offered as %s, as is %s", own, server, name, seen[name])
			}
			seen[name] = own + " of " + server
			short, offered, _ := strings.Cut(strings.TrimPrefix(name, "mcp__"), "__")
			for _, rule := range []string{server + "/" + own, short + "/" + offered} {
				r, err := approval.ParseRule(approval.Allow, "mcp("+rule+")")
				if err != nil {
					t.Errorf("mcp(%s): %v", rule, err)
					continue
				}
				p, err := approval.NewPolicy(approval.PolicyConfig{Rules: []approval.Entry{{Rule: r, Origin: "flag"}}})
				if err != nil {
					t.Fatal(err)
				}
				if got := p.Decide(approval.Subject{Tool: name, Mutates: true}).Action; got != approval.Allow {
					t.Errorf("mcp(%s) does not cover %s: %v", rule, name, got)
				}
				if got := p.Decide(approval.Subject{Tool: approval.ForeignName(server, own+"2"),
					Mutates: true}).Action; got == approval.Allow {
					t.Errorf("mcp(%s) covers another tool", rule)
				}
			}
		}
	}
	if got := approval.ForeignName("notes", "put"); got != "mcp__notes__put" {
		t.Errorf("a plain name is %s", got)
	}
}

// A tool of an extension is decided as one of a server is: it asks, also in mode edits, and plan
// mode denies it.
func TestAToolOfAnExtensionAsksAsOneOfAServerDoes(t *testing.T) {
	name := approval.ExtensionName("branches", "list")
	for _, c := range []struct {
		mode, rule string
		want       approval.Action
	}{{approval.ModeAsk, "", approval.Ask}, {approval.ModeEdits, "", approval.Ask},
		{approval.ModePlan, "", approval.Deny}, {approval.ModeAsk, name, approval.Allow},
		{approval.ModeAsk, "ext__branches__other", approval.Ask}} {
		cfg := approval.PolicyConfig{Mode: c.mode}
		if c.rule != "" {
			r, err := approval.ParseRule(approval.Allow, c.rule)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Rules = []approval.Entry{{Rule: r, Origin: "flag"}}
		}
		p, err := approval.NewPolicy(cfg)
		if err != nil {
			t.Fatal(err)
		}
		s := approval.Subject{Tool: name, Mutates: true, Hash: "0123456789abcdef"}
		if got := p.Decide(s).Action; got != c.want {
			t.Errorf("%s, %q: %v, want %v", c.mode, c.rule, got, c.want)
		}
		if offers := p.Offers(s); len(offers) != 1 || offers[0] != name {
			t.Errorf("offered: %q", offers)
		}
	}
	if _, err := approval.ParseRule(approval.Allow, name+"(x)"); err == nil {
		t.Error("a pattern is taken")
	}
}
