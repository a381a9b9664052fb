package provider

import "strings"

// thinkTags lists the tags with which models enclose reasoning in the text of an answer. Some
// servers remove them, others do not.
var thinkTags = []thinkTag{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"},
	{"<thought>", "</thought>"}, {"<seed:think>", "</seed:think>"}, {"[think]", "[/think]"},
	{"◁think▷", "◁/think▷"},
}

type thinkTag struct{ open, close string } // thinkTag is a pair of tags, in lower case.

// ThoughtPiece is a piece of a model's output: text of the answer, or reasoning.
type ThoughtPiece struct {
	Text     string
	Thinking bool
	// All text before this piece was reasoning: the model closed a tag that its server did not
	// send, because the template of the prompt contains the opening tag.
	TextWasThinking bool
	// All reasoning before this piece was the text of the answer. This piece repeats it as text.
	ThinkingWasText bool
}

// ThoughtSplitter separates the reasoning in a model's output from the text of its answer, by tags
// such as <think>.
//
// An opening tag counts only at the start of the output, or directly behind other reasoning;
// elsewhere, in prose and in code, it is text. A closing tag without an opening one counts if it is
// not quoted. Blanks around reasoning are dropped. The result does not depend on how the output is
// cut into pieces.
type ThoughtSplitter struct {
	// The output begins with reasoning that has no opening tag. If no closing tag follows, all of
	// it was the answer.
	StartsThinking bool
	// ClosedUnopened becomes true at a closing tag without an opening one. NeverClosed becomes true
	// if StartsThinking was true and no closing tag came.
	ClosedUnopened, NeverClosed bool

	mode            thoughtMode
	tag             thinkTag // The tag that is open. If it is empty, any closing tag ends the reasoning.
	undecided       string   // The last bytes of the output, which could be the beginning of a tag.
	blanks          string   // Blanks that are emitted as reasoning as soon as more reasoning follows them.
	thought         bool     // The output has contained reasoning.
	code            codeScan // Whether the text or the reasoning that is being read is inside of Markdown code.
	quoted          bool     // The text has quoted an opening tag, so that the next closing tag is text, too.
	ignoresUnopened bool     // A closing tag without an opening one is text.
	seen            strings.Builder
	// The offset in seen, plus 1, of the end of a closing tag that was taken for a quotation; 0:
	// there was none.
	passedTag int
	pieces    []ThoughtPiece
}

// thoughtMode is the kind of output that a [ThoughtSplitter] is reading.
type thoughtMode int

const (
	atStart thoughtMode = iota
	inThinking
	inText
)

// maxBlanks is the maximum number of blank bytes that a splitter holds back until it knows what
// follows them.
const maxBlanks = 4 << 10

// ServerSeparatesThinking tells the splitter that the server sends reasoning apart from the text.
// From then on a closing tag without an opening one is text.
func (s *ThoughtSplitter) ServerSeparatesThinking() {
	s.ignoresUnopened, s.StartsThinking = true, false
}

// Write adds output and returns the pieces that are now certain. The slice is valid until the next
// call.
func (s *ThoughtSplitter) Write(text string) []ThoughtPiece { return s.advance(text, false) }

// Flush ends the output and returns the pieces that were still undecided. The slice is valid until
// the next call.
func (s *ThoughtSplitter) Flush() []ThoughtPiece {
	s.advance("", true)
	if s.mode == inThinking {
		s.endUnclosed()
	}
	s.mode, s.undecided, s.blanks, s.StartsThinking, s.ignoresUnopened = inText, "", "", false, true
	return s.pieces
}

// advance adds text, splits all that can be decided, and returns the pieces. end says that no more
// text follows.
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

// ignoresTags reports whether a closing tag without an opening one is text.
func (s *ThoughtSplitter) ignoresTags() bool { return s.thought || s.ignoresUnopened }

// scanStart looks for a tag at the start of the undecided output. It returns false if it needs more
// output, or has used up all of it.
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

// openTag begins reasoning inside of tag t. rest is the output behind the tag.
func (s *ThoughtSplitter) openTag(t thinkTag, rest string) {
	s.mode, s.tag, s.thought, s.undecided, s.code = inThinking, t, true, rest, codeScan{}
	s.seen.Reset()
	s.passedTag = 0
}

// tagAt returns the length of tag if s begins with it, in upper or lower case. It returns -1 if s
// is only a beginning of tag, and 0 otherwise.
func tagAt(s, tag string) int {
	if n := min(len(s), len(tag)); n > 0 && strings.EqualFold(s[:n], tag[:n]) {
		if n == len(tag) {
			return n
		}
		return -1
	}
	return 0
}

// findClosingTag returns the offset and the length of the first closing tag in text, and the tag.
// length is -1 if text ends with the beginning of a closing tag. If there is neither, it returns
// len(text) and 0.
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

// scanThinking emits reasoning up to its closing tag. It returns false if it needs more output, or
// has used up all of it.
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

// closeTag ends the reasoning at a closing tag of n bytes.
func (s *ThoughtSplitter) closeTag(n int) {
	s.mode, s.undecided, s.blanks, s.StartsThinking = atStart, s.undecided[n:], "", false
}

// emitThinking adds a piece of reasoning to the result. It drops blanks at the beginning of the
// reasoning, and holds back those at the end.
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

// endUnclosed ends reasoning that has no closing tag. If it has no opening tag either, all of it
// was the answer. Otherwise the answer is the text behind the first closing tag that was taken for
// a quotation, if there is one.
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

// emitText adds a piece of the answer's text to the result.
func (s *ThoughtSplitter) emitText(text string) {
	if text != "" {
		if !s.ignoresTags() {
			s.code.add(text)
		}
		s.pieces = append(s.pieces, ThoughtPiece{Text: text})
	}
}

// scanText emits text up to a closing tag that has no opening one. It returns false if it needs
// more output, or has used up all of it.
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
