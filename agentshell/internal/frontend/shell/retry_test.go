package shell

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// While the model waits to be asked again the status row counts down, once a second and in no frame
// more. What came of it stays in the transcript.
func TestAWaitIsCountedDown(t *testing.T) {
	busy := `{"error":{"status":429,"message":"slow down","retry_after_ms":12000}}`
	for _, c := range []struct {
		cols int
		row  string
	}{
		{80, "Rate limited (429). Retrying in SEC s (2 of 5) · Esc stops\n"},
		{50, "Retrying in SEC s (2 of 5) · Esc stops\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := begin(t, tuitest.Config{Cols: c.cols, Rows: 16}, nil, busy, busy,
				`{"say":"Now it works.","delay_ms":0}`)
			s.Type("go")
			s.Press("enter")
			s.Settle()
			s.holds(strings.ReplaceAll(c.row, "SEC", "12"), "! Rate limited (429): slow down\n  Retrying in 12 s "+
				"(attempt 2 of 5).")
			s.Bytes()
			s.pass(5100 * time.Millisecond)
			s.holds(strings.ReplaceAll(c.row, "SEC", "7"))
			if frames := string(s.Bytes()); strings.Count(frames, "\x1b[3G") != 5 { // the cursor returns to the prompt
				t.Errorf("5 s of waiting are the frames %q", frames)
			}
			s.pass(7 * time.Second) // the second attempt fails likewise, which is said in a row
			s.holds("! The same again. Retrying in 12 s (attempt 3 of")
			s.pass(13 * time.Second)
			s.holds("Now it works.")
			s.lacks("Esc stops\n›", " s (3 of 5)")
			s.Bytes()
			s.pass(time.Minute)
			if got := s.Bytes(); len(got) > 0 {
				t.Errorf("after the turn the screen gets %q", got)
			}
		})
	}
}
