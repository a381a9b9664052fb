package secret

import (
	"io"
	"strings"
)

// Stream removes secrets from a text that arrives in pieces. A piece may end within a secret, so
// the stream holds back text that could be the beginning of one. It must not be used by several
// goroutines at once.
type Stream struct {
	set     Set
	live    bool
	pending string
	shown   int // The number of bytes at the beginning of pending that were returned already.
}

// Stream returns a Stream for a text that is stored. Its results together equal the result of
// [Set.Redact] for the whole text.
func (s Set) Stream() *Stream { return &Stream{set: s} }

// Live returns a Stream for a text that a user reads while it arrives.
//
// It holds back text only if that matches the first three characters of a secret, and not for one
// or two of them. If a secret does follow, these one or two characters were already shown, before
// [Hidden]. They are at most two letters of a secret of eight or more, or one letter if the text
// has it in hexadecimal digits.
func (s Set) Live() *Stream { return &Stream{set: s, live: true} }

// Write adds a piece of text and returns the text that certainly contains no secret.
func (s *Stream) Write(piece string) string {
	text := s.pending + piece
	out, pending := s.set.redactUntil(text, s.shown, false)
	s.pending, s.shown = pending, max(s.shown-(len(text)-len(pending)), 0)
	if s.live && s.shown < len(pending) && !halfEscape(pending) && !s.set.revealsSecret(pending) {
		out, s.shown = out+pending[s.shown:], len(pending)
	}
	return out
}

// halfEscape reports whether text ends within a JSON escape such as \u0041. If [Hidden] followed
// the first half of an escape, the text would not be valid JSON.
func halfEscape(text string) bool {
	text = strings.TrimRight(text, "ux")
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// Flush ends the text and returns the part that was held back.
func (s *Stream) Flush() string {
	out, _ := s.set.redactUntil(s.pending, s.shown, true)
	s.pending, s.shown = "", 0
	return out
}

// Writer returns a writer that removes secrets and writes the rest to w. Its Close writes the text
// that was held back, but does not close w.
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

// Error returns an error with the text of err, in which secrets are replaced. It wraps err for
// errors.Is and errors.As. A nil error stays nil.
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

// Unwrap returns the error with its original text, for errors.Is and errors.As.
func (r *redacted) Unwrap() error { return r.err }
