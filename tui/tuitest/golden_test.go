package tuitest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
)

// spy is a test that only remembers its errors.
type spy struct {
	testing.TB
	said string
}

func (s *spy) Errorf(format string, args ...any) { s.said += fmt.Sprintf(format, args...) }

// updating sets -update for this test.
func updating(t *testing.T, yes bool) {
	t.Helper()
	was := flag.Lookup("update").Value.String()
	if err := flag.Set("update", fmt.Sprint(yes)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set("update", was) })
}

func TestAGoldenFileIsWrittenWithUpdateAndComparedWithoutIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "below", "a.golden")
	said := func(got string) string {
		spy := &spy{TB: t}
		Golden(spy, file, []byte(got))
		return spy.said
	}
	updating(t, false)
	how := "go test ./tui/tuitest -run '^TestAGoldenFileIsWrittenWithUpdateAndComparedWithoutIt$' -update"
	if got := said("one\ntwo\n"); !strings.Contains(got, "is not there") || !strings.Contains(got, how) {
		t.Errorf("without the file it says %q", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was written")
	}
	updating(t, true)
	if got := said("one\ntwo\n"); got != "" {
		t.Errorf("as it writes it says %q", got)
	}
	updating(t, false)
	if got := said("one\ntwo\n"); got != "" {
		t.Errorf("of the same text it says %q", got)
	}
	got := said("one\nthree\n")
	if !strings.Contains(got, " one\n-two\n+three\n") || !strings.Contains(got, how) {
		t.Errorf("of another text it says %q", got)
	}
	if text, err := os.ReadFile(file); string(text) != "one\ntwo\n" {
		t.Errorf("it holds %q, %v", text, err)
	}
}

func TestAGoldenScreenHasItsHistory(t *testing.T) {
	was := testDir
	testDir = t.TempDir()
	t.Cleanup(func() { testDir = was })
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: tui.NewText("footer")}
		s := Start(t, app, Config{Cols: 20, Rows: 3})
		for n := range 4 {
			fmt.Fprintln(app.Transcript(), "line", n)
		}
		s.Settle()
		updating(t, true)
		s.Golden()
		s.Golden("a/name")
		updating(t, false)
		for _, name := range []string{t.Name(), "a_name"} {
			text, err := os.ReadFile(filepath.Join(testDir, "testdata", name+".golden"))
			if string(text) != "line 0\nline 1\n----\nline 2\nline 3\nfooter\n" {
				t.Errorf("%s holds %q, %v", name, text, err)
			}
		}
		fmt.Fprintln(app.Transcript(), "one more")
		s.Settle()
		spy := &spy{TB: t}
		s.tb = spy
		s.Golden()
		s.tb = t
		if !strings.Contains(spy.said, "+one more") {
			t.Errorf("it says %q", spy.said)
		}
	})
}
