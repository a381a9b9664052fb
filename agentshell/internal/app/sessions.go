package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/running"
)

// sessions lets the shell work with stored sessions: it implements what /tree, /resume and /fork
// need.
type sessions struct {
	conv *conversation
	// The agent that runs the conversation.
	ag *agent.Agent
	// Lines about the choices (model, mode ...) that the last switch to another session or branch
	// has restored.
	restored []string
}

// takeRestored returns lines about the choices that the last switch to another session or branch
// has restored, once.
func (s *sessions) takeRestored() []string {
	lines := s.restored
	s.restored = nil
	return lines
}

// takeUp restores the choices (model, mode ...) of another session or branch, before the
// conversation continues there in log. If flagsWin is true, choices of the command line stay as
// they are.
func (s *sessions) takeUp(log *session.Log, stored session.Choices, flagsWin bool) {
	s.restored = s.conv.restore(stored, flagsWin, func(m provider.Model) error { return s.conv.useModel(s.ag, m) })
	s.conv.policy.Watch(s.conv.noteChoice)
	log.SetChoices(s.conv.choices())
}

// ID implements [shell.Sessions].
func (s *sessions) ID() string { return s.conv.log.ID() }

// Path implements [shell.Sessions].
func (s *sessions) Path() string { return s.conv.log.Path() }

// Name implements [shell.Sessions].
func (s *sessions) Name() string { return s.conv.log.Name() }

// Rename implements [shell.Sessions].
func (s *sessions) Rename(name string) error { return s.conv.log.Rename(name) }

// Tree implements [shell.Sessions].
func (s *sessions) Tree() ([]session.Node, string, error) { return s.conv.log.Tree() }

// Label implements [shell.Sessions].
func (s *sessions) Label(id, name string) error { return s.conv.log.Label(id, name) }

// Recent implements [shell.Sessions]: it returns the last 50 sessions of the workspace.
func (s *sessions) Recent() ([]session.Summary, error) {
	return session.Summaries(s.conv.logConfig, 50)
}

// CountMessages implements [shell.Sessions].
func (s *sessions) CountMessages() int { return s.conv.log.CountMessages() }

// MessageText implements [shell.Sessions].
func (s *sessions) MessageText(id string) (string, error) { return s.conv.log.MessageText(id) }

// Transcript implements [shell.Sessions]: it reads the complete conversation from the log.
func (s *sessions) Transcript() ([]provider.Message, error) {
	defer s.conv.log.DropParsed()
	return s.conv.log.FullConversation()
}

// LeftBehind implements [shell.Sessions].
func (s *sessions) LeftBehind(id string) ([]provider.Message, error) {
	return s.conv.log.LeftBehind(id)
}

// restore replaces the messages of the conversation. Since they may not contain the instructions of
// subdirectories, those are given to the model again when it needs them.
func (s *sessions) restore(messages []provider.Message) error {
	s.conv.nested.Forget()
	if err := s.ag.Restore(messages); err != nil {
		return err
	}
	if s.conv.findLostJobs(messages); len(s.conv.lostJobs) > 0 {
		s.ag.Note(s.conv.lostJobsText())
	}
	return nil
}

// Move implements [shell.Sessions]: it continues the conversation at another place of its tree.
func (s *sessions) Move(id, summary string) ([]provider.Message, error) {
	s.restored = nil
	err := s.conv.log.StoreChoices() // for the branch that the conversation leaves
	if err != nil {
		return nil, err
	}
	stored, other, err := s.conv.log.ChoicesOf(id)
	if err != nil {
		return nil, err
	}
	if other { // at an earlier place of the same conversation, the present choices stay
		s.takeUp(s.conv.log, stored, false)
	}
	messages, err := s.conv.log.Move(id, summary)
	if err != nil {
		return nil, err
	}
	return messages, errors.Join(s.restore(messages), s.conv.loadTodo())
}

// Resume implements [shell.Sessions]: it continues with another stored session.
func (s *sessions) Resume(id string) ([]provider.Message, error) {
	if err := s.conv.log.Flush(); err != nil {
		return nil, fmt.Errorf("the current session is not saved yet: %w", err)
	}
	log, messages, err := session.Resume(s.conv.logConfig, id)
	if errors.Is(err, session.ErrLocked) {
		return nil, fmt.Errorf("%w; agentshell --resume %s --fork continues in a copy", err, id)
	} else if err != nil {
		return nil, err
	}
	if err := s.restore(messages); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	s.conv.env.Team.Readings.Forget("")
	s.conv.env.Team.Local.Forget("")
	spent := log.Spent() // the cost of this process so far belongs to the previous session
	dollars, _, _ := s.conv.purse.Cost()
	spent.Dollars -= dollars
	s.conv.spentBefore = spent
	s.takeUp(log, log.Choices(), true)
	s.restored = append(repairs(log), s.restored...)
	if len(s.conv.lostJobs) > 0 {
		s.restored = append(s.restored, s.conv.lostJobsText())
	}
	return messages, s.switchTo(log)
}

// export writes the session to a file, and returns the path of the file.
func (s *sessions) export(ctx context.Context, to export.Target, home string, progress export.Progress) (string,
	error) {
	log := s.conv.log
	if log.Empty() {
		return "", errors.New("this session has no message yet")
	}
	to, err := to.Resolve(s.conv.dir, home, log.ID())
	if err != nil {
		return "", err
	}
	if err := log.Flush(); err != nil {
		return "", fmt.Errorf("the session is not saved yet: %w", err)
	}
	out, _, err := exportedSession(s.conv.logConfig, log.ID(), s.conv.env)
	if err != nil {
		return "", err
	}
	return to.File, to.Write(func(w io.Writer) error { return out.Write(ctx, w, to.Format, progress) })
}

// Spent implements [shell.Sessions]: it returns what the session has cost.
func (s *sessions) Spent() session.Spent { return s.conv.spent() }

// Fork implements [shell.Sessions]: it continues the conversation in a copy of the session.
func (s *sessions) Fork() error {
	return s.copyTo(func() (*session.Log, []provider.Message, error) { return s.conv.log.Fork() })
}

// Branch implements [shell.Sessions]: it continues the conversation in a new session with a copy of
// the messages up to the entry id.
func (s *sessions) Branch(id string) error {
	return s.copyTo(func() (*session.Log, []provider.Message, error) { return s.conv.log.Branch(id) })
}

// copyTo continues the conversation in a copy of the session, which the function fork creates.
func (s *sessions) copyTo(fork func() (*session.Log, []provider.Message, error)) error {
	if err := s.conv.log.Flush(); err != nil {
		return fmt.Errorf("the current session is not saved yet: %w", err)
	}
	log, messages, err := fork()
	if err != nil {
		return err
	}
	if err := s.restore(messages); err != nil {
		return errors.Join(err, log.Close())
	}
	log.SetChoices(s.conv.choices())
	return s.switchTo(log)
}

// switchTo continues the conversation in another session log.
func (s *sessions) switchTo(log *session.Log) error {
	previous := s.conv.log
	err := s.conv.endAgents()
	s.conv.log, s.conv.id = log, log.ID()
	s.conv.outputs.SetStore(log)
	_ = s.conv.member.Update(func(r *running.Record) { r.ID = log.ID() }) // on failure, others see the old id
	if s.conv.restoreAgents(); len(s.conv.interrupted) > 0 {
		s.ag.Note(s.conv.interruptedText())
	}
	return errors.Join(err, s.conv.loadChanges(context.Background()), s.conv.loadTodo(), previous.Close())
}
