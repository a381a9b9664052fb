package script_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

func TestAnAgentIsAnsweredByItsOwnLines(t *testing.T) {
	m, err := script.Parse("s", []byte(strings.Join([]string{`{"say":"main 1"}`, `{"agent":"Lexer","say":"lexer 1"}`,
		`{"say":"main 2"}`, `{"agent":"Lexer","say":"lexer 2"}`}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	said := func(m provider.Model) (text string) {
		for e, err := range m.Stream(t.Context(), provider.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
			if d, is := e.(provider.TextDelta); is {
				text += d.Text
			}
		}
		return text
	}
	got := []string{said(m.For("Lexer")), said(m), said(m.For("Lexer"))}
	if strings.Join(got, ",") != "lexer 1,main 1,lexer 2" || m.UnusedLines() != 1 {
		t.Errorf("%q, %d lines are left", got, m.UnusedLines())
	}
	if text := said(m.For("Docs")); text != "main 2" { // it has none of its own
		t.Errorf("%q", text)
	}
}
