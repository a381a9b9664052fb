package markdown

import (
	"bytes"
	"strings"
)

// maxPiece is how long a piece may get before it is settled as it is: it is parsed anew with every View until then.
const maxPiece = 16 << 10

// kind is what a piece begins with.
type kind uint8

const (
	other kind = iota
	listItem
	codeStart
	codeLine
	codeEnd
)

// fence is an open code block.
type fence struct {
	mark     string // "" for none
	indent   int
	language string
}

// opens reads the first line of a fenced code block.
func opens(line []byte) (fence, bool) {
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
	return fence{trimmed[:len(trimmed)-len(info)], indent, strings.TrimSpace(info)}, true
}

// closes reports whether line ends the block.
func (f fence) closes(line []byte) bool {
	text := strings.TrimRight(string(line), " \t\r\n")
	trimmed := strings.TrimLeft(text, " ")
	return len(text)-len(trimmed) <= 3 && strings.HasPrefix(trimmed, f.mark) && strings.Trim(trimmed, f.mark[:1]) == ""
}

// line is a line of the block without its end and the block's own indent.
func (f fence) line(src []byte) string {
	text := strings.TrimRight(string(src), "\r\n")
	for range f.indent {
		text = strings.TrimPrefix(text, " ")
	}
	return text
}

// LastCode is the content of the last fenced code block of source, "" if there is none; one that is not closed ends with the source.
func LastCode(source string) string {
	var (
		last, block strings.Builder
		open        fence
	)
	for line := range strings.Lines(source) {
		text := []byte(strings.TrimLeft(line, " \t")) // also in list items
		switch {
		case open.mark != "" && open.closes(text):
			open = fence{}
			last.Reset()
			last.WriteString(block.String())
		case open.mark != "":
			block.WriteString(open.line([]byte(line)) + "\n")
		default:
			if f, ok := opens(text); ok {
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

// piece is the length of the first piece of src that no later text can change; 0 if there is none yet. Only whole lines decide.
func (d *Document) piece(src []byte) int {
	line := firstLine(src)
	if len(line) == 0 || line[len(line)-1] != '\n' {
		return 0
	}
	_, opening := opens(line)
	switch {
	case d.fence.mark != "", isBlank(line), opening, isHeading(line):
		return len(line)
	}
	item := isItem(line)
	for n := len(line); ; {
		next := firstLine(src[n:])
		if len(next) == 0 || next[len(next)-1] != '\n' {
			return 0
		}
		switch _, opening := opens(next); {
		case n > maxPiece, opening && (!item || next[0] != ' '), isHeading(next):
			return n
		case isBlank(next) && !item:
			return n
		case isBlank(next): // does the item go on after it?
			end := n
			for isBlank(next) {
				end += len(next)
				if next = firstLine(src[end:]); len(next) == 0 || next[len(next)-1] != '\n' {
					return 0
				}
			}
			if !indented(next) {
				return n
			}
			n = end
			continue
		case isItem(next):
			return n
		}
		n += len(next)
	}
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 && len(line) > 0 }

func indented(line []byte) bool {
	return bytes.HasPrefix(line, []byte("  ")) || bytes.HasPrefix(line, []byte("\t"))
}

// isHeading: an ATX heading.
func isHeading(line []byte) bool {
	rest := bytes.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r')
}

// isItem: a list item at the left margin, not a rule of dashes or stars.
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

// mayBeItem reports whether src is the beginning of a mark that isItem would know.
func mayBeItem(src []byte) bool {
	if len(src) == 1 && (src[0] == '-' || src[0] == '*' || src[0] == '+') {
		return true
	}
	rest := bytes.TrimLeft(src, "0123456789")
	return len(src) < 10 && len(rest) < len(src) && (len(rest) == 0 || len(rest) == 1 && (rest[0] == '.' || rest[0] == ')'))
}
