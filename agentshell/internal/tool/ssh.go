package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/ssh"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// SSHOwner is the owner of the tool ssh in a Registry. A tool with an owner is hidden behind the
// tool search when MCP servers offer too many tools.
const SSHOwner = "ssh"

const sshName = "ssh"

// sshTool is the tool ssh. It runs commands on other machines by the ssh program.
type sshTool struct {
	env     Env
	service *ssh.Service
	// used holds the hosts on which a command has run in this session.
	used *usedAliases
}

// usedAliases is a set of host names from the user's own ssh configuration that the user has
// allowed in this session. It is safe for use by several goroutines.
type usedAliases struct {
	mu    sync.Mutex
	names map[string]bool
}

func (u *usedAliases) has(name string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.names[name]
}

func (u *usedAliases) add(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.names[name] = true
}

// SSH returns the tool ssh for the hosts of a service.
func SSH(env Env, service *ssh.Service) []Tool {
	return []Tool{&sshTool{env, service, &usedAliases{names: map[string]bool{}}}}
}

// sshTimeout is the default time limit of a remote command in seconds, and maxSSHTimeout the
// longest that the model may set.
const (
	sshTimeout    = 60
	maxSSHTimeout = 3600
)

type sshArgs struct {
	Host    string `json:"host" doc:"Name of the host, of those that the description lists."`
	Command string `json:"command" doc:"Command line for sh on the host. It runs without a terminal and with empty input."`
	Cwd     string `json:"cwd,omitempty" doc:"Directory on the host; the home directory if missing."`
	Timeout int    `json:"timeout,omitempty" doc:"Seconds after which it is ended, 1 to 3600; 60 if missing."`
}

func (t *sshTool) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NameSubject, Kind: approval.KindRuns}
}

func (t *sshTool) Spec() provider.Tool {
	text := "Run one command on another machine by ssh. The user sees host and command before it runs. Output and " +
		"errors come in one stream, in order. When the call ends early the command is ended on the host."
	if t.service != nil {
		text += "\n\nAvailable hosts:"
		for _, name := range t.service.Hosts().Names() {
			h, _ := t.service.Host(name)
			text += "\n- " + name
			if h.About != "" {
				text += ": " + h.About
			}
		}
	}
	return provider.Tool{Name: sshName, Schema: schemaOf[sshArgs](), Description: text}
}

func (t *sshTool) Prepare(_ context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[sshArgs](input)
	if err != nil {
		return Call{}, err
	}
	switch {
	case strings.TrimSpace(args.Command) == "":
		return Call{}, invalidArgs("command is empty")
	case strings.ContainsRune(args.Command+args.Cwd, 0):
		return Call{}, invalidArgs("command or cwd contains a NUL byte")
	case len(args.Command) > maxCommand:
		return Call{}, invalidArgs("command is too long: %d bytes > %d", len(args.Command), maxCommand)
	case strings.ContainsAny(args.Cwd, "\n\r"):
		return Call{}, invalidArgs("cwd contains a line break")
	}
	h, err := t.service.Host(args.Host)
	if err != nil {
		return Call{}, &Error{Code: "not_found", Text: err.Error(), Err: err}
	}
	if err := t.service.Find(); err != nil {
		return Call{}, failed("ssh binary not found on PATH: %v", err)
	}
	seconds := sshTimeout
	if args.Timeout != 0 {
		seconds = min(max(args.Timeout, 1), maxSSHTimeout)
	}
	c := ssh.Command{Line: args.Command, Dir: args.Cwd, Time: time.Duration(seconds) * time.Second}
	call := Call{Title: sshName + " " + titled(h.Name+": "+args.Command, 200), Name: h.Name, Mutates: true}
	call.Proposal = t.proposal(id, h, c)
	call.Run = func(ctx context.Context, progress func(string)) (Result, error) {
		t.used.add(h.Name)
		return t.run(ctx, h, c, progress)
	}
	call.Proposal.Subject = call.Subject(sshName)
	return call, nil
}

// proposal returns the question whether the command may run. It shows host and command in full, and
// warns that a rule for the host covers every command there.
func (t *sshTool) proposal(id string, h ssh.Host, c ssh.Command) *approval.Proposal {
	line := c.Line
	if c.Dir != "" {
		line = "in " + c.Dir + ": " + line
	}
	root := t.env.Workspace.RootPath()
	pay := approval.Command{
		Base: approval.Base{Kind: "command", Description: "Run on " + h.Name + ": " + diff.Escape(line),
			Path: root.String(), Sandbox: root.Root()},
		Command: "ssh " + h.Name + ": " + line, TimeoutS: int(c.Time / time.Second), Simple: []string{},
		Effects: []approval.Effect{},
		Note:    "runs on " + h.Target() + ", outside of any sandbox",
	}
	prop := &approval.Proposal{ID: t.env.newID(), Call: id, Tool: sshName, Payload: pay, Notes: []string{pay.Note,
		"a rule for " + sshName + "(" + h.Name + ") covers every command there"}}
	if h.Alias && !t.used.has(h.Name) {
		prop.Flags = append(prop.Flags, approval.Flag{Name: approval.FlagNetwork,
			Text: h.Name + " is a host of your ssh configuration that the model has not used yet"})
	}
	if n := approval.CountHidden(line); n > 0 {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character") + " in the command"})
	}
	return prop
}

// run runs the command c on the host h and returns its output.
func (t *sshTool) run(ctx context.Context, h ssh.Host, c ssh.Command, progress func(string)) (Result, error) {
	out := &output{progress: progress, redactor: t.env.Secrets.Stream(), keep: t.env.Outputs, left: roomOf(ctx)}
	err := t.service.Run(ctx, h, c, out)
	out.flush()
	text := out.text()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	r := Result{Text: text + out.cleared(), Detail: detail(out.detail(), ""), Summary: exitDone}
	var end *ssh.FailedError
	switch {
	case err == nil && out.total == 0:
		r.Text = "(no output)"
		return r, nil
	case err == nil:
		return r, nil
	case errors.As(err, &end):
		r.Summary = fmt.Sprintf("exit %d", end.Code)
		return r, failed("%s", r.Text+end.Error())
	case ctx.Err() != nil:
		r.Summary = "stopped"
		return r, &Error{Code: "cancelled", Text: r.Text + earlyEnd("Command aborted", err), Err: ctx.Err()}
	case errors.Is(err, context.DeadlineExceeded):
		r.Summary = fmt.Sprintf("timed out after %v", c.Time)
		return r, failed("%s", r.Text+earlyEnd("SSH: "+r.Summary, err))
	}
	return r, failed("%s", r.Text+t.env.Secrets.Redact(err.Error()))
}

// earlyEnd returns a line for the model that says how a call ended before its command was done, and
// whether the command was ended on the remote host. err is the service's error; the lines after its
// first one say what is known.
func earlyEnd(what string, err error) string {
	why := "it was ended on the host, too"
	if _, left, found := strings.Cut(err.Error(), "\n"); found {
		why = left
	}
	return "[" + what + "; " + why + "]"
}
