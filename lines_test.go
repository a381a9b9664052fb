package scrollkeep

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// The most columns of a line, with a tab taken for four.
const (
	codeColumns    = 120
	commentColumns = 100
)

// long are the folders, files and patterns of files whose lines are still to be wrapped. Take one
// out when it is done; nothing is added.
var long = []string{
	"agentshell/*_test.go", "agentshell/doctor.go", "agentshell/tool/bash.go", "agentshell/workspace/",
	"renderer/", "terminal/vt/",
	"stress/*.go", "stress/cmd/", "stress/flicker/", "stress/oracle/", "stress/peers/", "stress/profile/",
	"stress/program/", "stress/reduce/", "stress/screen/", "stress/workload/",
	"tui/block", "tui/caret", "tui/dumb", "tui/events", "tui/live", "tui/loop", "tui/paint", "tui/resize",
	"tui/retain", "tui/run", "tui/transcript",
}

func TestLinesAreShortEnoughToRead(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines, err := longLines(src)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, l := range lines {
			done := true
			for _, prefix := range long {
				slashed := filepath.ToSlash(name)
				if match, _ := path.Match(prefix, slashed); match || strings.HasPrefix(slashed, prefix) {
					seen[prefix], done = true, false
				}
			}
			if done {
				t.Errorf("%s:%d: %d columns; code has at most %d, a comment %d", name, l.line, l.columns, codeColumns,
					commentColumns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, prefix := range long {
		if !seen[prefix] {
			t.Errorf("%s has no long line any more: take it out of the list", prefix)
		}
	}
}

type longLine struct{ line, columns int }

// longLines finds the lines of a Go file that are too long: not those within a string of several
// lines, which are data, and not those that a struct's tag makes long, which cannot be parted.
func longLines(src []byte) (all []longLine, err error) {
	free := map[int]bool{} // lines that may be as long as they like
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if f, field := n.(*ast.Field); field && f.Tag != nil {
			free[files.Position(f.Tag.Pos()).Line] = true
		}
		if ok && strings.Contains(lit.Value, "\n") {
			for line := files.Position(lit.Pos()).Line; line <= files.Position(lit.End()).Line; line++ {
				free[line] = true
			}
		}
		return true
	})
	for i, line := range bytes.Split(src, []byte("\n")) {
		text := string(line)
		columns, most := len([]rune(text))+3*strings.Count(text, "\t"), codeColumns
		if strings.HasPrefix(strings.TrimSpace(text), "//") {
			most = commentColumns
		}
		if columns > most && !free[i+1] {
			all = append(all, longLine{i + 1, columns})
		}
	}
	return all, nil
}

func TestLongLinesAreFound(t *testing.T) {
	x := strings.Repeat("x", 130)
	for _, c := range []struct {
		name, src string
		want      int
	}{
		{"code", "var " + x + " int", 1},
		{"a comment", "// " + x[:99], 1},
		{"a comment that fits", "// " + x[:97], 0},
		{"code of 120 columns", "var " + x[:112] + " int", 0},
		{"tabs count as four columns", "\tvar " + x[:112] + " int", 1},
		{"a string", "var a = \"" + x + "\"", 1},
		{"data in a string of several lines", "var a = `\n" + x + "\n" + x + "`", 0},
		{"a tag", "type a struct { A int `json:\"" + x + "\"` }", 0},
	} {
		if got, err := longLines([]byte("package p\n" + c.src + "\n")); err != nil || len(got) != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}
