package oracle

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// measured is what clusters of more than one character are made of, in the scripts that have many
// of them.
const measured = "a#1 कनषस\u093e\u093f\u094d\u0903\u093e\u094d\u200d\u200c" +
	"কষ\u09cd\u09beரக\u0bbf\u0bcdഷറ\u0d4dกน\u0e33\u0e49កម\u17d2မ\u103c\u1039" +
	"漢한アﾞ\u1112\u3099\u0301\u20e3\U0001f1e9\U0001f1ea\U0001f1eb\U0001f44d" +
	"\U0001f469\U0001f3fd\u2764\u231a\u261d\u270c\u00a9\ufe0f\ufe0f\ufe0e\u200d"

// modernKitty ends the test if the kitty that is asked does not measure clusters.
func modernKitty(t *testing.T) {
	t.Helper()
	need.Program(t, Kitty())
	version, p, err := KittyProfile()
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "kitty-0.40" {
		need.Missing(t, "kitty-0.40", "kitty is "+version)
	}
}

// What we take each cluster for is what kitty makes of it: in columns, and where it ends.
// Characters of no width are left out, since no renderer prints them.
func TestLeadingWidthsAreKittys(t *testing.T) {
	modernKitty(t)
	m := width.Model{Method: width.Leading}
	var texts []string
	golden, err := os.ReadFile("../../terminal/width/testdata/widths.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range regexp.MustCompile(`(?m)^"(\\"|[^"])*"`).FindAllString(string(golden), -1) {
		if s, err := strconv.Unquote(q); err != nil {
			t.Fatal(err)
		} else if utf8.ValidString(s) && s >= " " && m.String(s) > 0 {
			texts = append(texts, s)
		}
	}
	if len(texts) < 50 {
		t.Fatalf("only %d texts", len(texts))
	}
	for r := rune(0x21); r <= utf8.MaxRune; r++ {
		if c := string(r); utf8.ValidRune(r) && m.Cluster(c) > 0 && !m.Doubtful(c) {
			texts = append(texts, c)
		}
	}
	rng := rand.New(rand.NewPCG(1, 0))
	pool := []rune(measured)
	for range 100_000 {
		s := ""
		for range 1 + rng.IntN(6) {
			s += string(pool[rng.IntN(len(pool))])
		}
		texts = append(texts, s)
	}
	got, err := KittyWidths(".", texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range texts {
		if want := m.String("x"+s) - 1; got[i] != want {
			t.Errorf("%+q takes %d columns, we say %d", s, got[i], want)
		}
	}
}
