package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/code"
)

// How long a piece may get before it is settled as it is: it is parsed anew with every View until
// then. It ends with the line that goes beyond maxPiece, or inside a line that goes beyond maxLine,
// behind a blank among its last maxSlack bytes if there is one there.
const (
	maxPiece = 16 << 10
	maxLine  = 24 << 10
	maxSlack = 256
)

// maxColouredLine is the maximum length, in bytes, of a line of code that has colours. No row of a
// shorter line is final before the line is complete, since what follows may change its colours.
const maxColouredLine = 512

// pieceKind says what a piece is, as far as it matters for the blank rows around it.
type pieceKind uint8

const (
	other pieceKind = iota
	listItem
	footnote
	codeStart
	codeLine
	codeEnd
	lineContinuation // goes on in the line of the last piece, as plain text
)

// fence is an open code block.
type fence struct {
	mark     string // "" for none
	indent   int
	language string
	code     *code.Language // nil: not known, or not asked for yet
	state    code.State     // of the next line
}

// withLanguage returns f with the highlighter of its language, if there is one.
func (f fence) withLanguage() fence {
	name, _, _ := strings.Cut(f.language, " ")
	if name != "" && len(name) <= 32 {
		f.code = code.Named(name)
	}
	return f
}

// mayHaveColours reports whether line, which may go on, can get colours.
func (f fence) mayHaveColours(line string) bool {
	return f.language != "" && len(line) <= maxColouredLine
}

// plainStyle returns the style of code without colours.
func (f fence) plainStyle(th *tui.Theme) tui.Style {
	if f.code != nil {
		return tui.Style{} // as what has no colour in the other lines
	}
	return th.Code
}

// nextLineSpans returns the block's next line in its colours, the same that a diff shows.
func (f *fence) nextLineSpans(th *tui.Theme, line string) []tui.Span {
	if f.code == nil || !f.mayHaveColours(line) {
		return []tui.Span{{Text: line, Style: f.plainStyle(th)}}
	}
	var pieces []code.Piece
	f.state, pieces = f.code.Next(f.state, line)
	spans, at := make([]tui.Span, 0, len(pieces)+1), 0
	for _, p := range pieces {
		spans = append(spans, tui.Span{Text: line[at:p.To], Style: p.Class.Style(th)})
		at = p.To
	}
	return append(spans, tui.Span{Text: line[at:]})
}

// parseFence returns the fenced code block that line begins, if it begins one.
func parseFence(line []byte) (fence, bool) {
	text := strings.TrimRight(string(firstLine(line)), " \t\r\n")
	trimmed := strings.TrimLeft(text, " ")
	indent := len(text) - len(trimmed)
	if indent > 3 || !strings.HasPrefix(trimmed, "```") && !strings.HasPrefix(trimmed, "~~~") {
		return fence{}, false
	}
	info := strings.TrimLeft(trimmed, trimmed[:1])
	if trimmed[0] == '`' && strings.Contains(info, "`") { // code within a line
		return fence{}, false
	}
	return fence{mark: trimmed[:len(trimmed)-len(info)], indent: indent, language: strings.TrimSpace(info)}, true
}

// isClosedBy reports whether line is the end of the code block.
func (f fence) isClosedBy(line []byte) bool {
	text := strings.TrimRight(string(line), " \t\r\n")
	trimmed := strings.TrimLeft(text, " ")
	return len(text)-len(trimmed) <= 3 && strings.HasPrefix(trimmed, f.mark) && strings.Trim(trimmed, f.mark[:1]) == ""
}

// lineText returns a line of the block without its line ending and without the block's indent.
func (f fence) lineText(src []byte) string {
	text := strings.TrimRight(string(src), "\r\n")
	for range f.indent {
		text = strings.TrimPrefix(text, " ")
	}
	return text
}

// LastCode returns the content of the last fenced code block of source, "" if there is none; one
// that is not closed ends with the source.
func LastCode(source string) string {
	var (
		last, block strings.Builder
		open        fence
	)
	for line := range strings.Lines(source) {
		text := []byte(strings.TrimLeft(line, " \t")) // also in list items
		switch {
		case open.mark != "" && open.isClosedBy(text):
			open = fence{}
			last.Reset()
			last.WriteString(block.String())
		case open.mark != "":
			block.WriteString(open.lineText([]byte(line)) + "\n")
		default:
			if f, ok := parseFence(text); ok {
				open = f
				open.indent = len(line) - len(text)
				block.Reset()
			}
		}
	}
	if open.mark != "" {
		return block.String()
	}
	return last.String()
}

func firstLine(src []byte) []byte {
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		return src[:i+1]
	}
	return src
}

// pieceLength returns the length of the first piece of src, or 0 if later text can still change
// that piece. Only complete lines decide, or the first bytes of a piece that becomes too long. So a
// piece is the same however src was cut into writes.
func (d *Document) pieceLength(src []byte) int {
	line := firstLine(src)
	if end, ok := lineFits(src, 0, line); !ok {
		return end
	}
	_, opening := parseFence(line)
	switch {
	case d.inside, d.fence.mark != "", isBlank(line), opening, isHeading(line):
		return len(line)
	}
	if end, decided := formulaBlockLength(src); end > 0 || !decided {
		return end
	}
	item := isItem(line)
	n := len(line)
	for n <= maxPiece {
		next := firstLine(src[n:])
		if end, ok := lineFits(src, n, next); !ok {
			return end
		}
		switch _, opening := parseFence(next); {
		case opening && (!item || next[0] != ' '), isHeading(next), isFootnote(next):
			return n
		case isBlank(next) && !item:
			return n
		case isBlank(next): // does the item go on after it?
			end := n
			for isBlank(next) {
				if end += len(next); end > maxPiece {
					return n
				}
				next = firstLine(src[end:])
				if at, ok := lineFits(src, end, next); !ok {
					return at
				}
			}
			if !indented(next) {
				return n
			}
			n = end
			continue
		case isItem(next):
			return n
		case !item || next[0] != ' ':
			if end, decided := formulaBlockLength(src[n:]); end > 0 {
				return n
			} else if !decided {
				return 0
			}
		}
		n += len(next)
	}
	return n
}

// lineFits reports whether the line of src at n is complete and not too long for its piece. If
// it is not, the piece ends at end, or is not complete if end is 0.
func lineFits(src []byte, n int, line []byte) (end int, ok bool) {
	if n+len(line) <= maxLine {
		return 0, len(line) > 0 && line[len(line)-1] == '\n'
	}
	if i := bytes.LastIndexByte(src[maxLine-maxSlack:maxLine], ' '); i >= 0 {
		return maxLine - maxSlack + i + 1, false
	}
	for end = maxLine; end > maxLine-maxSlack && !utf8.RuneStart(src[end]); end-- {
	}
	return end, false
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 && len(line) > 0 }

func indented(line []byte) bool {
	return bytes.HasPrefix(line, []byte("  ")) || bytes.HasPrefix(line, []byte("\t"))
}

// isHeading reports whether line is an ATX heading.
func isHeading(line []byte) bool {
	rest := bytes.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 &&
		(len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r')
}

// isFootnote reports whether line begins the text of a footnote: [^1]: text.
func isFootnote(line []byte) bool { return footnoteMark(line) > 0 }

// footnoteMark returns the length of the mark of a footnote's text with its colon, 0 for none.
func footnoteMark(line []byte) int {
	end := bytes.Index(line, []byte("]:"))
	if !bytes.HasPrefix(line, []byte("[^")) || end < 3 || end > maxLabel || bytes.ContainsAny(line[:end], " \t\n") {
		return 0
	}
	return end + 2
}

// maxLabel is the most bytes that the label of a footnote has, with its bracket.
const maxLabel = 64

// isItem reports whether line is a list item at the left margin, not a rule of dashes or stars.
func isItem(line []byte) bool {
	line = bytes.TrimRight(firstLine(line), " \t\r\n")
	i := 0
	for i < len(line) && i < 9 && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	switch {
	case i == 0 && len(line) > 1 && (line[0] == '-' || line[0] == '*' || line[0] == '+'):
		rule := strings.Trim(strings.ReplaceAll(string(line), " ", ""), string(line[:1])) == ""
		return (line[1] == ' ' || line[1] == '\t') && !rule
	case i > 0 && i+1 < len(line) && (line[i] == '.' || line[i] == ')'):
		return line[i+1] == ' ' || line[i+1] == '\t'
	}
	return false
}

// mayBecomeItem reports whether isItem may be true of src once more bytes follow it.
func mayBecomeItem(src []byte) bool {
	if len(src) == 1 && (src[0] == '-' || src[0] == '*' || src[0] == '+') {
		return true
	}
	rest := bytes.TrimLeft(src, "0123456789")
	return len(src) < 10 && len(rest) < len(src) &&
		(len(rest) == 0 || len(rest) == 1 && (rest[0] == '.' || rest[0] == ')'))
}

// mayBecomeFootnote reports whether isFootnote may be true of src once more bytes follow it.
func mayBecomeFootnote(src []byte) bool {
	return len(src) < maxLabel && src[0] == '[' && (len(src) == 1 || src[1] == '^') &&
		!bytes.ContainsAny(src, "] \t\n")
}
