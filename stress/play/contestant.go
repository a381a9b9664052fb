package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// contestant is a program that plays scripts with one terminal library. Each play runs in a process
// of its own, so that no play uses memory of an earlier one.
type contestant struct {
	name string
	argv []string // command line, without --script, --policy and --log
	slow bool     // play only one round, and only the first policy
	only []string // workloads that the program can play; nil: all
}

// ours is the name of the contestant that uses this module. It is the test binary of this package.
const ours = "scrollkeep"

func (c contestant) plays(name string) bool { return c.only == nil || slices.Contains(c.only, name) }

// run plays the script in the given file, and returns the measured figures. The program writes its
// output to the file o.Log.
func (c contestant) run(file string, o options) (*result, error) {
	args := slices.Concat(c.argv[1:], []string{"--script", file, "--policy", o.Policy, "--log", o.Log})
	if c.name == ours {
		args = append(args, "--resize", o.Resize, "--profile", o.Profile)
	}
	out, err := exec.Command(c.argv[0], args...).Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return nil, fmt.Errorf("%s: %w: %s", c.name, err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	r := &result{}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(r); err != nil || len(r.Windows) == 0 {
		return nil, fmt.Errorf("%s: no window in %q: %w", c.name, out, err)
	}
	return r, nil
}

// verdictOf plays the log in o.Log on an emulator and judges what it shows. It is the same for
// every contestant.
func verdictOf(o options, s workload.Script) (*verdict, error) {
	b, err := os.ReadFile(o.Log)
	if err != nil {
		return nil, err
	}
	log, err := workload.DecodeLog(b)
	if err != nil {
		return nil, err
	}
	p, ok := profile.ByName(o.Profile)
	if !ok {
		return nil, fmt.Errorf("no profile is called %q", o.Profile)
	}
	c := trial{s, o.Policy == "msg", p, o.Emulator != "" && o.Emulator != o.Profile, log, false}
	if o.Emulator == "" {
		return c.check(replay(p, log)), nil
	}
	got, err := foreign(o.Emulator, o.Oracle, log)
	if err != nil {
		return nil, err
	}
	return c.check(got), nil
}

// rivals returns the contestants with other libraries: the programs of the Go module in dir, which
// it builds into the folder tmp, and those for node if their packages are installed.
func rivals(dir, tmp string) ([]contestant, error) {
	bin := filepath.Join(tmp, "peers")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	var all []contestant
	known := []string{"w1", "w2-1000", "w3", "w4", "w5", "w6", "w7"}
	for _, p := range []string{"bubbletea1", "bubbletea1-text", "bubbletea2", "bubbletea2-text"} {
		all = append(all, contestant{name: p, argv: []string{bin, "--peer", p}, only: known})
	}
	node := filepath.Join(dir, "node")
	if _, err := os.Stat(filepath.Join(node, "node_modules")); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "play: ink and pi-tui are left out: npm ci --ignore-scripts --prefix %s installs"+
			" them\n", node)
		return all, nil
	}
	for _, p := range []string{"ink", "pi"} {
		all = append(all, contestant{name: p, argv: []string{"node", filepath.Join(node, "play.mjs"), "--peer", p},
			slow: true,
			only: slices.DeleteFunc(slices.Clone(known), func(w string) bool { return strings.HasPrefix(w, "w6") })})
	}
	return all, nil
}
