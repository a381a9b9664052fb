package shell

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

const overwriting = `{"say":"Now.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"notes.md",` +
	`"content":"one\n2\n"}}]}`

// On the smallest window the warnings are the first that is read, and scroll out of the way like
// rows of the body; a mark stays.
func TestWarningsScrollOnALowWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{Cols: 20, Rows: 6}, map[string]string{"notes.md": notes}, overwriting,
			`{"say":"Done."}`)
		s.line("go")
		pane := func() string {
			rows := strings.Split(strings.TrimRight(s.Visible(), "\n"), "\n")
			return strings.Join(rows[max(len(rows)-6, 0):], "|")
		}
		const keys = "|[y]es [n]o [?]"
		first := pane()
		for _, step := range []struct{ key, want string }{
			{"", "notes.md +1 -2  60%|Overwrites file: 3 …|@@ -1,3 +1,2 @@|  one|- two" + keys},
			{"j", "!notes.md +1 -2  80%|@@ -1,3 +1,2 @@|  one|- two|- teh end" + keys},
			{"j", "!…tes.md +1 -2  100%|  one|- two|- teh end|+ 2" + keys},
			{"k", "!notes.md +1 -2  80%|@@ -1,3 +1,2 @@|  one|- two|- teh end" + keys},
			{"x", "!notes.md +1 -2  80%|@@ -1,3 +1,2 @@|  one|- two|- teh end" + keys},
			{"k", first},
			{"d", first},
			{"space", "!…tes.md +1 -2  100%|  one|- two|- teh end|+ 2" + keys},
			{"g", first},
			{"G", "!…tes.md +1 -2  100%|  one|- two|- teh end|+ 2" + keys},
			{"ctrl+u", "!notes.md +1 -2  80%|@@ -1,3 +1,2 @@|  one|- two|- teh end" + keys},
			{"?", "keys 11%|This will overwrite|"},
			{"?", "!notes.md +1 -2  80%|@@ -1,3 +1,2 @@|  one|- two|- teh end" + keys},
		} {
			if step.key != "" {
				s.Press(step.key)
				s.pass(time.Second)
			}
			if got := pane(); !strings.HasPrefix(got, step.want) {
				t.Errorf("after %q: %q, want %q", step.key, got, step.want)
			}
		}
	})
}

// On a window that is smaller still no key approves, whatever is pressed; n and Escape work, and so
// does everything once there is room.
func TestNothingIsApprovedOnAWindowThatIsTooSmall(t *testing.T) {
	for _, size := range [][2]int{{19, 6}, {20, 5}, {5, 2}, {80, 3}} {
		for _, end := range []string{"n", "escape", "grow"} {
			synctest.Test(t, func(t *testing.T) {
				s := begin(t, tuitest.Config{Cols: size[0], Rows: size[1]}, map[string]string{"notes.md": notes},
					overwriting, oneEdit, `{"say":"Done."}`)
				s.line("go")
				for _, k := range []string{"y", "Y", "a", "1", "y", "escape", "y", "f", "y", "f", "j", "y"} {
					if k == "escape" { // of the list; it would stop the turn
						k = "a"
					}
					s.Press(k)
					s.pass(1200 * time.Millisecond)
					if s.file("notes.md") != notes {
						t.Fatalf("%v: %s approved", size, k)
					}
				}
				if !strings.Contains(s.Visible(), "too s") && size[0] > 5 {
					t.Errorf("%v: it does not say why\n%s", size, s.Visible())
				}
				switch end {
				case "grow":
					s.Resize(80, 24)
					s.pass(2 * time.Second)
					s.Press("y")
					s.pass(2 * time.Second)
					if s.file("notes.md") == notes {
						t.Errorf("%v: with room y does nothing\n%s", size, s.Visible())
					}
				default:
					s.Press(end)
					s.pass(2 * time.Second)
					if s.file("notes.md") != notes || s.sh.question != nil && end == "escape" {
						t.Errorf("%v: %s does nothing", size, end)
					}
				}
			})
		}
	}
}
