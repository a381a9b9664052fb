package ignore

import "slices"

// program is a pattern in the terms of git's wildmatch.c, matched byte by byte. Its state is the
// set of places in the pattern that a text has come to, so that no pattern takes longer than its
// length times that of the text, and a path can be matched along a walk.
type program struct {
	tokens []token
	fold   bool // letters of ASCII match in both cases
}

// token is a part of a pattern.
type token struct {
	kind tokenKind
	char byte   // of a literal
	set  *class // of a set
}

type tokenKind uint8

const (
	literal    tokenKind = iota
	set                  // one byte of a class
	star                 // any bytes but slashes
	deep                 // any bytes
	deepFolder           // nothing, or any bytes and a slash
	never                // no byte
)

// skips reports whether the token also matches nothing.
func (t token) skips() bool { return t.kind == star || t.kind == deep || t.kind == deepFolder }

// state is the set of places in a program, in ascending order. The last one is behind the last
// token: there the text matches. It is not changed.
type state []uint16

// compile reads a pattern. begins says that a directory's name begins where the pattern does.
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

// starKind returns what the stars from from to to of a pattern match. Two or more go over slashes
// if they are the whole name of a directory.
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

// add adds a place, and those that are reached from there without a byte. Places come in ascending
// order, and what one adds has no gap: what is not behind the last one is there already.
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

// step appends to to the positions that one byte, c, leads to from those in from.
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

// addAlone adds position at to s, without the positions that are reached from there without a byte.
func (p *program) addAlone(s state, at uint16) state {
	if n := len(s); n == 0 || s[n-1] < at {
		s = append(s, at)
	}
	return s
}

// onlySlashMatters reports whether no byte but a slash leads from s to another state.
func (p *program) onlySlashMatters(s state) bool {
	for _, at := range s {
		if int(at) == len(p.tokens) || p.tokens[at].kind != deepFolder {
			return false
		}
	}
	return true
}

// run returns the state that text, a name or a slash, leads to from from. The result may share its
// memory with other results of the scratch.
func (p *program) run(x *scratch, from state, text string) state {
	for i := 0; i < len(text) && len(from) > 0; i++ {
		if text[i] != '/' && p.onlySlashMatters(from) { // as it is for the whole name
			break
		}
		from = p.next(x, from, text[i])
	}
	return from
}

// next returns the state that one byte leads to from from.
func (p *program) next(x *scratch, from state, c byte) state {
	to := p.step(x.spare[:0], from, lower(c, p.fold))
	x.spare, x.last = x.last, to
	return to
}

// ends reports whether the text that has come to s matches.
func (p *program) ends(s state) bool { return len(s) > 0 && int(s[len(s)-1]) == len(p.tokens) }

// scratch is memory for states that are not kept.
type scratch struct{ spare, last state }

func (s state) same(other state) bool { return slices.Equal(s, other) }
