package scrollkeep

import (
	"os"
	"strings"
	"testing"
)

func TestTheReadmeShowsTheChatExampleAsItIs(t *testing.T) {
	src, err := os.ReadFile("tui/examples/chat/main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.TrimSpace(string(src[strings.Index(string(src), "package main"):]))
	if !strings.Contains(string(readme), "```go\n"+code+"\n```") {
		t.Error("README.md does not hold tui/examples/chat/main.go")
	}
	if n := strings.Count(code, "\n") + 1; n > 35 {
		t.Errorf("the chat has %d lines", n)
	}
}
