package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// start prepares a call that launches a program in a debugger, or attaches a debugger to a process.
// Permission rules see it as a shell command: the debug adapter, then the program with its
// arguments.
func (t *debugTool) start(ctx context.Context, r debugRequest) (Call, error) {
	cwd, err := t.env.Workspace.ResolveDir(r.Cwd)
	if err != nil {
		return Call{}, err
	}
	begin := dap.Start{Attach: r.Action == "attach", Dir: t.env.Workspace.Abs(cwd)}
	line, describe := "", ""
	if begin.Attach {
		line, describe, err = t.attachment(ctx, r, &begin)
	} else {
		line, err = t.launch(ctx, r, cwd, &begin)
		describe = "Debug " + titled(line, 400) + " with " + begin.Adapter.Name
	}
	if err != nil {
		return Call{}, err
	}
	command := shellLine(begin.Adapter.Command)
	if begin.Connect != nil {
		command = shellLine(begin.Connect)
	}
	if dir := t.env.Workspace.Abs(cwd); dir != t.env.Workspace.Dir() {
		command = "cd " + shellLine([]string{dir}) + " && " + command
	}
	if line != "" {
		command += "; " + line
	}
	reach := t.service.Reach(begin.Adapter, begin.Outside)
	call := Call{Title: r.title(), Mutates: true, Command: command, Confined: t.service.Confines() && !begin.Outside}
	call.Proposal = t.startProposal(r, call, describe+" ("+reach+")", begin)
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		limited, cancel := context.WithTimeout(ctx, r.timeout)
		defer cancel()
		s, err := t.service.Begin(limited, begin)
		if err != nil {
			return Result{}, t.asError(err)
		}
		sum := s.Summary()
		return t.result(ctx, t.snapshot(sum), sum.Status), nil
	}
	return call, nil
}

// startProposal returns the question whether a launch or an attach may run. describe says in words
// what it does.
func (t *debugTool) startProposal(r debugRequest, call Call, describe string, begin dap.Start) *approval.Proposal {
	root := t.env.Workspace.RootPath()
	parsed := approval.ParseCommand(call.Command)
	pay := approval.Command{Base: approval.Base{Kind: "command", Path: root.String(), Sandbox: root.Root(),
		Description: describe}, Command: call.Command, TimeoutS: int(r.timeout.Seconds()), Simple: []string{},
		Opaque: parsed.Opaque, Effects: []approval.Effect{}, Note: noteFree, What: "a program in " + begin.Adapter.Name}
	if begin.Attach {
		pay.What = begin.Adapter.Name + " on a program that runs"
	}
	if call.Confined {
		pay.Note = noteConfined
	}
	for _, c := range parsed.Simple {
		pay.Simple = append(pay.Simple, c.String())
	}
	prop := &approval.Proposal{ID: t.env.newID(), Call: r.id, Tool: DebugName, Payload: pay,
		Notes: []string{pay.Note, idleNote}}
	if parsed.Opaque != "" {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagOpaque, Text: approval.ExactOnly + parsed.Opaque})
	}
	if why := t.env.leads(parsed); why != "" {
		prop.Flags = append(prop.Flags, approval.Flag{Name: approval.FlagLeads, Text: why})
	}
	if n := approval.CountHidden(call.Command); n > 0 {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character") + " in the command"})
	}
	if begin.Attach {
		prop.Flags = append(prop.Flags, approval.Flag{Name: approval.FlagOutside,
			Text: "it controls a program that runs outside the sandbox"})
	}
	call.Proposal = prop
	prop.Subject = call.Subject(DebugName)
	return prop
}

// launch finds the program to debug and a debug adapter for it, and stores both in begin. It
// returns the command line of the program.
func (t *debugTool) launch(ctx context.Context, r debugRequest, cwd workspace.Path, begin *dap.Start) (line string,
	err error) {
	name := r.Program
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.env.Workspace.Abs(cwd), name)
	}
	program, p, err := t.program(name)
	if err != nil {
		return "", err
	}
	a, err := t.launchAdapter(ctx, r, program)
	if err != nil {
		return "", err
	}
	if program.Folder && !a.Folders {
		return "", failed("launch program resolves to a directory: %s. Pass an executable file path or choose an "+
			"adapter that supports package directories.", shown(p))
	}
	begin.Adapter, begin.Program, begin.RunIn = a, program.Path, begin.Dir
	if a.InRoot {
		if root := a.Root(program.Path, t.env.Workspace.Dir(), exists); root != "" {
			begin.RunIn = root
		}
	}
	dir := begin.Dir
	begin.Arguments = func(temp string) map[string]any { return a.LaunchArguments(program, r.Args, dir, temp) }
	return shellLine(append([]string{program.Path}, r.Args...)), nil
}

// program returns the program, script or directory of the workspace at a path.
func (t *debugTool) program(name string) (dap.Program, workspace.Path, error) {
	p, err := t.env.Workspace.Resolve(name)
	if err != nil {
		if dir, dirErr := t.env.Workspace.ResolveDir(name); dirErr == nil {
			return dap.Program{Path: t.env.Workspace.Abs(dir), Folder: true}, dir, nil
		}
		return dap.Program{}, p, err
	}
	full := t.env.Workspace.Abs(p)
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return dap.Program{}, p, &workspace.Error{Kind: workspace.NotFound, Path: p.String()}
	case err != nil:
		return dap.Program{}, p, failed("%v", err)
	}
	return dap.Program{Path: full, Folder: info.IsDir(), Binary: info.Mode().IsRegular() && info.Mode()&0o111 != 0},
		p, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// launchAdapter returns the debug adapter for a program: the one that the request names, or the
// best one that is installed.
func (t *debugTool) launchAdapter(ctx context.Context, r debugRequest, program dap.Program) (dap.Adapter, error) {
	if r.Adapter != "" {
		return t.named(ctx, r.Adapter)
	}
	return t.installed(ctx, t.service.Table().ForLaunch(program, func(a dap.Adapter) bool {
		return a.Root(program.Path, t.env.Workspace.Dir(), exists) != ""
	}))
}

// named returns the debug adapter of that name, or an error if it is not installed.
func (t *debugTool) named(ctx context.Context, name string) (dap.Adapter, error) {
	a, ok := t.service.Table()[name]
	if !ok || a.Disabled {
		return a, invalidArgs("there is no adapter %q. Installed adapters: %s", titled(name, 80),
			t.service.InstalledNames(ctx))
	}
	a, err := t.service.Resolve(ctx, a)
	if err != nil {
		return a, &Error{Code: "not_found", Text: err.Error(), Err: err}
	}
	return a, nil
}

// installed returns the first debug adapter in the list that is installed. If none is, the error
// says how to install the first one.
func (t *debugTool) installed(ctx context.Context, list []dap.Adapter) (dap.Adapter, error) {
	var first error
	for _, a := range list {
		a, err := t.service.Resolve(ctx, a)
		if err == nil {
			return a, nil
		}
		if first == nil {
			first = err
		}
	}
	text := "No debugger adapter available. Installed adapters: " + t.service.InstalledNames(ctx)
	if first != nil {
		return dap.Adapter{}, &Error{Code: "not_found", Text: text + ". " + first.Error(), Err: first}
	}
	return dap.Adapter{}, failed("%s", text)
}

// attachment finds the debug adapter for attaching to a process or a port, and stores it in begin.
// describe says what it attaches to. The adapter runs without a sandbox, because the process does
// too. line is always "".
func (t *debugTool) attachment(ctx context.Context, r debugRequest, begin *dap.Start) (line, describe string,
	err error) {
	if r.Adapter != "" {
		begin.Adapter, err = t.named(ctx, r.Adapter)
	} else {
		begin.Adapter, err = t.installed(ctx, t.service.Table().ForAttach(r.Port != 0))
	}
	a := begin.Adapter
	switch {
	case err != nil:
		return "", "", err
	case r.Port != 0 && a.Remote == "":
		return "", "", invalidArgs("adapter %s does not attach to a port", a.Name)
	case r.Port == 0 && a.PID == "":
		return "", "", invalidArgs("adapter %s does not attach to a process", a.Name)
	case r.Host != "" && !plainHost(r.Host):
		return "", "", invalidArgs("host %q is no name of a host", titled(r.Host, 80))
	}
	host, dir := r.Host, begin.Dir
	if host == "" {
		host = "127.0.0.1"
	}
	begin.Outside, begin.RunIn = true, begin.Dir
	begin.Arguments = func(string) map[string]any { return a.AttachArguments(r.PID, host, r.Port, dir) }
	if r.Port != 0 {
		begin.Program = fmt.Sprintf("%s:%d", host, r.Port)
		if a.Remote == "direct" {
			begin.Connect = dap.Connect(host, r.Port)
		}
		return "", fmt.Sprintf("Attach %s to the debugger at %s", a.Name, begin.Program), nil
	}
	begin.Program = fmt.Sprintf("process %d", r.PID)
	line = commandLineOf(r.PID)
	if line == "" {
		return "", fmt.Sprintf("Attach %s to process %d", a.Name, r.PID), nil
	}
	return "", fmt.Sprintf("Attach %s to process %d: %s", a.Name, r.PID, titled(line, 400)), nil
}

// plainHost reports whether a text can only be the name or the address of a host, and not, for
// instance, an option.
func plainHost(host string) bool {
	return len(host) < 256 && !strings.HasPrefix(host, "-") && consistsOf(host, ".-:[]_")
}

// consistsOf reports whether a text consists of ASCII letters, digits and the characters in others.
func consistsOf(text, others string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune(others, r))
	}) < 0
}

// commandLineOf returns the command line of a process, or "" if it is not known. It reads /proc,
// which only Linux has.
func commandLineOf(pid int) string {
	text, err := regular.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(text) == 0 {
		return ""
	}
	return shellLine(strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"))
}

// shellLine returns a shell command line that consists of the words, quoted where needed.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if w == "" || !consistsOf(w, "_./:=@%+,-") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted[i] = w
	}
	return strings.Join(quoted, " ")
}

// snapshot returns the state of a debug session as text for the model.
func (t *debugTool) snapshot(s dap.Summary) string {
	lines := []string{"Session " + s.ID, "Adapter: " + s.Adapter, "Status: " + s.Status, "CWD: " + t.place(s.Dir)}
	if s.Program != "" {
		lines = append(lines, "Program: "+t.place(s.Program))
	}
	if s.StopReason != "" {
		lines = append(lines, "Stop reason: "+s.StopReason)
	}
	if f := s.Frame; f != nil {
		lines = append(lines, "Frame: "+f.Name)
		if f.InstructionPointerReference != "" {
			lines = append(lines, "Instruction pointer: "+f.InstructionPointerReference)
		}
		if place := t.location(s); place != "" {
			lines = append(lines, "Location: "+place)
		}
	}
	if s.Pending {
		lines = append(lines, "Configuration: pending configurationDone; set breakpoints, then continue.")
	}
	if s.ExitCode != nil {
		lines = append(lines, fmt.Sprintf("Exit code: %d", *s.ExitCode))
	}
	return strings.Join(lines, "\n")
}

// location returns the source position at which the program has stopped, or "" if it is not known.
func (t *debugTool) location(s dap.Summary) string {
	if s.Frame == nil || s.Frame.Source == nil || s.Frame.Source.Path == "" {
		return ""
	}
	return t.spot(s.Frame.Source.Path, s.Frame.Line, s.Frame.Column)
}

// spot returns a source position as file:line:column. Column 0 is left out: adapters use it for an
// unknown column.
func (t *debugTool) spot(path string, line, column int) string {
	place := fmt.Sprintf("%s:%d", t.place(path), line)
	if column > 0 {
		place += fmt.Sprintf(":%d", column)
	}
	return place
}

// sessions returns the list of debug sessions, which has at most one entry.
func (t *debugTool) sessions() (text, summary string) {
	list := t.service.Summaries()
	if len(list) == 0 {
		return "No debug sessions.", "none"
	}
	var all []string
	for _, s := range list {
		lines := []string{s.ID + ": " + s.Status, "  adapter=" + s.Adapter, "  cwd=" + t.place(s.Dir)}
		for _, part := range []struct{ name, value string }{{"program", t.place(s.Program)},
			{"location", t.location(s)}, {"reason", s.StopReason}} {
			if part.value != "" {
				lines = append(lines, "  "+part.name+"="+part.value)
			}
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	return strings.Join(all, "\n\n"), count(len(list), "session")
}

// terminate ends the debug session.
func (t *debugTool) terminate(ctx context.Context) (text, summary string, err error) {
	s, err := t.service.Terminate(ctx)
	if err != nil {
		return "", "", err
	}
	if s == nil {
		return "No debug session to terminate.", "none", nil
	}
	return t.snapshot(s.Summary()), "terminated", nil
}

// output returns what the debugged program has printed, also after the session has ended.
func (t *debugTool) output() (text, summary string, err error) {
	s := t.service.Last()
	if s == nil {
		return "", "", dap.ErrNoSession
	}
	text, truncated := s.Printed()
	switch {
	case text == "":
		return "(no output)", "none", nil
	case truncated:
		text = "[the output before this is lost]\n" + text
	}
	return text, bytesWord(len(text)), nil
}

// escaped returns a text of the debug adapter on one line, with control characters escaped.
func escaped(text string) string { return diff.Escape(text) }
