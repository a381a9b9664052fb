package oracle

import (
	"flag"
	"fmt"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

var codePoints = flag.Int("codepoints", 61, "judge every n-th code point (1: all, about two minutes)")

// Every code point alone, behind a letter, behind a ZWJ sequence and behind a conjunct: widths and
// cluster breaks are the core's.
func TestCodePointsAreAsWideAndJoinAsInTheGhosttyCore(t *testing.T) {
	d := start(t)
	var list []Program
	var p Program
	flush := func() {
		if len(p.Ops) > 0 {
			list = append(list, p)
		}
		p = Program{Size: screen.Size{Cols: 20, Rows: 4, Scrollback: 100_000}}
	}
	flush()
	for r := rune(0xa0); r <= 0x10ffff; r += rune(*codePoints) {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		c := string(r)
		p.Ops = append(p.Ops, Op{Name: fmt.Sprintf("U+%04X", r),
			Bytes: c + "|a" + c + "|👩\u200d" + c + "|क\u094d" + c + "|" + c + "\u0301" + c + "\r\n"})
		if len(p.Ops) == 500 {
			flush()
		}
	}
	flush()
	for i := 0; i < len(list); i++ {
		var bad []Verdict
		for v, err := range d.Compare(list[i:i+1], emulator) {
			if err != nil {
				t.Fatal(err)
			}
			if !v.OK() {
				bad = append(bad, v)
			}
		}
		for _, v := range bad {
			small, err := d.Reduce(v, 300, emulator)
			if err != nil {
				t.Fatal(err)
			}
			t.Errorf("%v", small)
			if i > 20 {
				t.FailNow()
			}
		}
	}
}
