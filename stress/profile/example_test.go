package profile_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// What an ED 2 leaves in the history depends on the terminal.
func Example() {
	for _, name := range []string{"ghostty", "tmux", "vte"} {
		p, _ := profile.ByName(name)
		term := p.New(80, 4, 100)
		term.WriteString("one\r\ntwo\r\n\x1b[2J")
		fmt.Println(name, term.ScrollbackLen())
	}
	// Output:
	// ghostty 0
	// tmux 2
	// vte 4
}
