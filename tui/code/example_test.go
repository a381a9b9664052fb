package code_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui/code"
)

// parts prints the pieces of a line.
func parts(line string, pieces []code.Piece) {
	from := 0
	for _, p := range pieces {
		fmt.Printf("%d %q\n", p.Class, line[from:p.To])
		from = p.To
	}
}

func ExampleText() {
	t := code.Of("tides.go").Text("/* high\nwater */ return 12")
	parts("water */ return 12", t.Line(1))
	// Output:
	// 3 "water */"
	// 0 " "
	// 1 "return"
	// 0 " "
	// 4 "12"
}

func ExampleLanguage() {
	fmt.Println(code.Of("Makefile").Name, code.Named("py").Name, code.Of("unknown.xyz") == nil)
	// Output:
	// Makefile Python true
}

// A text that comes line by line.
func ExampleState() {
	var st code.State
	l := code.Named("go")
	for _, line := range []string{"s := `one", "two` + x"} {
		var pieces []code.Piece
		st, pieces = l.Next(st, line)
		parts(line, pieces)
	}
	// Output:
	// 0 "s := "
	// 2 "`one"
	// 2 "two`"
	// 0 " + x"
}

func ExamplePiece() {
	_, pieces := code.Named("go").Next(code.State{}, `x = "a"`)
	fmt.Println(pieces)
	// Output:
	// [{4 0} {7 2}]
}

func ExampleClass() {
	_, pieces := code.Named("python").Next(code.State{}, "pass # nothing")
	for _, p := range pieces {
		fmt.Println(p.To, p.Class == code.Keyword, p.Class == code.Comment)
	}
	// Output:
	// 4 true false
	// 5 false false
	// 14 false true
}
