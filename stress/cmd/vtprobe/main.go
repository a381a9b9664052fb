// Command vtprobe asks emulators what they have, and prints a table.
//
//	go run ./stress/cmd/vtprobe            what is installed, as the table of docs/vt.md
//	go run ./stress/cmd/vtprobe -answers   what each of them did, probe by probe
//	go run ./stress/cmd/vtprobe -update    both written to the page and to testdata
//
// Beside terminal/vt it asks ghostty's core and xterm.js (npm ci --prefix stress/oracle), charm's
// x/vt, and libvterm (a C compiler and libvterm-dev). Who is not installed is left out.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	answers := flag.Bool("answers", false, "print what each emulator did")
	update := flag.Bool("update", false, "write the page and the answers")
	flag.Parse()
	if err := run(*answers, *update); err != nil {
		fmt.Fprintln(os.Stderr, "vtprobe:", err)
		os.Exit(1)
	}
}

func run(printAnswers, update bool) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	recorded, err := readAnswers(root)
	if err != nil {
		return err
	}
	for _, p := range peers(root) {
		got, err := p.ask(probes)
		switch {
		case errors.Is(err, errMissing):
			fmt.Fprintln(os.Stderr, "vtprobe:", err)
			continue
		case err != nil:
			return err
		}
		recorded[p.name] = got
	}
	switch {
	case update:
		return write(root, recorded)
	case printAnswers:
		fmt.Print(formatAnswers(recorded))
	default:
		fmt.Print(table(recorded))
	}
	return nil
}
