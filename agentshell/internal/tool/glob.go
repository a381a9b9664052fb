package tool

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// glob is a compiled doublestar pattern that is matched one path component at a time during a
// directory walk. So the cost of a path does not depend on its depth. Its matches are those of
// doublestar.Match, with two exceptions: a class such as `[!a]` matches no slash, and `/**` at the
// end also matches no name after a component that ends with a star.
type glob struct {
	pattern string
	// alts holds the pattern's alternatives, which its braces list.
	alts  []alternative
	whole bool // whole is true if the pattern cannot be split into components: whole paths are matched then.
}

// alternative is a pattern without braces, split into its path components. A component "**" matches
// any number of names.
type alternative []string

// maxAlternatives and maxGlobNames limit the patterns that are matched by path components.
const (
	maxAlternatives = 64
	// maxGlobNames is the number of components at which a set of positions still fits into a
	// uint64.
	maxGlobNames = 63
)

// globProgress holds which parts of a glob the directories of a path have matched so far.
type globProgress struct {
	// nextNames holds one bit set for each alternative. Bit i is set if component i of the
	// alternative may match the next name of the path, and bit len(alternative) if the path has
	// matched the whole alternative.
	nextNames []uint64
	path      string // path is the directories, with a slash at the end; it is only used if glob.whole is true.
}

// newGlob compiles a pattern, which must be valid.
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

// globNames splits a pattern without braces into its path components. It returns false if a class
// or an escape may contain a slash, or doublestar gives the pattern a special meaning.
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

// alternatives expands the braces of a pattern into a list of patterns. It returns false if there
// are too many, or the expansion would change the meaning of a "**".
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

// starry reports whether expanding a brace, into before, alt and behind, would join stars to a "**"
// or move one. Doublestar gives such a "**" another meaning.
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

// firstBraces returns the offsets of the first braces in p that are outside of a class. commas
// holds the offsets of the opening brace, of the commas between the alternatives and of the closing
// brace. If there are no braces, to is negative.
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

// start returns the progress of the empty path, with which a walk begins.
func (g *glob) start() globProgress {
	at := globProgress{nextNames: make([]uint64, len(g.alts))}
	for i, alt := range g.alts {
		at.nextNames[i] = alt.withStars(1)
	}
	return at
}

// withStars returns set together with the positions after each "**" in it, because "**" also
// matches no name at all.
func (a alternative) withStars(set uint64) uint64 {
	for i, n := range a {
		if n == "**" && set&(1<<i) != 0 {
			set |= 1 << (i + 1)
		}
	}
	return set
}

// next returns the set of positions after set if name is the next name of the path.
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

// nameMatches reports whether a path component of a glob matches a name.
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

// next returns the progress after one more directory name. If moved is false, it is equal to at.
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

// matches reports whether the glob matches the path that consists of the directories of at and
// name.
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

// isExhausted reports whether the glob can match no path inside of the directories of at.
func (g *glob) isExhausted(at globProgress) bool {
	for i, alt := range g.alts {
		if at.nextNames[i]&(1<<len(alt)-1) != 0 {
			return false
		}
	}
	return !g.whole
}
