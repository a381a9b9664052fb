package secret

import "io"

// Stream redacts text that comes in pieces, which may part a secret: it holds back what could
// become one, at most as much as the longest spelling of a value. It is for one goroutine.
type Stream struct {
	set  Set
	held string
}

// Stream begins a text.
func (s Set) Stream() *Stream { return &Stream{set: s} }

// Write takes a piece and gives what is certain.
func (s *Stream) Write(piece string) string {
	out, rest := s.set.scan(s.held+piece, false)
	s.held = rest
	return out
}

// Flush ends the text and gives what was held back.
func (s *Stream) Flush() string {
	out := s.set.Redact(s.held)
	s.held = ""
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

// Error is err with a text without secrets; nil stays nil. What it wraps is still found.
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
