package need

import (
	"fmt"
	"testing"
)

// recorder is a test that notes how it ended.
type recorder struct {
	testing.TB
	got string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Skipf(format string, args ...any)  { r.got = "skipped" }
func (r *recorder) Fatalf(format string, args ...any) { r.got = "failed" }

func TestWhatIsRequiredIsNotSkipped(t *testing.T) {
	for _, c := range []struct{ require, name, want string }{
		{"", "nonesuch", "skipped"}, {"tmux", "nonesuch", "skipped"}, {"tmux,nonesuch", "nonesuch", "failed"}, {"nonesuch2", "nonesuch", "skipped"}, {"nonesuch", "go", ""},
	} {
		t.Run(fmt.Sprint(c.require, c.name), func(t *testing.T) {
			t.Setenv("SCROLLKEEP_REQUIRE", c.require)
			r := &recorder{TB: t}
			if path := Program(r, c.name); r.got != c.want || (path == "") != (c.want != "") {
				t.Errorf("%q: %q, want %q", path, r.got, c.want)
			}
		})
	}
}
