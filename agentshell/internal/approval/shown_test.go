package approval

import (
	"slices"
	"testing"
)

func TestAShownCommandHasOneLineAndBorders(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"npx", "-y", "@scope/server@1.2", "--root=/a/b"}, "npx -y @scope/server@1.2 --root=/a/b"},
		{[]string{"sh", "-c", "rm x"}, "sh -c 'rm x'"},
		{[]string{"sh", "-c rm", "x"}, "sh '-c rm' x"},
		{[]string{"x", ""}, "x ''"},
		{[]string{"x", "${HOME}/a"}, "x ${HOME}/a"},
		{[]string{"x", "${HOME} a"}, "x '${HOME} a'"},
		{[]string{"x", "a\n  folder       /b"}, `x $'a\n  folder       /b'`},
		{[]string{"x", "a\u009bb"}, `x $'a\u009bb'`},
		{[]string{"x", "a\u202eb"}, `x $'a\u202eb'`},
		{[]string{"x", "a\x00b"}, `x "a\x00b"`},
	} {
		if got := ShowCommand(c.words); got != c.want {
			t.Errorf("%q: %s, not %s", c.words, got, c.want)
		}
	}
	if got := ShowValue("a\n  runs \t b\u009b\u202e"); slices.ContainsFunc([]rune(got), func(r rune) bool {
		return r < ' ' || r == 0x9b || r == 0x202e
	}) || got != "a␊ runs ␉ b<U+009B><U+202E>" {
		t.Errorf("%q", got)
	}
}
