package provider

import (
	"strings"
	"sync"
)

// Speech is the text of one answer, out of which thinking is split.
type Speech struct {
	split         ThoughtSplitter
	give          func(Event) bool
	tally         *Tally
	text, thought strings.Builder
}

// NewSpeech begins a text; give takes its events and returns false when nobody wants more. habit is
// what is known of the model, nil for one whose server tells thinking apart.
func NewSpeech(habit *ThoughtHabit, tally *Tally, give func(Event) bool) Speech {
	s := Speech{give: give, tally: tally}
	if habit == nil {
		s.split.Whole()
	} else {
		s.split.Begun = habit.begins()
	}
	return s
}

// Whole says that the server tells thinking apart, see [ThoughtSplitter.Whole].
func (s *Speech) Whole() { s.split.Whole() }

// Write takes a piece. more is false when nobody wants more; the error is an [Excess].
func (s *Speech) Write(text string) (more bool, err error) { return s.take(s.split.Write(text)) }

// Flush ends the text, and lets the habit learn from it.
func (s *Speech) Flush(habit *ThoughtHabit) (more bool, err error) {
	pieces := s.split.Flush()
	if habit != nil {
		habit.learn(s.split.Eaten, s.split.Voided)
	}
	return s.take(pieces)
}

func (s *Speech) take(pieces []ThoughtPiece) (more bool, err error) {
	for _, p := range pieces {
		if p.Recast {
			s.thought.WriteString(strings.TrimSpace(s.text.String()))
			s.text.Reset()
			if !s.give(TextWasThinking{}) {
				return false, nil
			}
		}
		if p.Void {
			s.thought.Reset()
		}
		switch {
		case p.Text == "":
			continue
		case p.Thinking:
			if err := s.tally.Thinking(len(p.Text)); err != nil {
				return false, err
			}
			s.thought.WriteString(p.Text)
			more = s.give(ThinkingDelta{Text: p.Text})
		default:
			if err := s.tally.Text(len(p.Text)); err != nil {
				return false, err
			}
			s.text.WriteString(p.Text)
			more = s.give(TextDelta{Text: p.Text})
		}
		if !more {
			return false, nil
		}
	}
	return true, nil
}

// Empty reports whether nothing was said, and nothing is held.
func (s *Speech) Empty() bool { return s.text.Len() == 0 && s.thought.Len() == 0 && s.split.held == "" }

// Parts returns the parts of the message. Thinking that came as text goes back to nobody, and is
// from the server of that name.
func (s *Speech) Parts(from string) (parts []Part) {
	if s.thought.Len() > 0 {
		parts = append(parts, Thinking{Text: s.thought.String(), From: from})
	}
	if s.text.Len() > 0 {
		parts = append(parts, Text{Text: s.text.String()})
	}
	return parts
}

// ThoughtHabit knows of a model whether its answers begin with thinking that no tag opens. The zero
// value knows nothing.
type ThoughtHabit struct {
	mu    sync.Mutex
	begun bool
}

func (h *ThoughtHabit) begins() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begun
}

func (h *ThoughtHabit) learn(eaten, voided bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = (h.begun || eaten) && !voided
}
