package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxHostBytes is the maximum length, in bytes, of the host name in an address.
const maxHostBytes = 256

// autoLinkParser is a goldmark parser for addresses that need no marks around them: https://a.b,
// www.a.b, me@a.b.
type autoLinkParser struct{}

// Trigger returns the bytes after which an address may begin. goldmark also calls Parse at the
// start of a line if the list contains a blank.
func (autoLinkParser) Trigger() []byte { return []byte{' ', '*', '_', '~', '('} }

// Parse reads an address at the current position, together with the trigger byte before it. It
// returns nil if no address begins there.
func (a autoLinkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.IsInLinkLabel() {
		return nil
	}
	line, at := block.PeekLine()
	skipped := 0
	if bytes.IndexByte(a.Trigger(), line[0]) >= 0 {
		skipped, line = 1, line[1:]
	}
	kind, protocol := ast.AutoLinkType(ast.AutoLinkURL), []byte(nil)
	end := urlLength(line)
	if end == 0 && bytes.HasPrefix(line, []byte("www.")) {
		if end = addressLength(line, len("www."), ""); end > 0 {
			protocol = []byte("http")
		}
	}
	if end == 0 {
		kind, end = ast.AutoLinkEmail, mailLength(line)
	}
	if end == 0 {
		return nil
	}
	if skipped > 0 {
		ast.MergeOrAppendTextSegment(parent, at.WithStop(at.Start+1))
	}
	end = withoutPunctuation(line, end)
	block.Advance(skipped + end)
	start := at.Start + skipped
	link := ast.NewAutoLink(kind, ast.NewTextSegment(text.NewSegment(start, start+end)))
	link.Protocol = protocol
	return link
}

// urlLength returns the number of bytes of the http, https or ftp address at the start of line. It
// returns 0 if there is none.
func urlLength(line []byte) int {
	for _, protocol := range []string{"http://", "https://", "ftp://"} {
		if bytes.HasPrefix(line, []byte(protocol)) {
			return addressLength(line, len(protocol), "$")
		}
	}
	return 0
}

// addressLength returns the number of bytes of the address at the start of line. Its host name
// begins at the offset host, and must end with a dot and lower-case letters. The bytes in more are
// allowed in the path in addition to the usual ones. addressLength returns 0 if the host name is
// not valid.
func addressLength(line []byte, host int, more string) int {
	run := host
	for run < len(line) && run < host+maxHostBytes+1 && isHostByte(line[run]) {
		run++
	}
	point := 0
	for i := min(run, host+maxHostBytes); i > host && point == 0; i-- {
		if i+1 < len(line) && line[i] == '.' && isLower(line[i+1]) {
			point = i
		}
	}
	if point == 0 {
		return 0
	}
	end := point + 1
	for end < len(line) && isLower(line[end]) {
		end++
	}
	if more != "" { // an address with a protocol may have a port
		port := end + 1
		for port < len(line) && isDigitByte(line[port]) {
			port++
		}
		if end < len(line) && line[end] == ':' && port > end+1 {
			end = port
		}
	}
	if end == len(line) || strings.IndexByte("/#?", line[end]) < 0 {
		return end
	}
	for end++; end < len(line) && isPathByte(line[end], more); {
		end++
	}
	return end
}

func isLower(b byte) bool     { return b >= 'a' && b <= 'z' }
func isDigitByte(b byte) bool { return b >= '0' && b <= '9' }

func isHostByte(b byte) bool {
	return isLower(b|0x20) && b < 0x80 || isDigitByte(b) || strings.IndexByte("-@:%._+~#=", b) >= 0
}

func isPathByte(b byte, more string) bool {
	return isHostByte(b) || strings.IndexByte("!?&/();,'\">^{}[]`", b) >= 0 || strings.IndexByte(more, b) >= 0
}

// mailLength returns the number of bytes of the email address at the start of line. It returns 0 if
// there is none.
func mailLength(line []byte) int {
	at := bytes.IndexByte(line[:min(len(line), 65)], '@') // before it stand at most 64 bytes
	if at <= 0 || util.IsPunct(line[0]) {
		return 0
	}
	end := util.FindEmailIndex(line)
	if end < 0 || bytes.IndexByte(line[at:end-1], '.') < 0 {
		return 0
	}
	if line[end-1] == '.' {
		end--
	}
	if end < len(line) && (line[end] == '-' || line[end] == '_') {
		return 0
	}
	return end
}

// withoutPunctuation returns the length of the address line[:n] without trailing bytes that belong
// to the sentence around it: punctuation, closing parentheses that are not opened in the address,
// and a character reference such as &amp;.
func withoutPunctuation(line []byte, n int) int {
	opened, closed := bytes.Count(line[:n], []byte("(")), bytes.Count(line[:n], []byte(")"))
	for n > 1 {
		switch c := line[n-1]; {
		case strings.IndexByte("?!.,:*_~", c) >= 0:
			n--
		case c == ')' && closed > opened:
			closed--
			n--
		case c == ';':
			i := n - 2
			for i > 0 && util.IsAlphaNumeric(line[i]) {
				i--
			}
			if i == n-2 || line[i] != '&' {
				return n
			}
			n = i
		default:
			return n
		}
	}
	return n
}
