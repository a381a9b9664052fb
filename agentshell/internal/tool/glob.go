package tool

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// glob is a pattern of doublestar that is matched along a walk, one name at a time, so that a path
// of any depth costs what its last name costs. What it says of a path is what doublestar.Match says
// of it, but that a class (`[!a]`) matches no slash and `/**` at the end also matches no name
// behind what ends with a star.
type glob struct {
	pattern string
	alts    []alternative
	whole   bool // the pattern is too odd for that: the whole path is matched
}

// alternative is the names of a pattern without alternatives; "**" is any number of names.
type alternative []string

// Limits of a pattern that is matched by names.
const (
	maxAlternatives = 64
	maxGlobNames    = 63 // so that a set of globProgress fits in a uint64
)

// globProgress says how much of a glob the directories of a path have matched.
type globProgress struct {
	// nextNames has a set of bits for each alternative. Bit i is set if name i of the alternative
	// may match the next name of the path, and bit len(alternative) if all of them have matched.
	nextNames []uint64
	path      string // the directories, with a slash at the end; only if glob.whole
}

// newGlob takes a valid pattern.
func newGlob(pattern string) *glob {
	g := &glob{pattern: pattern}
	texts, ok := alternatives(pattern)
	if !ok {
		return &glob{pattern: pattern, whole: true}
	}
	for _, text := range texts {
		alt, ok := globNames(text)
		if !ok {
			return &glob{pattern: pattern, whole: true}
		}
		g.alts = append(g.alts, alt)
	}
	return g
}

// globNames splits a pattern at its slashes; false: it has a class or an escape that may hold one,
// or what doublestar takes in a way of its own.
func globNames(text string) (alternative, bool) {
	names := strings.Split(text, "/")
	if len(names) > maxGlobNames {
		return nil, false
	}
	for i, n := range names {
		if n == "" || n == "**" && i > 0 && names[i-1] == "**" || n != "**" && strings.Contains(n, "**") ||
			!doublestar.ValidatePattern(n) {
			return nil, false
		}
	}
	return names, true
}

// alternatives returns the patterns that a pattern with braces stands for.
func alternatives(pattern string) ([]string, bool) {
	todo, done := []string{pattern}, []string(nil)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		from, to, commas := firstBraces(p)
		if to < 0 {
			done = append(done, p)
		}
		for i := 0; to >= 0 && i+1 < len(commas); i++ {
			alt := p[commas[i]+1 : commas[i+1]]
			if starry(p[:from], alt, p[to+1:]) {
				return nil, false
			}
			todo = append(todo, p[:from]+alt+p[to+1:])
		}
		if len(todo)+len(done) > maxAlternatives {
			return nil, false
		}
	}
	return done, true
}

// starry reports whether a "**" stands at a brace or comes to be by taking it away: such a "**" is
// another thing for doublestar.
func starry(before, alt, behind string) bool {
	for _, s := range []string{alt, behind} {
		if strings.HasPrefix(s, "**") {
			return true
		}
	}
	for _, s := range []string{before, alt} {
		if strings.HasSuffix(s, "**") {
			return true
		}
	}
	edge := strings.HasSuffix(before, "*") || strings.HasPrefix(behind, "*")
	return edge && (alt == "" || strings.ContainsAny(alt[:1], "*{") || strings.ContainsAny(alt[len(alt)-1:], "*}"))
}

// firstBraces finds the first alternatives outside of a class: their braces, and the places of
// these and of the commas between; to < 0: none.
func firstBraces(p string) (from, to int, commas []int) {
	class, depth := false, 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case depth == 0 && class:
			class = c != ']'
		case depth == 0 && c == '[':
			class = true
		case c == '{':
			if depth++; depth == 1 {
				from, commas = i, []int{i}
			}
		case c == ',' && depth == 1:
			commas = append(commas, i)
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				return from, i, append(commas, i)
			}
		}
	}
	return 0, -1, nil
}

// start returns the progress of an empty path.
func (g *glob) start() globProgress {
	at := globProgress{nextNames: make([]uint64, len(g.alts))}
	for i, alt := range g.alts {
		at.nextNames[i] = alt.withStars(1)
	}
	return at
}

// withStars returns set and the names after each "**" in it, which matches no name, too.
func (a alternative) withStars(set uint64) uint64 {
	for i, n := range a {
		if n == "**" && set&(1<<i) != 0 {
			set |= 1 << (i + 1)
		}
	}
	return set
}

// next returns the set that follows set when name is the next name of the path.
func (a alternative) next(set uint64, name string) (after uint64) {
	for i := 0; set>>i != 0 && i < len(a); i++ {
		switch {
		case set&(1<<i) == 0:
		case a[i] == "**":
			after |= 1 << i
		case nameMatches(a[i], name):
			after |= 1 << (i + 1)
		}
	}
	return a.withStars(after)
}

func nameMatches(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	if !strings.ContainsAny(pattern, `*?[\`) {
		return pattern == name
	}
	ok, _ := doublestar.Match(pattern, name)
	return ok
}

// next returns the progress after one more directory, name. moved is false if it is the same as at.
func (g *glob) next(at globProgress, name string) (after globProgress, moved bool) {
	if g.whole {
		return globProgress{path: at.path + name + "/"}, true
	}
	for i, alt := range g.alts {
		set := alt.next(at.nextNames[i], name)
		if set == at.nextNames[i] {
			continue
		}
		if !moved {
			at, moved = globProgress{nextNames: slices.Clone(at.nextNames)}, true
		}
		at.nextNames[i] = set
	}
	return at, moved
}

// matches reports whether g matches the path of at with name at its end.
func (g *glob) matches(at globProgress, name string) bool {
	if g.whole {
		ok, _ := doublestar.Match(g.pattern, at.path+name)
		return ok
	}
	for i, alt := range g.alts {
		if at.nextNames[i] != 0 && alt.next(at.nextNames[i], name)>>len(alt)&1 != 0 {
			return true
		}
	}
	return false
}

// isExhausted reports whether g can match no path that begins with the directories of at.
func (g *glob) isExhausted(at globProgress) bool {
	for i, alt := range g.alts {
		if at.nextNames[i]&(1<<len(alt)-1) != 0 {
			return false
		}
	}
	return !g.whole
}
