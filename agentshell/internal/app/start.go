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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Start runs the front end that the options and the terminal call for, and returns the exit code.
func (p Host) Start(ctx context.Context, o Options) (code int, err error) {
	s, err := p.resolve(o)
	if err != nil {
		return 0, err
	}
	p.exclude(s, nil)
	w, err := p.choose(ctx, s)
	if errors.Is(err, errNoKey) {
		if s.Prompt != nil || s.Input != "" || !p.person() || s.Message != nil || s.Workspace != "" || s.Resume != "" ||
			s.Continue {
			return 0, usageError{err}
		}
		if !p.offerDemo(ctx, p.serviceOf(s), s.provider.from != byDefault) {
			return headless.ExitDone, nil
		}
		w, err = p.demoModel()
	}
	if err != nil {
		return 0, err
	}
	if w.demo && s.Workspace != "" {
		return 0, errDemoWorkspace
	}
	w.secrets = w.secrets.With(listedSecrets(s.cfg.MCP, p.getenv)...)
	p.guard(w.secrets)
	prompt, err := p.prompt(ctx, s)
	if err != nil {
		return 0, err
	}
	c, err := p.assemble(ctx, s, w, editor{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, p.finish(c)) }()
	if !s.screen {
		stop := c.follow(c.served(ctx), func(line string) { say(p.Stderr, "scrollkeep: %s", line) })
		defer stop()
	}
	if ctx.Err() != nil { // while the servers started
		return headless.ExitInterrupted, nil
	}
	if !s.screen {
		c.remarks = append(c.remarks, given(c.unasked())...)
	}
	if why := c.unpriced(); why != "" && s.cost.from == byFlag && (s.Prompt != nil || s.Input != "") {
		return 0, usage("--max-cost: %s", why) // nobody is there who could look at the bill
	}
	if s.Timeout > 0 {
		timed, stop := context.WithTimeoutCause(ctx, s.Timeout, agent.ErrTime)
		defer stop()
		ctx = timed
	}
	return p.frontEnd(s, prompt)(ctx, c)
}

// assemble opens the project and its first conversation, and starts the servers.
func (p Host) assemble(ctx context.Context, s settings, w who, e editor) (*conversation, error) {
	r, err := p.openProject(ctx, s, w, e)
	if err != nil {
		return nil, err
	}
	c, err := r.converse(ctx, p, s.conversation())
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	r.serve(r.cfg.MCP, r.env, p.getenv)
	return c, nil
}

// finish ends a conversation and all that the process has started, and says what was still going
// on.
func (p Host) finish(c *conversation) error {
	for _, late := range c.ws.LateWrites() {
		say(p.Stderr, "scrollkeep: %s", late)
	}
	ran := c.stop()
	p.family.Close(endGrace) // what commands left running
	err := errors.Join(c.close(), c.project.close())
	for _, j := range ran {
		say(p.Stderr, "scrollkeep: %s was still running and was ended: %s", j.ID, j.Label)
	}
	if c.demo {
		err = errors.Join(err, os.RemoveAll(c.demoLog()), os.RemoveAll(c.dir))
	}
	return err
}

// frontEnd shows a conversation until it ends, and returns the exit code.
type frontEnd func(ctx context.Context, c *conversation) (int, error)

// frontEnd chooses what shows the conversation. prompt is that of -p.
func (p Host) frontEnd(s settings, prompt string) frontEnd {
	switch {
	case s.Input != "":
		return p.driven
	case s.Prompt != nil:
		return func(ctx context.Context, c *conversation) (int, error) { return p.print(ctx, c, prompt) }
	case s.screen:
		return p.interactive
	case s.Message != nil:
		return func(context.Context, *conversation) (int, error) {
			return 0, usage("a conversation that begins with a message needs a terminal with a screen: agentshell -p " +
				"'what to do' answers one prompt without")
		}
	}
	return p.plain
}

// driven lets a program drive the conversation, by records on the standard input and output.
func (p Host) driven(ctx context.Context, c *conversation) (int, error) {
	p.tell(c.startNotices())
	d := headless.Driven{Stdin: p.stdin, Stdout: p.Stdout, Stderr: p.Stderr, Session: c.id, With: c.with}
	return d.Run(ctx, c.agent(nil)), nil
}

// print answers one prompt.
func (p Host) print(ctx context.Context, c *conversation, prompt string) (int, error) {
	p.tell(c.startNotices())
	named := prompt // what is piped names nothing
	if *c.Prompt != "-" {
		named = *c.Prompt
	}
	found, problems := c.album.find(ctx, named)
	p.tell(problems)
	more := c.attach().Read(ctx, named)
	for _, f := range more.Files {
		say(p.Stderr, "%s  %s, attached", f.Name, f.About)
	}
	p.tell(more.Problems)
	printed := headless.Print{Pictures: found, Agent: c.agent(nil), Session: c.id, Output: c.Output, Stdout: p.Stdout,
		Stderr: p.Stderr, Terminal: p.showing, Leftover: c.leftover, Attached: more.Text}
	return printed.Run(ctx, prompt), nil
}

// plain converses by lines, without a screen.
func (p Host) plain(ctx context.Context, c *conversation) (int, error) {
	lines := &headless.Plain{Stdin: p.stdin, Stdout: p.Stdout, Stderr: p.Stderr, Hello: c.hello(p.person()),
		Person: p.person(), Pictures: c.album.find, Attach: c.attach().Read,
		Policy: c.policy, Todo: &c.todo, Changes: func() []undo.Line { return c.history.Lines(time.Now()) }}
	if lines.Person {
		return lines.Run(ctx, c.agent(lines)), nil
	}
	return lines.Run(ctx, c.agent(nil)), nil
}

// tell says lines on the standard error.
func (p Host) tell(lines []string) {
	for _, l := range lines {
		say(p.Stderr, "scrollkeep: %s", l)
	}
}

// person reports whether somebody reads what we write and types what we read.
func (p Host) person() bool { return p.typing && p.showing }

// dumb reports whether the terminal can do nothing but text, or its person wants nothing but text.
func (p Host) dumb() bool {
	t := p.getenv("TERM")
	return t == "" || t == "dumb" || p.getenv("ACCESSIBLE") != ""
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Say writes lines of ours; the arguments may be untrusted.
func Say(w io.Writer, format string, args ...any) { say(w, format, args...) }

func say(w io.Writer, format string, args ...any) {
	text, _ := visible.Options{Newline: true, Tab: true, ASCII: true}.String(fmt.Sprintf(format, args...))
	_, _ = io.WriteString(w, strings.TrimRight(text, "\n")+"\n")
}
