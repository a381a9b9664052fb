package soak

import "testing"

func TestATableSumsTheRunsOfACell(t *testing.T) {
	run := func(terminal, program, content, manner string, c Count) Run {
		return Run{Terminal: terminal, Program: program, Content: content, Manner: manner, Count: c}
	}
	table := Table{
		run("vte 0.70", Control, "markdown", "random", Count{}),
		run("vte 0.70", "shell", "markdown", "random", Count{Lost: 1, Whole: 3, Pieces: 2, Torn: 1}),
		run("vte 0.70", "shell", "markdown", "random", Count{Whole: 4, Residue: 2}),
		run("vte 0.70", "shell", "markdown", "pane", Count{Pane: 7}),
		run("tmux 3.3a", "shell", "plain", "random", Count{}),
	}
	table[4].Failed = "the program does not end"
	const text = `Soak
Words lost / rows doubled whole + in pieces / rows of footer and prompt left / rows of the pane left.

terminal   text      program  random              pane
tmux 3.3a  plain     shell    0/0+0/0/0 failed 1
vte 0.70   markdown  control  0/0+0/0/0
vte 0.70   markdown  shell    1/7+2/2/0 torn 1    0/0+0/0/7
`
	if got := table.Text("Soak"); got != text {
		t.Errorf("got\n%q\nwant\n%q", got, text)
	}
	const markdown = `Soak

Words lost / rows doubled whole + in pieces / rows of footer and prompt left / rows of the pane left.

| terminal | text | program | random | pane |
| --- | --- | --- | --- | --- |
| tmux 3.3a | plain | shell | 0/0+0/0/0 failed 1 |  |
| vte 0.70 | markdown | control | 0/0+0/0/0 |  |
| vte 0.70 | markdown | shell | 1/7+2/2/0 torn 1 | 0/0+0/0/7 |
`
	if got := table.Markdown("Soak"); got != markdown {
		t.Errorf("got\n%s\nwant\n%s", got, markdown)
	}
}
