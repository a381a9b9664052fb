package stdinbuf_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

func ExampleBuffer() {
	var b stdinbuf.Buffer
	for _, read := range []string{"a\x1b[", "1;5C\x1b[200~two\nli", "nes\x1b[201~\x1b"} {
		for tok := range b.Feed([]byte(read)) {
			fmt.Printf("%v %q\n", tok.Kind, tok.Data)
		}
	}
	if wait, ok := b.Pending(); ok {
		fmt.Println("after", wait)
		for tok := range b.Flush() {
			fmt.Printf("%v %q\n", tok.Kind, tok.Data)
		}
	}
	// Output:
	// Text "a"
	// CSI "\x1b[1;5C"
	// Paste "two\nlines"
	// after 50ms
	// Escape "\x1b"
}
