// Command line is the least that a program on a terminal does: raw mode, one line, and back.
package main

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/term"
)

func main() {
	state, err := term.MakeRaw(0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer term.Restore(0, state)
	fmt.Print("Say something. Ctrl+D quits.\r\n")
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
}
