package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// A row that is scrolled costs about its own bytes on the whole screen, where the terminal moves the others. Above the transcript nothing may
// be scrolled, so there it costs at most what the rows in sight cost. Neither depends on how long the change is.
func TestScrollingCostsRowsNotFiles(t *testing.T) {
	cost := func(lines int) (inline, full int) {
		synctest.Test(t, func(t *testing.T) {
			before, after := big(lines, 0.5)
			content := strings.ReplaceAll(strings.ReplaceAll(string(after), "\t", `\t`), "\n", `\n`)
			s := begin(t, tuitest.Config{Cols: 80, Rows: 24, Env: map[string]string{"COLORTERM": "truecolor"}}, map[string]string{"big.go": string(before)},
				`{"say":"Now.","tool_chunk_bytes":100000,"tool_calls":[{"id":"c","name":"write_file","input":{"path":"big.go","content":"`+content+`"}}]}`)
			s.ask()
			keys := func(n int) int {
				s.Bytes()
				for range n {
					s.Press("j")
					s.pass(100 * time.Millisecond)
				}
				return len(s.Bytes()) / n
			}
			inline = keys(10)
			s.Press("f")
			s.pass(time.Second)
			full = keys(10)
		})
		return inline, full
	}
	inline, full := cost(1000)
	longInline, longFull := cost(20_000)
	t.Logf("bytes for one row: %d and %d in 1,000 lines, %d and %d in 20,000", inline, full, longInline, longFull)
	const row = 150 // columns, colours, the move to it
	if full > 2*row || longFull > 2*row {
		t.Errorf("on the whole screen a row costs %d and %d bytes", full, longFull)
	}
	if inline > 14*row || longInline > 14*row {
		t.Errorf("in the pane a row costs %d and %d bytes", inline, longInline)
	}
	if d := longFull - full; d > 20 || d < -20 {
		t.Error(fmt.Sprint("the cost depends on the length: ", d))
	}
}
