package fold

import "testing"

func TestSpellingsOfOneFileAreEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"SECRET/x", "secret/X", true},
		{".GiT/config", ".git/CONFIG", true},
		{".g\u200cit/config", ".git/config", true},
		{".git\ufe0f/config", ".git/config", true},
		{".git./config", ".git/config", true},
		{".git . ./config", ".git/config", true},
		{".git::$INDEX_ALLOCATION/config", ".git/config", true},
		{"ma\u212aefile", "makefile", true}, // the sign of kelvin
		{".\u017fsh/config", ".ssh/config", true},
		{"caf\u00e9", "cafe\u0301", true},
		{"CAF\u00c9", "cafe\u0301", true},
		{"stra\u00dfe", "STRASSE", true},
		{"a/b", "a/c", false},
		{"a/b", "ab", false},
		{"cafe", "caf\u00e9", false},
		{"..", ".", false},
		{"a", "a/.", false},
		{"...", ".", false},
		{":x", ":y", false},
	} {
		if got := Path(c.a) == Path(c.b); got != c.same {
			t.Errorf("%q and %q: %q, %q", c.a, c.b, Path(c.a), Path(c.b))
		}
		if Path(Path(c.a)) != Path(c.a) {
			t.Errorf("%q is not stable", c.a)
		}
	}
}
