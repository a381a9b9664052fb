package eval

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The marks of a program are found wherever the output is cut, and nothing else is taken for one.
func TestMarksAreFoundWhereverTheOutputIsCut(t *testing.T) {
	const text = "a\x1eNAME:1\x1eb\x1eNAME:\x1ec\x1e\x1eNAM\x1eNAME:2\x1e\x1eNAME:x\x1ed\x1eNAME:3\x1e"
	const want = "a[1]b\x1eNAME:\x1ec\x1e\x1eNAM[2]\x1eNAME:x\x1ed[3]"
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		o := &cellOutput{}
		o.beginRun("NAME")
		var got strings.Builder
		o.connectCell(func(p []byte) { got.Write(p) }, func(mark int) { fmt.Fprintf(&got, "[%d]", mark) })
		for left := text; left != ""; {
			n := 1 + random.IntN(len(left))
			_, _ = o.Write([]byte(left[:n]))
			left = left[n:]
		}
		if got.String() != want {
			t.Fatalf("%q, want %q", got.String(), want)
		}
	}
}

// What a program has printed last may end within a mark.
func TestNoMarkStandsInAnError(t *testing.T) {
	for _, text := range []string{"a\x1eNAME:12\x1eb", "a\x1eNAME:12b", "a\x1eNAME:b", "a\x1eNAMEb", "a\x1eb"} {
		if got := markPattern().ReplaceAllString(text, ""); got != "ab" {
			t.Errorf("%q of %q", got, text)
		}
	}
}

// What is printed while no cell runs belongs to the next cell, as far as there is room for it.
func TestEarlyOutputIsBounded(t *testing.T) {
	o := &cellOutput{}
	o.beginRun("NAME")
	for range 100 {
		_, _ = o.Write([]byte(strings.Repeat("x", 1000)))
	}
	got := 0
	o.connectCell(func(p []byte) { got += len(p) }, nil)
	_, _ = o.Write([]byte("\x1eNAME:" + strings.Repeat("9", 100)))
	if got != maxEarlyBytes+106 {
		t.Errorf("%d bytes", got)
	}
}
