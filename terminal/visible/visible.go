// Package visible turns untrusted text into text that a terminal can do nothing with but show, and
// that hides nothing from its reader.
//
// What a terminal would obey, and what a reader would not see, becomes a token:
//
//	C0 controls, DEL            ␛ ␍ ␡ ...      (ASCII: <ESC> <CR> <DEL>)
//	C1 controls                 <U+009B>
//	bidirectional controls      <U+202E>
//	zero-width and fillers      <U+200B>, <U+00AD>, <U+3164>, <U+2800>
//	marks from the 31st in a row (the limit of UAX #15's stream-safe text)
//	tag characters              <U+E0041>, the three tag flags too: tags can carry a hidden text
//	invalid UTF-8, noncharacters <0xFF>, <U+FFFE>
//
// A file can hold the characters of a token as well: [Options.Pieces] tells tokens from text, so
// that they can be drawn in another style, and [Counts] says how many there are.
//
// Kept, since the reader sees them: VS15 or VS16 right after a character that has an emoji form, a
// ZWJ between two emoji, and U+2800 in a picture of braille cells. Exotic spaces and private use
// characters are kept: they take columns. With [Options.Joiners] the joiners of scripts that are
// written with them are kept too, and their directional marks (LRM, RLM, ALM) are left out.
package visible

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says why a character is replaced by a token. The zero value, Text, is for text that stays as
// it is.
type Kind uint8

const (
	Text      Kind = iota
	Control        // C0 controls, DEL, C1 controls.
	Bidi           // Bidirectional controls: embeddings, overrides, isolates, marks.
	Invisible      // Zero-width characters, fillers, format controls, line and paragraph separators.
	Tag            // Tag characters, U+E0000 to U+E0FFF.
	Invalid        // Bytes that are not UTF-8, and noncharacters.
)

// Counts holds how many characters of each kind were replaced by tokens; Invalid counts bytes.
// Counts can be compared by == and added.
type Counts struct{ Control, Bidi, Invisible, Tag, Invalid int }

// Total returns the number of all tokens.
func (c Counts) Total() int { return c.Control + c.Bidi + c.Invisible + c.Tag + c.Invalid }

// Plus returns the sum of c and d.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Control + d.Control, c.Bidi + d.Bidi, c.Invisible + d.Invisible, c.Tag + d.Tag,
		c.Invalid + d.Invalid}
}

// String returns the counts in words, such as "2 controls, 1 bidi", or "" if all are 0.
func (c Counts) String() string {
	var b strings.Builder
	for _, p := range []struct {
		n    int
		name string
	}{{c.Control, "control"}, {c.Bidi, "bidi"}, {c.Invisible, "invisible"}, {c.Tag, "tag"}, {c.Invalid, "invalid"}} {
		if p.n == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", p.n, p.name)
	}
	return b.String()
}

// Add counts one token of kind k; [Text] counts nothing.
func (c *Counts) Add(k Kind) {
	switch k {
	case Control:
		c.Control++
	case Bidi:
		c.Bidi++
	case Invisible:
		c.Invisible++
	case Tag:
		c.Tag++
	case Invalid:
		c.Invalid++
	}
}

// Options says which characters stay as they are. The zero value replaces newlines and tabs, too,
// so that the result is one line.
type Options struct {
	Newline bool // LF stays.
	Tab     bool // Tabs stay; the caller has to expand them.
	// ZWJ and ZWNJ stay where spelling needs them: between letters of Arabic, Syriac, Mongolian and
	// Indic scripts, behind a virama of these scripts, and behind one of their letters at the end
	// of the text. The directional marks LRM, RLM and ALM are removed beside a letter of a script
	// that is written from right to left, and at both ends of the text. This is for prose, not for
	// code or paths.
	Joiners bool
	ASCII   bool // Tokens are written in ASCII. Other text does not change.
}

// Rune returns the kind of r between letters. Characters that are visible only in another context,
// such as a joiner behind an emoji, count as Invisible.
func Rune(r rune) Kind { return Options{}.classifyRune(r, utf8.RuneLen(r), &neighbours{}, "") }

// Line returns s as one line that is safe to print: everything that is unsafe or invisible, and
// newlines and tabs, is replaced by tokens.
func Line(s string) (string, Counts) { return Options{}.String(s) }

// Lines returns s with everything that is unsafe or invisible replaced by tokens. Newlines and tabs
// stay.
func Lines(s string) (string, Counts) { return Options{Newline: true, Tab: true}.String(s) }

// String returns s with tokens in place of unsafe or invisible characters, and their counts. If
// there are none it returns s itself, without an allocation.
func (o Options) String(s string) (string, Counts) {
	var c Counts
	n := o.cleanLen(s)
	if n == len(s) {
		return s, c
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8 + 16)
	for p := range o.Pieces(s) {
		b.WriteString(p.Text)
		c.Add(p.Kind)
	}
	return b.String(), c
}

// leftOut is the kind of a character that is removed without a token.
const leftOut Kind = 0xff

// directionalMark reports whether r is LRM, RLM or ALM. Unlike an embedding, an override or an
// isolate, such a mark does not change the order of letters.
func directionalMark(r rune) bool { return r == 0x200e || r == 0x200f || r == 0x61c }

// LeftOut reports whether [Options.Joiners] removes the character c between the texts before and
// after.
func LeftOut(before, c, after string) bool {
	r, n := utf8.DecodeRuneInString(c)
	return n == len(c) && directionalMark(r) && (endsRightToLeft(before) || beginsRightToLeft(after))
}

// maxReach is the largest distance, in characters, at which a letter counts as being beside a
// directional mark.
const maxReach = 16

// beginsRightToLeft reports whether the first letter of s belongs to a script that is written from
// right to left. It returns true, too, if s ends before its first letter, as an unfinished text
// can.
func beginsRightToLeft(s string) bool {
	for range maxReach {
		r, n := utf8.DecodeRuneInString(s)
		if n == 0 || unicode.IsLetter(r) {
			return n == 0 || rightToLeft(r)
		}
		s = s[n:]
	}
	return false
}

// endsRightToLeft reports whether the last letter of s belongs to a script that is written from
// right to left.
func endsRightToLeft(s string) bool {
	for range maxReach {
		r, n := utf8.DecodeLastRuneInString(s)
		if n == 0 || unicode.IsLetter(r) {
			return n == 0 || rightToLeft(r)
		}
		s = s[:len(s)-n]
	}
	return false
}

// rightToLeft reports whether r is a letter of a script that is written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// Piece is a part of a text. Raw is the part of the source. Text is what is shown for it: the same
// for text that stays, "" for a mark that is removed, otherwise a token.
type Piece struct {
	Raw, Text string
	Kind      Kind
}

// Pieces yields the pieces of s in order: each run of text that stays, and each token. All Raw
// texts together are s.
func (o Options) Pieces(s string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		var at neighbours
		start := 0
		for i := 0; i < len(s); {
			r, n := utf8.DecodeRuneInString(s[i:])
			kind := o.classify(r, n, &at, s[i+n:])
			if kind != Text {
				if start < i && !yield(Piece{Raw: s[start:i], Text: s[start:i]}) {
					return
				}
				p := Piece{Raw: s[i : i+n]}
				if kind != leftOut {
					p.Text, p.Kind = o.token(r, n, s[i]), kind
				}
				if !yield(p) {
					return
				}
				start = i + n
			}
			i += n
		}
		if start < len(s) {
			yield(Piece{Raw: s[start:], Text: s[start:]})
		}
	}
}

// cleanLen returns the number of bytes at the start of s that stay as they are. For most texts it
// quickly returns len(s).
func (o Options) cleanLen(s string) int {
	var at neighbours
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			if b < 0x20 && !(b == '\n' && o.Newline) && !(b == '\t' && o.Tab) || b == 0x7f {
				return i
			}
			at = neighbours{prev: rune(b), last: rune(b)}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if o.classify(r, n, &at, s[i+n:]) != Text {
			return i
		}
		i += n
	}
	return len(s)
}

// neighbours describes the characters before the current one.
type neighbours struct {
	prev  rune // The last character that is not a mark, a selector, a joiner or a skin tone.
	last  rune // The last character.
	marks int  // The number of combining marks in a row.

	letter rune // The last letter, if it is at most maxReach characters away.
	beyond int  // The number of characters behind that letter.
}

// isRightToLeft reports whether the last letter belongs to a script that is written from right to
// left.
func (at *neighbours) isRightToLeft() bool {
	return rightToLeft(at.letter) || at.letter == 0 && at.beyond < maxReach
}

// classify returns the kind of r, which is n bytes long and followed by rest, and adds r to at.
func (o Options) classify(r rune, n int, at *neighbours, rest string) Kind {
	k := o.classifyRune(r, n, at, rest)
	switch {
	case k == leftOut:
		return k // what stands beside it comes together
	case k != Text:
		at.prev, at.marks = 0, 0
	case isMark(r):
		if at.marks++; at.marks > 30 {
			k = Invisible
		}
	case r == zwj, r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		at.marks = 0
	default:
		at.prev, at.marks = r, 0
	}
	at.last = r
	if at.beyond++; unicode.IsLetter(r) {
		at.letter, at.beyond = r, 0
	} else if at.beyond >= maxReach {
		at.letter = 0
	}
	return k
}

const (
	zwnj = 0x200c
	zwj  = 0x200d
	vs15 = 0xfe0e
	vs16 = 0xfe0f
)

// classifyRune returns the kind of r, which is n bytes long, behind the characters at and before
// rest.
func (o Options) classifyRune(r rune, n int, at *neighbours, rest string) Kind {
	switch {
	case r == '\n' && o.Newline, r == '\t' && o.Tab:
		return Text
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return Control
	case r < 0x300:
		if r == 0xad {
			return Invisible
		}
		return Text
	case r == utf8.RuneError && n == 1, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return Invalid
	case r >= 0xe0000 && r <= 0xe00ff:
		return Tag
	case r >= 0xe0100 && r <= 0xe0fff: // variation selectors 17 to 256, and reserved ignorables
		return Invisible
	case o.Joiners && directionalMark(r) && (at.isRightToLeft() || beginsRightToLeft(rest)):
		return leftOut
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return Bidi
	case r == vs15 || r == vs16:
		if at.last == at.prev && (pictographic(at.prev) || keycap(at.prev)) {
			return Text
		}
		return Invisible
	case r == zwj || r == zwnj:
		next, _ := utf8.DecodeRuneInString(rest)
		if r == zwj && pictographic(at.prev) && pictographic(next) {
			return Text
		}
		if o.Joiners && usesJoiners(at.last) && (rest == "" || usesJoiners(next) || virama(at.last)) {
			return Text
		}
		return Invisible
	case r == 0x2800 && (at.last >= 0x2800 && at.last <= 0x28ff && at.prev == at.last || Cells("", rest)):
		return Text
	case ignorable(r):
		return Invisible
	}
	return Text
}

// ignorable reports whether r is invisible: a Default_Ignorable_Code_Point of the Unicode database
// (derived here from other properties, without those that were checked before), a line or paragraph
// separator, or a character that terminals draw as nothing though no property says so.
func ignorable(r rune) bool {
	switch {
	case r < 0x600, r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // most text
		return r == 0x34f
	case unicode.Is(unicode.Cf, r):
		// Number signs and joiners of hieroglyphs are drawn.
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && !(r >= 0x13430 && r <= 0x1343f)
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Zl,
		unicode.Zp) || blank(r)
}

// blank reports whether r looks like a space and is none: the braille pattern without dots, the
// object replacement character, the null notehead, and fillers of Khitan and of hieroglyphs.
func blank(r rune) bool {
	switch r {
	case 0x2800, 0xfffc, 0x1d159, 0x16fe4, 0x13441, 0x13442:
		return true
	}
	return false
}

// Cells reports whether a braille pattern without dots (U+2800) between left and right belongs to a
// picture of braille patterns: a pattern with dots is beside it, or beside other empty patterns
// around it.
func Cells(left, right string) bool {
	const maxCols = 1000 // columns that a picture may have
	for n := 0; n < maxCols && strings.HasSuffix(left, noDots); n++ {
		left = left[:len(left)-len(noDots)]
	}
	for n := 0; n < maxCols && strings.HasPrefix(right, noDots); n++ {
		right = right[len(noDots):]
	}
	before, _ := utf8.DecodeLastRuneInString(left)
	after, _ := utf8.DecodeRuneInString(right)
	return hasDots(before) || hasDots(after)
}

const noDots = "\u2800"

// hasDots reports whether r is a braille pattern with dots.
func hasDots(r rune) bool { return r > 0x2800 && r <= 0x28ff }

func isMark(r rune) bool { return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) }

// keycap reports whether r can be followed by VS16 and U+20E3 to make a keycap emoji.
func keycap(r rune) bool { return r == '#' || r == '*' || r >= '0' && r <= '9' }

// pictographic reports whether r may have an emoji form, by the blocks that have
// Extended_Pictographic characters.
func pictographic(r rune) bool {
	switch {
	case r == 0xa9, r == 0xae, r == 0x203c, r == 0x2049, r == 0x2122, r == 0x2139, r >= 0x2194 && r <= 0x21aa,
		r >= 0x231a && r <= 0x23ff,
		r == 0x24c2, r >= 0x25aa && r <= 0x27bf, r == 0x2934, r == 0x2935, r >= 0x2b05 && r <= 0x2b55,
		r == 0x3030, r == 0x303d, r == 0x3297, r == 0x3299:
		return true
	}
	return r >= 0x1f000 && r <= 0x1faff && !(r >= 0x1f1e6 && r <= 0x1f1ff) && !(r >= 0x1f3fb && r <= 0x1f3ff)
}

// usesJoiners reports whether r belongs to a script in which a joiner between two letters is a
// matter of spelling (UAX #31, 2.3).
func usesJoiners(r rune) bool {
	if r < 0x600 || !unicode.IsLetter(r) && !unicode.IsMark(r) {
		return false
	}
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari,
		unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
		unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// virama reports whether r removes the vowel of the consonant before it. A joiner behind it changes
// how the consonant is drawn, whatever follows, as at the end of many words in Malayalam.
func virama(r rune) bool {
	switch r {
	case 0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd4d, 0xdca, 0x1039, 0x17d2, 0xf84:
		return true
	}
	return false
}

var controlNames = [32]string{"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF",
	"CR",
	"SO", "SI",
	"DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"}

// token returns the token for the character r, whose first byte is b.
func (o Options) token(r rune, n int, b byte) string {
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("<0x%02X>", b)
	case r < 0x20 && o.ASCII:
		return "<" + controlNames[r] + ">"
	case r == 0x7f && o.ASCII:
		return "<DEL>"
	case r < 0x20:
		return string('\u2400' + r)
	case r == 0x7f:
		return "\u2421"
	}
	return fmt.Sprintf("<U+%04X>", r)
}
