//go:build unix

package app

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// merging returns a conversation whose agents work in copies and give branches. The agent Lexer
// changes b.txt and makes a file; before runs in its last step.
func merging(t *testing.T, before func(c *conversation)) (c *conversation, p Host) {
	t.Helper()
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, isolatedTask("Lexer"))
		}
		if len(heard(req)) == 3 && before != nil { // it is about to end
			before(c)
		}
		return edits(req, use("1", "write_file", `{"path":"b.txt","content":"agent\n"}`),
			use("2", "write_file", `{"path":"made.txt","content":"made\n"}`))
	}}
	c, p = isolatingOn(t, m)
	c.cfg.Agents.Merge = "branch"
	return c, p
}

func TestABranchOfAnAgentIsMergedAfterOneYes(t *testing.T) {
	t.Parallel()
	c, p := merging(t, nil)
	var patch string
	who := &person{say: func(p *approval.Proposal) approval.Answer {
		if m, is := p.Payload.(approval.Merge); is {
			patch = m.Line() + "\n" + m.UnifiedDiff
		}
		if c.content(t, "b.txt") != "b\n" || strings.Contains(gitIn(t, c.dir, "log", "--all", "--format=%s"), "Lexer") {
			t.Error("it was written before")
		}
		return approval.Yes{ID: p.ID}
	}}
	r, _ := playMain(t, c, who)
	if len(who.asked) != 1 || who.asked[0] != "Lexer: merge " || !strings.Contains(patch, "-b\n+agent\n") ||
		!strings.HasPrefix(patch, "Merge agent/Lexer into ") || !strings.Contains(patch, "+made\n") {
		t.Errorf("asked was %q:\n%s", who.asked, patch)
	}
	if !strings.Contains(r.Text, "Merged agent/Lexer into ") ||
		!strings.Contains(r.Text, "Brought into the workspace: b.txt, made.txt.") {
		t.Errorf("the result is\n%s", r.Text)
	}
	if got := gitIn(t, c.dir, "status", "--porcelain"); got != " M a.txt\n?? new.txt\n" {
		t.Errorf("git says %q", got)
	}
	if got := gitIn(t, c.dir, "show", "HEAD:b.txt"); got != "agent\n" || c.content(t, "made.txt") != "made\n" {
		t.Errorf("committed is %q", got)
	}
	if lines := c.history.Changes(); len(lines) != 2 {
		t.Errorf("/undo knows %v", lines)
	}
	if left, err := os.ReadDir(p.copies().Dir); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
}

func TestABranchThatIsNotWantedLeavesNothing(t *testing.T) {
	t.Parallel()
	c, p := merging(t, nil)
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.No{ID: p.ID} }}
	repository := func() string {
		return gitIn(t, c.dir, "status", "--porcelain") + gitIn(t, c.dir, "for-each-ref") +
			gitIn(t, c.dir, "count-objects")
	}
	before := repository()
	r, _ := playMain(t, c, who)
	if got := repository(); got != before {
		t.Errorf("git says %q, and said %q", got, before)
	}
	if !strings.Contains(r.Text, "The user did not want agent/Lexer merged. All that Lexer changed is in "+
		"agent://Lexer.patch.") {
		t.Errorf("the result is\n%s", r.Text)
	}
	if left, err := os.ReadDir(p.copies().Dir); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
}

// What is no branch that can be merged is proposed file by file, and the result says why.
func TestWhatCannotBeMergedIsProposedFileByFile(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(c *conversation){
		"agent/Lexer conflicts with trunk in b.txt": func(c *conversation) {
			putFiles(t, c.dir, map[string]string{"b.txt": "mine\n"})
			gitIn(t, c.dir, "commit", "-qm", "second", "b.txt")
		},
		"b.txt has changes that are not committed": func(c *conversation) {
			putFiles(t, c.dir, map[string]string{"b.txt": "b\nmine\n"})
		},
		"a change of b.txt is not allowed": func(c *conversation) {
			if err := c.policy.SetMode(approval.ModePlan); err != nil {
				t.Error(err)
			}
		},
	} {
		c, _ := merging(t, func(c *conversation) {
			gitIn(t, c.dir, "branch", "-qm", "trunk")
			spoil(c)
		})
		who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.No{ID: p.ID} }}
		r, _ := playMain(t, c, who)
		if !strings.Contains(r.Text, "The changes were not merged as a branch: "+want+".") ||
			slices.ContainsFunc(who.asked, func(a string) bool { return !strings.HasPrefix(a, "Lexer: write_file ") }) {
			t.Errorf("%s: asked was %q\n%s", want, who.asked, r.Text)
		}
	}
}
