package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// command describes a subcommand of agentshell. Its help text, its completions and its part of the
// manual page are made from this value.
type command struct {
	word  string // The name of the subcommand; "": agentshell without one.
	about string
	flags any // A pointer to the struct whose fields are set by the flags.
	// run runs the command and returns the exit code. chosen is the name of the subcommand's own
	// subcommand, or "".
	run func(ctx context.Context, l commandLine, chosen string) (int, error)
}

// newCommand returns a command whose flags are the fields of the struct type T.
func newCommand[T any](word, about string, run func(ctx context.Context, l commandLine, flags T, chosen string) (int,
	error)) command {
	flags := new(T)
	return command{word, about, flags, func(ctx context.Context, l commandLine, chosen string) (int, error) {
		return run(ctx, l, *flags, chosen)
	}}
}

// commands returns all commands. The first one is agentshell without a subcommand.
func commands() []command {
	return []command{
		newCommand("", description,
			func(ctx context.Context, l commandLine, o app.Options, _ string) (int, error) { return l.Start(ctx, o) }),
		newCommand("doctor",
			"Say what the shell finds here: terminal, tmux, key, sandbox and files. Say how to fix faults.",
			func(ctx context.Context, l commandLine, o app.DoctorOptions, _ string) (int, error) {
				return l.Doctor(ctx, o)
			}),
		newCommand("mcp", "Manage the MCP servers of the config file.",
			func(ctx context.Context, l commandLine, o app.MCPOptions, chosen string) (int, error) {
				return l.MCP(ctx, o, chosen)
			}),
		newCommand("acp", "Use an editor as the screen: speak the Agent Client Protocol on the standard input and "+
			"output. The editor starts this command. See \"In an editor\" in docs/using.md.",
			func(ctx context.Context, l commandLine, o app.SessionOptions, _ string) (int, error) {
				return l.ServeEditor(ctx, o)
			}),
		newCommand("sessions", "List the running sessions of a workspace: in other terminals, without one, in "+
			"editors. Say which wait for an answer, and which files they changed.",
			func(_ context.Context, l commandLine, o app.SessionsOptions, _ string) (int, error) {
				return l.ListRunning(o)
			}),
		newCommand("export", "Write a session as one HTML page, as Markdown or as JSON.",
			func(ctx context.Context, l commandLine, o app.ExportOptions, _ string) (int, error) {
				return l.Export(ctx, o)
			}),
		newCommand("extension", "Write, list and test extensions: programs of yours that add commands, tools and "+
			"rows. See docs/extensions.md.",
			func(ctx context.Context, l commandLine, o app.ExtensionOptions, chosen string) (int, error) {
				return l.Extension(ctx, o, chosen)
			}),
		newCommand("rules", "Take over the rules of another program.",
			func(_ context.Context, l commandLine, o app.RulesOptions, _ string) (int, error) { return l.Rules(o) }),
		newCommand("leftovers", "List, show or discard unfinished work of agents in copies of the workspace.",
			func(ctx context.Context, l commandLine, o app.LeftoverOptions, _ string) (int, error) {
				return l.Leftovers(ctx, o)
			}),
		newCommand("completion", "Print completions of the command line for a shell: agentshell "+
			"completion bash >~/.local/share/bash-completion/completions/agentshell",
			func(_ context.Context, l commandLine, o completionFlags, _ string) (int, error) {
				return l.printCompletion(o)
			}),
		newCommand("man", "Print the manual page: agentshell man | man -l -",
			func(_ context.Context, l commandLine, _ struct{}, _ string) (int, error) { return l.printManual() }),
	}
}

// fullName returns the name of the program and of the command.
func (c command) fullName() string {
	if c.word == "" {
		return "agentshell"
	}
	return "agentshell " + c.word
}

// usage returns the first line of the help text for the command, or for a subcommand of it.
func (c command) usage(n *kong.Node) string {
	return strings.TrimSpace(c.fullName() + " " + strings.TrimSpace(n.Summary()))
}

// newParser returns the parser for a command line of c. After it has printed the help text for
// --help it calls onHelp.
func (l commandLine) newParser(c command, onHelp func()) (*kong.Kong, error) {
	parser, err := kong.New(c.flags, kong.Name(c.fullName()), kong.Writers(l.Stdout, l.Stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}), kong.Exit(func(int) { onHelp() }))
	if err == nil {
		// Not an option: kong would look for variables in the long text, with an expression and at
		// each start.
		parser.Model.Help = c.about
	}
	return parser, err
}

// runCommand parses the arguments of a command, runs it, and returns the exit code.
func (l commandLine) runCommand(ctx context.Context, c command) (int, error) {
	helpPrinted := false
	parser, err := l.newParser(c, func() { helpPrinted = true })
	if err != nil {
		return 0, err
	}
	parsed, err := parser.Parse(l.args[1:])
	if helpPrinted { // --help
		return headless.ExitDone, nil
	}
	if err == nil {
		err = checkValues(parsed)
	}
	if err != nil {
		return 0, app.UsageErrorf("%s; %s --help lists what there is", plainError(err), c.fullName())
	}
	return c.run(ctx, l, parsed.Command())
}

// findCommand returns the subcommand with that name, and false if there is none.
func findCommand(word string) (command, bool) {
	all := commands()[1:]
	i := slices.IndexFunc(all, func(c command) bool { return c.word == word })
	if i < 0 {
		return command{}, false
	}
	return all[i], true
}
