package need

import (
	"fmt"
	"os"
	"path/filepath"
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
		{"", "nonesuch", "skipped"}, {"tmux", "nonesuch", "skipped"}, {"tmux,nonesuch", "nonesuch", "failed"},
		{"nonesuch2", "nonesuch", "skipped"}, {"nonesuch", "go", ""},
	} {
		t.Run(fmt.Sprint(c.require, c.name), func(t *testing.T) {
			t.Setenv("SCROLLKEEP_REQUIRE", c.require)
			t.Setenv("SCROLLKEEP_MISSING", "")
			r := &recorder{TB: t}
			if path := Program(r, c.name); r.got != c.want || (path == "") != (c.want != "") {
				t.Errorf("%q: %q, want %q", path, r.got, c.want)
			}
		})
	}
}

func TestWhatIsMissingIsNotedWithWhatInstallsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "missing")
	t.Setenv("SCROLLKEEP_MISSING", file)
	t.Setenv("SCROLLKEEP_REQUIRE", "patch")
	Missing(&recorder{TB: t}, "tmux", "not found\n in the path")
	Missing(&recorder{TB: t}, "ghostty", "no core")
	Missing(&recorder{TB: t}, "pty", "no pty")
	Missing(&recorder{TB: t}, "patch", "required")
	Missing(&recorder{TB: t}, "node", "no")
	Missing(&recorder{TB: t}, "pgrep", "no")
	Missing(&recorder{TB: t}, "xtermjs", "no")
	Missing(&recorder{TB: t}, "userns", "refused")
	got, err := os.ReadFile(file)
	want := "tmux\tnot found in the path\tapt-get install tmux\nghostty\tno core\tmake oracle\npty\tno " +
		"pty\t\npatch\trequired\tapt-get install patch\n" +
		"node\tno\tapt-get install nodejs npm\npgrep\tno\tapt-get install procps\nxtermjs\tno\tmake oracle\n" +
		"userns\trefused\ta machine that allows user namespaces (in a chroot none are)\n"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
