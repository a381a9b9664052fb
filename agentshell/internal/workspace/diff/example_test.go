package diff_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

func Example() {
	d := diff.Make([]byte("one\ntwo\nthree"), []byte("one\n2\nthree\n"), diff.Context)
	text, _ := d.Unified(diff.GitLabels("count.txt"), diff.MaxText)
	fmt.Print(text)
	fmt.Printf("%+v\n", d.Stats)
	// Output:
	// --- a/count.txt
	// +++ b/count.txt
	// @@ -1,3 +1,3 @@
	//  one
	// -two
	// -three
	// \ No newline at end of file
	// +2
	// +three
	// {Added:2 Removed:2 Hunks:1}
}

func ExampleChangedWords() {
	before, after := "timeout = 30", "timeout = 45"
	a, b := diff.ChangedWords(before, after)
	fmt.Println(before[a[0].From:a[0].To], after[b[0].From:b[0].To])
	// Output: 30 45
}
