package markdown

import (
	"bytes"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxBlankRun is the most blanks and dashes in a row of a plain paragraph.
const maxBlankRun = 4

// plainPara returns the paragraph that a piece of kind k is if it has only words: the same that the
// parser returns. Most of an answer is that, and the open piece is shown again with every word.
func (d *Document) plainPara(k pieceKind, src []byte) (p para, ok bool) {
	switch k {
	case other:
		return d.plainParagraph(src)
	case listItem:
		return d.plainItem(src)
	}
	return para{}, false
}

// plainParagraph returns src as a paragraph. ok is false if anything in it may be a mark of
// Markdown.
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

// plainItem returns src as a list item of one line.
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

// maxPlainMark is the most bytes that the mark of a plain item has with its blank.
const maxPlainMark = 6

// isPlainLine reports whether a line has only words: nothing in it begins a block or marks text,
// also not together with other such lines.
func isPlainLine(line []byte) bool {
	if len(line) == 0 || line[len(line)-1] == ' ' || !isPlainStart(line) {
		return false
	}
	run := 0
	for _, c := range line {
		switch {
		case isWord(c), c >= 0x80:
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

// isPlainStart reports whether a line that begins so begins no block: neither a list, nor a
// heading, a rule, code or a quote.
func isPlainStart(line []byte) bool {
	switch c := line[0]; {
	case c >= '0' && c <= '9':
		return beginsWords(line)
	case isWord(c), c >= 0x80, c == '"', c == '\'', c == '(':
		return true
	}
	return false
}
