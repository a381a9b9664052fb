package app

import (
	"slices"

	"github.com/alecthomas/kong"
)

// command is what agentshell can be asked for: its --help, its completions and its manual page are
// made of this one value.
type command struct {
	word  string // behind agentshell; "": none
	about string
	flags any // a pointer to new ones
}

// commands are all of them, the shell itself first.
func commands() []command {
	return []command{
		{"", description, new(flags)},
		{"doctor", "Say what the shell finds here: terminal, tmux, key, sandbox, files; and what to do about it.",
			new(doctorFlags)},
		{"mcp", "Look after the MCP servers of the config file.", new(mcpFlags)},
		{"acp", "Let an editor be the screen: speak the Agent Client Protocol on the standard input and output. The " +
			"editor starts this; the README tells how.", new(common)},
		{"export", "Print a session as markdown.", new(exportFlags)},
		{"completion", "Print what completes the command line of agentshell in a shell: agentshell completion bash " +
			">~/.local/share/bash-completion/completions/agentshell", new(completionFlags)},
		{"man", "Print the manual page: agentshell man | man -l -", new(struct{})},
	}
}

// name is how the command is called.
func (c command) name() string {
	if c.word == "" {
		return "agentshell"
	}
	return "agentshell " + c.word
}

// grammar is the command's line as its flags have it. exit is called when --help has been printed.
func (p process) grammar(c command, exit func()) (*kong.Kong, error) {
	return kong.New(c.flags, kong.Name(c.name()), kong.Description(c.about), kong.Writers(p.stdout, p.stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}), kong.Exit(func(int) { exit() }))
}

// behind reads what stands behind the word of a command into its flags, a pointer to what
// [commands] has for it. chosen is the word of a command of its own; leave: it asked for help,
// which has been printed.
func (p process) behind(word string, flags any) (chosen string, leave bool, err error) {
	all := commands()
	c := all[slices.IndexFunc(all, func(c command) bool { return c.word == word })]
	c.flags = flags
	k, err := p.grammar(c, func() { leave = true })
	if err != nil {
		return "", false, err
	}
	line, err := k.Parse(p.args[1:])
	if leave {
		return "", true, nil
	} else if err != nil {
		return "", false, usage("%s; %s --help lists what there is", plainly(err), c.name())
	}
	return line.Command(), false, nil
}
