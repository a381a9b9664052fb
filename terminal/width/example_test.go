package width_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

func ExampleModel_Wrap() {
	for row := range (width.Model{}).Wrap("Die Größe 漢字 ist doppelt.", 10) {
		fmt.Printf("%q\n", row)
	}
	// Output:
	// "Die Größe"
	// "漢字 ist"
	// "doppelt."
}

func ExampleModel_Next() {
	m := width.Model{Method: width.Grapheme}
	for s := "e\u0301漢❤\ufe0f"; s != ""; {
		c, rest, w := m.Next(s)
		fmt.Printf("%+q %d\n", c, w)
		s = rest
	}
	// Output:
	// "e\u0301" 1
	// "\u6f22" 2
	// "\u2764\ufe0f" 2
}
