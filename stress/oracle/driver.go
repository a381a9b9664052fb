// Package oracle compares terminal/vt with the real ghostty core on random programs. The core runs
// in node.
//
// # The core
//
// The npm package @coder/libghostty-vt-node 0.1.0-beta.0 has ghostty's VT core (commit
// 48ccec182a93, April 2026) as a prebuilt node addon. core.mjs calls the C API inside that shared
// object, so that a dump is complete: wrap flags, pending wrap, modes, replies, links and images,
// not only the text and colours of the addon's own JavaScript API. driver.mjs understands the
// script mode of stress/cmd/vtdump. Only the pinned versions are committed here: `npm ci --prefix
// stress/oracle` installs the package.
//
// # The comparison
//
// A [Program] is a size and a list of operations, which can be printed. [Generate] returns one for
// a seed, [Driver.Run] plays many in one process, and [Shrink] makes a failing one small enough to
// read. The tests do the comparison:
//
//	go test ./stress/oracle -args -programs 20000 -seed 7
//	    more programs; -ops N for longer ones, -classes sgr,resize for some kinds only
//	go test ./stress/oracle -run CodePoint -args -codepoints 1
//	    every code point, not a sample
//	go test ./stress/oracle -run - -bench Core -benchtime 3x
//	    the speed of terminal/vt beside the core's, in one run
//
// Without node or the package the tests are skipped; SCROLLKEEP_REQUIRE=ghostty makes them fail
// instead.
package oracle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// ErrMissing is wrapped by the errors of [Start] if node or the npm packages are not installed.
var ErrMissing = errors.New("oracle: node or the ghostty core is not installed (npm ci --prefix stress/oracle)")

// Driver is a node process that runs ghostty's core, with one terminal at a time. It is for one
// goroutine.
type Driver struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors *strings.Builder
}

// Start starts the driver from the folder dir, which is stress/oracle of the module. The caller has
// to close it.
func Start(dir string) (*Driver, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMissing, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@coder", "libghostty-vt-node")); err != nil {
		return nil, fmt.Errorf("%w: no node_modules", ErrMissing)
	}
	d := &Driver{cmd: exec.Command(node, filepath.Join(dir, "driver.mjs"), "--script"), errors: new(strings.Builder)}
	d.cmd.Stderr = d.errors
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("oracle: %w", err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("oracle: %w", err)
	}
	d.out = bufio.NewReaderSize(out, 1<<20)
	if err := d.cmd.Start(); err != nil {
		return nil, fmt.Errorf("oracle: %w", err)
	}
	return d, nil
}

// Run plays a script and yields its dumps in order. It writes and reads at the same time, so that
// the script may be of any length. After an error, or if the caller leaves the loop early, the
// driver cannot be used any more.
func (d *Driver) Run(script iter.Seq[screen.Op]) iter.Seq2[*screen.Dump, error] {
	return func(yield func(*screen.Dump, error) bool) {
		dumps := make(chan struct{}, 1<<16) // one token per dump that was asked for
		failed := make(chan error, 1)
		go func() {
			failed <- d.send(script, dumps)
			close(dumps)
		}()
		for range dumps {
			dump, err := d.read()
			if !yield(dump, err) || err != nil {
				d.in.Close()
				for range dumps { // let the writer end
				}
				return
			}
		}
		if err := <-failed; err != nil {
			yield(nil, err)
		}
	}
}

// Do plays a few operations and returns the last dump among them, or nil if there was none.
func (d *Driver) Do(ops ...screen.Op) (last *screen.Dump, err error) {
	for dump, e := range d.Run(slices.Values(ops)) {
		last, err = dump, e
	}
	return last, err
}

func (d *Driver) send(script iter.Seq[screen.Op], dumps chan<- struct{}) error {
	w := bufio.NewWriterSize(d.in, 1<<16)
	for op := range script {
		line, err := json.Marshal(op)
		if err != nil {
			return fmt.Errorf("oracle: script: %w", err)
		}
		w.Write(append(line, '\n'))
		if op.Dump != "" {
			dumps <- struct{}{}
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("oracle: %w", err)
	}
	return nil
}

func (d *Driver) read() (*screen.Dump, error) {
	line, err := d.out.ReadSlice('\n')
	var long []byte
	for errors.Is(err, bufio.ErrBufferFull) {
		long = append(long, line...)
		line, err = d.out.ReadSlice('\n')
	}
	if long != nil {
		line = append(long, line...)
	}
	if err != nil {
		d.cmd.Wait()
		return nil, fmt.Errorf("oracle: the ghostty core ended: %w\n%s", err, d.errors)
	}
	dump := new(screen.Dump)
	if err := json.Unmarshal(line, dump); err != nil {
		return nil, fmt.Errorf("oracle: dump: %w", err)
	}
	return dump, nil
}

// Close ends the process. It returns nil if the process has ended before.
func (d *Driver) Close() error {
	d.in.Close()
	if d.cmd.ProcessState != nil {
		return nil
	}
	io.Copy(io.Discard, d.out)
	if err := d.cmd.Wait(); err != nil {
		return fmt.Errorf("oracle: %w: %s", err, d.errors)
	}
	return nil
}
