package code

import (
	"strings"
	"unicode/utf8"
)

// Text is a source text that is read line by line, as far as needed. It is not safe for concurrent
// use.
type Text struct {
	lang      *Language
	src       string
	nextStart int         // offset in src of the first line that was not read yet
	starts    []lineStart // start of each line that was read
}

// lineStart is the start of a line, with the reader's state there.
type lineStart struct {
	at int // offset in src
	state
}

// Text returns s as a text of the language l. If l is nil the text has no pieces.
func (l *Language) Text(s string) *Text {
	if l == nil {
		return nil
	}
	return &Text{lang: l, src: s}
}

// Line returns the pieces of line i, counted from 0, without its line end. It returns nil if there
// is no such line, or if the language is unknown. The caller may keep the result.
func (t *Text) Line(i int) []Piece {
	if t == nil || i < 0 {
		return nil
	}
	var st state
	if n := len(t.starts); n > 0 && i >= n {
		last := t.starts[n-1]
		st, _ = t.lang.readLine(last.state, t.lineAt(last.at), nil)
	}
	for len(t.starts) <= i {
		if t.nextStart >= len(t.src) {
			return nil
		}
		t.starts = append(t.starts, lineStart{t.nextStart, st})
		line := t.lineAt(t.nextStart)
		t.nextStart += len(line) + 1
		if len(t.starts) <= i {
			st, _ = t.lang.readLine(st, line, nil)
		}
	}
	_, pieces := t.lang.readLine(t.starts[i].state, t.lineAt(t.starts[i].at), make([]Piece, 0, 8))
	return pieces
}

// lineAt returns the line that begins at the offset i of the source, without its line end.
func (t *Text) lineAt(i int) string {
	line, _, _ := strings.Cut(t.src[i:], "\n")
	return line
}

// State is the state of the reader at the start of a line. The zero value is for the first line.
type State struct{ state }

// Next reads one line, without its line end, of a text that arrives line by line. It returns the
// state for the next line and the pieces of this one. The pieces are nil if l is nil.
func (l *Language) Next(st State, line string) (State, []Piece) {
	if l == nil {
		return st, nil
	}
	after, pieces := l.readLine(st.state, line, make([]Piece, 0, 8))
	return State{after}, pieces
}

// state is the state of the reader at the start of a line.
type state struct {
	inside    inside
	ruleIndex uint8 // index in Language.blocks or Language.quotes
	depth     uint8 // depth of nested block comments
}

// inside says in what kind of text a line begins.
type inside uint8

const (
	plain inside = iota
	comment
	quoted
	tag // in a tag of a markup language
)

// readLine reads one line, beginning in the state st. It returns the state for the next line. If
// pieces is not nil it appends the pieces of the line.
func (l *Language) readLine(st state, s string, pieces []Piece) (state, []Piece) {
	s = strings.TrimSuffix(s, "\r")
	collects := pieces != nil
	put := func(to int, c Class) {
		if !collects {
			return
		}
		last := 0
		if n := len(pieces); n > 0 {
			last = pieces[n-1].To
			if pieces[n-1].Class == c {
				pieces[n-1].To = to
				return
			}
		}
		if to > last {
			pieces = append(pieces, Piece{to, c})
		}
	}
	for i := 0; i < len(s); {
		switch st.inside {
		case comment:
			b := l.blocks[st.ruleIndex]
			n, depth := blockEnd(s[i:], b, int(st.depth), l.nestedBlocks)
			st.depth = uint8(min(depth, 255))
			if depth == 0 {
				st = state{}
			}
			i += n
			put(i, Comment)
			continue
		case quoted:
			q := l.quotes[st.ruleIndex]
			n, closed := q.closeIndex(s[i:])
			if closed || !q.multiline {
				st = state{inside: l.outside()}
			}
			i += n
			put(i, String)
			continue
		}
		if l.firstBytes[s[i]] || l.markup {
			if n, next, c, ok := l.findStart(st, s, i); ok {
				st = next
				i += n
				put(i, c)
				continue
			}
		}
		n, c := 1, Plain
		if !l.markup || st.inside == tag {
			n, c = l.readWord(s, i, collects)
		}
		i += n
		put(i, c)
	}
	if st.inside == quoted && !l.quotes[st.ruleIndex].multiline {
		st = state{inside: l.outside()}
	}
	return st, pieces
}

// outside returns the value of inside for text outside of comments and strings. In markup only tags
// contain strings.
func (l *Language) outside() inside {
	if l.markup {
		return tag
	}
	return plain
}

// findStart checks whether a comment, string or tag begins at the offset i of s. It returns the
// number of bytes of its start, the state behind that, and its class. ok is false if none begins
// there.
func (l *Language) findStart(st state, s string, i int) (n int, next state, c Class, ok bool) {
	remaining := s[i:]
	for k, b := range l.blocks {
		if strings.HasPrefix(remaining, b.open) {
			return len(b.open), state{inside: comment, ruleIndex: uint8(k), depth: 1}, Comment, true
		}
	}
	for _, mark := range l.comments {
		if strings.HasPrefix(remaining, mark) && (mark != "#" || i == 0 || !isWordByte(s[i-1]) && s[i-1] != '$' &&
			s[i-1] != '{') {
			return len(remaining), st, Comment, true
		}
	}
	if l.markup && st.inside != tag {
		if len(remaining) > 1 && remaining[0] == '<' && (strings.IndexByte("/?!", remaining[1]) >= 0 ||
			isWordByte(remaining[1])) {
			for n = 2; n < len(remaining) && (isWordByte(remaining[n]) ||
				strings.IndexByte(":-", remaining[n]) >= 0); n++ {
			}
			return n, state{inside: tag}, Keyword, true
		}
		return 0, st, Plain, false
	}
	if st.inside == tag && (remaining[0] == '>' || strings.HasPrefix(remaining, "/>") ||
		strings.HasPrefix(remaining, "?>")) {
		return strings.IndexByte(remaining, '>') + 1, state{}, Keyword, true
	}
	for k, q := range l.quotes {
		if !strings.HasPrefix(remaining, q.open) {
			continue
		}
		if q.oneChar {
			if n := q.singleLen(remaining[len(q.open):]); n > 0 {
				return len(q.open) + n, st, String, true
			}
			continue
		}
		return len(q.open), state{inside: quoted, ruleIndex: uint8(k)}, String, true
	}
	return 0, st, Plain, false
}

// readWord returns the length and the class of the number or word at the offset i of s, or 1 if
// there is neither. If names is false it does not look for keywords.
func (l *Language) readWord(s string, i int, names bool) (n int, c Class) {
	remaining := s[i:]
	switch {
	case remaining[0] >= '0' && remaining[0] <= '9':
		for n = 1; n < len(remaining) &&
			(isWordByte(remaining[n]) || remaining[n] == '.' && n+1 < len(remaining) && remaining[n+1] >= '0' &&
				remaining[n+1] <= '9'); n++ {
		}
		return n, Number
	case !l.inWord(remaining[0]):
		return 1, Plain
	}
	for n = 1; n < len(remaining) && l.inWord(remaining[n]); n++ {
	}
	if !names {
		return n, Plain
	}
	name := remaining[:n]
	if l.foldsCase {
		name = strings.ToLower(name)
	}
	if l.keywords[name] && (i == 0 || s[i-1] != '.') {
		return n, Keyword
	}
	return n, Plain
}

// isWordByte reports whether b is a letter, a digit, an underscore, or a part of a character
// outside ASCII.
func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// inWord reports whether b can be part of a word of the language.
func (l *Language) inWord(b byte) bool {
	return isWordByte(b) || strings.IndexByte(l.wordBytes, b) >= 0
}

// blockEnd finds the end of the block comment b in s, which begins at the given nesting depth. It
// returns the number of bytes up to there, and the depth that remains if s ends first.
func blockEnd(s string, b block, depth int, nests bool) (n, depthLeft int) {
	for n < len(s) {
		switch {
		case strings.HasPrefix(s[n:], b.close):
			n += len(b.close)
			if depth--; depth == 0 {
				return n, 0
			}
		case nests && strings.HasPrefix(s[n:], b.open):
			n += len(b.open)
			depth++
		default:
			n++
		}
	}
	return n, depth
}

// singleLen returns the number of bytes of a single character and the closing quote at the start of
// s. It returns 0 if they are not there: the quote then is an apostrophe, or begins a lifetime
// name.
func (q quote) singleLen(s string) int {
	n := 0
	if strings.HasPrefix(s, "\\") {
		if n = strings.Index(s[min(2, len(s)):], q.close); n < 0 || n > 10 {
			return 0
		}
		return 2 + n + len(q.close)
	}
	_, n = utf8.DecodeRuneInString(s)
	if n == 0 || !strings.HasPrefix(s[n:], q.close) {
		return 0
	}
	return n + len(q.close)
}

// closeIndex returns the offset behind the closing quote of a string. s begins behind the opening
// quote. closed is false if there is no closing quote.
func (q quote) closeIndex(s string) (n int, closed bool) {
	for n < len(s) {
		switch {
		case q.escape != 0 && s[n] == q.escape:
			n += 2
		case strings.HasPrefix(s[n:], q.close):
			return n + len(q.close), true
		default:
			n++
		}
	}
	return min(n, len(s)), false
}
