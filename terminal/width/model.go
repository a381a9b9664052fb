package width

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Method says how a terminal measures a cluster of several characters.
type Method uint8

const (
	Wcwidth  Method = iota // The sum of the widths of the characters, as in most terminals.
	Grapheme               // The width of the cluster as one glyph, as in terminals that have confirmed mode 2027.
	// The width of the first character, changed by a variation selector: kitty since 0.42, which
	// has no mode for it.
	Leading
)

// Model measures how many columns text takes in a terminal. The zero value fits most terminals.
// Models can be compared by ==. All methods are safe for concurrent use.
type Model struct {
	Method
	Ambiguous bool // East Asian ambiguous characters take 2 columns, because the user has set it.
	// A combining mark behind a full row goes to the next row like any other character: urxvt, st,
	// Emacs' term.
	MarksWrap bool
	Parts     Parts // With Wcwidth: differences that were measured.
}

// The conditions are explicit and never changed: go-runewidth's package functions follow the locale
// of the process.
var (
	narrowCondition = &runewidth.Condition{StrictEmojiNeutral: true}
	wideCondition   = &runewidth.Condition{StrictEmojiNeutral: true, EastAsianWidth: true}
)

const (
	vs15 = 0xfe0e // text presentation
	vs16 = 0xfe0f // emoji presentation
)

// Next splits the first grapheme cluster off s and returns it with the remaining text and its width
// w in columns. If s is empty all three are zero.
func (m Model) Next(s string) (cluster, rest string, w int) {
	if n := simpleCluster(s); n > 0 {
		return s[:n], s[n:], asciiWidth(s[0])
	}
	if s == "" {
		return "", "", 0
	}
	if r, n := utf8.DecodeRuneInString(s); isPlain(r) {
		if next, _ := utf8.DecodeRuneInString(s[n:]); n == len(s) || next < utf8.RuneSelf || isPlain(next) {
			return s[:n], s[n:], m.plainWidth(r)
		}
	}
	cluster, rest = firstCluster(s)
	return cluster, rest, m.Cluster(cluster)
}

// Clusters yields the grapheme clusters of s with their widths in columns.
func (m Model) Clusters(s string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for s != "" {
			var c string
			var w int
			c, s, w = m.Next(s)
			if !yield(c, w) {
				return
			}
		}
	}
}

// String returns the width of s in columns.
func (m Model) String(s string) int {
	n := 0
	for s != "" {
		if k := asciiRun(s); k > 0 {
			for _, b := range []byte(s[:k]) {
				n += asciiWidth(b)
			}
			s = s[k:]
			continue
		}
		var w int
		_, s, w = m.Next(s)
		n += w
	}
	return n
}

// Cluster returns the width of one grapheme cluster in columns. With [Grapheme] and [Leading] it is
// 0, 1 or 2; with [Wcwidth] it is the sum over its characters.
func (m Model) Cluster(c string) int {
	r, n := utf8.DecodeRuneInString(c)
	switch {
	case m.Method == Leading:
		return m.leadingWidth(c)
	case n == len(c):
		return m.runeWidth(r)
	case m.Method == Wcwidth:
		return m.sumRunes(c, true)
	}
	w, selector := 0, rune(0)
	for i, r := range c {
		w += m.runeWidth(r)
		if i == n {
			selector = r
		}
	}
	switch {
	case selector == vs16 && unicode.Is(variation, r):
		return 2
	case selector == vs15 && unicode.Is(variation, r) && len(c) == n+utf8.RuneLen(vs15):
		return 1
	}
	return min(w, 2)
}

// leadingWidth returns the width of c by its first character.
func (m Model) leadingWidth(c string) int {
	w, last := 0, rune(0)
	for _, r := range c {
		switch {
		case last == 0 && (r >= 0x1f1e6 && r <= 0x1f1ff || unicode.Is(handsAndBodies, r)):
			w = 2
		case last == 0:
			w = m.runeWidth(r)
		case r == vs16 && w == 1 && (unicode.Is(variation, last) || skinTone(last)):
			w = 2
		case r == vs15 && w == 2 && (unicode.Is(variation, last) || last >= 0x1f000 && last <= 0x1ffff):
			// Any emoji, with a text form or without.
			w = 1
		}
		last = r
	}
	return w
}

// sumRunes returns the sum of the widths of the characters in c. With wide, a narrow character
// before VS16 counts as an emoji of two columns (as in kitty, and in all terminals that measure
// clusters). A terminal that draws it in one column (tmux, xterm) then leaves a column free. If it
// were counted as one column, a column would be missing in the others.
func (m Model) sumRunes(c string, wide bool) int {
	w, last, from := 0, 0, rune(0)
	for _, r := range c {
		if r == vs16 && wide && !m.Parts.NarrowEmoji && last == 1 && unicode.Is(variation, from) {
			w++
		}
		last, from = m.runeWidth(r), r
		w += last
	}
	return w
}

// skinTone reports whether r is a skin tone.
func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isPlain reports whether r belongs to everyday scripts and signs that never join: a cluster always
// ends between two of them, and before ASCII. Such text is split without tables.
func isPlain(r rune) bool {
	switch {
	case r < 0xa0:
		return false
	case r <= 0x2ff:
		return r != 0xad
	case r < 0x2010:
		return r >= 0x386 && r <= 0x481 && r != 0x38b && r != 0x38d && r != 0x3a2 // Greek, Cyrillic
	case r <= 0x2027, r >= 0x2030 && r <= 0x203b, r >= 0x2500 && r <= 0x259f:
		// Dashes and quotes, box drawing and blocks.
		return true
	case r < 0x3001:
		return r >= 0x2190 && r <= 0x2193 || braille(r)
	}
	// Kana, ideographs.
	return r <= 0x3029 || r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa || r >= 0x4e00 && r <= 0x9fa5
}

// braille reports whether r is a braille pattern. It takes one column in every terminal, since it
// is as old as Unicode 3.
func braille(r rune) bool { return r >= 0x2800 && r <= 0x28ff }

// plainWidth returns the width of r, for which isPlain is true.
func (m Model) plainWidth(r rune) int {
	switch {
	case m.Ambiguous:
		return wideCondition.RuneWidth(r)
	case r < 0x3000:
		return 1
	}
	return 2
}

// runeWidth returns the width of r, alone or as a part of a sum.
func (m Model) runeWidth(r rune) int {
	if isPlain(r) {
		return m.plainWidth(r)
	}
	return m.lookUpWidth(r)
}

// lookUpWidth does what runeWidth does, by looking r up in the tables.
func (m Model) lookUpWidth(r rune) int {
	if w, measured := m.Parts.width(r); measured && m.Method == Wcwidth {
		return w
	}
	if r < 0x300 {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0:
			return 0
		case r == 0xad: // soft hyphen: a format character, but C libraries and with them tmux, screen and xterm draw it
			return 1 - min(int(m.Method), 1)
		}
		if !m.Ambiguous {
			return 1
		}
	}
	if hasNoWidth(r) {
		return 0
	}
	if m.Ambiguous && r != 0x10eeee { // see placeholder
		return wideCondition.RuneWidth(r)
	}
	return narrowCondition.RuneWidth(r)
}

// hasNoWidth reports whether r takes no column: it is drawn into the cell before it, or not at all.
func hasNoWidth(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r >= 0x1160 && r <= 0x11ff, r >= 0xd7b0 && r <= 0xd7ff: // conjoining jamo vowels and finals
		return true
	case r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // no marks among ideographs and syllables
		return false
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}

// asciiWidth returns the width of an ASCII byte in columns.
func asciiWidth(b byte) int {
	if b < 0x20 || b == 0x7f {
		return 0
	}
	return 1
}

// simpleCluster returns the length of the first cluster of s if it is one ASCII character that the
// next bytes cannot join. Otherwise it returns 0.
func simpleCluster(s string) int {
	switch {
	case s == "" || s[0] >= utf8.RuneSelf:
		return 0
	case len(s) == 1:
		return 1
	case s[1] >= utf8.RuneSelf:
		return 0
	case s[0] == '\r' && s[1] == '\n':
		return 2
	}
	return 1
}

// asciiRun returns the length of the ASCII text at the start of s in which each character is a
// cluster. It leaves out the last one if a character that is not ASCII follows.
func asciiRun(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return max(i-1, 0)
		}
	}
	return len(s)
}
