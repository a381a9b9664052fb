// Package cli reads the command line of agentshell, and prints what describes it: help,
// completions, the manual page.
package cli

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// line is a command line and what it is played on.
type line struct {
	app.Host
	args []string // behind the program's name
}

const description = `A shell for working with a language model on files. Every change is shown as a diff before a byte is written, and your terminal's scrollback is yours.

AGENTS.md in your config folder (~/.config/scrollkeep), in the workspace and in its directories instructs the model. In the config folder, commands/NAME.md is the command /NAME, skills/NAME/SKILL.md a skill, rules/NAME.md a rule that interrupts the model, and themes/NAME.toml a theme (/theme). .agentshell of a workspace may have the first three, too: you are asked about them once.

agentshell doctor [--json] checks what is here: terminal, tmux, key, sandbox, files. agentshell mcp looks after the MCP servers of the config file. agentshell acp lets an editor be the screen. agentshell export [ID] prints a session as markdown. agentshell completion bash (zsh, fish) prints what completes this command line, agentshell man the manual page.

Exit codes: 0 done, 1 error, 2 usage, 3 the script was written for another conversation, 4 a call was denied, 5 a limit ended it (turns, tokens, cost, time), 6 the model refused, 130 interrupted.`

// Run returns the whole program: it reads args, the words behind the program's name, does what they
// ask for, and returns the exit code.
func Run(ctx context.Context, host app.Host, args []string) int {
	l := line{host, args}
	code, err := l.dispatch(ctx)
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		return headless.ExitInterrupted
	case err == nil:
		return code
	}
	app.Say(host.Stderr, "scrollkeep: %v", err)
	if app.IsUsage(err) {
		return headless.ExitUsage
	}
	return headless.ExitError
}

func (l line) dispatch(ctx context.Context) (int, error) {
	if len(l.args) > 0 {
		if c, ok := find(l.args[0]); ok {
			return l.play(ctx, c)
		}
	}
	o, leave, err := l.parse()
	if err != nil || leave {
		return headless.ExitDone, err
	}
	return l.Start(ctx, o)
}

// parse reads the line of the shell itself. leave: it asked for a text that has been printed.
func (l line) parse() (o app.Options, leave bool, err error) {
	asked := false
	k, err := l.grammar(command{about: description, flags: &o}, func() { asked = true })
	if err != nil {
		return o, false, err
	}
	given, err := k.Parse(l.args)
	switch {
	case asked: // --help
		return o, true, nil
	case err == nil:
		err = valueless(given)
	}
	switch {
	case err != nil:
		return o, false, app.Usage("%s; %s", plainly(err), whatToDo(err))
	case o.Version:
		_, err := fmt.Fprintln(l.Stdout, "scrollkeep", app.Version())
		return o, true, err
	}
	if near := misspelt(l.args); near != "" {
		return o, false, app.Usage("no such command; did you mean %s? To send it as a message: agentshell -- %s", near,
			l.args[0])
	}
	return o, false, nil
}

// valueless returns an error about the first flag that was given an empty value, as an empty
// variable of a script gives it: it is not what leaving out the flag means.
func valueless(given *kong.Context) error {
	for _, part := range given.Path {
		if f := part.Flag; f != nil && f.Target.Kind() == reflect.String && f.Target.String() == "" {
			return fmt.Errorf("--%s: a value is missing", part.Flag.Name)
		}
	}
	return nil
}

// misspelt returns the command that a lone word on the command line may have meant, "" for none. A
// message to a model is rarely one word, and never that close to one of ours.
func misspelt(args []string) string {
	if len(args) != 1 || strings.ContainsAny(args[0], " \t\n") || strings.HasPrefix(args[0], "-") {
		return ""
	}
	return nearest.Name(args[0], 2, "doctor", "export", "completion")
}

func whatToDo(err error) string {
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

// plainly returns what the parser of the flags says, without its own words for the end of the line.
func plainly(err error) string {
	if flag, _, missing := strings.Cut(err.Error(), ": expected string value but got \"EOL\""); missing {
		return flag + ": a value is missing"
	}
	return err.Error()
}
