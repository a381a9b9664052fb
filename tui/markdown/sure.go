package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// finalLength returns the number of leading bytes of tail whose look is final, that is, the same
// whatever is written after tail. tail is the unfinished piece of the source. The final part
// consists of complete lines and words, up to the first Markdown mark whose meaning is still open.
// The result may be too small, never too large.
func (d *Document) finalLength(tail []byte) int {
	if most := maxLineBytes - maxSlackBytes; len(tail) > most { // the piece may end there
		for !utf8.RuneStart(tail[most]) {
			most--
		}
		tail = tail[:most]
	}
	if d.withinLine {
		return len(bytes.TrimRight(tail, " \t\r\n"))
	}
	if f := d.fence; f.mark != "" { // a line of code, unless it may become the end of the block
		line := bytes.TrimRight(tail, " \t\r\n")
		if len(bytes.Trim(line, " \t"+f.mark[:1])) == 0 || f.code != nil && f.mayHaveColours(f.lineText(line)) {
			return 0
		}
		return len(line)
	}
	l := lineScan{src: tail, isListItem: isItem(tail)}
	for l.readLine() {
	}
	return l.finalBytes
}

// lineScan reads an unfinished piece of the source line by line to find how much of it is final.
type lineScan struct {
	src          []byte
	isListItem   bool  // the piece is a list item
	finalBytes   int   // number of leading bytes that are final
	at           int   // offset of the next line
	fence        fence // the open code block within the list item
	afterBlank   bool  // the previous line is blank
	hasInnerItem bool  // the list item contains another list item

	finalInFirstLine int // final bytes of the first line, provided that the next line does not underline it
}

// readLine reads one line and advances finalBytes. It returns false if nothing after that line can
// be final.
func (l *lineScan) readLine() bool {
	if l.at >= len(l.src) {
		return false
	}
	line := firstLine(l.src[l.at:])
	first, begin := l.at == 0, l.at
	l.at += len(line)
	whole := line[len(line)-1] == '\n'
	text := bytes.TrimRight(line, "\r\n")
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	switch {
	case isBlank(line):
		l.afterBlank = true
		return l.isListItem && whole
	case l.fence.mark != "":
		return l.readCodeLine(begin, text, indent, whole)
	case first && (indent > 0 && l.isListItem || indent > 3),
		!first && l.afterBlank && (indent < 2 || l.hasInnerItem || indent > l.textColumn()+3):
		return false
	}
	l.afterBlank = false
	from := indent
	if l.isListItem {
		if f, ok := parseFence(text[indent:]); ok && !first {
			f.indent = indent
			l.fence = f
			return whole && indent >= 2
		}
		if n := itemMarkLength(text[indent:]); n > 0 && (first || indent > 0) {
			from += n
			l.hasInnerItem = l.hasInnerItem || !first
			if rest := text[from:]; bytes.HasPrefix(rest, []byte("[ ] ")) || bytes.HasPrefix(rest, []byte("[x] ")) {
				from += 4
			}
		}
	}
	if !beginsWords(text[from:]) {
		return false
	}
	to := len(text)
	if !whole { // the last word may grow
		for to > from && text[to-1] < utf8.RuneSelf && text[to-1] != ' ' {
			to--
		}
		if len(bytes.TrimSpace(text[from:to])) == 0 {
			return false
		}
	}
	end, ok := inlineScan{text, from, whole, l.isListItem || l.src[0] == '['}.scan(from, to, 0, 0)
	if l.finalInFirstLine > 0 {
		l.finalBytes, l.finalInFirstLine = l.finalInFirstLine, 0
	}
	if first && !l.isListItem && len(text) <= maxUnderlinedBytes {
		l.finalInFirstLine = end
	} else if end > from {
		l.finalBytes = begin + end
	}
	return ok && whole
}

// readCodeLine reads one line, text, of a code block in a list item. The line begins at the offset
// begin; whole reports that it is complete. readCodeLine returns false if nothing after the line
// can be final.
func (l *lineScan) readCodeLine(begin int, text []byte, indent int, whole bool) bool {
	switch rest := bytes.Trim(text, " \t"); {
	case indent < l.fence.indent:
		return false
	case len(bytes.Trim(rest, l.fence.mark[:1])) == 0: // the end of the block, or it may be
		if len(rest) >= len(l.fence.mark) {
			l.fence = fence{}
		}
		return whole
	case !whole && l.fence.mayHaveColours(l.fence.lineText(bytes.TrimRight(text, " \t"))):
		return false
	}
	l.finalBytes = begin + len(text)
	return whole
}

// textColumn returns the column at which the list item's text begins.
func (l *lineScan) textColumn() int { return itemMarkLength(l.src) }

// itemMarkLength returns the number of bytes of the list mark at the start of line, with the blanks
// behind it. It returns 0 if line begins no list item.
func itemMarkLength(line []byte) int {
	if !isItem(line) {
		return 0
	}
	n := bytes.IndexAny(line, " \t")
	return n + len(line[n:]) - len(bytes.TrimLeft(line[n:], " "))
}

// beginsWords reports whether a line that begins with text is certainly a line of words, and begins
// no list, heading or other block.
func beginsWords(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch c := text[0]; c {
	case '*', '_', '`':
		n := runLength(text, c)
		r, _ := utf8.DecodeRune(text[n:])
		return (c != '`' || n < 3) && n <= 3 && (unicode.IsLetter(r) || unicode.IsDigit(r))
	case '-', '+':
		return len(text) > 1 && (text[1] >= '0' && text[1] <= '9' || text[1] >= 'a' && text[1] <= 'z')
	case '#', '>', '~', '<', '|', ' ', '\t', '=':
		return false
	case '$', '\\': // a formula in lines of its own
		return text[0] == '$' && len(text) > 1 && text[1] != '$' ||
			text[0] == '\\' && len(text) > 1 && text[1] != '['
	}
	if text[0] < ' ' || isItem(text) {
		return false
	}
	digits := bytes.TrimLeft(text, "0123456789")
	return len(digits) > 0 &&
		(len(digits) == len(text) || digits[0] != '.' && digits[0] != ')' ||
			len(digits) > 1 && digits[1] != ' ' && digits[1] != '\t')
}

// inlineScan finds the inline Markdown marks within one line of text, and whether their meaning is
// decided.
type inlineScan struct {
	text       []byte
	from       int  // offset behind the indent and the list mark
	isComplete bool // the line is complete
	mayLink    bool // [text] may become a link, by a definition later in the piece
}

// scan reads text[i:to] up to a closing mark, n times the byte c. It returns the offset behind the
// mark and true if the mark is there. With n == 0 it reads to the end instead, and returns true if
// all marks are decided. If they are not, end is the offset of the first mark that is not.
func (l inlineScan) scan(i, to int, c byte, n int) (end int, ok bool) {
	text := l.text
	for i < to {
		if j := linkLength(text[i:to]); j > 0 {
			i += j
			continue
		}
		if i == l.from || text[i-1] == ' ' || text[i-1] >= utf8.RuneSelf {
			if next, link := l.skipAddress(i, to); link && next == i {
				return i, false
			} else if link {
				i = next
				continue
			}
		}
		if n, decided := formulaLength(text[:i], text[i:]); n > 0 && (decided || l.isComplete) {
			if i+n > to {
				return i, false
			}
			i += n
			continue
		} else if !decided && !l.isComplete {
			return i, false
		}
		switch b := text[i]; b {
		case '\\':
			if i++; i < to && isPunctByte(text[i]) {
				i++
			}
		case '`':
			k := runLength(text[i:to], '`')
			j := i + k
			for j < to {
				if m := runLength(text[j:to], '`'); m == k {
					break
				} else {
					j += max(m, 1)
				}
			}
			if j >= to {
				return i, false
			}
			i = j + k
		case '<', '&':
			j := i + 1
			if b == '<' && j < to && text[j] != ' ' && (text[j] < '0' || text[j] > '9') {
				return i, false
			}
			i = j
		case '!':
			if i+1 < to && text[i+1] == '[' {
				return i, false
			}
			i++
		case '[':
			if l.mayLink {
				return i, false
			}
			j := bracketLength(text[i:to])
			if j == 0 {
				return i, false
			}
			i += j
		case '*', '_', '~':
			k := runLength(text[i:], b)
			if b != '~' && isPatternRun(text[:i], text[i:i+k], text[i+k:]) {
				i += k
				continue
			}
			opens, closes := l.flanks(i, k)
			switch {
			case i+k > to, k > 3, b == '~' && (k > 2 || !opens && !closes):
				return i, false
			case n > 0 && b == c:
				return i + k, k == n && closes && !opens
			case opens && closes:
				return i, false
			case opens:
				j, ok := l.scan(i+k, to, b, k)
				if !ok {
					return i, false
				}
				i = j
			default:
				i += k
			}
		default:
			if b < ' ' && b != '\t' {
				return i, false
			}
			i++
		}
	}
	return i, n == 0
}

// skipAddress looks at the word at i. If the word is an address it returns the word's end and true:
// marks within an address have no meaning. If the word is no address it returns i and false. If
// that is not decided yet it returns i and true.
func (l inlineScan) skipAddress(i, to int) (end int, link bool) {
	end = i
	for end < to && l.text[end] != ' ' && l.text[end] < utf8.RuneSelf {
		end++
	}
	w := l.text[i:end]
	if !bytes.Contains(w, []byte(":")) && !bytes.Contains(w, []byte("www.")) && !bytes.ContainsRune(w, '@') {
		return i, false
	}
	for k, c := range w {
		if bytes.IndexByte([]byte("*`~<[]\\!\t$"), c) >= 0 ||
			c == '_' && (k == 0 || k == len(w)-1 || !isWordByte(w[k-1]) || !isWordByte(w[k+1])) {
			if bytes.Contains(w, []byte("://")) || bytes.Contains(w, []byte("www.")) || bytes.ContainsRune(w, '@') ||
				bytes.Contains(w, []byte("http")) || bytes.Contains(w, []byte("ftp")) {
				return i, true
			}
			return i, false
		}
	}
	return end, end > i
}

// flanks reports whether the run of k delimiters at i can open and can close emphasis, by
// CommonMark's rules. Next to a symbol that is not ASCII it returns true for both, so that the
// caller treats the run as undecided.
func (l inlineScan) flanks(i, k int) (opens, closes bool) {
	before, after := ' ', ' '
	if i > l.from {
		before, _ = utf8.DecodeLastRune(l.text[:i])
	}
	if i+k < len(l.text) {
		after, _ = utf8.DecodeRune(l.text[i+k:])
	}
	for _, r := range []rune{before, after} {
		if r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return true, true
		}
	}
	punct := func(r rune) bool { return r < utf8.RuneSelf && isPunctByte(byte(r)) }
	space := func(r rune) bool { return r == ' ' || r == '\t' }
	left := !space(after) && (!punct(after) || space(before) || punct(before))
	right := !space(before) && (!punct(before) || space(after) || punct(after))
	if l.text[i] == '_' {
		return left && (!right || punct(before)), right && (!left || punct(after))
	}
	return left, right
}

// linkLength returns the number of bytes of the link [text](target) at the start of s. It returns 0
// if there is none, or if text or target contain other marks.
func linkLength(s []byte) int {
	if s[0] != '[' {
		return 0
	}
	end := bytes.IndexByte(s, ']')
	if end < 2 || end+1 >= len(s) || s[end+1] != '(' || bytes.ContainsAny(s[1:end], "[`<\\!*_~@:$") ||
		bytes.Contains(s[1:end], []byte("www.")) {
		return 0
	}
	target := s[end+2:]
	stop := bytes.IndexByte(target, ')')
	if stop < 1 || bytes.ContainsAny(target[:stop], " \t(<>\\`[]\"'$") {
		return 0
	}
	return end + 2 + stop + 1
}

// bracketLength returns the number of bytes of a [text] at the start of s that is no link. It
// returns 0 if there is none, or if the text contains other marks.
func bracketLength(s []byte) int {
	end := bytes.IndexByte(s, ']')
	if end < 0 || end+1 >= len(s) || bytes.IndexByte([]byte("([:"), s[end+1]) >= 0 ||
		bytes.ContainsAny(s[1:end], "[`<\\!*_~@:$") {
		return 0
	}
	return end + 1
}

func runLength(s []byte, c byte) int { return len(s) - len(bytes.TrimLeft(s, string(c))) }

func isPunctByte(c byte) bool { return c > ' ' && c < 0x7f && !isWordByte(c) }

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
