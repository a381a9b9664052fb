package visible_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

func ExampleLine() {
	s, n := visible.Line("rm -rf /\x1b[8m\u202etxt.exe\n")
	fmt.Println(s)
	fmt.Println(n)
	// Output:
	// rm -rf /␛[8m<U+202E>txt.exe␊
	// 2 control, 1 bidi
}
