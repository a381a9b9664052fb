package play

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// Dimensions parses the size of a terminal, such as "100x30", into columns and rows.
func Dimensions(s string) (cols, rows int, err error) {
	if n, _ := fmt.Sscanf(s, "%dx%d", &cols, &rows); n != 2 {
		return 0, 0, fmt.Errorf("%q is not a size like 100x30", s)
	}
	return cols, rows, nil
}

// Load reads a script from a file, and the rows that it expects from the file expect. If expect is
// "", the script expects none.
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

// Save writes the script and its expected rows to two files in the folder dir. Their names consist
// of name and the size of the script.
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
