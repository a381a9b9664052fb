package app_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A kill in the middle of a rewind loses nothing: each file is what it was or what it shall be, all
// that was said is there, what was taken back can be made again, and the rewind can be done anew.
func TestAKillInTheMiddleOfARewindLosesNothing(t *testing.T) {
	need.Time(t)
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	gone := 0
	for round := range kills(t, 2) {
		p := newPlace(t)
		var calls []string
		for i := range 6 {
			calls = append(calls, fmt.Sprintf(
				`{"id":"%d","name":"write_file","input":{"path":"%[1]d.txt","content":"new\n"}}`, i))
		}
		p.write("0.txt", "old\n")
		script := p.script(`{"delay_ms":0,"tool_calls":[`+strings.Join(calls, ",")+`]}`,
			`{"say":"Written.","delay_ms":0}`)
		if got := p.run("", "-p", "write them", "--mode", "edits", "--script", script); got.code != 0 {
			t.Fatal(got.stderr)
		}
		cmd := p.command("--continue", "--script", p.script(hi))
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
		if err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
		const ripe = 1300 * time.Millisecond
		var kill *time.Timer
		step := dialogue{{"Written.", "/rewind\r", ripe / 4}, {"6 files changed since", "\r", ripe / 4},
			{"the conversation and the files", "\r", ripe / 4}, {"1/6 undo", "y", ripe},
			{"removes", "y", ripe}}.step()
		buf, shown := make([]byte, 4096), ""
		for {
			n, err := tty.Read(buf)
			if shown += string(buf[:n]); err != nil {
				break
			}
			if kill == nil && step(tty, shown) {
				kill = time.AfterFunc(time.Duration(rng.IntN(8000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			}
		}
		_, _ = io.Copy(io.Discard, tty)
		late.Stop()
		tty.Close()
		_ = cmd.Wait()
		if kill == nil {
			t.Fatalf("seed %d, round %d: it left too early: %q", seed, round, shown)
		}
		if text, err := os.ReadFile(filepath.Join(p.work, "0.txt")); string(text) != "old\n" {
			t.Errorf("seed %d, round %d: the first file holds %q, %v", seed, round, text, err)
		}
		removed := ""
		for i := 1; i < 6; i++ {
			name := fmt.Sprintf("%d.txt", i)
			switch text, err := os.ReadFile(filepath.Join(p.work, name)); {
			case os.IsNotExist(err) && i == 1:
				removed = name
				gone++
			case err != nil || string(text) != "new\n":
				t.Errorf("seed %d, round %d: %s holds %q, %v", seed, round, name, text, err)
			}
		}
		if got := p.run("", "export"); got.code != 0 || !strings.Contains(got.stdout, "write them") ||
			!strings.Contains(got.stdout, "Written.") {
			t.Errorf("seed %d, round %d: the session holds %s%s", seed, round, got.stdout, got.stderr)
		}
		if strings.Contains(shown, "Went back to before") {
			t.Errorf("seed %d, round %d: it went back before all was answered", seed, round)
		}
		p.env = append(p.env, "TERM=dumb")
		listed, code := p.onTerminal([]string{"--continue", "--script", p.script(hi)}, dialogue{
			{"exits", "/undo list\n", 0}, {"1  write 0.txt", "/undo 7\n", ripe},
			{"[y/n/v(iew full file)] ", "y\n", ripe}, {"+ undo workspace/0.txt", "/quit\n", 0}}.step())
		if code != 0 || removed != "" && !strings.Contains(listed, "8  undo 2 1.txt") {
			t.Errorf("seed %d, round %d: code %d, %q is gone, listed is %q", seed, round, code, removed, listed)
		}
		if text, _ := os.ReadFile(filepath.Join(p.work, "0.txt")); string(text) != "new\n" {
			t.Errorf("seed %d, round %d: taken back again, the first file holds %q", seed, round, text)
		}
		// What was half removed is tidied by the next start, by its journal.
		if left, _ := filepath.Glob(filepath.Join(p.work, ".*")); len(left) > 0 {
			t.Errorf("seed %d, round %d: it left %q", seed, round, left)
		}
	}
	t.Logf("in %d rounds the file that was written at the kill was gone", gone)
}
