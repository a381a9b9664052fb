package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// A program that shows what is typed, until q.
func ExampleOpen() {
	ctx := context.Background()
	t, err := terminal.Open(ctx, terminal.Config{})
	if errors.Is(err, terminal.ErrNotTerminal) {
		return // write plain text instead
	}
	defer t.Close()
	for {
		ev, err := t.Next(ctx)
		if errors.Is(err, io.EOF) {
			return
		}
		switch ev := ev.(type) {
		case terminal.Key:
			if ev.Is("q") || ev.Is("ctrl+c") {
				return
			}
			fmt.Fprintf(t, "%v\r\n", ev)
		case terminal.Resize:
			fmt.Fprintf(t, "%d columns\r\n", ev.Cols)
		}
	}
}

// A guard gives the terminal back whatever ends the process. It is the first thing in main: in the
// guard's own process NewGuard does not return.
func ExampleNewGuard() {
	guard := terminal.NewGuard()
	t, err := terminal.Open(context.Background(), terminal.Config{Guard: guard, Stderr: io.Discard})
	if err != nil {
		return
	}
	defer t.Close()
	go func() { panic("in a goroutine that nobody looks after") }()
}

func ExampleParseKey() {
	k, _ := terminal.ParseKey("Shift+Tab")
	fmt.Println(k, k.Code == terminal.KeyTab)
	_, err := terminal.ParseKey("ctrl+nothing")
	fmt.Println(err)
	// Output:
	// shift+tab true
	// terminal: no key is called "ctrl+nothing"
}
