package ignore

import "slices"

// program is a compiled pattern with the meaning of git's wildmatch.c. It is a nondeterministic
// automaton, so matching never takes longer than the pattern's length times the text's, and a path
// can be matched step by step during a walk.
type program struct {
	tokens []token
	fold   bool // fold ignores the case of ASCII letters.
}

// token is a part of a pattern.
type token struct {
	kind tokenKind
	char byte   // char is the byte of a literal.
	set  *class // set holds the bytes of a set.
}

type tokenKind uint8

const (
	literal    tokenKind = iota
	set                  // set means one byte of a class.
	star                 // star means any bytes except slashes.
	deep                 // deep means any bytes.
	deepFolder           // deepFolder means nothing, or any bytes followed by a slash.
	never                // never matches nothing.
)

// skips reports whether the token also matches the empty text.
func (t token) skips() bool { return t.kind == star || t.kind == deep || t.kind == deepFolder }

// state is the set of positions in a program, ascending. If it includes the position after the last
// token, the text matches. A state is not modified.
type state []uint16

// compile compiles a pattern. begins says that a component of a path begins where the pattern does.
func compile(pattern string, begins, fold bool) *program {
	p := &program{fold: fold}
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch c {
		case '?':
			p.tokens = append(p.tokens, token{kind: set, set: anyName})
			i++
		case '*':
			from := i
			for i < len(pattern) && pattern[i] == '*' {
				i++
			}
			t := starKind(pattern, from, i, begins)
			if t == deepFolder {
				i++
			}
			p.tokens = append(p.tokens, token{kind: t})
		case '[':
			members, n := parseClass(pattern[i:], fold)
			if members == nil {
				p.tokens = append(p.tokens, token{kind: never})
				return p
			}
			p.tokens = append(p.tokens, token{kind: set, set: members})
			i += n
		case '\\':
			if i++; i == len(pattern) {
				p.tokens = append(p.tokens, token{kind: never})
				return p
			}
			p.tokens = append(p.tokens, token{kind: literal, char: pattern[i]}) // a capital stays one, as in git
			i++
		default:
			p.tokens = append(p.tokens, token{kind: literal, char: lower(c, fold)})
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
		return star
	case behind == "", len(behind) > 1 && behind[:2] == `\/`:
		return deep
	case behind[0] == '/':
		return deepFolder
	}
	return star
}

func lower(c byte, fold bool) byte {
	if fold && c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// start returns the state before any text.
func (p *program) start() state { return p.add(nil, 0) }

// add adds the position at to s, and those reached from it without a byte. Positions are added in
// ascending order.
func (p *program) add(s state, at int) state {
	for {
		if n := len(s); n == 0 || int(s[n-1]) < at {
			s = append(s, uint16(at))
		}
		if at == len(p.tokens) || !p.tokens[at].skips() {
			return s
		}
		at++
	}
}

// step appends to to the positions that are reached from those in from by the byte c.
func (p *program) step(to, from state, c byte) state {
	for _, at := range from {
		if int(at) == len(p.tokens) {
			break
		}
		switch t := p.tokens[at]; t.kind {
		case literal:
			if t.char == c {
				to = p.add(to, int(at)+1)
			}
		case set:
			if t.set.has(c) {
				to = p.add(to, int(at)+1)
			}
		case star:
			if c != '/' {
				to = p.add(to, int(at))
			}
		case deep:
			to = p.add(to, int(at))
		case deepFolder:
			if to = p.addAlone(to, at); c == '/' {
				to = p.add(to, int(at)+1)
			}
		}
	}
	return to
}

// addAlone adds the position at to s, without those reached from it without a byte.
func (p *program) addAlone(s state, at uint16) state {
	if n := len(s); n == 0 || s[n-1] < at {
		s = append(s, at)
	}
	return s
}

// onlySlashMatters reports whether only a slash leads from s to another state.
func (p *program) onlySlashMatters(s state) bool {
	for _, at := range s {
		if int(at) == len(p.tokens) || p.tokens[at].kind != deepFolder {
			return false
		}
	}
	return true
}

// run returns the state after text, a name or a slash, beginning in from. The result may share
// memory with other results that use x.
func (p *program) run(x *scratch, from state, text string) state {
	for i := 0; i < len(text) && len(from) > 0; i++ {
		if text[i] != '/' && p.onlySlashMatters(from) { // as it is for the whole name
			break
		}
		from = p.next(x, from, text[i])
	}
	return from
}

// next returns the state after one byte, beginning in from.
func (p *program) next(x *scratch, from state, c byte) state {
	to := p.step(x.spare[:0], from, lower(c, p.fold))
	x.spare, x.last = x.last, to
	return to
}

// ends reports whether the text that leads to s matches.
func (p *program) ends(s state) bool { return len(s) > 0 && int(s[len(s)-1]) == len(p.tokens) }

// scratch holds memory for temporary states.
type scratch struct{ spare, last state }

func (s state) same(other state) bool { return slices.Equal(s, other) }
