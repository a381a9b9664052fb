package scrollkeep

import (
	"os"
	"strings"
	"testing"
)

func TestTheReadmeShowsTheExamplesAsTheyAre(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]int{"hello": 12, "chat": 35} {
		file := "tui/examples/" + name + "/main.go"
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code := strings.TrimSpace(string(src[strings.Index(string(src), "package main"):]))
		if !strings.Contains(string(readme), "```go\n"+code+"\n```") {
			t.Errorf("README.md does not hold %s", file)
		}
		if n := strings.Count(code, "\n") + 1; n > most {
			t.Errorf("%s has %d lines", name, n)
		}
	}
}
