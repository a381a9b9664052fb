package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What a flood of output costs, by what it is made of.
func BenchmarkFloods(b *testing.B) {
	var plain, coloured, bars, alternating, up strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&plain, "%d: a line of plain output as programs print it\n", i)
		fmt.Fprintf(&coloured, "\x1b[32mok\x1b[0m %d: a line of output é\n", i)
		fmt.Fprintf(&bars, "\r%3d%% |%-40s| %d", i/200, strings.Repeat("#", i/500), i)
		fmt.Fprintf(&up, "a: %d\nb: %d\n\x1b[2A\x1b[2K", i, i)
	}
	for range 2_000 {
		alternating.WriteString(strings.Repeat("\n", 64) + "a\rb")
	}
	for _, c := range []struct{ name, text string }{
		{"plain", plain.String()}, {"coloured", coloured.String()}, {"bars", bars.String()},
		{"up", up.String()}, {"alternating", alternating.String()},
		{"alternate screen", strings.Repeat("\x1b[?1049h\x1b[?1049l", 5000)},
		{"clears", strings.Repeat("x\x1b[H\x1b[2J", 5000)},
		{"resets", strings.Repeat("x\x1bc", 5000)},
		{"inserts", "\x1b[H" + strings.Repeat("\x1b[500L", 5000)},
		{"repeats", "x" + strings.Repeat("\x1b[65535b", 2000)},
		{"one line", strings.Repeat("word ", 100_000)},
		{"one line that moved", "1\r" + strings.Repeat("word ", 100_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				l := Screen{Out: func([]byte) {}}
				for piece := range slices.Chunk([]byte(c.text), 32<<10) {
					_, _ = l.Write(piece)
				}
				l.Close()
			}
		})
	}
}
