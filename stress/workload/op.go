// Package workload creates the scripts of the benchmark: each is a list of operations of a chat
// program, such as a piece of streamed text, a key, or a new window size, and the rows that the
// terminal must show at the end.
package workload

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Op is one operation of a script, which is one line of its file.
type Op struct {
	// kind: size, begin, end, s, hist, msgend, out, tick, key, resize, pane or scroll
	K    string   `json:"k"`
	T    string   `json:"t,omitempty"`    // for begin: a name; for s and key: the text
	W    int      `json:"w,omitempty"`    // for size and resize: number of columns
	H    int      `json:"h,omitempty"`    // for size and resize: number of rows
	N    int      `json:"n,omitempty"`    // for scroll: number of rows to scroll
	Rows []string `json:"rows,omitempty"` // for hist: paragraphs; for out and pane: rows
}

// Script holds the operations of a workload, beginning with the size of the screen, and the rows
// that the terminal must have at the end.
type Script struct {
	Ops    []Op
	Expect []string
}

// Write writes the operations as lines of JSON.
func Write(w io.Writer, ops []Op) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for _, o := range ops {
		if err := e.Encode(o); err != nil {
			return err
		}
	}
	return b.Flush()
}

// Read reads operations that [Write] has written. The first one must be a size.
func Read(r io.Reader) ([]Op, error) {
	var ops []Op
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var o Op
		if err := json.Unmarshal(s.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(ops)+1, err)
		}
		ops = append(ops, o)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(ops) == 0 || ops[0].K != "size" || ops[0].W < 1 || ops[0].H < 1 {
		return nil, errors.New("the first line is not a size")
	}
	return ops, nil
}
