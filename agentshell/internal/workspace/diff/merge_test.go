package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct{ name, base, mine, theirs, want string }{
		{"far apart", "1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\n2\n3\nfour\n", "one\n2\n3\nfour\n"},
		{"an insertion and a removal", "1\n2\n3\n4\n", "0\n1\n2\n3\n4\n", "1\n2\n4\n", "0\n1\n2\n4\n"},
		{"at both ends", "1\n2\n", "0\n1\n2\n", "1\n2\n3", "0\n1\n2\n3"},
		{"the same change", "1\n2\n3\n", "1\nzwei\n3\n", "1\nzwei\n3\n", "1\nzwei\n3\n"},
		{"only mine", "1\n", "2\n", "1\n", "2\n"},
		{"only theirs", "1\n", "1\n", "2\n", "2\n"},
		{"the same line", "1\n2\n3\n", "1\nzwei\n3\n", "1\ndeux\n3\n", ""},
		{"lines that touch", "1\n2\n3\n", "1\nzwei\n3\n", "1\n2\ntrois\n", ""},
		{"two insertions at one place", "1\n2\n", "1\na\n2\n", "1\nb\n2\n", ""},
		{"the end of a text without a newline", "1\n2", "1\n2\n3", "1\n2 and", ""},
		{"into nothing", "", "a\n", "b\n", ""},
	} {
		got, clean := Merge([]byte(c.base), []byte(c.mine), []byte(c.theirs))
		if string(got) != c.want || clean != (c.want != "") {
			t.Errorf("%s: %q, %v", c.name, got, clean)
		}
	}
}

// Changes in different parts of a text are both in the merged text, whichever is mine.
func TestChangesApartAreMerged(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	part := func() string {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString([]string{"a", "b", "", "c"}[r.IntN(4)] + []string{"\n", "\r\n"}[r.IntN(2)])
		}
		return b.String()
	}
	for i := range 2000 {
		fence := fmt.Sprintf("between %d\nand\nagain %d\n", i, i) // unique lines, so that no change can slide through
		head, tail := part(), part()
		newHead, newTail := part(), part()
		base := []byte(head + fence + tail)
		mine, theirs, want := []byte(newHead+fence+tail), []byte(head+fence+newTail), []byte(newHead+fence+newTail)
		for _, pair := range [][2][]byte{{mine, theirs}, {theirs, mine}} {
			if got, clean := Merge(base, pair[0], pair[1]); !clean || !bytes.Equal(got, want) {
				t.Fatalf("seed %d: %q\n%q\n%q: %q, %v", seed, base, pair[0], pair[1], got, clean)
			}
		}
		if got, clean := Merge(base, mine, mine); !clean || !bytes.Equal(got, mine) {
			t.Fatalf("seed %d: a text merged with itself: %q, %v", seed, got, clean)
		}
	}
}
