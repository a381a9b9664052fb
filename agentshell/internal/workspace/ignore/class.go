package ignore

import "strings"

// byteSet is a set of bytes, as a pattern such as [a-z] describes it.
type byteSet [4]uint64

func (c *byteSet) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }
func (c *byteSet) add(b byte)      { c[b>>6] |= 1 << (b & 63) }

// anyName holds every byte that a file name can contain.
var anyName = &byteSet{^uint64(1 << '/'), ^uint64(0), ^uint64(0), ^uint64(0)}

// parseClass parses the bracket expression at the beginning of a pattern, and returns its length in
// n. members is nil if it is not valid; then the pattern matches nothing. If fold is set, members
// is compared with bytes in lower case.
func parseClass(pattern string, fold bool) (members *byteSet, n int) {
	members = &byteSet{}
	p := classParser{pattern: pattern, at: 1, fold: fold, members: members}
	negated := p.peek() == '!' || p.peek() == '^'
	if negated {
		p.at++
	}
	for first := true; first || p.peek() != ']'; first = false {
		if !p.parseItem() {
			return nil, 0
		}
	}
	if negated {
		for i := range members {
			members[i] = ^members[i]
		}
	}
	members[0] &^= 1 << '/' // no class matches a slash
	return members, p.at + 1
}

// classParser is the state of parsing a bracket expression.
type classParser struct {
	pattern    string
	at         int
	rangeStart byte // rangeStart is the byte with which a range may begin; 0: none.
	fold       bool
	members    *byteSet
}

// peek returns the next byte, or 0 at the end of the pattern.
func (p *classParser) peek() byte { return p.peekAt(0) }

func (p *classParser) peekAt(n int) byte {
	if p.at+n >= len(p.pattern) {
		return 0
	}
	return p.pattern[p.at+n]
}

// parseItem parses a byte, a range or a named class. It returns false if the pattern ends.
func (p *classParser) parseItem() bool {
	c := p.peek()
	switch {
	case c == 0:
		return false
	case c == '\\':
		p.at++
		if c = p.peek(); c == 0 {
			return false
		}
	case c == '-' && p.rangeStart != 0 && p.peekAt(1) != 0 && p.peekAt(1) != ']':
		p.at++
		if p.peek() == '\\' {
			p.at++
		}
		to := p.peek()
		if to == 0 {
			return false
		}
		p.addRange(p.rangeStart, to)
		p.rangeStart = 0
		p.at++
		return true
	case c == '[' && p.peekAt(1) == ':':
		if named, ok := p.parseNamedClass(); named {
			return ok
		}
	}
	p.members.add(c)
	p.rangeStart = c
	p.at++
	return true
}

// addRange adds the bytes of a range. If case is ignored, it also adds a lower case letter whose
// upper case letter is in the range.
func (p *classParser) addRange(from, to byte) {
	for c := 0; c < 256; c++ {
		b := byte(c)
		if b >= from && b <= to || p.fold && isLower(b) && b-'a'+'A' >= from && b-'a'+'A' <= to {
			p.members.add(b)
		}
	}
}

// parseNamedClass parses a named class such as [:alpha:]. is is false if there is no colon before
// the next bracket. ok is false if there is no bracket or no such class.
func (p *classParser) parseNamedClass() (is, ok bool) {
	name, _, closed := strings.Cut(p.pattern[p.at+2:], "]")
	if !closed {
		return true, false
	}
	n := len(name)
	if name, is = strings.CutSuffix(name, ":"); !is {
		return false, false
	}
	belongs := namedClasses[name]
	if belongs == nil {
		return true, false
	}
	for c := range 128 {
		if b := byte(c); belongs(b) || name == "upper" && p.fold && isLower(b) {
			p.members.add(b)
		}
	}
	p.rangeStart = 0
	p.at += 2 + n + 1
	return true, true
}

// namedClasses holds the predicates of the named classes, for ASCII only.
var namedClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 127 },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > ' ' && c < 127 },
	"lower":  isLower,
	"print":  func(c byte) bool { return c >= ' ' && c < 127 },
	"punct":  func(c byte) bool { return c > ' ' && c < 127 && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' },
	"upper":  func(c byte) bool { return c >= 'A' && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' },
}

func isAlpha(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
