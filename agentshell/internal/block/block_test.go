package block

import (
	"fmt"
	"strings"
	"testing"
)

// In a text each line ends with "@N": the line in which the block ends that it opens, @- for none.
// The marks are taken out before it is looked at.
func TestABlockEndsWhereItsSyntaxDoes(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"a.go", `package a @-

// F is a doc comment. @-
func F(x int) ( @13
	int, error, @-
) { @-
	if x > 0 { @11
		g(func() { @10
			return @9
		}) @-
	} @-
	return 1, nil // } @12
} @-

var ( @18
	a = 1 @16
	b = []int{2, 3} @17
) @-
type T struct { @22
	A, B int @20
	C    map[string]T @21
} @-
var x = []T{ @29
	{ @27
		A: 1, @25
		B: 2, @26
	}, @-
	{A: 3}, @28
} @-
`},
		{"a.go", "package a @-\nfunc f() { @-\n"}, // does not parse
		{"a.py", `import os @1
@dec @6
@other( @6
    1) @-
def f(a, @6
      b): return 1 @-
class A: @17
    """ @-
    not @-
  indented @-
    """ @-
    def g(self): @17
        if x: @15
            pass @14
        else: pass @15

        return [ ] @17

x = """a @20
b""" @-
try: @24
    a() @22
except E: @24
    b() @24
`},
		{"a.js", `function f() { @7
  const s = "}"; // } @2
  if (a) { @6
    b(); @4
  } else { @-
  } @-
} @-
class A @14
{ @14
  m() { @13
    try { a } @12
    catch (e) {} @12
  } @-
} @-
  } @-
let open = ( @-
`},
		{"a.json", `{ @6
  "a": [ @4
    1 @3
  ], @-
  "b": {"c": "}"} @5
} @-
`},
		{"a.md", "# Head @-\ntext @-\n"},
		{"a.unknown", "{ @-\n} @-\n"},
	} {
		var want []string
		var lines []string
		for line := range strings.Lines(c.text) {
			line = strings.TrimSuffix(line, "\n")
			mark := "-"
			if i := strings.LastIndex(line, " @"); i >= 0 {
				line, mark = line[:i], line[i+2:]
			}
			lines, want = append(lines, line), append(want, mark)
		}
		text := strings.Join(lines, "\n") + "\n"
		blocks := Of("dir/" + c.file)
		for i := range lines {
			got := "-"
			if blocks != nil {
				if last, ok := blocks(text, i+1); ok {
					got = fmt.Sprint(last)
				}
			}
			if got != want[i] {
				t.Errorf("%s line %d, %q: ends in line %s, want %s", c.file, i+1, lines[i], got, want[i])
			}
		}
	}
}
