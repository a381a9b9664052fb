package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// sandboxSwitch lets the user see and switch the sandbox in which commands of the model run. It
// implements [approval.Sandbox].
type sandboxSwitch struct {
	project *project
	host    Host
	tell    func(text string) // Tells the model something with the next message.
}

// On implements [approval.Sandbox]: it reports whether the sandbox is switched on.
func (s sandboxSwitch) On() bool { return s.project.confinement.current() != nil }

// Offer implements [approval.Sandbox]: it returns a question whether to use the sandbox. It returns
// "" if the user has already decided, if there is no sandbox, and in the demo.
func (s sandboxSwitch) Offer(ctx context.Context) (question, text string) {
	r := s.project
	if _, decided := s.host.wantsSandbox(r.cfg, r.ws.Dir()); decided || r.demo || s.On() {
		return "", ""
	}
	if config.Dir(s.host.getenv) == "" || s.host.answers(aboutSandbox) == "" {
		return "", ""
	}
	if box, _ := r.confinement.look(ctx); box == nil {
		return "", ""
	}
	lines := append([]string{ // the choices come first, because the last lines may be off the screen
		"here     in this workspace only",
		"Y        in all workspaces: " + sandboxLine + " goes into your config.toml",
		"not now  commands are asked about, and this is not asked again here", ""}, s.holds()...)
	return "Run the model's commands in a sandbox of the system? Then most of them run without a question.",
		strings.Join(lines, "\n") + "\n"
}

// sandboxLine is the line in the config file that turns the sandbox on in all workspaces.
const sandboxLine = `sandbox = "auto"`

// Answer implements [approval.Sandbox]: it stores the user's answer to the question of Offer, and
// turns the sandbox on after a yes.
func (s sandboxSwitch) Answer(ctx context.Context, a approval.Answer) (on bool, line string) {
	var err error
	switch a.(type) {
	case approval.Yes:
		err = config.Set(config.Dir(s.host.getenv), "sandbox", "auto")
	case approval.Here:
		err = s.host.answers(aboutSandbox).Store(s.project.ws.Dir(), sandboxAnswer, true)
	case approval.No:
		err = s.host.answers(aboutSandbox).Store(s.project.ws.Dir(), sandboxAnswer, false)
		if err != nil {
			return false, "Your answer was not kept: " + err.Error() + ". You are asked again in the next session."
		}
		return false, "Commands are asked about, as before. /sandbox on turns the sandbox on."
	default:
		return false, ""
	}
	line = s.turnOn(ctx)
	if err != nil {
		line += " Your answer was not kept: " + err.Error() + "."
	}
	return s.On(), line
}

// turnOn turns the sandbox on and tells the model. It returns a line for the user, also if there is
// no sandbox.
func (s sandboxSwitch) turnOn(ctx context.Context) string {
	if why := s.project.confinement.set(ctx, true); why != "" {
		return "Commands cannot be confined here: " + why + ". agentshell doctor says how to fix it."
	}
	s.tell("From now on " + lowerFirst(confinedCommands))
	return "Commands run in the sandbox from now on. /sandbox shows what it holds."
}

// Command implements [approval.Sandbox]: it carries out /sandbox. The choice is stored for the
// workspace, so that later sessions have it, too.
func (s sandboxSwitch) Command(ctx context.Context, argument string) (lines []string, err error) {
	store := func(on bool) {
		if err := s.host.answers(aboutSandbox).Store(s.project.ws.Dir(), sandboxAnswer, on); err != nil {
			lines = append(lines, "It holds for this session only: "+err.Error()+".")
		}
	}
	switch argument {
	case "":
		return s.state(ctx), nil
	case "on":
		line := s.turnOn(ctx)
		if !s.On() {
			return nil, errors.New(strings.TrimSuffix(line, "."))
		}
		lines = []string{line}
		if store(true); s.project.cfg.Sandbox == "off" {
			lines = append(lines, `It holds for this session only: the config file has sandbox = "off".`)
		}
		return lines, nil
	case "off":
		s.project.confinement.set(ctx, false)
		s.tell("From now on commands are not confined any more, and the user is asked about them.")
		lines = []string{"Commands are not confined any more in this workspace. You are asked about them.",
			"Another shell that is running here already keeps its sandbox until /sandbox off there."}
		store(false)
		return lines, nil
	}
	return nil, fmt.Errorf("there is no /sandbox %s; /sandbox on and /sandbox off switch it", argument)
}

// state returns the lines that /sandbox prints.
func (s sandboxSwitch) state(ctx context.Context) []string {
	box, why := s.project.confinement.look(ctx)
	switch {
	case box == nil:
		return []string{"Commands cannot be confined here: " + why + ".", "agentshell doctor says how to fix it."}
	case !s.On():
		return append([]string{"Commands are not confined: you are asked about them. /sandbox on turns the " +
			"sandbox on:"}, s.holds()...)
	}
	return append([]string{"Commands run in the sandbox (" + box.Way() + "). /sandbox off turns it off."}, s.holds()...)
}

// holds returns lines that describe what commands can do in the sandbox, one fact a line.
func (s sandboxSwitch) holds() []string {
	r := s.project
	writes := []string{"this workspace", "caches of compilers and package managers"}
	for _, root := range r.roots.further() {
		if !root.ReadOnly {
			writes = append(writes, root.Dir)
		}
	}
	network := strings.Join(slices.Concat(r.cfg.Network, r.cfg.NetworkPrivate), ", ")
	if network == "" {
		network = "none; you are asked about each host that a command needs"
	}
	return []string{
		"writes   " + strings.Join(append(writes, r.cfg.SandboxWritable...), ", "),
		"reads    " + strings.Join(append([]string{"the system, no other file of your home directory"},
			r.cfg.SandboxReadable...), ", "),
		"network  " + network,
		"asks     about rm -r, git reset --hard, git push, and files that programs run",
		"outside  commands that you run with !, and helpers that run already",
	}
}

// lowerFirst returns s with a small first letter, to put it into another sentence.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// deniedNotice returns a line for runs with -p and without a sandbox. It says which commands are
// denied because nobody can be asked. It returns "" if there is nothing to say.
func (r *project) deniedNotice() string {
	if r.confinement.current() != nil {
		return ""
	}
	mode := r.policy.Mode()
	if limits := r.policy.ReadLimits(); !limits.None() && mode != approval.ModePlan {
		return "no sandbox, and the rule " + limits.First() + " keeps files from being read: all commands are " +
			"denied. " + howToAllow
	}
	switch mode {
	case approval.ModeTrusted:
		return "no sandbox: commands that delete folders, discard changes, push or are flagged are denied. " +
			howToAllow
	case approval.ModeAsk, approval.ModeEdits:
		return "no sandbox: commands that do more than read are denied. " + howToAllow
	}
	return ""
}

// howToAllow is the end of the line that says which commands are denied.
const howToAllow = "--allow 'bash(COMMAND)' allows one"
