package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// A word is written into a paragraph, and all of it is shown: what a frame costs while an answer
// streams.
func BenchmarkWord(b *testing.B) {
	plain := strings.SplitAfter(strings.Repeat("of words that say, as text does, what is so ", 12), " ")
	marked := strings.SplitAfter(strings.Repeat("of **words** that say, as `text` does, what *is* so ", 12), " ")
	for name, words := range map[string][]string{"plain": plain, "marked": marked} {
		for _, form := range []string{"%s", "- %s"} {
			b.Run(fmt.Sprintf(form, name), func(b *testing.B) {
				b.ReportAllocs()
				var d *Document
				for i := 0; b.Loop(); i++ {
					if i%len(words) == 0 {
						d = &Document{Breaks: true}
						d.View(tui.Space{Width: 100})
						d.Write([]byte(strings.TrimSuffix(form, "%s")))
					}
					d.Write([]byte(words[i%len(words)]))
					d.View(tui.Space{Width: 100})
				}
			})
		}
	}
}
