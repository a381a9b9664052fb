package app_test

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
	const notice = "commands, skills and rules in .agentshell of this workspace are not used"
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
	answer := func(use string) { p.answered(real, "skills/deploy/SKILL.md", use) }
	answer("false")
	run("there is no such skill", false)
	answer("true")
	run("Run make.", false)
	p.write(".agentshell/skills/deploy/SKILL.md", "---\ndescription: how to deploy\n---\nRun mkae.\n")
	run("there is no such skill", true)
}

// answered returns the answer to an offer of one file.
func (p *place) answered(real, name, use string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.work, ".agentshell", name))
	if err != nil {
		p.t.Fatal(err)
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "%d %s %d ", len(name), name, len(text))
	digest.Write(text)
	key := sha256.Sum256([]byte(real))
	p.write(filepath.Join(p.home, ".local/state/agentshell/workspaces", hex.EncodeToString(key[:16])+".json"),
		`{"workspace":"`+real+`","digest":"`+hex.EncodeToString(digest.Sum(nil))+`","use":`+use+"}\n")
}

// A rule of the workspace interrupts only after a yes to what it is now.
func TestARuleOfTheWorkspaceNeedsAnAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const name = "rules/no-sudo.md"
	p.write(".agentshell/"+name, "---\ncondition: '\\bsudo\\b'\n---\nNever use sudo; ask.\n")
	real, err := filepath.EvalSymlinks(p.work)
	if err != nil {
		t.Fatal(err)
	}
	run := func(interrupts, noticed bool) {
		t.Helper()
		got := p.run("", "-p", "go", "--script", p.script(`{"say":"I use sudo.","delay_ms":0}`,
			`{"expect":"Never use sudo; ask.","say":"I ask.","delay_ms":0}`))
		if is := strings.Contains(got.stderr, "Retracted by the rule no-sudo"); is != interrupts ||
			(got.stdout == "I ask.\n") != interrupts || strings.Contains(got.stderr, "you were not asked") != noticed {
			t.Errorf("%+v", got)
		}
	}
	run(false, true)
	p.answered(real, name, "false")
	run(false, false)
	p.answered(real, name, "true")
	run(true, false)
	p.write(".agentshell/"+name, "---\ncondition: '\\bsudo\\b'\n---\nNever use sudo; ask!\n")
	run(false, true)
}

// The text of a rule can be read by its address, once the person has allowed the rules of the
// workspace.
func TestARuleIsReadByItsAddress(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const name = "rules/no-sudo.md"
	p.write(".agentshell/"+name, "---\ncondition: '\\bsudo\\b'\n---\nNever use it; ask.\n")
	real, err := filepath.EvalSymlinks(p.work)
	if err != nil {
		t.Fatal(err)
	}
	read := func(expect string) {
		t.Helper()
		got := p.run("", "-p", "go", "--script", p.script(`{"delay_ms":0,"tool_calls":[{"id":"r","name":"read_file",`+
			`"input":{"path":"rule://no-sudo"}}]}`, `{"expect":"`+expect+`","say":"Done.","delay_ms":0}`))
		if got.code != 0 {
			t.Errorf("%+v", got)
		}
	}
	read("there is no such rule")
	p.answered(real, name, "true")
	read("Never use it; ask.")
}
