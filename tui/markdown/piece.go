package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/code"
)

// Limits of one piece of the source, in bytes. An unfinished piece is parsed again with every View,
// so that it must not grow without bound. A piece ends with the line that goes beyond
// maxPieceBytes. Within a line longer than maxLineBytes it ends behind the last blank in the
// maxSlackBytes bytes before maxLineBytes, or at maxLineBytes if there is none.
const (
	maxPieceBytes = 16 << 10
	maxLineBytes  = 24 << 10
	maxSlackBytes = 256
)

// maxColouredLineBytes is the maximum length, in bytes, of a line of code that is
// syntax-highlighted. The rows of a shorter line become final only when the line is complete, since
// its colours may change until then.
const maxColouredLineBytes = 512

// pieceKind classifies pieces of the source. It decides which of them have blank rows between them.
type pieceKind uint8

const (
	otherPiece pieceKind = iota
	listItem
	footnote
	codeStart
	codeLine
	codeEnd
	lineContinuation // plain text that continues the line of the previous piece
)

// fence describes an open fenced code block.
type fence struct {
	mark     string // the opening run of backticks or tildes; "" if no block is open
	indent   int
	language string
	code     *code.Language // the highlighter; nil if the language is unknown or was not looked up yet
	state    code.State     // the highlighter's state at the next line
}

// withLanguage returns f with the syntax highlighter of its language. The highlighter is nil if the
// language is unknown.
func (f fence) withLanguage() fence {
	name, _, _ := strings.Cut(f.language, " ")
	if name != "" && len(name) <= 32 {
		f.code = code.Named(name)
	}
	return f
}

// mayHaveColours reports whether line, which may still be incomplete, is short enough to be
// highlighted in a block with a language.
func (f fence) mayHaveColours(line string) bool {
	return f.language != "" && len(line) <= maxColouredLineBytes
}

// plainStyle returns the style of code that is not highlighted.
func (f fence) plainStyle(th *tui.Theme) tui.Style {
	if f.code != nil {
		return tui.Style{} // as what has no colour in the other lines
	}
	return th.Code
}

// nextLineSpans returns the block's next line, syntax-highlighted with the same colours as in a
// diff.
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

// parseFence parses line as the opening line of a fenced code block. It returns false if it is
// none.
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

// isClosedBy reports whether line closes the code block.
func (f fence) isClosedBy(line []byte) bool {
	text := strings.TrimRight(string(line), " \t\r\n")
	trimmed := strings.TrimLeft(text, " ")
	return len(text)-len(trimmed) <= 3 && strings.HasPrefix(trimmed, f.mark) && strings.Trim(trimmed, f.mark[:1]) == ""
}

// lineText returns a line of the block without its line end and the block's indent.
func (f fence) lineText(src []byte) string {
	text := strings.TrimRight(string(src), "\r\n")
	for range f.indent {
		text = strings.TrimPrefix(text, " ")
	}
	return text
}

// LastCode returns the content of the last fenced code block in a Markdown source, or "" if there
// is none. A block without a closing fence extends to the end of the source.
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

// pieceLength returns the number of bytes of the first piece of src. It returns 0 if later text can
// still change that piece. It decides only by complete lines, or by the first bytes of a piece that
// grows too long. The result therefore does not depend on how src was split into writes.
func (d *Document) pieceLength(src []byte) int {
	line := firstLine(src)
	if end, ok := lineFits(src, 0, line); !ok {
		return end
	}
	_, opening := parseFence(line)
	switch {
	case d.withinLine, d.fence.mark != "", isBlank(line), opening, isHeading(line):
		return len(line)
	}
	if end, decided := formulaBlockLength(src); end > 0 || !decided {
		return end
	}
	item := isItem(line)
	n := len(line)
	for n <= maxPieceBytes {
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
				if end += len(next); end > maxPieceBytes {
					return n
				}
				next = firstLine(src[end:])
				if at, ok := lineFits(src, end, next); !ok {
					return at
				}
			}
			if !isIndented(next) {
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

// lineFits reports in ok whether line, at offset n of src, is complete and keeps its piece short
// enough. If ok is false the piece must end at the offset end, or is still incomplete if end is 0.
func lineFits(src []byte, n int, line []byte) (end int, ok bool) {
	if n+len(line) <= maxLineBytes {
		return 0, len(line) > 0 && line[len(line)-1] == '\n'
	}
	if i := bytes.LastIndexByte(src[maxLineBytes-maxSlackBytes:maxLineBytes], ' '); i >= 0 {
		return maxLineBytes - maxSlackBytes + i + 1, false
	}
	for end = maxLineBytes; end > maxLineBytes-maxSlackBytes && !utf8.RuneStart(src[end]); end-- {
	}
	return end, false
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 && len(line) > 0 }

func isIndented(line []byte) bool {
	return bytes.HasPrefix(line, []byte("  ")) || bytes.HasPrefix(line, []byte("\t"))
}

// isHeading reports whether line is an ATX heading.
func isHeading(line []byte) bool {
	rest := bytes.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 &&
		(len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r')
}

// isFootnote reports whether line begins the text of a footnote, such as "[^1]: text".
func isFootnote(line []byte) bool { return footnoteMark(line) > 0 }

// footnoteMark returns the number of bytes of the footnote mark at the start of line, such as
// "[^1]:". It returns 0 if there is none.
func footnoteMark(line []byte) int {
	end := bytes.Index(line, []byte("]:"))
	bad := end > maxLabelBytes || bytes.ContainsAny(line[:max(end, 0)], " \t\n")
	if !bytes.HasPrefix(line, []byte("[^")) || end < 3 || bad {
		return 0
	}
	return end + 2
}

// maxLabelBytes is the maximum number of bytes of a footnote's label, counted with its opening
// bracket.
const maxLabelBytes = 64

// isItem reports whether line begins a list item at the left margin. A horizontal rule of dashes or
// stars is not one.
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

// mayBecomeItem reports whether src, which is too short to decide, may turn out as a list item once
// more bytes follow.
func mayBecomeItem(src []byte) bool {
	if len(src) == 1 && (src[0] == '-' || src[0] == '*' || src[0] == '+') {
		return true
	}
	rest := bytes.TrimLeft(src, "0123456789")
	return len(src) < 10 && len(rest) < len(src) &&
		(len(rest) == 0 || len(rest) == 1 && (rest[0] == '.' || rest[0] == ')'))
}

// mayBecomeFootnote reports whether src, which is too short to decide, may turn out as a footnote
// once more bytes follow.
func mayBecomeFootnote(src []byte) bool {
	return len(src) < maxLabelBytes && src[0] == '[' && (len(src) == 1 || src[1] == '^') &&
		!bytes.ContainsAny(src, "] \t\n")
}
