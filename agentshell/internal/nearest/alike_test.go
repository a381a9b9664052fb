package nearest

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesThatLookAlikeAreOne(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Screenshot 2026-11-28 at 9.41.00 AM.png", "Screenshot 2026-11-28 at 9.41.00\u202fAM.png", true},
		{"a b", "a\u00a0b", true}, {"a b", "a\u3000b", true},
		{"Ångström é", "A\u030angstro\u0308m e\u0301", true},
		{"it's", "it\u2019s", true}, {`"x"`, "\u201cx\u201d", true},
		{"ABC123!", "\uff21\uff22\uff23\uff11\uff12\uff13\uff01", true},
		{"Q1 - draft", "Q1 \u2013 draft", true}, {"a-b", "a\u2014b", true}, {"a-b", "a\u2011b", true},
		{"-1", "\u22121", true},
		{"more...", "more\u2026", true}, {"6'2\"", "6\u20322\u2033", true}, {"a--b", "a\u2014b", false},
		{"a b", "ab", false}, {"a b", "a_b", false}, {"a", "A", false}, {"e", "é", false}, {"x²", "x2", false},
		{"a\u200bb", "ab", false}, {"\u0430", "a", false}, // another script is another name
	} {
		if got := Alike(c.a) == Alike(c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func TestAPathIsFoundFolderByFolder(t *testing.T) {
	all := []string{"d", "d/it\u2019s", "d/it\u2019s/f\u00a01", "d/it\u2019s/f 2", "d/q\u2018", "d/q\u2019",
		"d/q\u2018/x", "e\u0301"}
	there := func(p string) bool { return slices.Contains(all, p) }
	names := func(folder string) (list []string) {
		for _, p := range all {
			if name, ok := strings.CutPrefix(p, folder); ok && name != "" && !strings.Contains(name, "/") {
				list = append(list, name)
			}
		}
		return list
	}
	for path, want := range map[string][]string{
		"d/it's/f 1":  {"d/it\u2019s/f\u00a01"},
		"d/it's/f 2":  {"d/it\u2019s/f 2"},
		"d/it's/f 3":  nil,
		"d/q'":        {"d/q\u2018", "d/q\u2019"},
		"d/q'/x":      {"d/q\u2018", "d/q\u2019"},
		"d/q\u2018/x": {"d/q\u2018/x"},
		"é":           {"e\u0301"},
		"x/y":         nil,
	} {
		if got := Path(path, there, names); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
