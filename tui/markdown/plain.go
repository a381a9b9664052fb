package markdown

import (
	"bytes"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxBlankRun is the maximum number of consecutive blanks and dashes in a plain paragraph.
const maxBlankRun = 4

// plainPara returns the paragraph for src, a piece of kind k, without the parser. ok is false if
// src may contain Markdown marks. Most of a model's answer has none, and the unfinished piece is
// shown again with every word, so that this shortcut saves most of the parsing.
func (d *Document) plainPara(k pieceKind, src []byte) (p para, ok bool) {
	switch k {
	case otherPiece:
		return d.plainParagraph(src)
	case listItem:
		return d.plainItem(src)
	}
	return para{}, false
}

// plainParagraph returns src as a paragraph. ok is false if src may contain Markdown marks.
func (d *Document) plainParagraph(src []byte) (p para, ok bool) {
	src = bytes.TrimRight(src, " \n")
	for line := range bytes.Lines(src) {
		if !isPlainLine(bytes.TrimSuffix(line, []byte("\n"))) {
			return para{}, false
		}
	}
	if len(src) == 0 || bytes.Contains(src, []byte("://")) || bytes.Contains(src, []byte("www.")) {
		return para{}, false
	}
	if !d.Breaks {
		src = bytes.ReplaceAll(src, []byte("\n"), []byte(" "))
	}
	return para{spans: []tui.Span{{Text: string(src)}}}, true
}

// plainItem returns src as a list item of a single line. ok is false if src is longer or may
// contain Markdown marks in its text.
func (d *Document) plainItem(src []byte) (p para, ok bool) {
	src = bytes.TrimRight(src, " \n")
	n := bytes.IndexByte(src, ' ') + 1
	if n < 2 || n > maxPlainMark || !isItem(src) || src[0] == '0' || bytes.ContainsAny(src, "\t\n") {
		return para{}, false
	}
	if p, ok = d.plainParagraph(src[n:]); !ok {
		return para{}, false
	}
	mark := "- "
	if n > len(mark) {
		mark = string(src[:n])
	}
	p.first, p.others = []tui.Span{{Text: mark}}, []tui.Span{{Text: strings.Repeat(" ", n)}}
	return p, true
}

// maxPlainMark is the maximum number of bytes of a plain list item's mark, counted with the blank
// behind it.
const maxPlainMark = 6

// isPlainLine reports whether line contains only words and simple punctuation. Such a line begins
// no block and has no inline marks, even in combination with other such lines.
func isPlainLine(line []byte) bool {
	if len(line) == 0 || line[len(line)-1] == ' ' || !isPlainStart(line) {
		return false
	}
	run := 0
	for _, c := range line {
		switch {
		case isWordByte(c), c >= 0x80:
			run = 0
		case c == ' ', c == '-':
			if run++; run > maxBlankRun {
				return false
			}
		case c > ' ' && bytes.IndexByte([]byte(`,.;:?!'"()/%`), c) >= 0:
			run = 0
		default:
			return false
		}
	}
	return true
}

// isPlainStart reports whether the start of line shows that it begins no block, such as a list, a
// heading, a rule, code or a quote.
func isPlainStart(line []byte) bool {
	switch c := line[0]; {
	case c >= '0' && c <= '9':
		return beginsWords(line)
	case isWordByte(c), c >= 0x80, c == '"', c == '\'', c == '(':
		return true
	}
	return false
}
