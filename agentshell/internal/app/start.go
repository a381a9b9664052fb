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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// start runs the front end that the flags and the terminal call for.
func (p process) start(ctx context.Context, f flags) (code int, err error) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return 0, usageError{err}
	}
	if err := check(f, cfg); err != nil { // before a key is missed, which is not what is wrong then
		return 0, err
	}
	cfg = f.bounded(cfg)
	w, err := p.choose(ctx, f, cfg)
	if errors.Is(err, errNoKey) {
		if f.Prompt != nil || f.Input != "" || !p.person() || f.Message != nil || f.Workspace != "" || f.Resume != "" ||
			f.Continue {
			return 0, usageError{err}
		}
		if !p.offerDemo(ctx, p.serviceOf(f, cfg), f.Provider != "" || cfg.Provider != "") {
			return headless.ExitDone, nil
		}
		w, err = p.demoModel()
	}
	if err != nil {
		return 0, err
	}
	if w.demo && f.Workspace != "" {
		return 0, errDemoWorkspace
	}
	w.secrets = w.secrets.With(listedSecrets(cfg.MCP, p.getenv)...)
	p.guard(w.secrets)
	prompt, err := p.prompt(ctx, f)
	if err != nil {
		return 0, err
	}
	r, err := p.assemble(ctx, f, cfg, w, editor{})
	if err != nil {
		return 0, err
	}
	defer func() {
		for _, late := range r.ws.Late() {
			say(p.stderr, "scrollkeep: %s", late)
		}
		ran, end := r.close()
		for _, j := range ran {
			say(p.stderr, "scrollkeep: %s was still running and was ended: %s", j.ID, j.Label)
		}
		err = errors.Join(err, end)
		if r.demo {
			err = errors.Join(err, os.RemoveAll(r.demoLog()))
		}
	}()
	if ctx.Err() != nil { // while the servers started
		return headless.ExitInterrupted, nil
	}
	if r.demo {
		end := p.stdout
		if f.Prompt != nil {
			end = p.stderr
		}
		defer func() { say(end, "The demo's workspace is %s", r.dir) }()
	}
	if f.Prompt != nil || f.Input != "" || !p.person() || f.Plain || p.dumb() {
		r.notices = append(r.notices, given(r.unasked())...)
	}
	if why := r.unpriced(); why != "" && f.MaxCost > 0 && (f.Prompt != nil || f.Input != "") {
		return 0, usage("--max-cost: %s", why) // nobody is there who could look at the bill
	}
	if f.Timeout > 0 {
		timed, stop := context.WithTimeoutCause(ctx, f.Timeout, agent.ErrTime)
		defer stop()
		ctx = timed
	}
	switch {
	case f.Input != "":
		for _, n := range r.notices {
			say(p.stderr, "scrollkeep: %s", n)
		}
		with := func(ctx context.Context, text string) (string, []picture.Picture, []string) {
			found, problems := r.album.find(ctx, text)
			more := r.attach().Read(ctx, text)
			return more.Text, found, append(problems, more.Problems...)
		}
		driven := headless.Driven{Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr, Session: r.id, With: with}
		return driven.Run(ctx, r.agent(nil)), nil
	case f.Prompt != nil:
		for _, n := range r.notices {
			say(p.stderr, "scrollkeep: %s", n)
		}
		named := prompt // what is piped names nothing
		if *f.Prompt != "-" {
			named = *f.Prompt
		}
		found, problems := r.album.find(ctx, named)
		for _, s := range problems {
			say(p.stderr, "scrollkeep: %s", s)
		}
		more := r.attach().Read(ctx, named)
		for _, f := range more.Files {
			say(p.stderr, "%s  %s, attached", f.Name, f.About)
		}
		for _, s := range more.Problems {
			say(p.stderr, "scrollkeep: %s", s)
		}
		print := headless.Print{Pictures: found, Agent: r.agent(nil), Session: r.id, Output: f.Output, Stdout: p.stdout,
			Stderr: p.stderr, Terminal: p.showing, Leftover: r.leftover,
			Attached: more.Text}
		return print.Run(ctx, prompt), nil
	case p.person() && !f.Plain && !p.dumb():
		return p.interactive(ctx, r, f)
	case f.Message != nil:
		return 0, usage("a conversation that begins with a message needs a terminal with a screen: agentshell -p " +
			"'what to do' answers one prompt without")
	}
	plain := &headless.Plain{Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr, Hello: r.hello(p.person()),
		Person: p.person(), Pictures: r.album.find, Attach: r.attach().Read,
		Policy: r.policy, Todo: &r.todo, Changes: func() []undo.Line { return r.history.Lines(time.Now()) }}
	if plain.Person {
		return plain.Run(ctx, r.agent(plain)), nil
	}
	return plain.Run(ctx, r.agent(nil)), nil
}

// person reports whether somebody reads what we write and types what we read.
func (p process) person() bool { return p.typing && p.showing }

// dumb reports whether the terminal can do nothing but text, or its person wants nothing but text.
func (p process) dumb() bool {
	t := p.getenv("TERM")
	return t == "" || t == "dumb" || p.getenv("ACCESSIBLE") != ""
}

// prompt is the text of -p, with what is piped to the standard input.
func (p process) prompt(ctx context.Context, f flags) (string, error) {
	given := deref(f.Prompt)
	if f.Prompt == nil || given != "-" && !p.piped {
		return given, nil
	}
	var text []byte
	var err error
	read := make(chan struct{})
	go func() { // so that a stop does not wait for the end of the input
		defer close(read)
		text, err = io.ReadAll(io.LimitReader(p.stdin, headless.MaxLine+1))
	}()
	select {
	case <-read:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot read the prompt: %w", err)
	case len(text) > headless.MaxLine:
		return "", usage("the prompt on the standard input is longer than %d bytes", headless.MaxLine)
	case given != "-" && strings.TrimSpace(string(text)) == "":
		return given, nil
	case given != "-":
		return given + "\n\nThe standard input:\n\n" + string(text), nil
	case strings.TrimSpace(string(text)) == "":
		return "", usage("the prompt on the standard input is empty")
	}
	return string(text), nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// say writes lines of ours; the arguments may be untrusted.
func say(w io.Writer, format string, args ...any) {
	text, _ := visible.Options{Newline: true, Tab: true, ASCII: true}.String(fmt.Sprintf(format, args...))
	_, _ = io.WriteString(w, strings.TrimRight(text, "\n")+"\n")
}
