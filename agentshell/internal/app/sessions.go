package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// sessions is the log of r and its neighbours, for the shell's /tree, /resume and /fork.
type sessions struct {
	r  *conversation
	ag *agent.Agent
}

func (s *sessions) ID() string                            { return s.r.log.ID() }
func (s *sessions) Tree() ([]session.Node, string, error) { return s.r.log.Tree() }
func (s *sessions) Label(id, name string) error           { return s.r.log.Label(id, name) }

func (s *sessions) Recent() ([]session.Summary, error) { return session.Summaries(s.r.logs, 50) }

func (s *sessions) CountMessages() int                    { return s.r.log.CountMessages() }
func (s *sessions) MessageText(id string) (string, error) { return s.r.log.MessageText(id) }

func (s *sessions) Transcript() ([]provider.Message, error) {
	defer s.r.log.DropParsed()
	return s.r.log.FullConversation()
}

func (s *sessions) LeftBehind(id string) ([]provider.Message, error) { return s.r.log.LeftBehind(id) }

// restore makes messages the conversation. What the model was told of directories on the way may
// not be in it.
func (s *sessions) restore(messages []provider.Message) error {
	s.r.nested.Forget()
	if err := s.ag.Restore(messages); err != nil {
		return err
	}
	if s.r.reopened(messages); len(s.r.gone) > 0 {
		s.ag.Note(s.r.lost())
	}
	return nil
}

func (s *sessions) Move(id, summary string) ([]provider.Message, error) {
	messages, err := s.r.log.Move(id, summary)
	if err != nil {
		return nil, err
	}
	return messages, errors.Join(s.restore(messages), s.r.recollect())
}

func (s *sessions) Resume(id string) ([]provider.Message, error) {
	if err := s.r.log.Flush(); err != nil {
		return nil, fmt.Errorf("the current session is not saved yet: %w", err)
	}
	log, messages, err := session.Resume(s.r.logs, id)
	if errors.Is(err, session.ErrLocked) {
		return nil, fmt.Errorf("%w; agentshell --resume %s --fork continues in a copy", err, id)
	} else if err != nil {
		return nil, err
	}
	if err := s.restore(messages); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return messages, s.take(log)
}

func (s *sessions) Fork() error {
	if err := s.r.log.Flush(); err != nil {
		return fmt.Errorf("the current session is not saved yet: %w", err)
	}
	log, messages, err := s.r.log.Fork()
	if err != nil {
		return err
	}
	if err := s.restore(messages); err != nil {
		return errors.Join(err, log.Close())
	}
	return s.take(log)
}

// take makes log the one that is written.
func (s *sessions) take(log *session.Log) error {
	was := s.r.log
	s.r.log, s.r.id = log, log.ID()
	return errors.Join(s.r.remember(context.Background()), s.r.recollect(), was.Close())
}
