// Package cli parses the command line of agentshell and runs its subcommands. It also prints the
// help texts, the completion scripts and the manual page.
package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// commandLine holds the arguments of the process and the host that it runs on.
type commandLine struct {
	app.Host
	args []string // The arguments without the name of the program.
}

// description is the beginning of the text of --help and of the manual page: what the program is,
// and which files contain instructions for the model. Each paragraph is one line, because an
// indented line would be shown as code and not be wrapped.
const description = "A coding agent for the terminal. It shows every file change as a diff before a byte is " +
	"written, and it leaves your terminal's scrollback alone.\n\n" +
	"AGENTS.md instructs the model: the one in your config folder (~/.config/agentshell), the one in the workspace, " +
	"and those in its directories. In the config folder, commands/NAME.md is the command /NAME, " +
	"skills/NAME/SKILL.md a skill, rules/NAME.md a rule that interrupts the model, agents/NAME.md a kind of agent, " +
	"and themes/NAME.toml a theme (/theme). The folder .agentshell of a workspace may hold the first four, too. " +
	"The shell asks you about them once."

// commandsText is the list of subcommands in the text of --help.
const commandsText = "Commands, of which each has its own --help:\n\n" +
	"  agentshell doctor       check terminal, tmux, key, sandbox and files\n" +
	"  agentshell mcp          manage the MCP servers of the config file\n" +
	"  agentshell acp          serve an editor\n" +
	"  agentshell sessions     list running sessions\n" +
	"  agentshell export       write a session as HTML, Markdown or JSON\n" +
	"  agentshell extension    write, list and test extensions\n" +
	"  agentshell rules        take over the rules of another program\n" +
	"  agentshell leftovers    list unfinished work of agents in copies\n" +
	"  agentshell completion   print completions for bash, zsh or fish\n" +
	"  agentshell man          print the manual page"

// exitCodes returns the meanings of the exit codes, for --help and for the manual page.
func exitCodes() []manualEntry {
	return []manualEntry{{"0", "done"}, {"1", "error"}, {"2", "usage"},
		{"3", "the script was written for another conversation"}, {"4", "a call was denied"},
		{"5", "a limit ended it (turns, tokens, cost, time)"}, {"6", "the model refused"}, {"130", "interrupted"}}
}

// helpText returns the part of the text of --help above the list of flags.
func helpText() string {
	var codes []string
	for _, c := range exitCodes() {
		codes = append(codes, c.name+" "+c.about)
	}
	return description + "\n\n" + commandsText + "\n\nExit codes: " + strings.Join(codes, ", ") + "."
}

// Run runs the program with the given arguments, which do not include its name, and returns the
// exit code.
func Run(ctx context.Context, host app.Host, args []string) int {
	l := commandLine{host, args}
	code, err := l.dispatch(ctx)
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)),
		context.Cause(ctx) == headless.ErrNoReader:
		return headless.ExitInterrupted
	case err == nil:
		return code
	}
	app.PrintLine(host.Stderr, "agentshell: %v", err)
	if app.IsUsageError(err) {
		return headless.ExitUsage
	}
	return headless.ExitError
}

// dispatch runs the subcommand that the first argument names, or else the shell. It returns the
// exit code.
func (l commandLine) dispatch(ctx context.Context) (int, error) {
	if len(l.args) > 0 {
		if c, ok := findCommand(l.args[0]); ok {
			return l.runCommand(ctx, c)
		}
	}
	o, printed, err := l.parse()
	if err != nil || printed {
		return headless.ExitDone, err
	}
	return l.Start(ctx, o)
}

// parse parses a command line without a subcommand. printed is true if it has printed the help text
// or the version, so that nothing else is to be done.
func (l commandLine) parse() (o app.Options, printed bool, err error) {
	helpPrinted := false
	grammar, err := l.newParser(command{about: helpText(), flags: &o}, func() { helpPrinted = true })
	if err != nil {
		return o, false, err
	}
	parsed, err := grammar.Parse(l.args)
	switch {
	case helpPrinted: // --help
		return o, true, nil
	case err == nil:
		err = checkValues(parsed)
	}
	switch {
	case err != nil:
		return o, false, app.UsageErrorf("%s; %s", plainError(err), adviceFor(err))
	case o.Version:
		_, err := fmt.Fprintln(l.Stdout, "agentshell", app.Version()) // internal/dist parses it
		return o, true, err
	}
	if near := misspeltCommand(l.args); near != "" {
		return o, false,
			app.UsageErrorf("no such command; did you mean %s? To send it as a message: agentshell -- %s", near,
				l.args[0])
	}
	return o, false, nil
}

// checkValues returns an error if a flag has an empty value, if a number is not above 0, or if
// there are two prompts. A script with an unset variable may pass such values, which is not the
// same as leaving the flag out.
func checkValues(parsed *kong.Context) error {
	prompts := 0
	for _, part := range parsed.Path {
		f := part.Flag
		if f == nil {
			continue
		}
		above := 1.0 // what a number may be at most is left to those who use it
		switch {
		case f.Target.Kind() == reflect.String && f.Target.String() == "":
			return fmt.Errorf("--%s: a value is missing", f.Name)
		case f.Target.CanInt():
			above = float64(f.Target.Int())
		case f.Target.CanFloat():
			above = f.Target.Float()
		case f.Name == "prompt":
			prompts++
		}
		if !(above > 0) || math.IsInf(above, 0) {
			return fmt.Errorf("--%s has to be a number above 0; leave it out for the default", f.Name)
		}
	}
	if prompts > 1 {
		return errors.New("there are two prompts: -p may stand only once")
	}
	return nil
}

// misspeltCommand returns the command that the user may have meant by a single word, or "". A
// message to a model is rarely one word, and rarely that similar to the name of a command.
func misspeltCommand(args []string) string {
	if len(args) != 1 || strings.ContainsAny(args[0], " \t\n") || strings.HasPrefix(args[0], "-") {
		return ""
	}
	if args[0] == "help" || args[0] == "version" { // as with git and go
		return "--" + args[0]
	}
	return nearest.Name(args[0], 2, "doctor", "sessions", "export", "extension", "completion")
}

// adviceFor returns what the user can do about an error in the command line.
func adviceFor(err error) string {
	switch text := err.Error(); {
	case strings.HasPrefix(text, "unexpected argument"):
		return "put a message in quotes: agentshell 'what to do'"
	case strings.HasPrefix(text, "--prompt:"):
		return "-p 'what to do', or -p - to read it from the standard input"
	case strings.HasPrefix(text, "--resume:"):
		return "--continue takes the last session; in the shell, /resume lists them"
	}
	return "agentshell --help lists all flags"
}

// plainError returns the text of a parser error in plain words.
func plainError(err error) string {
	flag, rest, _ := strings.Cut(err.Error(), ": expected ")
	kind, got, _ := strings.Cut(rest, " but got ")
	value, quoteErr := strconv.QuotedPrefix(got)
	wanted := "a number above 0, such as 5"
	switch {
	case quoteErr != nil:
		return err.Error()
	case value == `"EOL"` || value == `""`:
		return flag + ": a value is missing"
	case strings.Contains(kind, "duration"):
		wanted = "a time above 0, such as 90s, 20m or 2h"
	case strings.Contains(kind, "int"):
		wanted = "a whole number above 0, such as 5"
	case !strings.Contains(kind, "float"):
		return err.Error()
	}
	return fmt.Sprintf("%s: %s is not %s", flag, value, wanted)
}
