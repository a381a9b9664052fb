//go:build linux

// Command answers lets agentshell, and other programs, show an answer that streams, on a pseudo
// terminal of 100x30, and prints how long a piece of it takes to the screen and what it costs.
//
//	go run -C stress/peers ./answers [-rounds 3] [-peer pi=FILE]
//
// The page docs/bench.md says what is measured, and how the other programs are installed and set
// up. A server on loopback plays the model, by the Messages API.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var (
	ours    = flag.String("ours", "", "the program of agentshell; without it, it is built")
	rounds  = flag.Int("rounds", 3, "how often each program is played")
	words   = flag.Int("words", 700, "how many words an answer has, one a delta")
	rates   = flag.String("rates", "60,300", "how many deltas come in a second, commas between them")
	resumes = flag.String("resumes", "820,10000", "how many messages agentshell resumes, commas between them")
	keys    = flag.Int("keys", 60, "how many keys are typed in each manner")
	show    = flag.Bool("show", false, "print the screen behind each answer")
)

func main() {
	var peers []program
	flag.Func("peer", "NAME=FILE of another program: "+strings.Join(peerNames(), ", "), func(text string) error {
		name, file, _ := strings.Cut(text, "=")
		p, known := peerNamed(name, file)
		if !known {
			return fmt.Errorf("there is no setup for %q", name)
		}
		peers = append(peers, p)
		return nil
	})
	flag.Parse()
	if err := run(peers); err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

// run plays all programs in turn, round by round, and prints the medians.
func run(peers []program) error {
	dir, err := os.MkdirTemp("", "answers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := *ours
	if file == "" {
		file = filepath.Join(dir, "agentshell")
		build := exec.Command("go", "build", "-trimpath", "-o", file, "./agentshell")
		build.Dir = "../.."
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	all := append([]program{agentshell(file)}, peers...)
	tables := make([]table, len(all))
	for round := range *rounds {
		for i, p := range all {
			t := &tables[i]
			if err := playRound(p, filepath.Join(dir, fmt.Sprint(p.name, round)), t); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	for i, p := range all {
		tables[i].print(os.Stdout, p.name)
	}
	return nil
}

// playRound plays each task once, in a folder of the program's own.
func playRound(p program, dir string, t *table) error {
	for _, rate := range numbers(*rates) {
		if err := playAnswer(p, filepath.Join(dir, fmt.Sprint("rate", rate)), rate, t); err != nil {
			return fmt.Errorf("%d deltas a second: %w", rate, err)
		}
	}
	if err := playKeys(p, filepath.Join(dir, "keys"), t); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if p.resume == nil {
		return nil
	}
	for _, n := range numbers(*resumes) {
		if err := playResume(p, filepath.Join(dir, fmt.Sprint("resume", n)), n, t); err != nil {
			return fmt.Errorf("%d messages: %w", n, err)
		}
	}
	return nil
}

// numbers returns the numbers of a list with commas.
func numbers(list string) (all []int) {
	for part := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil && n > 0 {
			all = append(all, n)
		}
	}
	return all
}

// table collects the figures of a program by their names, in the order in which they came.
type table struct {
	names  []string
	values map[string][]float64
}

// add adds a figure of one round.
func (t *table) add(name string, value float64) {
	if t.values == nil {
		t.values = map[string][]float64{}
	}
	if _, known := t.values[name]; !known {
		t.names = append(t.names, name)
	}
	t.values[name] = append(t.values[name], value)
}

// print prints the median of each figure, and the smallest and the largest one.
func (t *table) print(to *os.File, program string) {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Fprintf(to, "\n%s, %d rounds, load %s\n\n", program, *rounds,
		strings.Join(strings.Fields(string(load))[:3], " "))
	fmt.Fprintf(to, "| %-58s | %9s | %9s | %9s |\n| --- | --: | --: | --: |\n", "figure", "median", "least", "most")
	for _, name := range t.names {
		list := slices.Sorted(slices.Values(t.values[name]))
		fmt.Fprintf(to, "| %-58s | %9.2f | %9.2f | %9.2f |\n", name, list[len(list)/2], list[0], list[len(list)-1])
	}
}
