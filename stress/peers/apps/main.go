//go:build linux

// Command apps plays tui/examples and the same programs of other libraries on a pseudo terminal of
// 80x24, by the same keys at the same pace, and prints what each costs.
//
//	cd stress/peers/apps && go run . [-rounds 3] [-only table,tree]
//
// The terminal is the emulator of terminal/vt, which answers what a program asks. Allocations are
// those of a build of their own, into which one file is put that writes them down at SIGUSR1; the
// other figures are of the program as it is. Of several rounds the least CPU and memory count,
// since what else the machine does can only add, and the median of the bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	rounds = flag.Int("rounds", 3, "how often each program is played")
	only   = flag.String("only", "", "the tasks that are played, commas between them; all if empty")
	screen = flag.Bool("screen", false, "print the screen before the last keys, to compare what is shown")
)

// row is one of the printed table, which is Markdown.
const row = "| %-9s | %-10s | %7s | %8s | %12s | %13s | %14s | %10s | %8s | %8s | %7s |" +
	"\n"

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "apps:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "apps")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf(row, "task", "library", "start", "bytes", "a step", "CPU a step", "objects a step", "allocated",
		"memory", "binary", "modules")
	fmt.Printf(row, "---", "---", "---", "---", "---", "---", "---", "---", "---", "---", "---")
	for _, t := range tasks {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), t.name) {
			continue
		}
		for _, p := range t.programs {
			f, err := measure(t, p, filepath.Join(dir, t.name+"-"+p.library))
			if err != nil {
				return fmt.Errorf("%s, %s: %w", t.name, p.library, err)
			}
			each := func(n float64, form string) string {
				return fmt.Sprintf(form, n/float64(t.steps)) + "/" + t.unit
			}
			megabytes := func(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
			fmt.Printf(row, t.name, p.library, fmt.Sprint(f.start), fmt.Sprint(f.bytes), each(float64(f.bytes), "%.0f"),
				each(float64(f.cpu.Microseconds()), "%.0f µs"), each(float64(f.allocs), "%.0f"), megabytes(f.allocated),
				megabytes(f.rss), megabytes(f.binary), fmt.Sprint(f.modules))
		}
	}
	return nil
}
