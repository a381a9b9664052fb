package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/config"
	"github.com/scrollkeep/scrollkeep/agentshell/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/session"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// run is everything that one run of the program needs, whatever its front end: put together here and nowhere else.
type run struct {
	who
	version      string
	dir          string // the workspace
	ws           *workspace.Workspace
	tools        *tool.Registry
	policy       *approval.Policy
	system       string
	instructions string       // the file that system quotes, or ""
	log          *session.Log // nil: none is kept
	id           string       // of the session
	messages     []provider.Message
	notices      []string // for the person, at the start
}

// assemble puts the parts together. It changes nothing in the workspace.
func (p process) assemble(ctx context.Context, f flags, cfg config.Config, w who) (*run, error) {
	r := &run{who: w, version: version()}
	var err error
	if r.dir, err = p.directory(f, w); err != nil {
		return nil, err
	}
	home := p.getenv("HOME")
	configDir, stateDir := config.Dir(p.getenv), config.StateDir(p.getenv)
	r.ws, err = workspace.Open(workspace.Config{
		Roots: []workspace.Root{{Dir: r.dir}}, Home: home, Protected: given(configDir, stateDir), GitConfigs: p.gitConfigs(home),
	})
	if err != nil {
		return nil, usage("--workspace: %w", err)
	}
	if err := r.rules(f, cfg); err != nil {
		return nil, errors.Join(err, r.ws.Close())
	}
	mayRead := func(path string) approval.Action {
		return r.policy.Decide(approval.Subject{Tool: "read_file", Path: path}).Action
	}
	r.tools = tool.Builtin(tool.Env{Workspace: r.ws, Environ: p.environ, Secrets: []string{keyName}, MayRead: mayRead})
	r.system, r.instructions = system(ctx, r.ws, mayRead)
	if err := r.open(f, stateDir); err != nil {
		return nil, errors.Join(err, r.ws.Close())
	}
	return r, nil
}

// directory is the workspace: for the demo one that is made now.
func (p process) directory(f flags, w who) (string, error) {
	if w.demo {
		return demo.Make(p.tempDir, rand.Reader)
	}
	dir := f.Workspace
	if dir == "" {
		dir = "."
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", usage("--workspace: %w", err)
	case !info.IsDir():
		return "", usage("--workspace: %s is no directory", dir)
	}
	return filepath.Abs(dir)
}

// rules makes the policy from the config and the flags.
func (r *run) rules(f flags, cfg config.Config) error {
	var entries []approval.Entry
	for _, source := range []struct {
		origin, where    string
		allow, ask, deny []string
	}{{"config", "the config file: ", cfg.Allow, cfg.Ask, cfg.Deny}, {"flag", "", f.Allow, f.Ask, f.Deny}} {
		for _, verb := range []struct {
			action approval.Action
			name   string
			rules  []string
		}{{approval.Deny, "deny", source.deny}, {approval.Ask, "ask", source.ask}, {approval.Allow, "allow", source.allow}} {
			for _, text := range verb.rules {
				rule, err := approval.ParseRule(verb.action, text)
				if err != nil {
					return usage("%s%s rule %q: %w", source.where, verb.name, text, err)
				}
				entries = append(entries, approval.Entry{Rule: rule, Origin: source.origin})
			}
		}
	}
	mode, broad := f.Mode, r.ws.Broad()
	if mode == "" && broad == "" {
		mode = cfg.Mode
	}
	if broad != "" {
		r.notices = append(r.notices, broad+": only mode ask is allowed")
	}
	var err error
	if r.policy, err = approval.NewPolicy(approval.PolicyConfig{Mode: mode, Rules: entries, Broad: broad}); err != nil {
		return usageError{err}
	}
	return nil
}

// open opens the session log.
func (r *run) open(f flags, stateDir string) error {
	cfg := session.Config{
		Dir: filepath.Join(stateDir, "sessions"), Workspace: r.ws.Dir(), Model: r.model.Name(), Secrets: r.secrets, Now: time.Now, Random: rand.Reader,
	}
	id := f.Resume
	var err error
	if f.Continue {
		if id, err = last(cfg); err != nil {
			return err
		}
	}
	switch {
	case id != "" && f.Fork:
		r.log, r.messages, err = session.Fork(cfg, id)
	case id != "":
		r.log, r.messages, err = session.Resume(cfg, id)
	case f.NoLog || r.demo || stateDir == "":
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	default:
		r.log, err = session.Create(cfg)
	}
	switch {
	case errors.Is(err, session.ErrUnknown):
		if latest, _ := session.Recent(cfg); len(latest) > 0 {
			return usage("--resume: %w; the last ones are %s", err, strings.Join(latest[:min(3, len(latest))], ", "))
		}
		return usage("--resume: %w; there is none yet", err)
	case errors.Is(err, session.ErrID):
		return usage("--resume: %w", err)
	case errors.Is(err, session.ErrLocked):
		return fmt.Errorf("%w; --resume %s --fork goes on with a copy", err, id)
	case errors.Is(err, session.ErrInside) && id == "":
		r.notices = append(r.notices, "no session log: its directory lies inside the workspace")
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	case err != nil:
		return fmt.Errorf("%w; --no-log runs without a session log", err)
	}
	r.id = r.log.ID()
	r.notices = append(r.notices, r.log.Repaired...)
	return nil
}

// last is the session of the workspace that was written last.
func last(cfg session.Config) (string, error) {
	ids, err := session.Recent(cfg)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", usage("--continue: there is no session of this workspace yet; leave it away to begin one")
	}
	return ids[0], nil
}

// agent makes the agent; approver is nil where nobody can be asked.
func (r *run) agent(approver approval.Approver) *agent.Agent {
	cfg := agent.Config{Model: r.model, Tools: r.tools, System: r.system, Policy: r.policy, Approver: approver, Messages: r.messages}
	if r.log != nil {
		cfg.Added, cfg.Cleared = r.log.Append, r.log.Clear
	}
	return agent.New(cfg)
}

func (r *run) close() error {
	if r.log != nil {
		return errors.Join(r.log.Close(), r.ws.Close())
	}
	return r.ws.Close()
}

// start runs the front end that the flags and the terminal call for.
func (p process) start(ctx context.Context, f flags) (code int, err error) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return 0, usageError{err}
	}
	w, err := p.choose(ctx, f, cfg)
	if errors.Is(err, errNoKey) {
		if f.Prompt != nil || !p.person() || f.Workspace != "" || f.Resume != "" {
			return 0, usageError{err}
		}
		if !p.offerDemo(ctx) {
			return headless.ExitDone, nil
		}
		w, err = demoModel()
	}
	if err != nil {
		return 0, err
	}
	if w.demo && f.Workspace != "" {
		return 0, usage("the demo plays in a workspace made for it: leave --workspace away, or give your own --script FILE")
	}
	prompt, err := p.prompt(f)
	if err != nil {
		return 0, err
	}
	r, err := p.assemble(ctx, f, cfg, w)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if r.demo {
		end := p.stdout
		if f.Prompt != nil {
			end = p.stderr
		}
		defer func() { say(end, "The demo's workspace is %s", r.dir) }()
	}
	switch {
	case f.Prompt != nil:
		for _, n := range r.notices {
			say(p.stderr, "scrollkeep: %s", n)
		}
		print := headless.Print{Agent: r.agent(nil), Session: r.id, Output: f.Output, Stdout: p.stdout, Stderr: p.stderr, Terminal: p.showing, Leftover: r.leftover}
		return print.Run(ctx, prompt), nil
	case p.person() && !f.Plain && !p.dumb():
		return p.interactive(ctx, r, f.Thinking)
	}
	plain := &headless.Plain{Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr, Hello: r.hello(p.person()), Person: p.person()}
	if plain.Person {
		return plain.Run(ctx, r.agent(plain)), nil
	}
	return plain.Run(ctx, r.agent(nil)), nil
}

// person reports whether somebody reads what we write and types what we read.
func (p process) person() bool { return p.typing && p.showing }

// name is the workspace's name for the screen.
func (r *run) name() string { return strings.TrimPrefix(filepath.Base(r.dir), "scrollkeep-") }

// hello is the first lines of plain mode.
func (r *run) hello(person bool) string {
	lines := []string{fmt.Sprintf("scrollkeep %s, model: %s, workspace: %s, mode: %s", r.version, r.model.Name(), r.name(), r.policy.Mode())}
	if r.instructions != "" {
		lines = append(lines, "instructions: "+r.instructions)
	}
	lines = append(lines, r.notices...)
	if person {
		return strings.Join(append(lines, "Plain mode: each line is a message, each change is asked for. /quit leaves."), "\n")
	}
	return strings.Join(append(lines, "Plain mode: nobody can be asked here, so what no rule allows is denied. Each line is a message; the end of the input leaves."), "\n")
}

// dumb reports whether the terminal can do nothing but text, or its person wants nothing but text.
func (p process) dumb() bool {
	t := p.getenv("TERM")
	return t == "" || t == "dumb" || p.getenv("ACCESSIBLE") != ""
}

// prompt is the text of -p.
func (p process) prompt(f flags) (string, error) {
	if f.Prompt == nil || *f.Prompt != "-" {
		return deref(f.Prompt), nil
	}
	text, err := io.ReadAll(io.LimitReader(p.stdin, headless.MaxLine+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot read the prompt: %w", err)
	case len(text) > headless.MaxLine:
		return "", usage("the prompt on the standard input is longer than %d bytes", headless.MaxLine)
	case strings.TrimSpace(string(text)) == "":
		return "", usage("the prompt on the standard input is empty")
	}
	return string(text), nil
}

const noKeyPage = `scrollkeep needs a key to ask a model.

  1. Get one from the provider: https://console.anthropic.com/settings/keys
  2. Put it into the environment, and start again in your project:

       export ` + keyName + `=...
       agentshell

     Or let a program print it: key_command = ["pass", "show", "anthropic"]
     in %s

Without a key you can play the demo: no network, in a workspace made for it.
`

// offerDemo shows how to get a key, and asks whether to play the demo instead. It needs no raw mode.
func (p process) offerDemo(ctx context.Context) bool {
	file := "the config file"
	if dir := config.Dir(p.getenv); dir != "" {
		file = filepath.Join(dir, "config.toml")
	}
	say(p.stdout, noKeyPage, file)
	_, _ = io.WriteString(p.stdout, "Enter plays it, q leaves: ")
	answer := make(chan string, 1)
	go func() {
		defer close(answer)
		if s := bufio.NewScanner(oneByteAtATime{p.stdin}); s.Scan() {
			answer <- strings.TrimSpace(s.Text())
		}
	}()
	select {
	case text, ok := <-answer:
		return ok && (text == "" || strings.EqualFold(text, "demo") || strings.EqualFold(text, "y"))
	case <-ctx.Done():
		_, _ = io.WriteString(p.stdout, "\n")
		return false
	}
}

// oneByteAtATime keeps a scanner from reading more than its line: what follows belongs to the shell.
type oneByteAtATime struct{ io.Reader }

func (r oneByteAtATime) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(1, len(b))]) }

// gitConfigs are the files that may name a hooks directory outside the workspace.
func (p process) gitConfigs(home string) []string {
	files := []string{"/etc/gitconfig"}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if xdg := p.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(xdg) {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	return append(files, given(p.getenv("GIT_CONFIG_GLOBAL"), p.getenv("GIT_CONFIG_SYSTEM"))...)
}

// given leaves out what is empty.
func given(list ...string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
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
