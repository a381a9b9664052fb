package app

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// A value of a workspace's file cannot add rows, or a server, to the question about it.
func TestAServerForgesNoRow(t *testing.T) {
	t.Parallel()
	const evil = "#\n  folder       /usr\n\nother\u009b\u202e"
	for want, m := range map[int]config.MCP{
		5: {Command: []string{"sh", "-c", "touch x " + evil}, Env: []string{"A=" + evil}},
		4: {URL: "https://x/" + evil, Headers: map[string]string{"A": evil}},
	} {
		text := serverText("docs", m, nil, "/w")
		if n := strings.Count(text, "\n"); n != want || strings.ContainsAny(text, "\u009b\u202e") {
			t.Errorf("%d lines: %q", n, text)
		}
	}
}
