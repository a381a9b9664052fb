//go:build unix

package workspace

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"golang.org/x/sys/unix"
)

// BenchmarkWalk compares walks of large trees with find(1) in the same run: x-find is the ratio of
// the processor time, x-wall that of the clock. find tells names only, as a walk does; find-stat
// also looks at each file, as Stamps must.
func BenchmarkWalk(b *testing.B) {
	find := need.Program(b, "find")
	files := func(dir string, n int) {
		fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
		if err != nil {
			b.Fatal(err)
		}
		defer unix.Close(fd)
		for i := range n {
			f, err := unix.Openat(fd, fmt.Sprintf("file%07d.txt", i*7919%n), unix.O_CREAT|unix.O_WRONLY, 0o644)
			if err != nil {
				b.Fatal(err)
			}
			unix.Close(f)
		}
	}
	for _, c := range []struct {
		name string
		make func(dir string)
	}{
		{"3000-levels", func(dir string) { chain(b, dir, 3000) }},
		{"5000-files", func(dir string) {
			for i := range 250 {
				at := fmt.Sprintf("%s/%d/%d", dir, i%25, i/25)
				os.MkdirAll(at, 0o755)
				files(at, 20)
			}
		}},
		{"1e6-files-in-one", func(dir string) { files(dir, 1_000_000) }},
		{"1e6-files-in-1000", func(dir string) {
			for i := range 1000 {
				at := fmt.Sprintf("%s/%03d", dir, i)
				os.Mkdir(at, 0o755)
				files(at, 1000)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := fastDir(b)
			c.make(dir)
			w, err := Open(Config{Roots: []Root{{Dir: dir}}})
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			var stamps *Stamps
			for _, walk := range []struct {
				name string
				args []string
				do   func()
			}{
				{"names", nil, func() {
					t, err := w.Tree(b.Context(), w.RootPath(), ".gitignore")
					if err != nil {
						b.Fatal(err)
					}
					for t.Next() {
					}
					t.Close()
				}},
				{"command", nil, func() {
					s := w.Stamps(b.Context(), Watch{2_000_000, 30_000})
					if got := w.Changes(b.Context(), s, 10); !got.Complete || len(got.Files) != 0 {
						b.Fatal(got)
					}
				}},
				{"stamps", nil, func() { stamps = w.Stamps(b.Context(), Watch{2_000_000, 30_000}) }},
				{"stamps-find-stat", []string{"-size", "+1"}, func() {
					stamps = w.Stamps(b.Context(), Watch{2_000_000, 30_000})
				}},
				{"changes", nil, func() {
					if got := w.Changes(b.Context(), stamps, 10); !got.Complete || len(got.Files) != 0 {
						b.Fatal(got)
					}
				}},
			} {
				b.Run(walk.name, func(b *testing.B) {
					var ours, theirs, oursWall, theirsWall time.Duration
					for b.Loop() {
						cmd := exec.Command(find, append([]string{dir}, walk.args...)...)
						out, err := cmd.StdoutPipe()
						if err != nil {
							b.Fatal(err)
						}
						start := time.Now()
						if err := cmd.Start(); err != nil {
							b.Fatal(err)
						}
						io.Copy(io.Discard, out)
						if err := cmd.Wait(); err != nil {
							b.Fatal(err)
						}
						theirsWall += time.Since(start)
						theirs += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
						before, start := cpu(), time.Now()
						walk.do()
						ours += cpu() - before
						oursWall += time.Since(start)
					}
					b.ReportMetric(float64(ours)/float64(theirs), "x-find")
					b.ReportMetric(float64(oursWall)/float64(theirsWall), "x-wall")
					b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "cpu-ms/op")
					if stamps != nil {
						b.ReportMetric(float64(cap(stamps.rootLogs[0].records))/1e6, "MB-kept")
					}
				})
			}
		})
	}
}

// cpu returns the processor time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
