package provider

import (
	"strings"
	"sync"
)

// Speech collects the text of one answer and separates thinking from it.
type Speech struct {
	split         ThoughtSplitter
	emit          func(Event) bool
	tally         *Tally
	text, thought strings.Builder
}

// NewSpeech returns the Speech of a new answer. It calls emit with each event; emit returns false
// when nobody wants more. habit is what is known of the model, nil if its server separates
// thinking.
func NewSpeech(habit *ThoughtHabit, tally *Tally, give func(Event) bool) Speech {
	s := Speech{emit: give, tally: tally}
	if habit == nil {
		s.split.ServerSeparatesThinking()
	} else {
		s.split.StartsThinking = habit.begins()
	}
	return s
}

// ServerSeparatesThinking notes that the server sends thinking apart from the text, see
// [ThoughtSplitter.ServerSeparatesThinking].
func (s *Speech) ServerSeparatesThinking() { s.split.ServerSeparatesThinking() }

// Write adds a piece of the text. more is false when nobody wants more; the error is an [Excess].
func (s *Speech) Write(text string) (more bool, err error) { return s.emitPieces(s.split.Write(text)) }

// Flush ends the text. habit learns from it whether the model's answers begin with thinking.
func (s *Speech) Flush(habit *ThoughtHabit) (more bool, err error) {
	pieces := s.split.Flush()
	if habit != nil {
		habit.learn(s.split.ClosedUnopened, s.split.NeverClosed)
	}
	return s.emitPieces(pieces)
}

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

// Empty reports whether there is no text yet, also none that is still undecided.
func (s *Speech) Empty() bool {
	return s.text.Len() == 0 && s.thought.Len() == 0 && s.split.undecided == ""
}

// Parts returns the parts of the message. Thinking in it is marked as from the server of that name,
// and is sent back to nobody.
func (s *Speech) Parts(from string) (parts []Part) {
	if s.thought.Len() > 0 {
		parts = append(parts, Thinking{Text: s.thought.String(), From: from})
	}
	if s.text.Len() > 0 {
		parts = append(parts, Text{Text: s.text.String()})
	}
	return parts
}

// ThoughtHabit remembers whether the answers of a model begin with thinking that no tag opens. The
// zero value knows nothing.
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
