package scrollkeep

import (
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The most columns of a line, with a tab taken for four.
const (
	codeColumns    = 120
	commentColumns = 100
)

// long are the folders and files whose lines are still to be wrapped. Take one out when it is done;
// nothing is added.
var long = []string{
	"agentshell/", "renderer/", "stress/", "terminal/vt/",
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
		for _, l := range longLines(src) {
			done := true
			for _, prefix := range long {
				if strings.HasPrefix(filepath.ToSlash(name), prefix) {
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
func longLines(src []byte) (all []longLine) {
	free := map[int]bool{} // lines that may be as long as they like
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	last := token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		tag := tok == token.STRING && strings.HasPrefix(lit, "`json:") && (last == token.IDENT || last == token.RBRACK)
		if first, n := file.Line(pos), strings.Count(lit, "\n"); tok == token.STRING && n > 0 || tag {
			for i := range n + 1 {
				free[first+i] = true
			}
		}
		last = tok
	}
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
	return all
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
		{"a tag", "A int `json:\"" + x + "\"`", 0},
	} {
		if got := longLines([]byte("package p\n" + c.src + "\n")); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
