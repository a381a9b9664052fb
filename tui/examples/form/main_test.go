package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestAnAccountIsAskedFor(t *testing.T) {
	rows := []string{"Name: Ada", "E-mail: ada@example.org", "Password: ********", "Plan: team",
		"Topics: releases, events", "Newsletter? no"}
	text := ""
	for _, row := range rows {
		text += row + "\n"
	}
	trial.Run(t, func() *tui.App { return account() }, trial.Play{
		Do: []string{"Ada", "<enter>", "ada", "<tab>", "<shift+tab>", "@example.org", "<enter>", "hunter22", "<enter>",
			"tm", "<enter>", "<space>", "<down>", "<down>", "<space>", "<tab>", "<right>", "<enter>"},
		Rows:  rows,
		Lines: "\nAda\nada\nada@example.org\nhunter22\n2\n1,ev\nn\n",
		Text: "Name:\n! an answer is needed\nName:\nE-mail:\n! mail: missing '@' or angle-addr\nE-mail:\n" +
			"It is shown nowhere.\nPassword:\nPlan\n1 free\n2 team\n3 company\n" +
			"A number or the words of one [free]:\nTopics\n1 [ ] releases\n2 [ ] security\n3 [ ] events\n" +
			"Numbers or words, commas between them; - for none:\n" +
			"Newsletter? [Y/n]\n" + text,
	})
}
