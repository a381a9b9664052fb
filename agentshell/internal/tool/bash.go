package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

const (
	defaultTimeout = 120    // defaultTimeout is the default time limit of a command in seconds.
	asyncTimeout   = 3600   // asyncTimeout is the default time limit of a background job in seconds.
	maxCommand     = 64_000 // maxCommand is the number of bytes in the longest command line.
)

// bash is the tool bash. It runs shell command lines.
type bash struct {
	env  Env
	call string // call is the id of the tool call that is running.
}

const (
	exitDone      = "exit 0"
	stoppedByUser = "[stopped by the user]"
)

type bashArgs struct {
	Command    string   `json:"command" doc:"The command line, as bash -c takes it. It runs in the workspace directory, without a terminal and with empty input."`
	Timeout    *int     `json:"timeout_s" doc:"Seconds after which it is killed, 120 if missing, 3600 with async." min:"1" max:"3600"`
	Async      bool     `json:"async,omitempty" doc:"Run it in the background and go on: you are told when it ends. For servers, watchers and long builds. The tool job waits for it or ends it."`
	Unconfined bool     `json:"unconfined,omitempty" doc:"Where commands run in a sandbox: run this one outside of it. The user is always asked."`
	Network    []string `json:"network,omitempty" doc:"Where commands run in a sandbox: hosts that this one must reach, as host:port, by HTTPS_PROXY. The user is asked for new ones."`
	Reason     string   `json:"reason,omitempty" doc:"With unconfined or network: why, in a sentence for the user."`
}

func (t *bash) Traits() approval.Traits {
	return approval.Traits{Subject: approval.LineSubject, Kind: approval.KindRuns}
}

func (t *bash) Spec() provider.Tool {
	return provider.Tool{
		Name: "bash", Schema: schemaOf[bashArgs](),
		Description: "Run a command line with bash in the workspace. The user decides before it runs. Everything " +
			"that it started is killed when it ends. Use write_file and edit_file to change files: the user sees " +
			"those changes before they are made.",
	}
}

func (t *bash) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[bashArgs](input)
	if err != nil {
		return Call{}, err
	}
	switch {
	case strings.TrimSpace(args.Command) == "":
		return Call{}, invalidArgs("command is empty")
	case strings.ContainsRune(args.Command, 0):
		return Call{}, invalidArgs("command contains a NUL byte")
	case len(args.Command) > maxCommand:
		return Call{}, invalidArgs("command is too long: %d bytes > %d", len(args.Command), maxCommand)
	}
	timeout := defaultTimeout
	switch {
	case args.Async && t.env.Commands.Jobs == nil:
		return Call{}, invalidArgs("there are no background jobs here: run it without async")
	case args.Async:
		timeout = asyncTimeout
	}
	if args.Timeout != nil {
		timeout = *args.Timeout
	}
	confine, outside := t.env.Confinement.now(), false
	switch {
	case args.Unconfined && strings.TrimSpace(args.Reason) == "":
		return Call{}, invalidArgs("unconfined needs a reason, which the user is shown")
	case args.Unconfined && confine != nil:
		confine, outside = nil, true
	}
	var fresh []proxy.Host // those that the person must allow first
	if confine != nil {
		if fresh, err = newHosts(t.env.Confinement.Hosts, args.Network, args.Reason); err != nil {
			return Call{}, err
		}
	}
	note := noteFree
	switch {
	case outside:
		note = noteOutside
	case confine != nil && (len(fresh) > 0 || t.env.Confinement.Hosts != nil && t.env.Confinement.Hosts.Any()):
		note = noteHosts
	case confine != nil:
		note = noteConfined
	}
	parsed := t.env.location().Parse(args.Command)
	root := t.env.Workspace.RootPath()
	pay := approval.Command{
		Base: approval.Base{Kind: "command", Description: "Run " + diff.Escape(args.Command), Path: root.String(),
			Sandbox: root.Root()},
		Command: args.Command, TimeoutS: timeout, Simple: []string{}, Opaque: parsed.Opaque,
		Effects: approval.Effects(args.Command), Note: note,
	}
	if pay.Effects == nil {
		pay.Effects = []approval.Effect{}
	}
	for _, c := range parsed.Simple {
		pay.Simple = append(pay.Simple, c.String())
	}
	prop := &approval.Proposal{ID: t.env.newID(), Call: id, Tool: "bash", Payload: pay, Notes: []string{pay.Note}}
	if parsed.Opaque != "" {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagOpaque, Text: approval.ExactOnly + parsed.Opaque})
	}
	if why := t.env.leads(parsed); why != "" {
		prop.Flags = append(prop.Flags, approval.Flag{Name: approval.FlagLeads, Text: why})
	}
	if why := t.env.plants(approval.WrittenBy(args.Command), confine != nil); why != "" {
		prop.Flags = append(prop.Flags, approval.Flag{Name: approval.FlagRunsCode, Text: why})
	}
	if n := approval.CountHidden(args.Command); n > 0 {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character") + " in the command"})
	}
	if args.Async {
		prop.Notes = append(prop.Notes, "runs in the background")
	}
	if outside {
		prop.Flags = append(prop.Flags, approval.Flag{Name: approval.FlagOutside,
			Text: "it runs outside the sandbox. The model's reason: " + diff.Escape(strings.TrimSpace(args.Reason))})
	}
	if len(fresh) > 0 {
		prop.Flags = append(prop.Flags, reaches(fresh, args.Reason))
	}
	title := "bash " + titled(args.Command, 200)
	patience := min(t.env.Commands.Patience, time.Duration(timeout)*time.Second-time.Second)
	behind := func(do work) work { return t.env.Commands.background(title, args.Async, patience, do) }
	with := func(settings []git.Setting, environ func([]string) []string,
		confine Confine) work {
		return func(ctx context.Context, progress func(string)) (Result, error) {
			if confine != nil && len(fresh) > 0 {
				t.env.Confinement.Hosts.Add(false, fresh...)
			}
			env := git.AddSettings(commandEnv(environ(t.env.Commands.Environ)), settings)
			runner := bash{t.env, id}
			return runner.run(ctx, args.Command, env, confine, time.Duration(timeout)*time.Second, progress)
		}
	}
	hides, confine := t.env.Confinement.hiding(confine, args.Async)
	confine = reading(confine, func() bool { return t.env.reads(ctx, args.Command) == "" })
	call := Call{
		Title: title, Proposal: prop, Mutates: true, Command: args.Command, Hides: hides,
		Run: behind(with(git.ForCommands, secret.ForCommands, confine)), Own: with(nil, secret.ForPerson, nil),
		Confined: confine != nil, Location: t.env.location(),
		Beside: func(parts []int) string { return t.env.readsBeside(ctx, parsed, parts) },
		Reads:  func() string { return t.env.reads(ctx, args.Command) },
	}
	call.Reading = behind(func(ctx context.Context, progress func(string)) (Result, error) {
		if why := t.env.reads(ctx, args.Command); why != "" { // by now
			return Result{}, failed("%s", why)
		}
		env, end, err := t.env.commandReadingEnv(args.Command)
		if err != nil {
			return Result{}, failed("%v", err)
		}
		defer end()
		reader := bash{env: t.env}
		reader.env.Past = nil // it changes nothing
		r, err := reader.run(ctx, args.Command, env, nil, time.Duration(timeout)*time.Second, progress)
		if slices.ContainsFunc(parsed.Parts, func(p approval.Part) bool { return p.Words[0].Text == "env" }) {
			r.Text += "[a command that only reads gets the basic variables only]\n"
		}
		return r, err
	})
	prop.Subject = call.Subject("bash")
	return call, nil
}

// run runs a command line, and returns its output together with the files that it has changed.
func (t *bash) run(ctx context.Context, command string, env []string, confine Confine, timeout time.Duration,
	progress func(string)) (Result, error) {
	w := t.env.Workspace
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := w.Alive(); err != nil {
		return Result{}, err
	}
	var (
		past map[string]held
		told int
	)
	if t.env.Past != nil && t.env.History != nil {
		past, told = t.env.Past.look(ctx, w), len(t.env.History.Changes())
	}
	before := t.stamps(ctx)
	out := &output{progress: progress, redactor: t.env.Secrets.Stream(), keep: t.env.Outputs, left: roomOf(ctx)}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	net := &wayOut{hosts: t.env.Confinement.Hosts}
	end, err := execute(limited, t.env.Commands.family(), w.Dir(), env, command, out, net.through(limited, confine))
	if err != nil {
		return Result{}, failed("%v", err)
	}
	var b strings.Builder
	b.WriteString(out.text())
	if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
		b.WriteString("\n")
	}
	b.WriteString(out.cleared())
	refused, shown := net.told()
	stopped := ctx.Err() != nil
	summary := end.status
	switch {
	case stopped:
		summary = "stopped"
		if why := context.Cause(ctx); errors.Is(why, context.Canceled) {
			b.WriteString(stoppedByUser + "\n")
		} else {
			fmt.Fprintf(&b, "[stopped: %v]\n", why)
		}
	case limited.Err() != nil:
		summary = fmt.Sprintf("timed out after %v", timeout)
		fmt.Fprintf(&b, "[%s]\n", summary)
	case end.status != exitDone:
		fmt.Fprintf(&b, "[%s]\n", end.status)
		if confine != nil && refused == "" {
			b.WriteString(guess(out.text()))
		}
		b.WriteString(terminalHint(out.text()))
	case out.total == 0:
		b.WriteString("[no output, exit 0]\n")
	}
	b.WriteString(refused)
	if limited.Err() == nil {
		model, person := end.leftText(t.env.Secrets.Redact)
		b.WriteString(model)
		shown += person
	}
	// Also after a stop the person wants to know what it did.
	changed := t.changes(context.WithoutCancel(ctx), before)
	t.noteChanges(ctx, changed)
	t.noteOutdated(told, changed)
	if names := changed.text(); names != "" {
		b.WriteString("[workspace files changed: " + names + "]\n")
	}
	if before.NamesOnly > 0 {
		fmt.Fprintf(&b, "[of %s only the names were compared: what was written into them is not listed]\n",
			count(before.NamesOnly, "file"))
	}
	if !changed.Complete {
		b.WriteString("[the workspace is too large to watch all of its files]\n")
	}
	r := Result{Text: b.String(), Summary: summary, Detail: detail(out.detail(), shown), Changed: changed.names(),
		Edits: t.edits(context.WithoutCancel(ctx), past, told, changed.Changes)}
	if stopped {
		return r, &Error{Code: "cancelled", Text: b.String(), Err: ctx.Err()}
	}
	return r, nil
}

// stamps records the state of the workspace's files, as many as the limits of number and time
// allow, so that changes can be found after the command.
func (t *bash) stamps(ctx context.Context) *workspace.Stamps {
	ctx, cancel := context.WithTimeout(ctx, t.env.Commands.lookTime())
	defer cancel()
	return t.env.Workspace.Stamps(ctx, t.env.Commands.watch())
}
