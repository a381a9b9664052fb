package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// runShell runs the shell on the terminal. The exit code is 0 for every way in which the shell can
// be left.
func (p Host) runShell(ctx context.Context, r *conversation) (int, error) {
	var a *agent.Agent // the shell asks, so it is made first
	cfg := shell.Config{
		Version: r.version, Workspace: r.displayName(), WorkspaceDir: r.dir, Keys: r.cfg.Keys,
		Mode: r.policy.Mode(), Policy: r.policy, Todo: &r.todo,
		Crew: r.crew, Jobs: r.jobs, Servers: r.servers, ServerLog: r.serverLog,
		Start: shell.Start{Notes: slices.Concat(r.notices, r.remarks), Restored: r.restored,
			FirstMessage: textOf(r.Message)},
		Models: shell.Models{Name: r.model.Name(), Names: r.modelNames(),
			Help: func(name string) string { return modelHelp(r, name) }},
		Files: shell.Files{Pictures: r.pictures.find, Attach: r.attachReader().Read, Find: r.newFinder().Find,
			Changes:     func() []undo.Line { return r.history.Lines(time.Now()) },
			Differences: func(ctx context.Context) []tool.Difference { return tool.Differences(ctx, r.env) }},
	}
	cfg.Models.About = func(name string) string { return shortModelLine(r.modelInfo(name)) }
	cfg.Models.IsWindowAssumed = r.isWindowAssumed
	cfg.Models.FetchNames = r.modelSource.listModels
	cfg.OpenPage = p.openPage
	if r.helpers.debugger != nil {
		cfg.Debugger = r.helpers.debugger
	}
	if r.helpers.languages != nil {
		cfg.Languages = r.helpers.languages
	}
	if r.cells != nil {
		cfg.Cells = r.cells
	}
	cfg.Extensions = r.extensions
	cfg.Tools, cfg.Helpers, cfg.Directories = r.toolNames, r.helperStates, r.furtherDirs
	r.serverAsker.setOpenPage(p.openPage)
	var themeNotices []string
	cfg.Appearance, themeNotices = p.appearance(r.project, r.cfg)
	cfg.Start.Notes = append(cfg.Start.Notes, themeNotices...)
	cfg.Files.ChangedSince = func(n int) (files []string) {
		for _, f := range tool.Rewind(r.env, n) {
			files = append(files, f.Path)
		}
		return files
	}
	cfg.Files.ChangesBy = func(ctx context.Context, call string) []tool.Edited {
		return tool.StoredEdits(ctx, r.env, call)
	}
	cfg.Tree = shell.Tree{DoubleEsc: r.cfg.DoubleEsc, AskSummary: r.cfg.BranchSummary}
	cfg.Arrived = r.arrived
	cfg.LastMessage, cfg.Running = r.lastMessage(), r.runningLines
	cfg.Memory = func(ctx context.Context, arg string) (tool.MemoryReply, error) {
		return tool.MemoryCommand(ctx, r.env, arg)
	}
	if r.log != nil {
		cfg.LogPath = r.log.Path()
	}
	if files := r.instructionFiles(); files != "" {
		cfg.Start.Notes = append(cfg.Start.Notes, "Using instructions from "+files)
	}
	if len(r.messages) > 0 && r.log != nil {
		cfg.Start.Notes = append(cfg.Start.Notes,
			fmt.Sprintf("Resumed session %s (%s). /resume lists others.", r.id, countMessages(r.log.CountMessages())))
	}
	cfg.Models.Summarize = func(ctx context.Context, messages []provider.Message, words string) (string, error) {
		return a.Summarize(ctx, messages, words)
	}
	if r.demo {
		cfg.Start.SuggestedMessage, cfg.Models.Note = demo.SuggestedMessage, "no key set, /model tells how"
	}
	editor := p.getenv("VISUAL")
	if editor == "" {
		editor = p.getenv("EDITOR")
	}
	cfg.Editor = &shell.Editor{Command: editor, Env: secret.ForPerson(p.environ), Run: p.family.Lend,
		Programs: p.family.Programs}
	if state := config.StateDir(p.getenv); state != "" {
		cfg.Editor.Dir = filepath.Join(state, "edit") // no tool can write there (FS-34)
	}
	cfg.AskPlainly = r.askPlainly
	if state := config.StateDir(p.getenv); state != "" && r.log != nil {
		cfg.History = recall.Open(filepath.Join(state, "history"), r.ws.Dir(), r.secrets)
	}
	cfg.ReadClipboard = p.clipboardReader(config.StateDir(p.getenv))
	cfg.NewSpill = func() (shell.Spill, error) { return newPastedText(r.pastedDir, r.secrets) }
	var stderr stderrCapture
	cfg.Terminal = terminal.Config{Stderr: &stderr, Tmux: p.runTmux, OnForcedExit: func() { p.family.Close(0) }}
	// The shell asks, so it is made first; what needs the agent is filled in behind.
	cfg.Clear = func() error { return a.Clear() }
	for _, c := range r.skills.Commands {
		cfg.Commands = append(cfg.Commands, shellCommand(c))
	}
	cfg.Context = func() []string { return r.contextLines(a) }
	if r.newModel != nil {
		cfg.Models.Set = func(name string) error { return r.changeModel(a, name) }
	}
	if r.newModel != nil && r.answering != nil {
		now := func() (name, effort string, thinking bool) {
			is := r.choices()
			return is.Model, cmp.Or(is.Effort, r.cfg.Models[is.Model].Effort, r.cfg.Effort), is.Thinking
		}
		cfg.Models.Now, cfg.Models.Efforts = now, config.Efforts()
		_, cfg.Models.Effort, _ = now()
		change := func(change func(*answering)) error {
			r.answering(change)
			m, err := r.newModel(a.Model().Name())
			if err == nil {
				a.SetModel(m)
				r.noteChoice()
			}
			return err
		}
		cfg.Models.SetEffort = func(level string) error { return change(func(c *answering) { c.effort = level }) }
		cfg.Models.SetThinking = func(on bool) error { return change(func(c *answering) { c.thinking = on }) }
	}
	logs := &sessions{conv: r}
	cfg.Conversation = func() ([]provider.Message, error) { return a.Messages(), nil }
	if r.log != nil {
		cfg.Sessions, cfg.Start.Resumed = logs, r.messages
		cfg.Conversation = logs.Transcript
		cfg.Export = func(ctx context.Context, to export.Target, progress export.Progress) (string, error) {
			return logs.export(ctx, to, p.getenv("HOME"), progress)
		}
	}
	adder := directoryAdder{r, p, func(text string) { a.Note(text) }}
	cfg.AddDir, cfg.AfterMove = adder.Add, logs.takeRestored
	cfg.AfterResume = func() []string { return append(logs.takeRestored(), withoutEmpty(r.lostDirectoriesNotice())...) }
	lost, lostNotices := adder.offerLost(ctx)
	cfg.Start.Offers, cfg.Start.Notes = lost, append(cfg.Start.Notes, lostNotices...)
	var sh *shell.Shell
	for _, o := range []*shell.Offer{
		r.skillOffer(func(text string) { a.Note(text) }, func(rules []streamrule.Rule) { a.SetRules(rules) },
			r.refreshKinds),
		r.serverOffer(p), r.languageOffer(p), r.extensionOffer(p),
		r.leftoverOffer(ctx, func() approval.Approver { return sh }),
	} {
		if o != nil {
			cfg.Start.Offers = append(cfg.Start.Offers, o)
		}
	}
	cfg.Beside = r.purse.Beside
	cfg.Settings = configFile{r.project, p}
	cfg.Sandbox = sandboxSwitch{r.project, p, func(text string) { a.Note(text) }}
	sh = shell.New(cfg)
	a = r.newAgent(sh)
	logs.ag = a
	p.end.setScreen(true) // Ctrl+C typed into an editor that has the terminal reaches us, too, and is not for us
	err := sh.Run(ctx, a)
	p.end.setScreen(false)
	p.end.begin(headless.ExitDone, quitElapsed)
	if text := stderr.String(); text != "" {
		PrintLine(p.Stderr, "Printed to standard error meanwhile:\n%s", text)
	}
	if r.log != nil && !r.demo && !r.log.Empty() {
		PrintLine(p.Stdout, "Resume this session with: agentshell --resume %s", r.id)
	}
	var sig terminal.SignalError
	if ctx.Err() != nil || errors.Is(err, tui.ErrInterrupted) || errors.As(err, &sig) {
		return headless.ExitInterrupted, nil
	}
	return headless.ExitDone, err
}

// countMessages returns a number of messages in words.
func countMessages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}

func modelHelp(r *conversation, name string) string {
	if !r.demo {
		if r.newModel == nil {
			return "The answers come from --script."
		}
		_, found := window.Lookup(name)
		_, configured := r.cfg.Models[name]
		return modelLine(r.modelInfo(name), found || configured) + "\nChange it: /model NAME (this session), " +
			"--model NAME, or model = \"NAME\" in config.toml."
	}
	return "The answers come from the demo script. To use a model, quit and start again with a key:\n" +
		"export " + services[0].keyName + "=...   (or " + services[1].keyName + ")\nagentshell"
}
