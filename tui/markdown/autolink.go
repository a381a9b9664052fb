package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxHost is how long the name of a host may be in an address.
const maxHost = 256

// autoLinks are addresses that stand in a text without marks: https://a.b, www.a.b, me@a.b.
type autoLinks struct{}

// Trigger returns the bytes behind which an address may begin; a blank stands for the start of a
// line, too.
func (autoLinks) Trigger() []byte { return []byte{' ', '*', '_', '~', '('} }

// Parse takes an address and the byte before it.
func (a autoLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
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

// urlLength returns the length of the address with a protocol that line begins with, 0 if it begins
// with none.
func urlLength(line []byte) int {
	for _, protocol := range []string{"http://", "https://", "ftp://"} {
		if bytes.HasPrefix(line, []byte(protocol)) {
			return addressLength(line, len(protocol), "$")
		}
	}
	return 0
}

// addressLength returns the length of an address whose host begins at a place, 0 if it has none.
// The host ends in a word of lower-case letters behind a point. more are further bytes of a path.
func addressLength(line []byte, host int, more string) int {
	run := host
	for run < len(line) && run < host+maxHost+1 && isHostByte(line[run]) {
		run++
	}
	point := 0
	for i := min(run, host+maxHost); i > host && point == 0; i-- {
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

// mailLength returns the length of the address of a mailbox that line begins with, 0 if it begins
// with none.
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

// withoutPunctuation returns the length of an address of n bytes without what ends the sentence
// that it stands in: points and the like, brackets that are not opened in it, and a character
// reference.
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
