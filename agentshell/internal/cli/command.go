package cli

import (
	"context"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// command is what agentshell can be asked for: what it does, its --help, its completions and its
// part of the manual page are made of this one value.
type command struct {
	word  string // behind agentshell; "": none
	about string
	flags any // a pointer to the values that the command line sets
	// do plays the command; chosen is the word of a command of its own.
	do func(ctx context.Context, l line, chosen string) (int, error)
}

// newCommand returns a command whose flags are a new T.
func newCommand[T any](word, about string, do func(ctx context.Context, l line, flags T, chosen string) (int,
	error)) command {
	flags := new(T)
	return command{word, about, flags, func(ctx context.Context, l line, chosen string) (int, error) {
		return do(ctx, l, *flags, chosen)
	}}
}

// commands returns all of them, the shell itself first.
func commands() []command {
	return []command{
		newCommand("", description,
			func(ctx context.Context, l line, o app.Options, _ string) (int, error) { return l.Start(ctx, o) }),
		newCommand("doctor",
			"Say what the shell finds here: terminal, tmux, key, sandbox, files; and what to do about it.",
			func(ctx context.Context, l line, o app.DoctorOptions, _ string) (int, error) { return l.Doctor(ctx, o) }),
		newCommand("mcp", "Look after the MCP servers of the config file.",
			func(ctx context.Context, l line, o app.MCPOptions, chosen string) (int, error) {
				return l.MCP(ctx, o, chosen)
			}),
		newCommand("acp", "Let an editor be the screen: speak the Agent Client Protocol on the standard input and "+
			"output. The editor starts this; the README tells how.",
			func(ctx context.Context, l line, o app.SessionOptions, _ string) (int, error) {
				return l.ServeEditor(ctx, o)
			}),
		newCommand("export", "Print a session as markdown.",
			func(_ context.Context, l line, o app.ExportOptions, _ string) (int, error) { return l.Export(o) }),
		newCommand("completion", "Print what completes the command line of agentshell in a shell: agentshell "+
			"completion bash >~/.local/share/bash-completion/completions/agentshell",
			func(_ context.Context, l line, o completionFlags, _ string) (int, error) { return l.completion(o) }),
		newCommand("man", "Print the manual page: agentshell man | man -l -",
			func(_ context.Context, l line, _ struct{}, _ string) (int, error) { return l.manual() }),
	}
}

// name returns how the command is called.
func (c command) name() string {
	if c.word == "" {
		return "agentshell"
	}
	return "agentshell " + c.word
}

// grammar returns the command's line as its flags have it. exit is called when --help has been
// printed.
func (l line) grammar(c command, exit func()) (*kong.Kong, error) {
	return kong.New(c.flags, kong.Name(c.name()), kong.Description(c.about), kong.Writers(l.Stdout, l.Stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}), kong.Exit(func(int) { exit() }))
}

// play reads what stands behind the word of a command, and plays it.
func (l line) play(ctx context.Context, c command) (int, error) {
	leave := false
	k, err := l.grammar(c, func() { leave = true })
	if err != nil {
		return 0, err
	}
	read, err := k.Parse(l.args[1:])
	if leave { // --help
		return headless.ExitDone, nil
	}
	if err == nil {
		err = valueless(read)
	}
	if err != nil {
		return 0, app.Usage("%s; %s --help lists what there is", plainly(err), c.name())
	}
	return c.do(ctx, l, read.Command())
}

// find returns the command of that word.
func find(word string) (command, bool) {
	all := commands()[1:]
	i := slices.IndexFunc(all, func(c command) bool { return c.word == word })
	if i < 0 {
		return command{}, false
	}
	return all[i], true
}
