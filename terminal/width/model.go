package width

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Method is how a terminal gives columns to a cluster of several runes.
type Method uint8

const (
	Wcwidth  Method = iota // each rune by itself, as most terminals do
	Grapheme               // the cluster as one glyph, for a terminal that confirmed mode 2027
	// The cluster as its first character, and what a variation selector makes of it: kitty since
	// 0.42, which has no mode for it.
	Leading
)

// Model measures text. The zero value is right for most terminals. Models are comparable; all
// methods may be used from any goroutine.
type Model struct {
	Method
	Ambiguous bool // East Asian ambiguous characters take 2 columns: the user says so
	// A character without width that comes behind a full row goes to the next one as any other does
	// (urxvt)
	MarksWrap bool
}

// The conditions are explicit and never changed: go-runewidth's package functions follow the locale
// of the process.
var (
	narrow = &runewidth.Condition{StrictEmojiNeutral: true}
	wide   = &runewidth.Condition{StrictEmojiNeutral: true, EastAsianWidth: true}
)

const (
	vs15 = 0xfe0e // text presentation
	vs16 = 0xfe0f // emoji presentation
)

// Next splits the first grapheme cluster off s; w is its width in columns. At the end of s all
// three are zero.
func (m Model) Next(s string) (cluster, rest string, w int) {
	if n := simple(s); n > 0 {
		return s[:n], s[n:], ascii(s[0])
	}
	if s == "" {
		return "", "", 0
	}
	if r, n := utf8.DecodeRuneInString(s); plain(r) {
		if next, _ := utf8.DecodeRuneInString(s[n:]); n == len(s) || next < utf8.RuneSelf || plain(next) {
			return s[:n], s[n:], m.plain(r)
		}
	}
	cluster, rest = first(s)
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
				n += ascii(b)
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

// Cluster returns the width of one grapheme cluster, in columns: with [Grapheme] and [Leading] 0, 1
// or 2; with [Wcwidth] the sum over its runes.
func (m Model) Cluster(c string) int {
	r, n := utf8.DecodeRuneInString(c)
	switch {
	case m.Method == Leading:
		return m.leading(c)
	case n == len(c):
		return m.rune(r)
	case m.Method == Wcwidth:
		return m.sum(c, true)
	}
	w, selector := 0, rune(0)
	for i, r := range c {
		w += m.rune(r)
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

// leading returns the width of the first character of c.
func (m Model) leading(c string) int {
	w, last := 0, rune(0)
	for _, r := range c {
		switch {
		case last == 0 && (r >= 0x1f1e6 && r <= 0x1f1ff || unicode.Is(handsAndBodies, r)):
			w = 2
		case last == 0:
			w = m.rune(r)
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

// sum returns the width of c rune by rune. With wide, a narrow character before VS16 counts as the
// emoji that it is (kitty, and all that measure clusters): where terminals draw it in one column
// (tmux, xterm) a column stays free, the other way round it would be gone.
func (m Model) sum(c string, wide bool) int {
	w, last, from := 0, 0, rune(0)
	for _, r := range c {
		if r == vs16 && wide && last == 1 && unicode.Is(variation, from) {
			w++
		}
		last, from = m.rune(r), r
		w += last
	}
	return w
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// plain reports whether r belongs to the scripts and signs of everyday text that neither join nor
// are joined: between two of them, and before ASCII, a cluster always ends. The segmentation of
// such text is spared its tables.
func plain(r rune) bool {
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

// braille reports whether r is a pattern of dots: one column everywhere, since Unicode 3.
func braille(r rune) bool { return r >= 0x2800 && r <= 0x28ff }

// plain returns the width of a plain rune: none of them is a mark.
func (m Model) plain(r rune) int {
	switch {
	case m.Ambiguous:
		return wide.RuneWidth(r)
	case r < 0x3000:
		return 1
	}
	return 2
}

// rune returns the width of r when it stands alone or is added up.
func (m Model) rune(r rune) int {
	if plain(r) {
		return m.plain(r)
	}
	return m.listed(r)
}

// listed is rune by the tables.
func (m Model) listed(r rune) int {
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
	if zero(r) {
		return 0
	}
	if m.Ambiguous && r != 0x10eeee { // see placeholder
		return wide.RuneWidth(r)
	}
	return narrow.RuneWidth(r)
}

// zero reports whether r is drawn into the cell before it, or not at all.
func zero(r rune) bool {
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

// ascii returns the width of an ASCII byte.
func ascii(b byte) int {
	if b < 0x20 || b == 0x7f {
		return 0
	}
	return 1
}

// simple returns the length of the first cluster of s if it is ASCII and cannot go on with the
// bytes after it; else 0.
func simple(s string) int {
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

// asciiRun returns the length of the ASCII text at the start of s that needs no segmentation: one
// character less if more than ASCII follows.
func asciiRun(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return max(i-1, 0)
		}
	}
	return len(s)
}
