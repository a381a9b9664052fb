package tool

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// along matches a path as a walk does.
func along(pattern, path string) (matches, dead bool) {
	g := newGlob(pattern)
	at := g.start()
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		at, _ = g.next(at, name)
		dead = dead || g.isExhausted(at)
	}
	return g.matches(at, names[len(names)-1]), dead
}

// agrees compares with doublestar on the whole path; a walk that gave a directory up must be right
// in that, too.
func agrees(t *testing.T, pattern, path string) bool {
	want, err := doublestar.Match(pattern, path)
	if err != nil {
		return true
	}
	got, dead := along(pattern, path)
	if want && strings.Contains(pattern, "[") {
		return true // doublestar lets a class match a slash
	}
	// "a*/**" matches "ab" for doublestar, not "a"; here both.
	if alts, _ := alternatives(pattern); got && !want {
		for _, alt := range alts {
			before, ok := strings.CutSuffix(alt, "/**")
			if is, _ := doublestar.Match(before, path); ok && is {
				return true
			}
		}
	}
	if got != want || dead && want {
		t.Errorf("%q on %q: %v (given up: %v), want %v", pattern, path, got, dead, want)
		return false
	}
	return true
}

func TestAGlobAlongAWalkIsTheGlobOfTheWholePath(t *testing.T) {
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	pick := func(from []string, n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	parts := []string{"a", "b", "ab", "*", "?", "**", "**/", "/**", "/", "/", "{a,b}", "{a,", "b}", "{a/b,", "}",
		"[ab]", "[!a]", `\*`, `\`, "{**/a,b}", "{,a}", ",", "[a/b]"}
	matched, total := 0, 0
	for range 100_000 {
		pattern := pick(parts, 7)
		if !doublestar.ValidatePattern(pattern) {
			continue
		}
		names := make([]string, 1+r.IntN(5))
		for i := range names {
			names[i] = pick([]string{"a", "b", "c", ",", "*"}, 2)
		}
		path := strings.Join(names, "/")
		if !agrees(t, pattern, path) {
			t.Fatalf("seed %d", seed)
		}
		total++
		if ok, _ := along(pattern, path); ok {
			matched++
		}
	}
	if matched < total/100 || total < 10_000 {
		t.Errorf("only %d of %d pairs matched", matched, total)
	}
}

func FuzzAGlobAlongAWalk(f *testing.F) {
	f.Add("**/*.{go,mod}", "a/b/c.go")
	f.Add("{a/**,b}/c", "a/x/c")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if !doublestar.ValidatePattern(pattern) || len(pattern) > 40 || len(path) > 60 || !clean(path) {
			return
		}
		agrees(t, pattern, path)
	})
}

// clean reports whether a walk can meet the path.
func clean(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." || name == ".." || strings.Contains(name, "\x00") ||
			strings.ToValidUTF8(name, "") != name {
			return false
		}
	}
	return true
}

// ordinary patterns must not fall back to whole paths, whose cost grows with the depth.
func TestOrdinaryGlobsAreMatchedNameByName(t *testing.T) {
	for pattern, names := range map[string]bool{
		"*.go": true, "**/*.go": true, "src/**/test/*.{ts,tsx}": true, "{cmd,internal}/**/[a-z]*.go": true, "**": true,
		"a/{b/c,d}/**": true, `\{x\}`: true,
		"a//b": false, "**/**": false, strings.Repeat("a/", 70) + "b": false, strings.Repeat("{a,b}", 7): false,
	} {
		if g := newGlob(pattern); g.whole == names {
			t.Errorf("%q: whole paths %v", pattern, g.whole)
		}
	}
}
