package diff

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestAllHunksGiveTheNewTextAndNoneTheOld(t *testing.T) {
	words := []string{"a\n", "b\n", "c\r\n", "\n", "d\n", "e\n", "f\n", "g\n", "h\n"}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := func() []byte {
			var b []byte
			for range r.IntN(40) {
				b = append(b, words[r.IntN(len(words))]...)
			}
			if r.IntN(3) == 0 {
				b = append(b, "no end"...)
			}
			return b
		}
		before := text()
		after := append([]byte(nil), before...)
		for range r.IntN(4) { // a few changes here and there, so that there are several hunks
			at := r.IntN(len(after) + 1)
			after = append(after[:at:at], append([]byte(words[r.IntN(len(words))]),
				after[min(len(after), at+r.IntN(3)):]...)...)
		}
		d := Make(before, after, r.IntN(4))
		if got := d.Apply(before, func(int) bool { return true }); !bytes.Equal(got, after) {
			t.Fatalf("seed %d: all hunks give %q, want %q", seed, got, after)
		}
		if got := d.Apply(before, func(int) bool { return false }); !bytes.Equal(got, before) {
			t.Fatalf("seed %d: no hunks give %q, want %q", seed, got, before)
		}
		if n := len(d.Hunks); n > 1 { // the chosen ones, then the others, give the whole
			some := d.Apply(before, func(i int) bool { return i%2 == 0 })
			rest := Make(some, after, Context)
			if got := rest.Apply(some, func(int) bool { return true }); !bytes.Equal(got, after) {
				t.Fatalf("seed %d: %q is not between the texts", seed, some)
			}
		}
	}
}

func TestOneHunkIsAppliedAndTheOtherLeft(t *testing.T) {
	before := []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	d := Make(before, []byte("one\n2\n3\n4\n5\n6\n7\n8\nnine\n"), 1)
	if len(d.Hunks) != 2 {
		t.Fatalf("%d hunks", len(d.Hunks))
	}
	if got := string(d.Apply(before, func(i int) bool { return i == 1 })); got != "1\n2\n3\n4\n5\n6\n7\n8\nnine\n" {
		t.Errorf("got %q", got)
	}
}
