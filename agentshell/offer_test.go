package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where nobody can be asked, what a workspace offers is used only after an earlier answer, and only
// as it was then.
func TestWithoutAPersonAnOfferNeedsAnEarlierAnswer(t *testing.T) {
	p := newPlace(t)
	p.write(".agentshell/skills/deploy/SKILL.md", "---\ndescription: how to deploy\n---\nRun make.\n")
	script := func(expect string) string {
		return p.script(`{"say":"I look.","delay_ms":0,"tool_calls":[{"id":"d","name":"read_file","input":`+
			`{"path":"skill://deploy"}}]}`, `{"expect":"`+expect+`","say":"Done.","delay_ms":0}`)
	}
	const notice = "commands and skills in .agentshell of this workspace are not used"
	run := func(expect string, noticed bool) {
		t.Helper()
		got := p.run("", "--script", script(expect), "-p", "go")
		if got.code != 0 || !strings.Contains(got.stdout, "Done.") || strings.Contains(got.stderr, notice) != noticed {
			t.Errorf("%+v", got)
		}
	}
	run("there is no such skill", true)

	real, err := filepath.EvalSymlinks(p.work)
	if err != nil {
		t.Fatal(err)
	}
	name := "skills/deploy/SKILL.md"
	text, err := os.ReadFile(filepath.Join(p.work, ".agentshell", name))
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "%d %s %d ", len(name), name, len(text))
	digest.Write(text)
	key := sha256.Sum256([]byte(real))
	answers := filepath.Join(p.home, ".local/state/scrollkeep/workspaces", hex.EncodeToString(key[:16])+".json")
	answer := func(use string) {
		p.write(answers, `{"workspace":"`+real+`","digest":"`+hex.EncodeToString(digest.Sum(nil))+`","use":`+use+"}\n")
	}
	answer("false")
	run("there is no such skill", false)
	answer("true")
	run("Run make.", false)
	p.write(".agentshell/skills/deploy/SKILL.md", "---\ndescription: how to deploy\n---\nRun mkae.\n")
	run("there is no such skill", true)
}
