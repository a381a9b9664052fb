package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// sureLength returns the length of the beginning of tail, an open piece, that looks the same
// whatever is written after tail. It has the complete lines and words of plain text, of list items
// and of code, up to the first mark of Markdown that is not decided. It may be shorter than
// possible, never longer.
func (d *Document) sureLength(tail []byte) int {
	if most := maxLine - maxSlack; len(tail) > most { // the piece may end there
		for !utf8.RuneStart(tail[most]) {
			most--
		}
		tail = tail[:most]
	}
	if d.inside {
		return len(bytes.TrimRight(tail, " \t\r\n"))
	}
	if f := d.fence; f.mark != "" { // a line of code, unless it may become the end of the block
		line := bytes.TrimRight(tail, " \t\r\n")
		if len(bytes.Trim(line, " \t"+f.mark[:1])) == 0 || f.code != nil && f.mayHaveColours(f.lineText(line)) {
			return 0
		}
		return len(line)
	}
	l := lineScan{src: tail, item: isItem(tail)}
	for l.next() {
	}
	return l.sure
}

// lineScan reads an open piece line by line.
type lineScan struct {
	src   []byte
	item  bool // it is a list item
	sure  int
	at    int   // where the next line begins
	fence fence // a code block in the item
	blank bool  // the line before is blank
	inner bool  // there was an item in the item

	firstLineSure int // what is sure of the first line unless the next one underlines it
}

// next reads a line. It returns false if nothing after that line is sure.
func (l *lineScan) next() bool {
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
		l.blank = true
		return l.item && whole
	case l.fence.mark != "":
		return l.code(begin, text, indent, whole)
	case first && (indent > 0 && l.item || indent > 3),
		!first && l.blank && (indent < 2 || l.inner || indent > l.textColumn()+3):
		return false
	}
	l.blank = false
	from := indent
	if l.item {
		if f, ok := parseFence(text[indent:]); ok && !first {
			f.indent = indent
			l.fence = f
			return whole && indent >= 2
		}
		if n := itemMarkLength(text[indent:]); n > 0 && (first || indent > 0) {
			from += n
			l.inner = l.inner || !first
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
	end, ok := inlineScan{text, from, whole, l.item || l.src[0] == '['}.scan(from, to, 0, 0)
	if l.firstLineSure > 0 {
		l.sure, l.firstLineSure = l.firstLineSure, 0
	}
	if first && !l.item && len(text) <= maxUnderlined {
		l.firstLineSure = end
	} else if end > from {
		l.sure = begin + end
	}
	return ok && whole
}

// code reads a line of a code block in the item. It returns false if nothing after it is sure.
func (l *lineScan) code(begin int, text []byte, indent int, whole bool) bool {
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
	l.sure = begin + len(text)
	return whole
}

// textColumn returns the column at which the text of the item begins.
func (l *lineScan) textColumn() int { return itemMarkLength(l.src) }

// itemMarkLength returns the length of the mark at the start of a list item, with the blanks behind
// it. It is 0 if line begins no item.
func itemMarkLength(line []byte) int {
	if !isItem(line) {
		return 0
	}
	n := bytes.IndexAny(line, " \t")
	return n + len(line[n:]) - len(bytes.TrimLeft(line[n:], " "))
}

// beginsWords reports whether text, the beginning of a line, can only begin a line of words, and no
// block of another kind.
func beginsWords(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch c := text[0]; c {
	case '*', '_', '`':
		n := runOf(text, c)
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

// inlineScan finds the marks within a line of text.
type inlineScan struct {
	text  []byte
	from  int  // where its words begin
	whole bool // text is the line to its end
	loose bool // [text] may become a link, by a definition that follows in the piece
}

// scan reads text[i:to] up to the closing mark: n times c. If it is there, ok is true and end is
// the offset behind it. With n 0 scan reads up to the end; if ok is false then, end is the offset
// of the first mark that is not decided.
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
		if n, decided := formulaLength(text[:i], text[i:]); n > 0 && (decided || l.whole) {
			if i+n > to {
				return i, false
			}
			i += n
			continue
		} else if !decided && !l.whole {
			return i, false
		}
		switch b := text[i]; b {
		case '\\':
			if i++; i < to && isPunct(text[i]) {
				i++
			}
		case '`':
			k := runOf(text[i:to], '`')
			j := i + k
			for j < to {
				if m := runOf(text[j:to], '`'); m == k {
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
			if l.loose {
				return i, false
			}
			j := bracketLength(text[i:to])
			if j == 0 {
				return i, false
			}
			i += j
		case '*', '_', '~':
			k := runOf(text[i:], b)
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

// skipAddress returns the end of the word at i if the word is an address, whose marks mean nothing.
// If it is none, end is i and link is false. If that is not decided, end is i and link is true.
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
			c == '_' && (k == 0 || k == len(w)-1 || !isWord(w[k-1]) || !isWord(w[k+1])) {
			if bytes.Contains(w, []byte("://")) || bytes.Contains(w, []byte("www.")) || bytes.ContainsRune(w, '@') ||
				bytes.Contains(w, []byte("http")) || bytes.Contains(w, []byte("ftp")) {
				return i, true
			}
			return i, false
		}
	}
	return end, end > i
}

// flanks reports whether a run of k delimiters at i can open and can close emphasis, by the rules
// of CommonMark. Beside a mark or a symbol that is not ASCII it can do both: that is never decided
// here.
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
	punct := func(r rune) bool { return r < utf8.RuneSelf && isPunct(byte(r)) }
	space := func(r rune) bool { return r == ' ' || r == '\t' }
	left := !space(after) && (!punct(after) || space(before) || punct(before))
	right := !space(before) && (!punct(before) || space(after) || punct(after))
	if l.text[i] == '_' {
		return left && (!right || punct(before)), right && (!left || punct(after))
	}
	return left, right
}

// linkLength returns the length of a [text](target) at the start of s, if neither of them has a
// mark. Otherwise it returns 0.
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

// bracketLength returns the length of a [text] at the start of s that is no link and has no mark.
// Otherwise it returns 0.
func bracketLength(s []byte) int {
	end := bytes.IndexByte(s, ']')
	if end < 0 || end+1 >= len(s) || bytes.IndexByte([]byte("([:"), s[end+1]) >= 0 ||
		bytes.ContainsAny(s[1:end], "[`<\\!*_~@:$") {
		return 0
	}
	return end + 1
}

func runOf(s []byte, c byte) int { return len(s) - len(bytes.TrimLeft(s, string(c))) }

func isPunct(c byte) bool { return c > ' ' && c < 0x7f && !isWord(c) }

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
