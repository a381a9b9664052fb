package ignore

import "slices"

// program is a compiled pattern with the meaning of git's wildmatch.c. It is a nondeterministic
// automaton, so matching never takes longer than the pattern's length times the text's, and a path
// can be matched step by step during a walk.
type program struct {
	tokens    []token
	foldsCase bool // foldsCase ignores the case of ASCII letters.
}

// token is a part of a pattern.
type token struct {
	kind tokenKind
	char byte     // char is the byte of a literal.
	set  *byteSet // set holds the bytes of a set.
}

type tokenKind uint8

const (
	literal         tokenKind = iota
	oneByte                   // oneByte means one byte of a class.
	anyNameBytes              // anyNameBytes means any bytes except slashes.
	anyBytes                  // anyBytes means any bytes.
	optionalFolders           // optionalFolders means nothing, or any bytes followed by a slash.
	noByte                    // noByte matches nothing.
)

// matchesEmpty reports whether the token also matches the empty text.
func (t token) matchesEmpty() bool {
	return t.kind == anyNameBytes || t.kind == anyBytes || t.kind == optionalFolders
}

// positions is the set of positions in a program, ascending. If it includes the position after the
// last token, the text matches. A state is not modified.
type positions []uint16

// compile compiles a pattern. begins says that a component of a path begins where the pattern does.
func compile(pattern string, begins, fold bool) *program {
	p := &program{foldsCase: fold}
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch c {
		case '?':
			p.tokens = append(p.tokens, token{kind: oneByte, set: anyName})
			i++
		case '*':
			from := i
			for i < len(pattern) && pattern[i] == '*' {
				i++
			}
			t := starKind(pattern, from, i, begins)
			if t == optionalFolders {
				i++
			}
			p.tokens = append(p.tokens, token{kind: t})
		case '[':
			members, n := parseClass(pattern[i:], fold)
			if members == nil {
				p.tokens = append(p.tokens, token{kind: noByte})
				return p
			}
			p.tokens = append(p.tokens, token{kind: oneByte, set: members})
			i += n
		case '\\':
			if i++; i == len(pattern) {
				p.tokens = append(p.tokens, token{kind: noByte})
				return p
			}
			p.tokens = append(p.tokens, token{kind: literal, char: pattern[i]}) // a capital stays one, as in git
			i++
		default:
			p.tokens = append(p.tokens, token{kind: literal, char: lowerByte(c, fold)})
			i++
		}
	}
	return p
}

// starKind returns the meaning of the stars pattern[from:to]. Two or more also match slashes if
// they are a complete component of the path.
func starKind(pattern string, from, to int, begins bool) tokenKind {
	before := from == 0 && begins || from > 0 && pattern[from-1] == '/'
	behind := pattern[to:]
	switch {
	case to-from < 2 || !before:
		return anyNameBytes
	case behind == "", len(behind) > 1 && behind[:2] == `\/`:
		return anyBytes
	case behind[0] == '/':
		return optionalFolders
	}
	return anyNameBytes
}

func lowerByte(c byte, fold bool) byte {
	if fold && c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// start returns the state before any text.
func (p *program) start() positions { return p.addPosition(nil, 0) }

// addPosition adds the position at to s, and those reached from it without a byte. Positions are
// added in ascending order.
func (p *program) addPosition(s positions, at int) positions {
	for {
		if n := len(s); n == 0 || int(s[n-1]) < at {
			s = append(s, uint16(at))
		}
		if at == len(p.tokens) || !p.tokens[at].matchesEmpty() {
			return s
		}
		at++
	}
}

// stepByte appends to to the positions that are reached from those in from by the byte c.
func (p *program) stepByte(to, from positions, c byte) positions {
	for _, at := range from {
		if int(at) == len(p.tokens) {
			break
		}
		switch t := p.tokens[at]; t.kind {
		case literal:
			if t.char == c {
				to = p.addPosition(to, int(at)+1)
			}
		case oneByte:
			if t.set.has(c) {
				to = p.addPosition(to, int(at)+1)
			}
		case anyNameBytes:
			if c != '/' {
				to = p.addPosition(to, int(at))
			}
		case anyBytes:
			to = p.addPosition(to, int(at))
		case optionalFolders:
			if to = p.addOnlyPosition(to, at); c == '/' {
				to = p.addPosition(to, int(at)+1)
			}
		}
	}
	return to
}

// addOnlyPosition adds the position at to s, without those reached from it without a byte.
func (p *program) addOnlyPosition(s positions, at uint16) positions {
	if n := len(s); n == 0 || s[n-1] < at {
		s = append(s, at)
	}
	return s
}

// onlySlashMatters reports whether only a slash leads from s to another state.
func (p *program) onlySlashMatters(s positions) bool {
	for _, at := range s {
		if int(at) == len(p.tokens) || p.tokens[at].kind != optionalFolders {
			return false
		}
	}
	return true
}

// runText returns the state after text, a name or a slash, beginning in from. The result may share
// memory with other results that use x.
func (p *program) runText(x *stateScratch, from positions, text string) positions {
	for i := 0; i < len(text) && len(from) > 0; i++ {
		if text[i] != '/' && p.onlySlashMatters(from) { // as it is for the whole name
			break
		}
		from = p.nextState(x, from, text[i])
	}
	return from
}

// nextState returns the state after one byte, beginning in from.
func (p *program) nextState(x *stateScratch, from positions, c byte) positions {
	to := p.stepByte(x.spare[:0], from, lowerByte(c, p.foldsCase))
	x.spare, x.last = x.last, to
	return to
}

// isMatch reports whether the text that leads to s matches.
func (p *program) isMatch(s positions) bool { return len(s) > 0 && int(s[len(s)-1]) == len(p.tokens) }

// stateScratch holds memory for temporary states.
type stateScratch struct{ spare, last positions }

func (s positions) same(other positions) bool { return slices.Equal(s, other) }
