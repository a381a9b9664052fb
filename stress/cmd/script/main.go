// Command script writes the script of a benchmark workload, and the rows that it expects, as files.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/scrollkeep/scrollkeep/stress/play"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

func main() {
	name := flag.String("workload", "w1", "which workload")
	size := flag.String("size", "100x30", "the screen: columns x rows")
	seed := flag.Uint64("seed", 1, "for its text")
	dir := flag.String("dir", ".", "where the files are written")
	flag.Parse()
	if err := write(*name, *size, *seed, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "script:", err)
		os.Exit(1)
	}
}

func write(name, size string, seed uint64, dir string) error {
	cols, rows, err := play.Dimensions(size)
	if err != nil {
		return err
	}
	s, err := workload.Make(name, cols, rows, seed)
	if err != nil {
		return err
	}
	return play.Save(s, dir, name)
}
