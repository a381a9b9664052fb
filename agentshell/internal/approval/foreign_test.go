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
