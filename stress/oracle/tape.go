package oracle

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Tape plays a log (see [workload.EncodeLog]) in another emulator and returns what it shows at the
// end, as JSON. emulator is "xtermjs", "ghostty" or "kitty", which are run by tape.mjs or kitty.py
// in the folder dir. The emulator first shows some rows of a shell, as many as shell says.
// graphemes makes it measure grapheme clusters.
func Tape(dir, emulator string, log []byte, shell int, graphemes bool) ([]byte, error) {
	if emulator == "kitty" {
		return outputOf(log, shell, Kitty(), "+launch", filepath.Join(dir, "kitty.py"))
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMissing, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@xterm", "headless")); err != nil {
		return nil, fmt.Errorf("%w: no node_modules", ErrMissing)
	}
	args := []string{node, filepath.Join(dir, "tape.mjs"), "--emulator", emulator}
	if graphemes {
		args = append(args, "--graphemes")
	}
	return outputOf(log, shell, args...)
}

// outputOf runs the program args on a log, and returns what it prints. shell is the number of rows
// that a shell prints first.
func outputOf(log []byte, shell int, args ...string) ([]byte, error) {
	return askWith(log, append(args, "--shell", strconv.Itoa(shell), "--log")...)
}

// askWith runs the program args with one more argument, the name of a temporary file that contains
// data. It returns what the program prints.
func askWith(data []byte, args ...string) ([]byte, error) {
	f, err := os.CreateTemp("", "tape")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	args = append(args, f.Name())
	out, err := exec.Command(args[0], args[1:]...).Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return nil, fmt.Errorf("oracle: %s: %w: %s", args[0], err, exit.Stderr)
	}
	return out, err
}
