package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Start runs agentshell with the front end that fits the options and the terminal, and returns the
// exit code.
func (p Host) Start(ctx context.Context, o Options) (code int, err error) {
	p.moveOldFolders()
	s, err := p.resolveSettings(o)
	if err != nil {
		return 0, err
	}
	p.excludePrograms(s, nil)
	source, err := p.chooseModel(ctx, s)
	if errors.Is(err, errNoKey) {
		if s.Prompt != nil || s.Input != "" || !p.hasPerson() || s.Message != nil || s.Workspace != "" ||
			s.Resume != "" ||
			s.Continue {
			return 0, usageError{err}
		}
		if !p.offerDemo(ctx, p.chosenService(s), s.provider.from != byDefault) {
			return headless.ExitDone, nil
		}
		source, err = p.demoModel()
	}
	if err != nil {
		return 0, err
	}
	if source.demo && s.Workspace != "" {
		return 0, errDemoWorkspace
	}
	source.secrets = source.secrets.With(listedSecrets(s.cfg.MCP, p.getenv)...)
	p.setSecrets(source.secrets)
	prompt, err := p.readPrompt(ctx, s)
	if err != nil {
		return 0, err
	}
	c, err := p.openFirstConversation(ctx, s, source, editorClient{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, p.finish(c)) }()
	if !s.screen {
		stop := c.reportLateServers(c.waitAndReport(ctx),
			func(line string) { PrintLine(p.Stderr, "agentshell: %s", line) })
		defer stop()
	}
	if ctx.Err() != nil { // it was cancelled while the servers started
		return headless.ExitInterrupted, nil
	}
	if !s.screen {
		c.remarks = append(c.remarks, withoutEmpty(c.unaskedNotice())...)
	}
	if problem := c.costLimitNotice(); problem != "" && s.cost.from == byFlag && (s.Prompt != nil || s.Input != "") {
		return 0, UsageErrorf("--max-cost: %s", problem) // nobody watches the cost of this run
	}
	if s.Timeout > 0 {
		timed, stop := context.WithTimeoutCause(ctx, s.Timeout, agent.ErrTime)
		defer stop()
		ctx = timed
	}
	if code, err = p.chooseFrontEnd(s, prompt)(ctx, c); err == nil && code == headless.ExitDone {
		code = p.scriptCode(c)
	}
	return code, err
}

// scriptCode returns the exit code for a run that has ended without another problem. If an
// expectation of a scripted model was not met, it prints that and returns ExitScript.
func (p Host) scriptCode(c *conversation) int {
	if c.scriptMismatch == nil {
		return headless.ExitDone
	}
	err := c.scriptMismatch()
	if err == nil {
		return headless.ExitDone
	}
	if c.screen { // the other front ends have printed it
		PrintLine(p.Stderr, "agentshell: %v", err)
	}
	return headless.ExitScript
}

// moveOldFolders renames the configuration and state directories of earlier versions, and prints
// what it has done.
func (p Host) moveOldFolders() {
	for _, m := range config.MoveOldFolders(p.getenv) {
		if m.Err != nil {
			PrintLine(p.Stderr, "agentshell: %s is used where it is, and is called %s now: %v", m.Old, m.New, m.Err)
		} else {
			PrintLine(p.Stderr, "agentshell: %s is now %s", m.Old, m.New)
		}
	}
}

// openFirstConversation opens the project and its first conversation, and begins to start the MCP
// servers.
func (p Host) openFirstConversation(ctx context.Context, s settings, source modelSource,
	editor editorClient) (*conversation, error) {
	r, err := p.openProject(ctx, s, source, editor)
	if err != nil {
		return nil, err
	}
	c, err := r.openConversation(ctx, p, s.conversationOptions())
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	c.joinRunning(editor.present)
	r.startServers(r.cfg.MCP, r.env, p.getenv)
	return c, nil
}

// finish closes the conversation and ends all programs that the process has started. It prints
// which background jobs were still running.
func (p Host) finish(c *conversation) error {
	for _, warning := range c.ws.LateWrites() {
		PrintLine(p.Stderr, "agentshell: %s", warning)
	}
	jobs := c.stop()
	p.family.Close(endGrace) // ends programs that commands have left running
	err := errors.Join(c.close(), c.project.close())
	for _, j := range jobs {
		PrintLine(p.Stderr, "agentshell: %s was still running and was ended: %s", j.ID, j.Label)
	}
	if c.demo {
		err = errors.Join(err, os.RemoveAll(c.demoLog()), p.leaveDemo(c.dir))
	}
	return err
}

// leaveDemo removes the workspace of the demo. If the user has approved a change there, it keeps
// the workspace and prints its path.
func (p Host) leaveDemo(dir string) error {
	if !demo.Changed(dir) {
		return os.RemoveAll(dir)
	}
	PrintLine(p.Stderr, "What you approved in the demo stays in this directory, until you remove it:")
	PrintLine(p.Stderr, "%s", dir)
	return nil
}

// frontEnd is a function that runs a conversation until it ends, and returns the exit code.
type frontEnd func(ctx context.Context, c *conversation) (int, error)

// chooseFrontEnd returns the front end that fits the settings. prompt is the text for -p.
func (p Host) chooseFrontEnd(s settings, prompt string) frontEnd {
	switch {
	case s.Input != "":
		return p.runDriven
	case s.Prompt != nil:
		return func(ctx context.Context, c *conversation) (int, error) { return p.runPrint(ctx, c, prompt) }
	case s.screen:
		return p.runShell
	case s.Message != nil:
		return func(context.Context, *conversation) (int, error) {
			return 0,
				UsageErrorf("a conversation that begins with a message needs a terminal with a screen: agentshell -p " +
					"'what to do' answers one prompt without")
		}
	}
	return p.runPlain
}

// runDriven lets another program lead the conversation, with JSON records on the standard input and
// output.
func (p Host) runDriven(ctx context.Context, c *conversation) (int, error) {
	p.printNotices(c.startNotices())
	d := headless.Driven{Stdin: p.stdin, Stdout: p.Stdout, Stderr: p.Stderr, Session: c.id,
		Crew: c.crew, FindAttachments: c.attachments}
	if c.Asks {
		d.Driver = new(headless.Driver)
		return d.Run(ctx, c.newAgent(d.Driver)), nil
	}
	return d.Run(ctx, c.newAgent(nil)), nil
}

// runPrint answers a single prompt (-p) on the standard output.
func (p Host) runPrint(ctx context.Context, c *conversation, prompt string) (int, error) {
	p.printNotices(withoutEmpty(c.deniedNotice()))
	p.printNotices(c.startNotices())
	userText := prompt // file names in piped text are not attached
	if *c.Prompt != "-" {
		userText = *c.Prompt
	}
	found, problems := c.pictures.find(ctx, userText)
	p.printNotices(problems)
	attached := c.attachReader().Read(ctx, userText)
	for _, f := range attached.Files {
		PrintLine(p.Stderr, "%s  %s, attached", f.Name, f.About)
	}
	p.printNotices(attached.Problems)
	front := headless.Print{Pictures: found, Agent: c.newAgent(nil), Session: c.id, Output: c.Output, Stdout: p.Stdout,
		Stderr: p.Stderr, Terminal: p.stdoutIsTerminal, UnusedScriptLines: c.unusedScriptLines, Crew: c.crew,
		Attached: attached.Text}
	return front.Run(ctx, prompt), nil
}

// runPlain runs a conversation as plain text, without redrawing the screen.
func (p Host) runPlain(ctx context.Context, c *conversation) (int, error) {
	var a *agent.Agent // created last, because it asks the user through lines
	tell := func(text string) { a.Note(text) }
	c.remarks = append(c.remarks, withoutEmpty(c.lostDirectoriesNotice())...)
	lines := &headless.Plain{AddDir: directoryAdder{c, p, tell}.Add, Sandbox: sandboxSwitch{c.project, p, tell},
		Running: c.runningLines, Memory: c.memoryCommand, LastMessage: c.lastMessage(), Stdin: p.stdin,
		Stdout: p.Stdout,
		Stderr: p.Stderr,
		Hello:  c.plainIntroduction(p.hasPerson()),
		Person: p.hasPerson(), Pictures: c.pictures.find, Attach: c.attachReader().Read,
		Policy: c.policy, Todo: &c.todo, Crew: c.crew, Extension: c.plainExtension(),
		Changes: func() []undo.Line { return c.history.Lines(time.Now()) },
		CutOff:  func() string { return cutOffCommand(a.Messages()) }}
	if lines.Person {
		p.end.setInterrupt(lines.Interrupt)
		defer p.end.setInterrupt(nil)
		a = c.newAgent(lines)
	} else {
		a = c.newAgent(nil)
	}
	return lines.Run(ctx, a), nil
}

// printNotices prints lines to the standard error.
func (p Host) printNotices(lines []string) {
	for _, l := range lines {
		PrintLine(p.Stderr, "agentshell: %s", l)
	}
}

// hasPerson reports whether a user types the input and reads the output: both are terminals.
func (p Host) hasPerson() bool { return p.stdinIsTerminal && p.stdoutIsTerminal }

// plainOnly reports whether the conversation must be plain text, because the terminal can do
// nothing else or because the user wants that (ACCESSIBLE).
func (p Host) plainOnly() bool {
	t := p.getenv("TERM")
	return t == "" || t == "dumb" || p.getenv("ACCESSIBLE") != ""
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// PrintLine writes one of agentshell's own lines to w. The arguments may be untrusted: control
// characters are made visible.
func PrintLine(w io.Writer, format string, args ...any) {
	text, _ := visible.Options{Newline: true, Tab: true, ASCII: true}.String(fmt.Sprintf(format, args...))
	_, _ = io.WriteString(w, strings.TrimRight(text, "\n")+"\n")
}
