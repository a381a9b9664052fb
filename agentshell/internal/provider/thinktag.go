package provider

import "strings"

// thinkTags are the tags with which models write what they think into the text of their answer,
// where the server does not take it out.
var thinkTags = []thinkTag{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"},
	{"<thought>", "</thought>"}, {"<seed:think>", "</seed:think>"}, {"[think]", "[/think]"},
	{"◁think▷", "◁/think▷"},
}

type thinkTag struct{ open, shut string } // in lower case

// ThoughtPiece is a piece of an answer's text, or of what its model thinks.
type ThoughtPiece struct {
	Text     string
	Thinking bool
	// Recast says, before the piece, that all pieces of text so far were thinking: the template of
	// the model has begun the answer with a tag that nobody sends.
	Recast bool
	// Void says, before the piece, that all that was thinking so far was the answer's text, which
	// comes again as this piece.
	Void bool
}

// ThoughtSplitter takes what a model thinks out of the text of its answer. A tag counts at the
// start of the text, behind blanks and behind thinking; in prose and in code it is text. One that
// is shut and was never opened counts where it is not quoted. Blanks around thinking are left out.
// The result is the same whatever pieces the text comes in.
type ThoughtSplitter struct {
	// Begun says that the text begins with thinking, though no tag says so. Without a tag that
	// shuts it all of it was the answer.
	Begun bool
	// Eaten is set once a tag was shut that was never opened, Voided once a text that was Begun
	// with thinking had none.
	Eaten, Voided bool

	mode    thoughtMode
	tag     thinkTag // that is open; without one any may be shut
	held    string   // of the text, what is not decided yet
	blanks  string   // that are thinking if more comes behind them
	thought bool     // there was thinking
	code    codeScan // of the text or the thinking that is open
	quoted  bool     // the text has named a tag that opens: what shuts it is text, too
	whole   bool     // no tag counts that was not opened
	all     strings.Builder
	marked  int // 1 + where in all a tag was passed over that may have shut the thinking
	out     []ThoughtPiece
}

type thoughtMode int

const (
	atStart thoughtMode = iota
	inThinking
	inText
)

// maxBlanks bounds the blanks that are held.
const maxBlanks = 4 << 10

// Whole says that the text has no thinking without a tag that opens it: the server tells thinking
// apart itself.
func (s *ThoughtSplitter) Whole() { s.whole, s.Begun = true, false }

// Write takes a piece of the text. What it returns is good until the next call.
func (s *ThoughtSplitter) Write(text string) []ThoughtPiece { return s.step(text, false) }

// Flush ends the text.
func (s *ThoughtSplitter) Flush() []ThoughtPiece {
	s.step("", true)
	if s.mode == inThinking {
		s.unshut()
	}
	s.mode, s.held, s.blanks, s.Begun, s.whole = inText, "", "", false, true
	return s.out
}

func (s *ThoughtSplitter) step(text string, end bool) []ThoughtPiece {
	s.out = s.out[:0]
	if s.mode == inText && s.held == "" && (s.settled() || strings.IndexByte(text, '<') < 0) {
		s.text(text)
		return s.out
	}
	s.held += text
	for more := true; more; {
		switch s.mode {
		case atStart:
			more = s.start(end)
		case inThinking:
			more = s.thinking(end)
		case inText:
			more = s.prose(end)
		}
	}
	return s.out
}

// settled reports whether no tag counts any more.
func (s *ThoughtSplitter) settled() bool { return s.thought || s.whole }

// start looks for a tag; false: more text is wanted.
func (s *ThoughtSplitter) start(end bool) bool {
	rest := strings.TrimLeft(s.held, " \t\r\n")
	partial := rest == ""
	for _, t := range thinkTags {
		open, shut := tagAt(rest, t.open), tagAt(rest, t.shut)
		switch {
		case open == len(t.open):
			s.open(t, rest[open:])
			return true
		case shut == len(t.shut):
			s.thought, s.Begun, s.held = true, false, rest[shut:]
			return true
		}
		partial = partial || open < 0 || shut < 0
	}
	if partial && !end && len(s.held) < maxBlanks {
		return false
	}
	switch {
	case s.Begun && rest != "":
		s.open(thinkTag{}, rest)
		return true
	case s.thought:
		s.held = rest
	}
	s.mode = inText
	return s.held != ""
}

func (s *ThoughtSplitter) open(t thinkTag, rest string) {
	s.mode, s.tag, s.thought, s.held, s.code = inThinking, t, true, rest, codeScan{}
	s.all.Reset()
	s.marked = 0
}

// tagAt returns the length of tag if s begins with it in any case, -1 if s is a beginning of it,
// else 0.
func tagAt(s, tag string) int {
	if n := min(len(s), len(tag)); n > 0 && strings.EqualFold(s[:n], tag[:n]) {
		if n == len(tag) {
			return n
		}
		return -1
	}
	return 0
}

// shutAt returns the next tag in text that shuts thinking, and its length; a length of -1: it may
// begin there. Without one at is len(text).
func shutAt(text string) (at, length int, tag thinkTag) {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '<' && c != '[' && c != "◁"[0] {
			continue
		}
		for _, t := range thinkTags {
			if n := tagAt(text[i:], t.shut); n > 0 {
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

// thinking looks for the tag that shuts it; false: more text is wanted.
func (s *ThoughtSplitter) thinking(end bool) bool {
	at, n, tag := shutAt(s.held)
	s.think(s.held[:at])
	s.held = s.held[at:]
	switch {
	case n == 0, n < 0 && !end:
		return false
	case n < 0:
		s.think(s.held)
		s.held = ""
		return false
	}
	named, sure := s.code.quotes(s.held[n:], end)
	if !sure {
		return false
	}
	if named || s.tag.shut != "" && s.tag != tag {
		if s.marked == 0 {
			s.marked = 1 + s.all.Len() + n
		}
		s.think(s.held[:n])
		s.held = s.held[n:]
		return true
	}
	s.shut(n)
	return true
}

func (s *ThoughtSplitter) shut(n int) {
	s.mode, s.held, s.blanks, s.Begun = atStart, s.held[n:], "", false
}

// think gives thinking, without the blanks around it.
func (s *ThoughtSplitter) think(text string) {
	s.code.add(text)
	s.all.WriteString(text)
	text = s.blanks + text
	s.blanks = ""
	body := strings.TrimRight(text, " \t\r\n")
	if len(text)-len(body) < maxBlanks {
		s.blanks = text[len(body):]
		text = body
	}
	if first := s.all.Len() == len(text)+len(s.blanks); first {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" { // only blanks so far
			s.all.Reset()
			s.blanks, s.marked = "", 0
			return
		}
	}
	if text != "" {
		s.out = append(s.out, ThoughtPiece{Text: text, Thinking: true})
	}
}

// unshut ends thinking that no tag has shut. If nobody opened it, it was the answer. Else what
// stands behind a tag that was passed over is the answer: it was no quote.
func (s *ThoughtSplitter) unshut() {
	switch {
	case s.tag.shut == "":
		s.Voided, s.thought = true, false
		if s.all.Len() > 0 {
			s.out = append(s.out, ThoughtPiece{Text: s.all.String(), Void: true})
		}
	case s.marked > 0:
		if text := strings.TrimSpace(s.all.String()[s.marked-1:]); text != "" {
			s.out = append(s.out, ThoughtPiece{Text: text})
		}
	}
}

// text gives text.
func (s *ThoughtSplitter) text(text string) {
	if text != "" {
		if !s.settled() {
			s.code.add(text)
		}
		s.out = append(s.out, ThoughtPiece{Text: text})
	}
}

// prose looks for a tag that shuts what was never opened; false: more text is wanted.
func (s *ThoughtSplitter) prose(end bool) bool {
	if s.settled() {
		s.text(s.held)
		s.held = ""
		return false
	}
	at := strings.IndexByte(s.held, '<')
	if at < 0 {
		at = len(s.held)
	}
	s.text(s.held[:at])
	s.held = s.held[at:]
	if s.held == "" {
		return false
	}
	n, open := 0, false
	for _, t := range thinkTags {
		if k := tagAt(s.held, t.shut); k != 0 {
			n = k
			break
		}
		if k := tagAt(s.held, t.open); k != 0 {
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
		if shuts, sure = s.code.shuts(s.held[n:], end); !sure {
			return false
		}
	}
	switch {
	case shuts:
		s.Eaten, s.thought, s.mode = true, true, atStart
		s.held = s.held[n:]
		s.out = append(s.out, ThoughtPiece{Recast: true})
		return true
	case n > 0:
		s.quoted = open
	}
	n = max(n, 1)
	s.text(s.held[:n])
	s.held = s.held[n:]
	return s.held != ""
}
