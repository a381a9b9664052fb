package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
)

// shape is how a line of prose begins: what stands before its first row and before the others.
type shape struct {
	first, rest string
	style       tui.Style
	native      bool // a table row: laid out as it is
}

// settled is the number of bytes of an open line from which on its beginning says what it is: list, heading, rule.
const settled = 8

// inline reads one line of markdown. sure is the number of bytes of the spans that cannot change if more is written at the end of an open
// line; of a closed one all are sure. The spans never hold more bytes than the line.
func inline(line string, t *tui.Theme, closed bool) (p shape, spans []tui.Span, sure int) {
	line = strings.TrimRight(line, " \t")
	text := strings.TrimLeft(line, " \t")
	indent := strings.ReplaceAll(line[:len(line)-len(text)], "\t", "    ")
	p = shape{first: indent, rest: indent}
	length := len(text)
	var style tui.Style
	switch marker := listMarker(text); {
	case text == "":
		return p, nil, 0
	case strings.HasPrefix(text, "|"):
		return shape{native: true}, []tui.Span{{Text: line}}, len(line)
	case len(text) >= 3 && strings.Trim(text, "-") == "" || len(text) >= 3 && strings.Trim(text, "*") == "" || len(text) >= 3 && strings.Trim(text, "_") == "":
		return p, []tui.Span{{Text: text, Style: t.Dim}}, 0
	case heading(text) > 0:
		text = strings.TrimLeft(text[heading(text):], " ")
		style = t.Strong
	case strings.HasPrefix(text, "> "):
		text = text[2:]
		p = shape{first: indent + "> ", rest: indent + "> ", style: t.Dim}
	case marker != "":
		text = text[len(marker):]
		p = shape{first: indent + marker, rest: indent + strings.Repeat(" ", len(marker))}
	}
	spans, sure = emphasis(text, style, t, closed)
	if !closed && length < settled {
		sure = 0
	}
	return p, spans, sure
}

// heading is the number of leading # of a heading, else 0.
func heading(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n > 6 || !strings.HasPrefix(s[n:], " ") {
		return 0
	}
	return n
}

// listMarker is the mark of a list item with the blank behind it.
func listMarker(s string) string {
	if len(s) >= 2 && strings.ContainsRune("-*+", rune(s[0])) && s[1] == ' ' {
		return s[:2]
	}
	n := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if n > 0 && n <= 3 && len(s) > n+1 && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		return s[:n+2]
	}
	return ""
}

// emphasis reads code, strong, emphasised text, links and escapes.
func emphasis(s string, style tui.Style, t *tui.Theme, closed bool) (spans []tui.Span, sure int) {
	var (
		plain strings.Builder
		size  int // bytes in spans and plain
		open  = -1
	)
	flush := func() {
		if plain.Len() > 0 {
			spans = append(spans, tui.Span{Text: plain.String(), Style: style})
			plain.Reset()
		}
	}
	put := func(text string, st tui.Style, link string) {
		flush()
		spans = append(spans, tui.Span{Text: text, Style: st, Link: link})
		size += len(text)
	}
	unsure := func() {
		if open < 0 {
			open = size
		}
	}
	atEnd := func() { // what closes at the end may not, once more follows
		if !closed {
			unsure()
		}
	}
	prev := ' '
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\' && i+1 == len(s) && !closed:
			unsure()
		case c == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_[]#<>|~", s[i+1]) >= 0:
			plain.WriteByte(s[i+1])
			size++
			i += 2
			prev = 'x'
			continue
		case c == '`':
			tick := s[i : i+len(s[i:])-len(strings.TrimLeft(s[i:], "`"))]
			body := s[i+len(tick):]
			end := strings.Index(body, tick)
			if end < 0 && !closed {
				unsure()
				put(body, t.Code, "")
				i = len(s)
				continue
			}
			if end >= 0 {
				if len(tick)*2+end == len(s[i:]) {
					atEnd()
				}
				put(body[:end], t.Code, "")
				i += len(tick)*2 + end
				prev = 'x'
				continue
			}
		case c == '*' || c == '_':
			mark := s[i : i+1]
			if strings.HasPrefix(s[i:], mark+mark) {
				mark += mark
			}
			body := s[i+len(mark):]
			attr := tui.Italic
			if len(mark) == 2 {
				attr = tui.Bold
			}
			if opens(prev, body, c) {
				end := closing(body, mark)
				if end < 0 && !closed {
					unsure()
					put(strings.TrimSuffix(body, mark[:1]), style.With(attr), "")
					i = len(s)
					continue
				}
				if end > 0 {
					if len(mark)*2+end == len(s[i:]) {
						atEnd()
					}
					inner, _ := emphasis(body[:end], style.With(attr), t, true)
					flush()
					for _, sp := range inner {
						spans = append(spans, sp)
						size += len(sp.Text)
					}
					i += len(mark)*2 + end
					prev = 'x'
					continue
				}
			}
			if body == "" && !closed { // it may become an opening mark
				unsure()
			}
		case c == '[':
			if text, url, n, state := link(s[i:]); state == linkWhole {
				put(text, style.With(tui.Underline), url)
				if url != text {
					put(" ", tui.Style{}, "")
					put("("+url+")", t.Dim, url)
				}
				i += n
				prev = 'x'
				continue
			} else if state == linkOpen && !closed {
				unsure()
			}
		case c == 'h' && !letter(prev):
			if rest := s[i:]; !closed && urlEnd(rest) == len(rest) && (strings.HasPrefix("http", rest[:min(4, len(rest))])) {
				unsure() // it may go on
			}
			if url := bareURL(s[i:]); url != "" {
				put(url, style.With(tui.Underline), url)
				i += len(url)
				prev = 'x'
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		plain.WriteString(s[i : i+n])
		size += n
		i += n
		prev = r
	}
	flush()
	if open < 0 {
		open = size
	}
	return spans, open
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// opens reports whether a mark after prev and before body opens emphasis: something but a blank follows, and an underscore is not within a word.
func opens(prev rune, body string, mark byte) bool {
	r, n := utf8.DecodeRuneInString(body)
	return n > 0 && !unicode.IsSpace(r) && (mark != '_' || !letter(prev))
}

// closing finds the mark that closes; -1: there is none.
func closing(body, mark string) int {
	for at := 1; at <= len(body)-len(mark); {
		i := strings.Index(body[at:], mark)
		if i < 0 {
			return -1
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(body[:i])
		next, _ := utf8.DecodeRuneInString(body[i+len(mark):])
		switch {
		case len(mark) == 1 && strings.HasPrefix(body[i:], mark+mark): // a strong mark within
			at = i + 2
		case unicode.IsSpace(before), before == '\\':
			at = i + len(mark)
		case mark[0] == '_' && letter(next):
			at = i + len(mark)
		default:
			return i
		}
	}
	return -1
}

type linkState uint8

const (
	linkNone  linkState = iota
	linkOpen            // it may become one
	linkWhole           // n bytes
)

// link reads [text](url).
func link(s string) (text, url string, n int, state linkState) {
	end := strings.IndexByte(s, ']')
	if end < 0 || end == len(s)-1 {
		return "", "", 0, linkOpen
	}
	if s[end+1] != '(' {
		return "", "", 0, linkNone
	}
	stop := strings.IndexByte(s[end:], ')')
	if stop < 0 {
		return "", "", 0, linkOpen
	}
	text, url = s[1:end], s[end+2:end+stop]
	if text == "" || url == "" || strings.ContainsAny(url, " \t") {
		return "", "", 0, linkNone
	}
	return text, url, end + stop + 1, linkWhole
}

// bareURL is the web address at the start of s, without the punctuation behind it.
func bareURL(s string) string {
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return ""
	}
	url := strings.TrimRight(s[:urlEnd(s)], ".,;:!?)]}*_")
	if len(url) <= len("https://") {
		return ""
	}
	return url
}

// urlEnd is where the characters of an address end.
func urlEnd(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"'`|", r) })
	if end < 0 {
		return len(s)
	}
	return end
}
