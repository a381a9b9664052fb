package oracle_test

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/screen"
)

func Example() {
	core, err := oracle.Start(".")
	if errors.Is(err, oracle.ErrMissing) {
		return // npm ci --prefix stress/oracle
	}
	if err != nil {
		panic(err)
	}
	defer core.Close()
	dump, err := core.Do(
		screen.Op{Reset: &screen.Size{Cols: 12, Rows: 2, Scrollback: 100}},
		screen.Op{Write: []byte("hello, ghostty\x1b[6n")},
		screen.Op{Resize: &screen.Size{Cols: 20, Rows: 2}},
		screen.Op{Dump: screen.Full},
	)
	fmt.Printf("%q %q %v\n", dump.Grid[0].Text, dump.Replies, err)
}
