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

// runShell runs the shell on the terminal's screen. However the user leaves it, the exit code is
// ExitDone; a signal is ExitInterrupted.
func (p Host) runShell(ctx context.Context, r *conversation) (int, error) {
	s := &screen{conversation: r, host: p, logs: &sessions{conv: r}}
	var stderr stderrCapture
	cfg := s.config(ctx)
	cfg.Terminal = terminal.Config{Stderr: &stderr, Tmux: p.runTmux, OnForcedExit: func() { p.family.Close(0) }}
	r.serverAsker.setOpenPage(p.openPage)
	s.shell = shell.New(cfg)
	s.agent = r.newAgent(s.shell)
	s.logs.ag = s.agent
	p.end.setScreen(true) // Ctrl+C in an editor that the shell has started reaches agentshell, too, and must be ignored
	err := s.shell.Run(ctx, s.agent)
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

// screen provides what the shell shows of a conversation. The shell is created first, because the
// agent asks it. Both fields are nil until then, so they are used only inside of functions that are
// called later.
type screen struct {
	*conversation
	host Host
	// Gives the shell access to stored sessions.
	logs  *sessions
	shell *shell.Shell
	agent *agent.Agent
}

// tell tells the model something, together with the next message.
func (s *screen) tell(text string) { s.agent.Note(text) }

// config returns the configuration of the shell, built from the conversation and the settings.
func (s *screen) config(ctx context.Context) shell.Config {
	adder := directoryAdder{s.conversation, s.host, s.tell}
	appearance, themeNotices := s.host.appearance(s.project, s.cfg)
	lost, lostNotices := adder.offerLost(ctx)
	return shell.Config{
		Version: s.version,
		Workspace: shell.Workspace{Name: s.displayName(), Dir: s.dir, Further: s.furtherDirs,
			Add: adder.Add},
		Start: shell.Start{Notes: slices.Concat(s.notices, s.remarks, themeNotices, s.startNotes(), lostNotices),
			Restored: s.restored, FirstMessage: textOf(s.Message), SuggestedMessage: s.suggestedMessage(),
			Offers: append(lost, s.offers(ctx)...), Resumed: s.resumedMessages()},
		Models:  s.models(),
		Session: s.session(),
		Files:   s.files(),
		Prompt:  s.prompt(),
		Approval: shell.Approval{Mode: s.policy.Mode(), Policy: s.policy, AskPlainly: s.askPlainly,
			Sandbox: sandboxSwitch{s.project, s.host, s.tell}},
		Programs:    s.programs(),
		Appearance:  appearance,
		Keys:        s.cfg.Keys,
		Tree:        shell.Tree{DoubleEsc: s.cfg.DoubleEsc, AskSummary: s.cfg.BranchSummary},
		Settings:    configFile{s.project, s.host},
		Todo:        &s.todo,
		Crew:        s.crew,
		Beside:      s.purse.Beside,
		Running:     s.runningLines,
		Memory:      s.memoryCommand,
		LastMessage: s.lastMessage(),
		Arrived:     s.arrived,
	}
}

// startNotes returns lines for the first screen: which instruction files the model has, and which
// session was resumed.
func (s *screen) startNotes() (notes []string) {
	if files := s.instructionFiles(); files != "" {
		notes = append(notes, "Using instructions from "+files)
	}
	if len(s.messages) > 0 && s.log != nil {
		notes = append(notes,
			fmt.Sprintf("Resumed session %s (%s). /resume lists others.", s.id, countMessages(s.log.CountMessages())))
	}
	return notes
}

// suggestedMessage returns the message that the user is offered in the empty prompt, or "".
func (s *screen) suggestedMessage() string {
	if s.demo {
		return demo.SuggestedMessage
	}
	return ""
}

// resumedMessages returns the messages of the session that was resumed.
func (s *screen) resumedMessages() []provider.Message {
	if s.log == nil {
		return nil
	}
	return s.messages
}

// offers returns the questions for the start: whether to use what the workspace offers, and what to
// do with changes that agents have left.
func (s *screen) offers(ctx context.Context) (list []*shell.Offer) {
	for _, o := range []*shell.Offer{
		s.skillOffer(s.tell, func(rules []streamrule.Rule) { s.agent.SetRules(rules) }, s.refreshKinds),
		s.serverOffer(s.host), s.languageOffer(s.host), s.extensionOffer(s.host),
		s.leftoverOffer(ctx, func() approval.Approver { return s.shell }),
	} {
		if o != nil {
			list = append(list, o)
		}
	}
	return list
}

// models returns what the shell shows about models, and the functions that change the model.
func (s *screen) models() shell.Models {
	m := shell.Models{Name: s.model.Name(), Names: s.modelNames(),
		Help:            func(name string) string { return modelHelp(s.conversation, name) },
		About:           func(name string) string { return shortModelLine(s.modelInfo(name)) },
		IsWindowAssumed: s.isWindowAssumed,
		FetchNames:      s.listModels,
		Summarize: func(ctx context.Context, messages []provider.Message, words string) (string, error) {
			return s.agent.Summarize(ctx, messages, words)
		}}
	if s.demo {
		m.Note = "no key set, /model tells how"
	}
	if s.newModel == nil {
		return m
	}
	m.Set = func(name string) error { return s.changeModel(s.agent, name) }
	if s.answering == nil {
		return m
	}
	m.Efforts = config.Efforts()
	m.Now = func() (name, effort string, thinking bool) {
		is := s.choices()
		return is.Model, cmp.Or(is.Effort, s.cfg.Models[is.Model].Effort, s.cfg.Effort), is.Thinking
	}
	_, m.Effort, _ = m.Now()
	m.SetEffort = func(level string) error { return s.changeAnswering(func(c *answering) { c.effort = level }) }
	m.SetThinking = func(on bool) error { return s.changeAnswering(func(c *answering) { c.thinking = on }) }
	return m
}

// changeAnswering changes how the model answers (effort, thinking), from its next answer on.
func (s *screen) changeAnswering(change func(*answering)) error {
	s.answering(change)
	m, err := s.newModel(s.agent.Model().Name())
	if err == nil {
		s.agent.SetModel(m)
		s.noteChoice()
	}
	return err
}

// session returns the shell's access to the conversation and to its log.
func (s *screen) session() shell.Session {
	c := shell.Session{
		Clear:        func() error { return s.agent.Clear() },
		Context:      func() []string { return s.contextLines(s.agent) },
		Conversation: func() ([]provider.Message, error) { return s.agent.Messages(), nil },
		AfterMove:    s.logs.takeRestored,
		AfterResume: func() []string {
			return append(s.logs.takeRestored(), withoutEmpty(s.lostDirectoriesNotice())...)
		}}
	if s.log == nil {
		return c
	}
	c.Path, c.Stored, c.Conversation = s.log.Path(), s.logs, s.logs.Transcript
	c.Export = func(ctx context.Context, to export.Target, progress export.Progress) (string, error) {
		return s.logs.export(ctx, to, s.host.getenv("HOME"), progress)
	}
	return c
}

// files returns the shell's access to the files of the workspace and to their changes.
func (s *screen) files() shell.Files {
	return shell.Files{Pictures: s.pictures.find, Attach: s.attachReader().Read, Find: s.newFinder().Find,
		Changes:     func() []undo.Line { return s.history.Lines(time.Now()) },
		Differences: func(ctx context.Context) []tool.Difference { return tool.Differences(ctx, s.env) },
		CutOff:      func() string { return cutOffCommand(s.agent.Messages()) },
		ChangedSince: func(n int) (files []string) {
			for _, f := range tool.Rewind(s.env, n) {
				files = append(files, f.Path)
			}
			return files
		},
		ChangesBy: func(ctx context.Context, call string) []tool.Edited {
			return tool.StoredEdits(ctx, s.env, call)
		}}
}

// prompt returns what the shell needs for the editing of messages: the clipboard, the editor, the
// history and the slash commands.
func (s *screen) prompt() shell.Prompt {
	p := s.host
	state := config.StateDir(p.getenv)
	c := shell.Prompt{ReadClipboard: p.clipboardReader(state),
		NewSpill: func() (shell.Spill, error) { return newPastedText(s.pastedDir, s.secrets) },
		Editor: &shell.Editor{Command: cmp.Or(p.getenv("VISUAL"), p.getenv("EDITOR")),
			Env: secret.ForPerson(p.environ), Run: p.family.Lend, Programs: p.family.Programs}}
	if state != "" {
		c.Editor.Dir = filepath.Join(state, "edit") // no tool can write there (FS-34)
	}
	if state != "" && s.log != nil {
		c.History = recall.Open(filepath.Join(state, "history"), s.ws.Dir(), s.secrets)
	}
	for _, command := range s.skills.Commands {
		c.Commands = append(c.Commands, shellCommand(command))
	}
	return c
}

// programs returns the shell's access to the programs behind the model's tools.
func (s *screen) programs() shell.Programs {
	c := shell.Programs{Tools: s.toolNames, Helpers: s.helperStates, Jobs: s.jobs, Extensions: s.extensions,
		Servers: s.servers, ServerLog: s.serverLog, OpenPage: s.host.openPage}
	if s.helpers.languages != nil {
		c.Languages = s.helpers.languages
	}
	if s.helpers.debugger != nil {
		c.Debugger = s.helpers.debugger
	}
	if s.cells != nil {
		c.Cells = s.cells
	}
	return c
}

// countMessages returns "1 message" or, for another n, "n messages".
func countMessages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}

// modelHelp returns the text of /model about the model of that name.
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
