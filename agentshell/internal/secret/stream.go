package secret

import (
	"io"
	"strings"
)

// Stream redacts text that comes in pieces. A piece may end within a secret, so the stream holds
// back what could become one: at most the longest spelling of a secret. It is for one goroutine.
type Stream struct {
	set     Set
	live    bool
	pending string
	shown   int // bytes of pending that were returned already
}

// Stream returns a Stream for a text that is stored: all its results together are what [Set.Redact]
// returns for the whole text.
func (s Set) Stream() *Stream { return &Stream{set: s} }

// Live returns a Stream for a text that a person reads while it comes. It does not hold back one or
// two characters with which a secret could begin, only three or more. If a secret follows, these
// characters stay before [Hidden]: at most two letters of a secret of eight or more, and one if it
// is in hexadecimal digits.
func (s Set) Live() *Stream { return &Stream{set: s, live: true} }

// Write adds a piece and returns the text that is certain to hold no secret.
func (s *Stream) Write(piece string) string {
	text := s.pending + piece
	out, pending := s.set.redactUntil(text, s.shown, false)
	s.pending, s.shown = pending, max(s.shown-(len(text)-len(pending)), 0)
	if s.live && s.shown < len(pending) && !halfEscape(pending) && !s.set.revealsSecret(pending) {
		out, s.shown = out+pending[s.shown:], len(pending)
	}
	return out
}

// halfEscape reports whether text ends within an escape of JSON. The escape must not be split: with
// [Hidden] after its first half the text would not be JSON.
func halfEscape(text string) bool {
	text = strings.TrimRight(text, "ux")
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// Flush ends the text and returns what was held back.
func (s *Stream) Flush() string {
	out, _ := s.set.redactUntil(s.pending, s.shown, true)
	s.pending, s.shown = "", 0
	return out
}

// Writer returns a writer that redacts what is written to it. Close writes what was held back; it
// does not close w.
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

// Error returns err with secrets removed from its text. errors.Is and errors.As still find what it
// wraps. A nil error stays nil.
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

// Unwrap returns the error with its own text, for errors.Is and errors.As.
func (r *redacted) Unwrap() error { return r.err }
