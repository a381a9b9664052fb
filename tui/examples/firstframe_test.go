//go:build linux || darwin || freebsd

package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// BenchmarkFirstFrame starts a program of tui and one that only prints a line with
// golang.org/x/term, turn by turn, on a terminal that answers nothing, and compares how long it
// takes from the start of the process until the line is on the wire: `go test ./tui/examples -run -
// -bench FirstFrame -benchtime 40x`. The goal is 3 at most for hello. Chat has Markdown: goldmark's
// tables take 2 ms at every start.
func BenchmarkFirstFrame(b *testing.B) {
	dir := b.TempDir()
	build := func(pkg string) string {
		binary := filepath.Join(dir, filepath.Base(pkg))
		if out, err := exec.Command("go", "build", "-o", binary, pkg).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return binary
	}
	line := build("./testdata/line")
	for _, p := range []struct {
		name, pkg string
		args      []string
		marker    string
	}{
		{"hello", "./hello", nil, "›"},
		{"chat", "./chat", nil, "Say something. Ctrl+D quits."},
		{"agentshell", "../../agentshell", []string{"--demo"}, "scrollkeep"},
	} {
		binary := build(p.pkg)
		b.Run(p.name, func(b *testing.B) {
			var ours, theirs, ratios []float64
			for b.Loop() {
				theirs = append(theirs, firstLine(b, dir, line, nil, "Say something. Ctrl+D quits."))
				ours = append(ours, firstLine(b, dir, binary, p.args, p.marker))
				ratios = append(ratios, ours[len(ours)-1]/theirs[len(theirs)-1])
			}
			for _, l := range [][]float64{ours, theirs, ratios} {
				slices.Sort(l)
			}
			b.ReportMetric(theirs[0], "line-ms-min")
			b.ReportMetric(theirs[len(theirs)/2], "line-ms-median")
			b.ReportMetric(ours[0], "ours-ms-min")
			b.ReportMetric(ours[len(ours)/2], "ours-ms-median")
			b.ReportMetric(ours[0]/theirs[0], "ratio-of-min")
			b.ReportMetric(ratios[len(ratios)/2], "ratio-median")
		})
	}
}

// firstLine returns how many milliseconds it takes from the start of a program until marker was
// written.
func firstLine(b *testing.B, home, binary string, args []string, marker string) float64 {
	ptmx, tty, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer ptmx.Close()
	if err := pty.Setsize(ptmx, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		b.Fatal(err)
	}
	c := exec.Command(binary, args...)
	c.Env = []string{"TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + home, "PATH=" + os.Getenv("PATH"),
		"TMPDIR=" + home}
	c.Stdin, c.Stdout, c.Stderr, c.Dir = tty, tty, tty, home
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	begin := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	tty.Close()
	var seen []byte
	for buf := make([]byte, 4096); !bytes.Contains(seen, []byte(marker)); {
		n, err := ptmx.Read(buf)
		if err != nil {
			b.Fatalf("%s ended: %v, %q", binary, err, seen)
		}
		seen = append(seen, buf[:n]...)
	}
	took := time.Since(begin)
	_ = c.Process.Kill()
	_ = c.Wait()
	return float64(took) / float64(time.Millisecond)
}
