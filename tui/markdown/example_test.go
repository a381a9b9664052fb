package markdown_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// Into a transcript it goes with app.Transcript().Stream(&markdown.Document{}).
func ExampleDocument() {
	d := &markdown.Document{}
	fmt.Fprint(d, "A *list*:\n\n1. [one](https://example.org)\n2. tw")
	v := d.View(tui.Space{Width: 40})
	for i, row := range v.Lines {
		if i == v.Stable {
			fmt.Println("from here on not final:")
		}
		for _, s := range row.Spans {
			fmt.Print(s.Text)
		}
		fmt.Println()
	}
	// Output:
	// A list:
	//
	// from here on not final:
	// 1. one (https://example.org)
	// 2. tw
}
