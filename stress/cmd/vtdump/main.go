// Command vtdump shows what terminal/vt makes of a stream of bytes, as a JSON screen dump (package
// screen has the schema).
//
//	vtdump --cols C --rows R --scrollback N [--chunk K] < bytes
//	    one dump at end of input
//	vtdump --script [--cols C --rows R --scrollback N]
//	    JSON lines on stdin, one JSON line per dump on stdout
//	vtdump --live --cols C --rows R
//	    bytes on stdin, the terminal's replies on stdout, at once
//	vtdump --bench FILE --cols C --rows R --scrollback N
//	    feed FILE in 64 KiB writes, print its speed as JSON
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/screen"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

const piece = 64 << 10 // bytes in one write to the terminal

type options struct {
	size         screen.Size
	chunk        int // bytes in one write to the terminal; 0: as many as piece
	script, live bool
	bench        string
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("vtdump", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.size.Cols, "cols", 80, "columns of the terminal")
	flags.IntVar(&o.size.Rows, "rows", 24, "rows of the terminal")
	flags.IntVar(&o.size.Scrollback, "scrollback", 1000, "rows of scrollback kept")
	flags.IntVar(&o.chunk, "chunk", 0, "feed this many bytes at a time")
	flags.BoolVar(&o.script, "script", false, "read operations as JSON lines")
	flags.BoolVar(&o.live, "live", false, "write the terminal's replies to stdout")
	flags.StringVar(&o.bench, "bench", "", "feed this `file` and print the speed")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if err := o.check(flags.NArg()); err != nil {
		fmt.Fprintln(stderr, "vtdump:", err)
		return 2
	}
	if err := o.run(stdin, stdout); err != nil {
		fmt.Fprintln(stderr, "vtdump:", err)
		return 1
	}
	return 0
}

func (o options) check(args int) error {
	modes := 0
	for _, on := range []bool{o.script, o.live, o.bench != ""} {
		if on {
			modes++
		}
	}
	switch {
	case args > 0:
		return errors.New("no arguments are taken beside flags")
	case modes > 1:
		return errors.New("--script, --live and --bench exclude each other")
	case o.size.Cols < 1 || o.size.Rows < 1 || o.size.Scrollback < 0 || o.chunk < 0:
		return errors.New("a size is below its minimum")
	}
	return nil
}

func (o options) run(stdin io.Reader, stdout io.Writer) error {
	switch {
	case o.script:
		return screen.Play(stdin, stdout, o.size, screen.NewVT)
	case o.live:
		return live(o.size, stdin, stdout)
	case o.bench != "":
		return bench(o.size, o.bench, stdout)
	}
	t := open(o.size, nil)
	buf := make([]byte, max(o.chunk, 1))
	if o.chunk == 0 {
		buf = make([]byte, piece)
	}
	if err := feed(t, stdin, buf, o.chunk > 0); err != nil {
		return err
	}
	return print(stdout, screen.Of(t, screen.Full))
}

func open(size screen.Size, reply func([]byte)) *vt.Terminal {
	return vt.New(vt.Config{Cols: size.Cols, Rows: size.Rows, Scrollback: size.Scrollback, Reply: reply})
}

// feed copies r to the terminal, with one write for each buffer. If full is true, every write but
// the last one has a full buffer.
func feed(t *vt.Terminal, r io.Reader, buf []byte, full bool) error {
	for {
		var n int
		var err error
		if full {
			n, err = io.ReadFull(r, buf)
		} else {
			n, err = r.Read(buf)
		}
		t.Write(buf[:n])
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading: %w", err)
		}
	}
}

func print(w io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// live plays the terminal for a program at the other end: its answers are written to stdout before
// more input is read.
func live(size screen.Size, stdin io.Reader, stdout io.Writer) error {
	var failed error
	t := open(size, func(b []byte) {
		if _, err := stdout.Write(b); err != nil {
			failed = fmt.Errorf("writing: %w", err)
		}
	})
	if err := feed(t, stdin, make([]byte, piece), false); err != nil {
		return err
	}
	return failed
}

func bench(size screen.Size, file string, stdout io.Writer) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	t := open(size, nil)
	start := time.Now()
	for rest := data; len(rest) > 0; {
		n := min(len(rest), piece)
		t.Write(rest[:n])
		rest = rest[n:]
	}
	s := time.Since(start).Seconds()
	return print(stdout, struct {
		Bytes         int     `json:"bytes"`
		Seconds       float64 `json:"seconds"`
		Speed         float64 `json:"mb_s"`
		ScrollbackLen int     `json:"scrollback_len"`
	}{len(data), s, float64(len(data)) / s / 1e6, screen.Of(t, screen.Brief).ScrollbackLen})
}
