package ignore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each kind of pattern, what it ignores and what it leaves. What git says of them is compared in
// TestWhatIsIgnoredIsWhatGitIgnores.
func TestEachKindOfPatternIgnoresWhatItNames(t *testing.T) {
	p := newPlace(t, nil)
	for i, c := range []struct{ patterns, ignored, left string }{
		{"build/**\n!build/keep.txt\n", "build/a build/b/c", "build/keep.txt"},
		{"build/\n!build/keep.txt\n", "build/keep.txt", "builder"}, // nothing comes back from an ignored directory
		{"dist/**", "dist/x dist/y/z", "dist.go"},
		{"\ufeffa\nb\n", "a b", "c"},
		{"[[:lower:]]x", "ax", "Ax 1x"},
		{"[[:lower]", "", "a"},
		{"[[:none:]]", "", "a n"},
		{"x**/y", "xy xa/y x/b/y", "x/b/z"}, // as git up to 2.51 has it
		{"***/y", "y a/y a/b/y", "ya"},
		{"a/***", "a/b a/c/d", "b/a"},
		{"[]a]", "] a", "b"},
		{"[]-]", "] -", "a"},
		{"[!]a]", "b", "a"},
		{"x1[/]y", "", "x1/y"},
		{"x[!a]y", "xby", "x/y xay"},
		{`\{a`, "{a", "a"},
		{"{a,b}", "{a,b}", "a b"},
		{"Icon\r\r\n", "Icon\r", "Icon"},
		{"a\r\nb\r\n", "a b", "c"},
		{"a  \nb\\ \n", "a b␣", "b"},
		{"#a\n\\#b\n", "#b", "#a a"},
		{"\\!a\n", "!a", "a"},
		{"*\n!*.go\n!*/\n", "a b/c", "x.go b/x.go"},
		{"a/b", "a/b", "c/a/b"},
		{"**/a/b", "a/b c/a/b", "b/a"},
		{"a/*/b", "a/c/b", "a/b a/c/d/b"},
		{"a/**/b", "a/b a/c/b a/c/d/b", "b"},
		{"foo/", "c/foo/x", "foo"},
		{"/foo", "foo/x", "c/foo"},
		{"é?", "éx", "é"},
		{"??", "é ab", "a abc"}, // bytes, as in git
		{`a\`, "", `a\`},
		{"A", "A", "a"},
	} {
		t.Run(fmt.Sprintf("%q", c.patterns), func(t *testing.T) {
			dir := fmt.Sprint(i)
			p.fill(map[string]string{dir + "/.gitignore": c.patterns})
			names := func(list string) (names []string) {
				for _, f := range strings.FieldsFunc(list, func(r rune) bool { return r == ' ' }) {
					names = append(names, strings.ReplaceAll(f, "␣", " "))
				}
				return names
			}
			want := names(c.left)
			for _, f := range append(names(c.ignored), want...) {
				p.fill(map[string]string{dir + "/" + f: ""})
			}
			slices.Sort(want)
			got := slices.DeleteFunc(p.files(dir, ""), func(f string) bool { return f == ".gitignore" })
			if !slices.Equal(got, want) {
				t.Errorf("left: %q, want %q", got, want)
			}
		})
	}
}
