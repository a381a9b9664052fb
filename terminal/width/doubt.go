package width

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Doubtful reports whether terminals draw the cluster c in different widths. They do where the
// methods Wcwidth and Grapheme differ; for private use and ambiguous characters; for characters
// that are newer than Unicode 12 or have changed their width since; for Hangul compatibility jamo
// (ghostty 2 columns, Warp and macOS 1); for spacing marks, and for clusters of marks alone. With
// m.MarksWrap they also do for clusters that end with marks. Behind such a cluster the cursor has
// to be placed by its column.
//
// Ambiguous letters, quotes, dashes, box drawing and block elements are not doubtful as long as
// m.Ambiguous is false. They are in all prose and all frames, and every terminal that was measured
// (docs/terminals) draws them in one column unless its user has changed that, which m.Ambiguous is
// for. A CHA behind each cell of a rule would cost more than the rule.
func (m Model) Doubtful(c string) bool {
	if len(c) == 1 {
		return c[0] >= utf8.RuneSelf // no UTF-8: tmux and kitty draw nothing, xterm and screen a replacement
	}
	if strings.HasPrefix(c, placeholder) {
		return false
	}
	n, w := 0, 0
	for _, r := range c {
		if m.doubtfulRune(r) {
			return true
		}
		w += m.runeWidth(r)
		n++
	}
	if n <= 1 {
		return w == 0
	}
	if c == "\r\n" {
		return false
	}
	sum := m.sumRunes(c, false)
	return w == 0 || sum != m.withMethod(Grapheme).Cluster(c) || sum != m.leadingWidth(c) || m.MarksWrap &&
		m.neededCols(c) > sum
}

// Widest returns the most columns that the cluster c takes in any terminal. A terminal that
// measures clusters draws it in at most 2 columns. With m.MarksWrap the number includes the column
// behind the cluster that its marks need.
func (m Model) Widest(c string) int {
	w := 0
	for _, r := range c {
		if m.doubtfulRune(r) {
			w += 2
		} else {
			w += m.runeWidth(r)
		}
	}
	if m.MarksWrap {
		w = max(w, m.neededCols(c))
	}
	return max(w, m.withMethod(Wcwidth).Cluster(c), m.withMethod(Grapheme).Cluster(c), m.leadingWidth(c))
}

// MayVanish reports whether some terminals draw nothing for the cluster c and do not move their
// cursor. They do so if their C library knows none of its characters (tmux 3.3a drops them), or if
// they take these for marks of the cluster before.
func (m Model) MayVanish(c string) bool {
	for _, r := range c {
		if m.runeWidth(r) > 0 && !mayHaveNoWidth(r) {
			return false
		}
	}
	return true
}

// mayHaveNoWidth reports whether r takes no column in some terminals.
func mayHaveNoWidth(r rune) bool {
	switch {
	case r < 0xa0, r == 0x10eeee:
		return false
	case r == 0xad, r == 0x6de, r == 0xe33, r == 0xeb3, r == 0xffa0, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe,
		skinTone(r):
		return true
	}
	return !unicode.Is(unicode12, r) || unicode.In(r, unicode.Co, unicode.Mc, unicode.Prepended_Concatenation_Mark)
}

// neededCols returns how many columns a row must have for c where marks wrap. Each mark is printed
// in the column behind the characters before it, which must exist in the row. Emacs' term counts
// one column for each character when it wraps, so that several marks need several columns.
func (m Model) neededCols(c string) int {
	n, w := utf8.RuneCountInString(c), 0
	for _, r := range c {
		k := m.runeWidth(r)
		n = max(n, w+max(k, 1))
		w += k
	}
	return n
}

// AtEdge returns the part of the cluster c that can be drawn in the last column of a row. That is
// all of it, but with m.MarksWrap not the marks at its end.
func (m Model) AtEdge(c string) string {
	if len(c) == 1 || !m.MarksWrap || m.neededCols(c) <= m.Cluster(c) {
		return c
	}
	return strings.TrimRightFunc(c, func(r rune) bool { return m.runeWidth(r) == 0 })
}

// placeholder is the character of the cells of an image (kitty graphics). It is only sent to
// terminals that draw it in one column.
const placeholder = "\U0010eeee"

// withMethod returns a copy of m with another method.
func (m Model) withMethod(method Method) Model { m.Method = method; return m }

// doubtfulRune reports whether terminals draw r in different widths.
func (m Model) doubtfulRune(r rune) bool {
	if !m.Ambiguous && isPlain(r) && (r < 0x2b0 || r > 0x2ff) {
		// Spared the searches, and the tables of go-runewidth their making: that takes longer than
		// the rest of a first frame.
		return false
	}
	return m.lookUpDoubt(r)
}

// lookUpDoubt does what doubtfulRune does, by looking r up in the tables.
func (m Model) lookUpDoubt(r rune) bool {
	switch {
	case r < 0xa0, r == 0x10eeee:
		return false
	case r >= 0x4e00 && r <= 0x9fa5, r >= 0xac00 && r <= 0xd7a3: // the bulk of CJK text, spared the searches below
		return false
	case r == 0xad: // soft hyphen: 1 in tmux, screen and xterm, 0 in kitty
		return true
	case r >= 0x1100 && r <= 0x11ff, r >= 0xa960 && r <= 0xa97f, r >= 0xd7b0 && r <= 0xd7ff:
		// Conjoining jamo: kitty 0.26 draws each by itself.
		return true
	case r == 0x3030, r == 0x303d, r == 0x3297, r == 0x3299, r == 0x1f202, r == 0x1f237:
		// Wide signs with an emoji form: 1 in kitty 0.26.
		return true
	case r == 0x6de, r == 0xffa0, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		// 0 in screen; a filler, 0 in kitty; noncharacters, 0 in tmux and kitty
		return true
	case unicode.Is(handsAndBodies, r): // 2 in kitty since 0.42, 1 elsewhere
		return true
	case skinTone(r): // alone: 0 in kitty 0.26
		return true
	case r == 0xe33, r == 0xeb3: // Thai and Lao vowel AM: 0 or 1 in its cluster
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		// U+0600 to U+0605, U+06DD, U+08E2 and others before a digit: 1 in tmux, st and alacritty,
		// 0 in kitty, VTE and foot.
		return true
	case r >= 0x3131 && r <= 0x318e: // Hangul compatibility jamo
		return true
	case r >= 0x2630 && r <= 0x2637, r >= 0x268a && r <= 0x268f, r >= 0x4dc0 && r <= 0x4dff,
		r >= 0x1d300 && r <= 0x1d376:
		// Wide since Unicode 16.
		return true
	case r >= 0x1f1e6 && r <= 0x1f1ff: // regional indicators: 1 or 2 alone, 2 or 4 in pairs
		return true
	case r == utf8.RuneError:
		return m.Ambiguous
	}
	if !unicode.Is(unicode12, r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Mc, r) {
		return true
	}
	return runewidth.IsAmbiguousWidth(r) && (m.Ambiguous || !alwaysNarrow(r))
}

// alwaysNarrow reports whether r, an ambiguous character, takes one column in every terminal unless
// its user has made ambiguous characters wide.
func alwaysNarrow(r rune) bool {
	switch {
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic), unicode.Is(unicode.Mn, r):
		return true
	case r >= 0xa0 && r <= 0xbf, r == 0xd7, r == 0xf7: // Latin-1 signs: section, degree, plus-minus, ...
		return true
	case r >= 0x2010 && r <= 0x203b: // dashes, quotes, bullet, ellipsis
		return true
	case r >= 0x2500 && r <= 0x259f: // box drawing, block elements
		return true
	case r >= 0x2190 && r <= 0x2193: // the four arrows; the others of the block have emoji forms
		return true
	}
	return false
}
