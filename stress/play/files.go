package play

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// Dimensions reads "100x30".
func Dimensions(s string) (cols, rows int, err error) {
	if n, _ := fmt.Sscanf(s, "%dx%d", &cols, &rows); n != 2 {
		return 0, 0, fmt.Errorf("%q is not a size like 100x30", s)
	}
	return cols, rows, nil
}

// Load reads a script and, unless expect is "", the rows that it expects.
func Load(file, expect string) (workload.Script, error) {
	var s workload.Script
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	if s.Ops, err = workload.Read(f); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if expect != "" {
		rows, err := os.ReadFile(expect)
		if err != nil {
			return s, err
		}
		s.Expect = strings.Split(strings.TrimRight(string(rows), "\n"), "\n")
	}
	return s, nil
}

// Save writes a script and its expected rows to files in dir, named after the workload and the
// size.
func Save(s workload.Script, dir, name string) error {
	file := filepath.Join(dir, fmt.Sprintf("%s-%dx%d", name, s.Ops[0].W, s.Ops[0].H))
	f, err := os.Create(file + ".jsonl")
	if err != nil {
		return err
	}
	if err := errors.Join(workload.Write(f, s.Ops), f.Close()); err != nil {
		return err
	}
	return os.WriteFile(file+".expect", []byte(strings.Join(s.Expect, "\n")+"\n"), 0o644)
}
