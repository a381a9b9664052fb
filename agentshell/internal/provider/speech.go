package provider

import (
	"strings"
	"sync"
)

// Speech collects the text of one answer, separates the model's reasoning from it, and emits both
// as events.
type Speech struct {
	split         ThoughtSplitter
	emit          func(Event) bool
	tally         *Tally
	text, thought strings.Builder
}

// NewSpeech returns a Speech for a new answer. It calls give with each event; give returns false
// when the consumer wants no more. habit says how the model's answers begin. It is nil if the
// server sends reasoning apart from the text.
func NewSpeech(habit *ThoughtHabit, tally *Tally, give func(Event) bool) Speech {
	s := Speech{emit: give, tally: tally}
	if habit == nil {
		s.split.ServerSeparatesThinking()
	} else {
		s.split.StartsThinking = habit.begins()
	}
	return s
}

// ServerSeparatesThinking tells s that the server sends reasoning apart from the text, see
// [ThoughtSplitter.ServerSeparatesThinking].
func (s *Speech) ServerSeparatesThinking() { s.split.ServerSeparatesThinking() }

// Write adds a piece of the answer. more is false when the consumer wants no more events. The error
// is an [Excess].
func (s *Speech) Write(text string) (more bool, err error) { return s.emitPieces(s.split.Write(text)) }

// Flush ends the answer and emits the rest of it. It records in habit, unless that is nil, whether
// the answer began with reasoning. more is false when the consumer wants no more events. The error
// is an [Excess].
func (s *Speech) Flush(habit *ThoughtHabit) (more bool, err error) {
	pieces := s.split.Flush()
	if habit != nil {
		habit.learn(s.split.ClosedUnopened, s.split.NeverClosed)
	}
	return s.emitPieces(pieces)
}

// emitPieces stores the pieces and emits them as events. more is false when the consumer wants no
// more.
func (s *Speech) emitPieces(pieces []ThoughtPiece) (more bool, err error) {
	for _, p := range pieces {
		if p.TextWasThinking {
			s.thought.WriteString(strings.TrimSpace(s.text.String()))
			s.text.Reset()
			if !s.emit(TextWasThinking{}) {
				return false, nil
			}
		}
		if p.ThinkingWasText {
			s.thought.Reset()
		}
		switch {
		case p.Text == "":
			continue
		case p.Thinking:
			if err := s.tally.CountThinking(len(p.Text)); err != nil {
				return false, err
			}
			s.thought.WriteString(p.Text)
			more = s.emit(ThinkingDelta{Text: p.Text})
		default:
			if err := s.tally.CountText(len(p.Text)); err != nil {
				return false, err
			}
			s.text.WriteString(p.Text)
			more = s.emit(TextDelta{Text: p.Text})
		}
		if !more {
			return false, nil
		}
	}
	return true, nil
}

// Empty reports whether nothing was written so far, neither text nor reasoning.
func (s *Speech) Empty() bool {
	return s.text.Len() == 0 && s.thought.Len() == 0 && s.split.undecided == ""
}

// Parts returns the answer as parts of a message. Its Thinking is marked with the name of its
// server, from, and has no signature, so that it is sent to no server.
func (s *Speech) Parts(from string) (parts []Part) {
	if s.thought.Len() > 0 {
		parts = append(parts, Thinking{Text: s.thought.String(), From: from})
	}
	if s.text.Len() > 0 {
		parts = append(parts, Text{Text: s.text.String()})
	}
	return parts
}

// ThoughtHabit remembers whether a model's answers begin with reasoning that has no opening tag.
// The zero value is ready to use.
type ThoughtHabit struct {
	mu    sync.Mutex
	begun bool
}

// begins reports whether the next answer is expected to begin with reasoning.
func (h *ThoughtHabit) begins() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begun
}

// learn records how an answer has ended. eaten says that it had a closing tag without an opening
// one, and voided that an expected closing tag did not come.
func (h *ThoughtHabit) learn(eaten, voided bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = (h.begun || eaten) && !voided
}
