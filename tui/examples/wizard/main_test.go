package main

import (
	"io"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

func program() *tui.App { return wizard("MIT", "BSD") }

const licence = "Which licence?\n1 MIT\n2 BSD\nA number or the words of one [MIT]:\n"

func TestAnswersStayAndQuestionsDoNot(t *testing.T) {
	trial.Run(t, program, trial.Play{
		Do: []string{"ti de", "<enter>", "<ctrl+w>", "<backspace>", "de", "<enter>", "<down>", "<enter>", "y", "y"},
		Rows: []string{"What is the project called? tide", "Which licence? BSD", "Add tests? yes", "Make it now? yes",
			"Made tide, licensed BSD."},
		Lines: "ti de\ntide\nnone\nbsd\n\nyes\n",
		Text: "What is the project called?\n! a name has neither blanks nor slashes\nWhat is the project called?\n" +
			licence + "! \"none\" is none of them\n" + licence + "Add tests? [y/N]\nMake it now? [y/N]\n" +
			"What is the project called? tide\nWhich licence? BSD\nAdd tests? no\n" +
			"Make it now? yes\nMade tide, licensed BSD.\n",
	})
}

func TestEscLeavesAndTheLastLineIsTheEnd(t *testing.T) {
	trial.Run(t, program, trial.Play{
		Do: []string{"tide", "<enter>", "<esc>"}, Err: form.ErrCancelled,
		Lines: "tide\n", Text: "What is the project called?\n" + licence, PlainErr: io.EOF,
	})
}
