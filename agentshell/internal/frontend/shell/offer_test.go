package shell

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// anOffer returns what a workspace offers; the answers that are kept go to said.
func anOffer(said *[]bool, err error) *Offer {
	return &Offer{What: "the commands, skills and rules of this workspace",
		Question: "Use these as commands of the prompt, and as skills that the model may read? They grant nothing. " +
			"You " +
			"are asked again when they change.", Text: "---- .agentshell/commands/check.md\nReview $ARGUMENTS, and " +
			"say what is wrong.\n\n" +
			"---- .agentshell/skills/deploy/SKILL.md\n" +
			strings.Repeat("Run the next step.\n", 30) + "The last row.\n", Files: 2, Skills: []string{"deploy"},
		Rules:   []string{"no-sudo"},
		Notices: []string{"commands/x.md in .agentshell is not used: it is empty"},
		Commands: []Command{{Name: "check", About: "a review",
			Text: func(args string) string { return "Review " + args }}},
		Decide: func(use bool) error {
			*said = append(*said, use)
			return err
		}}
}

func TestHowTheOfferOfAWorkspaceLooks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {20, 6}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []bool
				s := beginConfigured(t, tuitest.Config{Cols: size[0], Rows: size[1]},
					func(c *Config) { c.Start.Offers = []*Offer{anOffer(&said, nil)} })
				s.pass(3 * time.Second)
				s.Golden()
			})
		})
	}
}

// What a workspace offers is used after a yes only, and an answer counts only when all of the
// question could be seen and no sooner.
func TestTheOfferOfAWorkspaceIsAsked(t *testing.T) {
	for _, c := range []struct {
		name, key string
		err       error
		said      string
		tape      string
		works     bool
	}{
		{"yes", "y", nil, "[true]", "Of this workspace: /check, the skill deploy, the rule no-sudo.", true},
		{"no", "n", nil, "[false]", "are not used. You are asked again when they change.", false},
		{"later", "escape", nil, "[]", "you are asked again in the next session.", false},
		{"it cannot be kept", "y", errors.New("no disk"), "[true]", "Your answer was not kept", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []bool
				expect := `{"expect":"Review the parser","say":"Reviewed.","delay_ms":0}`
				s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24},
					func(c2 *Config) { c2.Start.Offers = []*Offer{anOffer(&said, c.err)} }, expect)
				if c.key == "y" {
					s.Press("y") // nobody has seen it yet
					if len(said) > 0 {
						t.Fatal("a key counted before the question was in sight")
					}
					s.Press("backspace")
				}
				s.pass(3 * time.Second)
				s.lacks("The last row.")
				s.Press("G")
				s.holds("The last row.")
				if s.pass(2 * time.Second); c.key == "y" {
					s.Press("y") // rows between the two pages were not in sight
					s.holds("y does nothing yet: 20 rows not in sight so far; scroll")
					if len(said) > 0 {
						t.Fatal("a key counted before all rows were in sight")
					}
					s.Press("g")
					for range 4 {
						s.Press("space")
					}
					s.pass(2 * time.Second)
				}
				s.Press(c.key)
				s.pass(time.Second)
				if got := fmt.Sprint(said); got != c.said {
					t.Errorf("answers %s", got)
				}
				s.holds(c.tape)
				s.line("/check the parser")
				if c.works {
					s.holds("Reviewed.")
				} else {
					s.holds("There is no command /check.")
				}
			})
		})
	}
}

// Esc puts off one question. The next one is asked all the same, and the turn of a message that
// waits begins after it.
func TestEscPutsOffOneOffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var first, second []bool
		other := anOffer(&second, nil)
		other.What, other.Text, other.Commands = "the MCP servers of this workspace", "one row", nil
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24},
			func(c *Config) { c.Start.Offers = []*Offer{anOffer(&first, nil), other} },
			`{"say":"An answer.","delay_ms":0}`)
		s.pass(3 * time.Second)
		s.Press("escape")
		s.pass(3 * time.Second)
		s.holds("one row", "[n]o")
		s.Press("n")
		s.pass(3 * time.Second)
		if len(first) > 0 || fmt.Sprint(second) != "[false]" {
			t.Errorf("answers %v, %v", first, second)
		}
		s.holds("The commands, skills and rules of this workspace are not used now; you are asked again in the "+
			"next session.",
			"The MCP servers of this workspace are not used. You are asked again when they change.")
		s.line("hello")
		s.holds("An answer.")
	})
}
