package secret

import (
	"io"
	"strings"
)

// Stream redacts text that comes in pieces, which may part a secret: it holds back what could
// become one, at most as much as the longest spelling of a value. It is for one goroutine.
type Stream struct {
	set   Set
	live  bool
	held  string
	shown int // bytes of held that were given already
}

// Stream begins a text that is kept: in the end it is what [Set.Redact] makes of the whole.
func (s Set) Stream() *Stream { return &Stream{set: s} }

// Live begins a text that a person reads while it comes. Its words do not wait for what begins as a
// secret does in one or two characters: it holds back from the third on. Where the secret follows,
// those stand before [Hidden]. Of the secret itself they tell two letters at most, of which it has
// eight or more, and in hexadecimal digits one.
func (s Set) Live() *Stream { return &Stream{set: s, live: true} }

// Write takes a piece and gives what is certain.
func (s *Stream) Write(piece string) string {
	text := s.held + piece
	out, rest := s.set.scan(text, s.shown, false)
	s.held, s.shown = rest, max(s.shown-(len(text)-len(rest)), 0)
	if s.live && s.shown < len(rest) && !halfEscape(rest) && !s.set.tells(rest) {
		out, s.shown = out+rest[s.shown:], len(rest)
	}
	return out
}

// halfEscape reports whether text ends within an escape of JSON, which must not be parted: with
// [Hidden] behind its first half the whole would not be JSON.
func halfEscape(text string) bool {
	text = strings.TrimRight(text, "ux")
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// Flush ends the text and gives what was held back.
func (s *Stream) Flush() string {
	out, _ := s.set.scan(s.held, s.shown, true)
	s.held, s.shown = "", 0
	return out
}

// Writer redacts what is written to it. Close writes what was held back; it does not close w.
func (s Set) Writer(w io.Writer) io.WriteCloser { return &writer{s.Stream(), w} }

type writer struct {
	stream *Stream
	w      io.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	_, err := io.WriteString(w.w, w.stream.Write(string(p)))
	return len(p), err
}

func (w *writer) Close() error {
	_, err := io.WriteString(w.w, w.stream.Flush())
	return err
}

// Error returns err with a text without secrets; nil stays nil. What it wraps is still found.
func (s Set) Error(err error) error {
	if err == nil || s.forms == nil {
		return err
	}
	text := s.Redact(err.Error())
	if text == err.Error() {
		return err
	}
	return &redacted{text, err}
}

type redacted struct {
	text string
	err  error
}

func (r *redacted) Error() string { return r.text }

// Unwrap gives the error with its own text, for errors.Is and errors.As.
func (r *redacted) Unwrap() error { return r.err }
