package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// SessionOptions holds the options for all kinds of sessions. The tags define the grammar and the
// help of the command line.
type SessionOptions struct {
	Provider  string   `placeholder:"NAME" help:"The provider: anthropic, openai (or a server with its protocol, at OPENAI_BASE_URL), or script. Default: the one whose key is in the environment."`
	Model     string   `placeholder:"NAME" help:"The provider's model."`
	Script    string   `placeholder:"FILE" help:"Answer from a script, a file of JSON lines; implies --provider script."`
	Mode      string   `placeholder:"MODE" help:"ask (default), edits (file writes without a flag run), plan (read-only), trusted (everything without a flag runs), or unconfined (everything runs, without a sandbox: for containers)."`
	Allow     []string `sep:"none" placeholder:"RULE" help:"Run anything that matches RULE without asking. A rule is tool(pattern): write_file(docs/**), bash(go test *). * stands for operands and options that cannot run or write anything else. May be repeated."`
	Ask       []string `sep:"none" placeholder:"RULE" help:"Always ask before running anything that matches RULE, even if another rule allows it."`
	Deny      []string `sep:"none" placeholder:"RULE" help:"Refuse anything that matches RULE. Deny beats ask, and ask beats allow."`
	Effort    string   `placeholder:"LEVEL" help:"Reasoning effort for each answer: none, minimal, low, medium, high, xhigh or max. Default: the provider's."`
	MaxTurns  int      `placeholder:"N" help:"Ask the model at most N times for one message (default 200, or max_steps in the config file)."`
	MaxTokens int      `placeholder:"N" help:"End when the requests of this run have taken N tokens, sent and received."`
	MaxCost   float64  `placeholder:"USD" help:"End when the session has cost this many dollars. max_cost in the config file does the same."`
	Thinking  bool     `help:"Show the model's thinking (Claude 4.6 or later)."`
	NoLog     bool     `help:"Keep no session log."`
	AddDir    []string `sep:"none" placeholder:"DIR" help:"Another directory to work in. DIR:ro makes it read-only. May be repeated."`
}

// Options holds the options of the agentshell command. Approval rules are written as in the
// configuration file.
type Options struct {
	SessionOptions
	Message   *string         `arg:"" optional:"" help:"The first message to send, in the shell."`
	Prompt    *string         `short:"p" placeholder:"PROMPT" help:"Answer one prompt on the standard output, without a screen. With - the prompt is read from the standard input. Otherwise piped input goes with the prompt."`
	Output    headless.Output `placeholder:"FORM" help:"The form of the output of -p: text, json (one object at the end) or stream-json (one object a line, for each event)."`
	Input     headless.Output `placeholder:"FORM" help:"With stream-json a program drives the conversation. It sends one JSON object a line, and gets records as with --output stream-json."`
	Asks      bool            `help:"With --input: the program is asked, too. It decides on changes and commands that no rule allows, and answers the model's questions."`
	Workspace string          `placeholder:"DIR" help:"The directory to work in. Nothing outside it is read or written. Default: the current one."`
	Demo      bool            `help:"Play the embedded demo in a workspace made for it. No key, no network."`
	Resume    string          `placeholder:"ID" help:"Resume a session from the log. In the shell, /resume lists them."`
	Continue  bool            `short:"c" help:"Resume the last session of this workspace."`
	Fork      bool            `help:"With --resume or --continue: continue in a copy of the session."`
	Timeout   time.Duration   `placeholder:"TIME" help:"With -p: end after this time, as in 90s or 20m."`
	Plain     bool            `help:"Only add text and never redraw, for screen readers and simple terminals. ACCESSIBLE in the environment does the same."`
	Version   bool            `help:"Print the version and exit."`
}

// errDemoWorkspace says that the demo cannot run in a workspace of the user.
var errDemoWorkspace = UsageErrorf(
	"the demo plays in a workspace made for it: leave out --workspace, or give your own " +
		"--script FILE")

// usageError is an error about the command line or the configuration. Its text says what the user
// can do.
type usageError struct{ error }

// UsageErrorf returns an error about how agentshell was called. Its text should say what the user
// can do.
func UsageErrorf(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// IsUsageError reports whether err is about how agentshell was called.
func IsUsageError(err error) bool { return errors.As(err, new(usageError)) }

// Choices returns the values that the option flag can have. It returns nil if any value is
// possible.
func Choices(flag string) []string {
	switch flag {
	case "output":
		return []string{string(headless.Text), string(headless.JSON), string(headless.StreamJSON)}
	case "format":
		return export.Formats()
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

// joinWithOr joins words for a sentence, such as "a, b or c".
func joinWithOr(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// check returns an error if options have invalid values or contradict each other.
func (f Options) check() error {
	for _, one := range []struct{ flag, value string }{{"output", string(f.Output)}, {"input", string(f.Input)},
		{"provider", f.Provider}, {"effort", f.Effort}, {"mode", f.Mode}} {
		if all := Choices(one.flag); one.value != "" && !slices.Contains(all, one.value) {
			return UsageErrorf("--%s may be %s, not %q", one.flag, joinWithOr(all), one.value)
		}
	}
	demo := f.Demo || f.Provider == "script" && f.Script == ""
	switch {
	case f.Plain && f.Prompt != nil:
		return UsageErrorf("--plain is for conversations, and -p prints plain text anyway: use only one of the two")
	case f.Message != nil && f.Prompt != nil:
		return UsageErrorf(
			"there are two prompts: quote the text of -p, or leave out -p to begin a conversation with %q",
			*f.Message)
	case f.Message != nil && strings.TrimSpace(*f.Message) == "":
		return UsageErrorf("the message is empty: agentshell 'what to do'")
	case f.Input != "" && (f.Prompt != nil || f.Message != nil):
		return UsageErrorf("with --input the messages come from the standard input: leave out the other one")
	case f.Input != "" && f.Output != "" && f.Output != headless.StreamJSON:
		return UsageErrorf("--input stream-json prints stream-json: leave out --output")
	case f.Asks && f.Input == "":
		return UsageErrorf(
			"--asks is for a program that drives the conversation: add --input stream-json, or leave out --asks")
	case f.Output != "" && f.Prompt == nil && f.Input == "":
		return UsageErrorf("--output says how -p prints: add -p PROMPT, or leave out --output")
	case f.Prompt != nil && strings.TrimSpace(*f.Prompt) == "":
		return UsageErrorf("the prompt is empty: -p 'what to do', or -p - to read it from the standard input")
	case f.Script != "" && f.Provider != "" && f.Provider != "script":
		return UsageErrorf("--script FILE needs --provider script: use only one of the two")
	case f.Demo && (f.Script != "" || f.Provider != "" && f.Provider != "script"):
		return UsageErrorf("--demo plays the embedded script: leave out --script and --provider")
	case demo && f.Workspace != "":
		return errDemoWorkspace
	case demo && (f.Resume != "" || f.Continue):
		return UsageErrorf("the demo cannot be resumed: leave out --resume and --continue")
	case f.Resume != "" && f.Continue:
		return UsageErrorf("--resume ID names a session and --continue takes the last one: use only one of the two")
	case f.Model != "" && (demo || f.Script != ""):
		return UsageErrorf("a script has no models: leave out --model")
	case f.Fork && f.Resume == "" && !f.Continue:
		return UsageErrorf(
			"--fork copies the session of --resume ID or --continue: add one of them, or leave out --fork")
	case f.NoLog && (f.Resume != "" || f.Continue):
		return UsageErrorf("a session is resumed in its log: leave out --no-log")
	}
	return nil
}
