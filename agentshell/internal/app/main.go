// Package app puts one run of the program together: settings, session, front end.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// softMemory is from where on memory that is free is looked for more often: a call with 20 MiB of
// arguments leaves 200 MiB of copies behind otherwise.
const softMemory = 128 << 20

// Main runs the program and exits with its code.
func Main() {
	sandbox.Stage(os.Args)
	document.Work(os.Args)
	private()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	family := new(child.Family)
	if err := family.Adopt(context.Background()); err != nil { // they end as far as they stay in their process groups
		say(os.Stderr, "scrollkeep: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := &ending{kill: func() { family.Close(0) }, exit: os.Exit, cancel: cancel}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go end.watch(signals)
	p := process{
		args: os.Args[1:], getenv: os.Getenv, environ: os.Environ(), tempDir: os.TempDir(),
		stdin: os.Stdin, stdout: newPipe(os.Stdout, family), stderr: newPipe(os.Stderr, family),
		piped:  piped(os.Stdin),
		typing: terminal.IsTerminal(os.Stdin), showing: terminal.IsTerminal(os.Stdout),
		family: family, end: end,
	}
	os.Exit(p.guarded().run(ctx))
}

// piped reports whether f is something that a shell has put there: | or <.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0)
}

// process is what the operating system gives us.
type process struct {
	args           []string
	getenv         func(string) string
	environ        []string
	tempDir        string
	stdin          io.Reader
	stdout, stderr io.Writer
	typing         bool // the standard input is a terminal
	showing        bool // the standard output is one
	piped          bool // the standard input is a pipe or a file, which ends
	family         *child.Family
	end            *ending // nil: takes as long as it takes
}

// common are the flags that a session has, whoever shows it.
type common struct {
	Provider  string   `placeholder:"NAME" help:"Who answers: anthropic, openai (or a server that speaks its language, at OPENAI_BASE_URL), or script. Default: the one whose key is in the environment."`
	Model     string   `placeholder:"NAME" help:"The provider's model."`
	Script    string   `placeholder:"FILE" help:"Answer from a script, a file of JSON lines; implies --provider script."`
	Mode      string   `placeholder:"MODE" help:"ask (default), edits (file writes without a flag run), plan (nothing that changes anything runs), trusted (everything without a flag runs), or unconfined (everything runs, without a sandbox: for containers)."`
	Allow     []string `sep:"none" placeholder:"RULE" help:"Run what the rule names without asking. A rule is tool(pattern): write_file(docs/**), bash(go test *). * stands for operands and options that cannot run or write anything else. May be repeated."`
	Ask       []string `sep:"none" placeholder:"RULE" help:"Ask before what the rule names runs, even if something else allows it."`
	Deny      []string `sep:"none" placeholder:"RULE" help:"Refuse what the rule names. Deny beats ask, ask beats allow."`
	Effort    string   `placeholder:"LEVEL" help:"How much of it a model spends on an answer: none, minimal, low, medium, high, xhigh or max. Default: the provider's."`
	MaxTurns  int      `placeholder:"N" help:"Ask the model at most N times for one message (default 200, or max_steps in the config file)."`
	MaxTokens int      `placeholder:"N" help:"End when the requests of this run have taken N tokens, sent and answered."`
	MaxCost   float64  `placeholder:"USD" help:"End when the session has cost so many dollars; like max_cost in the config file."`
	Thinking  bool     `help:"Show the model's thinking (Claude 4.6 or later)."`
	NoLog     bool     `help:"Keep no session log."`
	AddDir    []string `sep:"none" placeholder:"DIR" help:"A further directory to work in; DIR:ro to read only. May be repeated."`
}

// flags are the command line. The rules' language is that of the config file and of the pane.
type flags struct {
	common
	Message   *string         `arg:"" optional:"" help:"What to send first, in the shell."`
	Prompt    *string         `short:"p" placeholder:"PROMPT" help:"Answer one prompt on the standard output, without a screen. With - the prompt is read from the standard input; else what is piped there goes with it."`
	Output    headless.Output `placeholder:"FORM" help:"How -p prints: text, json (one object at the end) or stream-json (one object a line, as things happen)."`
	Input     headless.Output `placeholder:"FORM" help:"With stream-json a program drives the conversation: one JSON object a line comes in, and records go out as with --output stream-json."`
	Workspace string          `placeholder:"DIR" help:"The directory to work in. Nothing outside it is read or written. Default: the current one."`
	Demo      bool            `help:"Play the embedded demo in a workspace made for it. No key, no network."`
	Resume    string          `placeholder:"ID" help:"Resume a session from the log. In the shell, /resume lists them."`
	Continue  bool            `short:"c" help:"Resume the last session of this workspace."`
	Fork      bool            `help:"With --resume or --continue: continue in a copy of the session."`
	Timeout   time.Duration   `placeholder:"TIME" help:"With -p: end after this time, as in 90s or 20m."`
	Plain     bool            `help:"Only add text and redraw nothing, for screen readers and simple terminals. ACCESSIBLE in the environment does the same."`
	Version   bool            `help:"Print the version and exit."`
}

const description = `A shell for working with a language model on files. Every change is shown as a diff before a byte is written, and your terminal's scrollback is yours.

AGENTS.md in your config folder (~/.config/scrollkeep), in the workspace and in its directories instructs the model. In the config folder, commands/NAME.md is the command /NAME, skills/NAME/SKILL.md a skill, rules/NAME.md a rule that interrupts the model, and themes/NAME.toml a theme (/theme). .agentshell of a workspace may have the first three, too: you are asked about them once.

agentshell doctor [--json] checks what is here: terminal, tmux, key, sandbox, files. agentshell mcp looks after the MCP servers of the config file. agentshell acp lets an editor be the screen. agentshell export [ID] prints a session as markdown. agentshell completion bash (zsh, fish) prints what completes this command line, agentshell man the manual page.

Exit codes: 0 done, 1 error, 2 usage, 3 the script was written for another conversation, 4 a call was denied, 5 a limit ended it (turns, tokens, cost, time), 6 the model refused, 130 interrupted.`

// errDemoWorkspace says where the demo plays.
var errDemoWorkspace = usage("the demo plays in a workspace made for it: leave out --workspace, or give your own " +
	"--script FILE")

// usageError is a command line that cannot be run; its text says what to do.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run is the whole program; the result is its exit code.
func (p process) run(ctx context.Context) int {
	code, err := p.dispatch(ctx)
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		return headless.ExitInterrupted
	case err == nil:
		return code
	}
	say(p.stderr, "scrollkeep: %v", err)
	if errors.As(err, new(usageError)) {
		return headless.ExitUsage
	}
	return headless.ExitError
}

func (p process) dispatch(ctx context.Context) (int, error) {
	switch {
	case len(p.args) == 0:
	case p.args[0] == "doctor":
		return p.doctor(ctx)
	case p.args[0] == "mcp":
		return p.mcpServers(ctx)
	case p.args[0] == "acp":
		return p.serveEditor(ctx)
	case p.args[0] == "export":
		return p.export()
	case p.args[0] == "completion":
		return p.completion()
	case p.args[0] == "man":
		return p.manual()
	}
	f, leave, err := p.parse()
	if err != nil || leave {
		return headless.ExitDone, err
	}
	return p.start(ctx, f)
}

// parse reads the command line. leave: it asked for a text that has been printed.
func (p process) parse() (f flags, leave bool, err error) {
	asked := false
	k, err := p.grammar(command{about: description, flags: &f}, func() { asked = true })
	if err != nil {
		return f, false, err
	}
	_, err = k.Parse(p.args)
	switch {
	case asked: // --help
		return f, true, nil
	case err != nil:
		return f, false, usage("%s; %s", plainly(err), whatToDo(err))
	case f.Version:
		_, err := fmt.Fprintln(p.stdout, "scrollkeep", version())
		return f, true, err
	}
	if near := misspelt(p.args); near != "" {
		return f, false, usage("no such command; did you mean %s? To send it as a message: agentshell -- %s", near,
			p.args[0])
	}
	return f, false, f.check()
}

// misspelt is the command that a lone word on the command line may have meant, "" for none. A
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

// plainly is what the parser of the flags says, without its own words for the end of the line.
func plainly(err error) string {
	if flag, _, missing := strings.Cut(err.Error(), ": expected string value but got \"EOL\""); missing {
		return flag + ": a value is missing"
	}
	return err.Error()
}

// choices are the values that a flag may have; nil: any.
func choices(flag string) []string {
	switch flag {
	case "output":
		return []string{string(headless.Text), string(headless.JSON), string(headless.StreamJSON)}
	case "input":
		return []string{string(headless.StreamJSON)}
	case "provider":
		return []string{"anthropic", "openai", "script"}
	case "effort":
		return config.Efforts()
	case "mode":
		return []string{"ask", "edits", "plan", "trusted", "unconfined"}
	}
	return nil
}

// either is the words as a choice: a, b or c.
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// check finds flags that contradict each other.
func (f flags) check() error {
	for _, one := range []struct{ flag, value string }{{"output", string(f.Output)}, {"input", string(f.Input)},
		{"provider", f.Provider}, {"effort", f.Effort}, {"mode", f.Mode}} {
		if all := choices(one.flag); one.value != "" && !slices.Contains(all, one.value) {
			return usage("--%s may be %s, not %q", one.flag, either(all), one.value)
		}
	}
	demo := f.Demo || f.Provider == "script" && f.Script == ""
	switch {
	case f.Plain && f.Prompt != nil:
		return usage("--plain is for conversations, and -p prints plain text anyway: use only one of the two")
	case f.Message != nil && f.Prompt != nil:
		return usage("there are two prompts: quote the text of -p, or leave out -p to begin a conversation with %q",
			*f.Message)
	case f.Message != nil && strings.TrimSpace(*f.Message) == "":
		return usage("the message is empty: agentshell 'what to do'")
	case f.Input != "" && (f.Prompt != nil || f.Message != nil):
		return usage("with --input the messages come from the standard input: leave out the other one")
	case f.Input != "" && f.Output != "" && f.Output != headless.StreamJSON:
		return usage("--input stream-json prints stream-json: leave out --output")
	case f.Output != "" && f.Prompt == nil && f.Input == "":
		return usage("--output says how -p prints: add -p PROMPT, or leave out --output")
	case f.Prompt != nil && *f.Prompt == "":
		return usage("the prompt is empty: -p 'what to do', or -p - to read it from the standard input")
	case f.Script != "" && f.Provider != "" && f.Provider != "script":
		return usage("--script FILE needs --provider script: use only one of the two")
	case f.Demo && (f.Script != "" || f.Provider != "" && f.Provider != "script"):
		return usage("--demo plays the embedded script: leave out --script and --provider")
	case demo && f.Workspace != "":
		return errDemoWorkspace
	case demo && (f.Resume != "" || f.Continue):
		return usage("the demo cannot be resumed: leave out --resume and --continue")
	case f.Resume != "" && f.Continue:
		return usage("--resume ID names a session and --continue takes the last one: use only one of the two")
	case f.Model != "" && (demo || f.Script != ""):
		return usage("a script has no models: leave out --model")
	case f.Fork && f.Resume == "" && !f.Continue:
		return usage("--fork copies the session of --resume ID or --continue: add one of them, or leave out --fork")
	case f.NoLog && (f.Resume != "" || f.Continue):
		return usage("a session is resumed in its log: leave out --no-log")
	}
	return nil
}
