package provider

import "strings"

// thinkTags are the tags around thinking that a model writes into the text of its answer. Some
// servers take it out, others do not.
var thinkTags = []thinkTag{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"},
	{"<thought>", "</thought>"}, {"<seed:think>", "</seed:think>"}, {"[think]", "[/think]"},
	{"◁think▷", "◁/think▷"},
}

type thinkTag struct{ open, close string } // in lower case

// ThoughtPiece is a piece of an answer's text, or of what its model thinks.
type ThoughtPiece struct {
	Text     string
	Thinking bool
	// TextWasThinking says that all text before this piece was thinking: the model's template has
	// begun the answer with a tag that nobody sends.
	TextWasThinking bool
	// ThinkingWasText says that all thinking before this piece was the answer's text. This piece is
	// that text.
	ThinkingWasText bool
}

// ThoughtSplitter splits the text of an answer into thinking and text. An opening tag counts at the
// start of the text, behind blanks and behind thinking; in prose and in code it is text. A closing
// tag that was never opened counts where it is not quoted. Blanks around thinking are left out. The
// result is the same however the text is cut into pieces.
type ThoughtSplitter struct {
	// StartsThinking says that the text begins with thinking without an opening tag. If no closing
	// tag follows, all of it was the answer.
	StartsThinking bool
	// ClosedUnopened is set at a closing tag that was never opened. NeverClosed is set if
	// StartsThinking was set and no closing tag came.
	ClosedUnopened, NeverClosed bool

	mode            thoughtMode
	tag             thinkTag // that is open; without one any tag may be closed
	undecided       string   // the end of the text, which may be a part of a tag
	blanks          string   // that are thinking if more comes behind them
	thought         bool     // there was thinking
	code            codeScan // of the text or the thinking that is open
	quoted          bool     // the text has quoted an opening tag: its closing tag is text, too
	ignoresUnopened bool     // no tag counts that was not opened
	seen            strings.Builder
	passedTag       int // 1 + the offset in seen of a closing tag that was taken for a quote; 0: none
	pieces          []ThoughtPiece
}

type thoughtMode int

const (
	atStart thoughtMode = iota
	inThinking
	inText
)

// maxBlanks bounds the blanks that are held.
const maxBlanks = 4 << 10

// ServerSeparatesThinking notes that the server sends thinking apart from the text. From then on a
// closing tag that was never opened is text.
func (s *ThoughtSplitter) ServerSeparatesThinking() {
	s.ignoresUnopened, s.StartsThinking = true, false
}

// Write adds a piece of the text and returns what is decided by it. The result is valid until the
// next call.
func (s *ThoughtSplitter) Write(text string) []ThoughtPiece { return s.advance(text, false) }

// Flush ends the text and returns what was undecided. The result is valid until the next call.
func (s *ThoughtSplitter) Flush() []ThoughtPiece {
	s.advance("", true)
	if s.mode == inThinking {
		s.endUnclosed()
	}
	s.mode, s.undecided, s.blanks, s.StartsThinking, s.ignoresUnopened = inText, "", "", false, true
	return s.pieces
}

func (s *ThoughtSplitter) advance(text string, end bool) []ThoughtPiece {
	s.pieces = s.pieces[:0]
	if s.mode == inText && s.undecided == "" && (s.ignoresTags() || strings.IndexByte(text, '<') < 0) {
		s.emitText(text)
		return s.pieces
	}
	s.undecided += text
	for more := true; more; {
		switch s.mode {
		case atStart:
			more = s.scanStart(end)
		case inThinking:
			more = s.scanThinking(end)
		case inText:
			more = s.scanText(end)
		}
	}
	return s.pieces
}

// ignoresTags reports whether a closing tag that was never opened is text.
func (s *ThoughtSplitter) ignoresTags() bool { return s.thought || s.ignoresUnopened }

// scanStart looks for an opening tag at the start of the text. It returns false if that is
// undecided until more text comes.
func (s *ThoughtSplitter) scanStart(end bool) bool {
	rest := strings.TrimLeft(s.undecided, " \t\r\n")
	partial := rest == ""
	for _, t := range thinkTags {
		open, shut := tagAt(rest, t.open), tagAt(rest, t.close)
		switch {
		case open == len(t.open):
			s.openTag(t, rest[open:])
			return true
		case shut == len(t.close):
			s.thought, s.StartsThinking, s.undecided = true, false, rest[shut:]
			return true
		}
		partial = partial || open < 0 || shut < 0
	}
	if partial && !end && len(s.undecided) < maxBlanks {
		return false
	}
	switch {
	case s.StartsThinking && rest != "":
		s.openTag(thinkTag{}, rest)
		return true
	case s.thought:
		s.undecided = rest
	}
	s.mode = inText
	return s.undecided != ""
}

func (s *ThoughtSplitter) openTag(t thinkTag, rest string) {
	s.mode, s.tag, s.thought, s.undecided, s.code = inThinking, t, true, rest, codeScan{}
	s.seen.Reset()
	s.passedTag = 0
}

// tagAt returns the length of tag if s begins with it in any case. It returns -1 if s is the
// beginning of tag, and otherwise 0.
func tagAt(s, tag string) int {
	if n := min(len(s), len(tag)); n > 0 && strings.EqualFold(s[:n], tag[:n]) {
		if n == len(tag) {
			return n
		}
		return -1
	}
	return 0
}

// findClosingTag returns the next closing tag in text, its offset and its length. The length is -1
// if text ends within what may become one. Without one, at is len(text).
func findClosingTag(text string) (at, length int, tag thinkTag) {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '<' && c != '[' && c != "◁"[0] {
			continue
		}
		for _, t := range thinkTags {
			if n := tagAt(text[i:], t.close); n > 0 {
				return i, n, t
			} else if n < 0 {
				at, length = i, -1
			}
		}
		if length < 0 {
			return at, length, thinkTag{}
		}
	}
	return len(text), 0, thinkTag{}
}

// scanThinking looks for the closing tag of the thinking that is open. It returns false if that is
// undecided until more text comes.
func (s *ThoughtSplitter) scanThinking(end bool) bool {
	at, n, tag := findClosingTag(s.undecided)
	s.emitThinking(s.undecided[:at])
	s.undecided = s.undecided[at:]
	switch {
	case n == 0, n < 0 && !end:
		return false
	case n < 0:
		s.emitThinking(s.undecided)
		s.undecided = ""
		return false
	}
	named, sure := s.code.isQuoted(s.undecided[n:], end)
	if !sure {
		return false
	}
	if named || s.tag.close != "" && s.tag != tag {
		if s.passedTag == 0 {
			s.passedTag = 1 + s.seen.Len() + n
		}
		s.emitThinking(s.undecided[:n])
		s.undecided = s.undecided[n:]
		return true
	}
	s.closeTag(n)
	return true
}

func (s *ThoughtSplitter) closeTag(n int) {
	s.mode, s.undecided, s.blanks, s.StartsThinking = atStart, s.undecided[n:], "", false
}

// emitThinking adds a piece of thinking, without the blanks around it.
func (s *ThoughtSplitter) emitThinking(text string) {
	s.code.add(text)
	s.seen.WriteString(text)
	text = s.blanks + text
	s.blanks = ""
	body := strings.TrimRight(text, " \t\r\n")
	if len(text)-len(body) < maxBlanks {
		s.blanks = text[len(body):]
		text = body
	}
	if first := s.seen.Len() == len(text)+len(s.blanks); first {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" { // only blanks so far
			s.seen.Reset()
			s.blanks, s.passedTag = "", 0
			return
		}
	}
	if text != "" {
		s.pieces = append(s.pieces, ThoughtPiece{Text: text, Thinking: true})
	}
}

// endUnclosed ends thinking that no tag has closed. If no tag opened it, it was the answer.
// Otherwise the text behind the closing tag that was taken for a quote, if there is one, is the
// answer.
func (s *ThoughtSplitter) endUnclosed() {
	switch {
	case s.tag.close == "":
		s.NeverClosed, s.thought = true, false
		if s.seen.Len() > 0 {
			s.pieces = append(s.pieces, ThoughtPiece{Text: s.seen.String(), ThinkingWasText: true})
		}
	case s.passedTag > 0:
		if text := strings.TrimSpace(s.seen.String()[s.passedTag-1:]); text != "" {
			s.pieces = append(s.pieces, ThoughtPiece{Text: text})
		}
	}
}

// emitText adds a piece of text.
func (s *ThoughtSplitter) emitText(text string) {
	if text != "" {
		if !s.ignoresTags() {
			s.code.add(text)
		}
		s.pieces = append(s.pieces, ThoughtPiece{Text: text})
	}
}

// scanText looks for a closing tag that was never opened. It returns false if that is undecided
// until more text comes.
func (s *ThoughtSplitter) scanText(end bool) bool {
	if s.ignoresTags() {
		s.emitText(s.undecided)
		s.undecided = ""
		return false
	}
	at := strings.IndexByte(s.undecided, '<')
	if at < 0 {
		at = len(s.undecided)
	}
	s.emitText(s.undecided[:at])
	s.undecided = s.undecided[at:]
	if s.undecided == "" {
		return false
	}
	n, open := 0, false
	for _, t := range thinkTags {
		if k := tagAt(s.undecided, t.close); k != 0 {
			n = k
			break
		}
		if k := tagAt(s.undecided, t.open); k != 0 {
			n, open = k, k > 0
			break
		}
	}
	if n < 0 && !end {
		return false
	}
	var shuts bool
	if n > 0 && !open && !s.quoted {
		var sure bool
		if shuts, sure = s.code.endsThinking(s.undecided[n:], end); !sure {
			return false
		}
	}
	switch {
	case shuts:
		s.ClosedUnopened, s.thought, s.mode = true, true, atStart
		s.undecided = s.undecided[n:]
		s.pieces = append(s.pieces, ThoughtPiece{TextWasThinking: true})
		return true
	case n > 0:
		s.quoted = open
	}
	n = max(n, 1)
	s.emitText(s.undecided[:n])
	s.undecided = s.undecided[n:]
	return s.undecided != ""
}
