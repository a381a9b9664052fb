package play

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// table plays workloads with all contestants, and prints what a frame costs with each of them.
type table struct {
	w                                 io.Writer
	who                               []contestant
	names, sizes, policies, terminals []string
	seed                              uint64
	rounds                            int // number of plays, of whose CPU times the median is taken
	play                              func(c contestant, file string, o options) (*result, error)
	dir                               string // folder for the files of scripts and logs

	lines []line
}

// line holds the figures of one window that a contestant has played. It is one row of the table.
type line struct {
	workload, size, policy, who, window string
	frames                              int
	bytes, cpu, allocs                  float64 // bytes, CPU time in microseconds, and allocations of one frame
	// CPU time of the fastest round. On a busy machine, it compares windows of a few frames better
	// than the median.
	least float64
	heap  float64 // MiB of heap in use at the end
	twice float64 // bytes for each frame that every library must send a second time under this policy
	tape  *verdict
	last  bool // this is the last measured window of its script
}

const lineFormat = "%-9s %-7s %-6s %-24s %-10s %8s %8s %7s  %s\n"

// run plays all workloads in all sizes with all contestants, and prints the table and the summary.
func (t *table) run(o options) error {
	fmt.Fprintf(t.w, lineFormat, "workload", "size", "policy", "contestant", "window", "B/frame", "us", "allocs",
		"tape")
	for _, size := range t.sizes {
		cols, rows, err := Dimensions(size)
		if err != nil {
			return err
		}
		for _, name := range t.names {
			s, err := workload.Make(name, cols, rows, t.seed)
			if err != nil {
				return err
			}
			if err := Save(s, t.dir, name); err != nil {
				return err
			}
			for _, o.Policy = range t.policies {
				if err := t.contest(name, size, s, o); err != nil {
					return err
				}
			}
		}
	}
	return t.summary()
}

// entry is a contestant together with the terminal that it plays on, and the results of its rounds.
type entry struct {
	contestant
	label, terminal string
	rounds          []*result
}

// contest lets all contestants play one script in turn, in several rounds, and prints the results.
func (t *table) contest(name, size string, s workload.Script, o options) error {
	var entries []*entry
	for _, c := range t.who {
		for i, terminal := range t.terminals {
			if c.name == ours {
				entries = append(entries, &entry{contestant: c, label: ours + " " + terminal, terminal: terminal})
			} else if i == 0 && c.plays(name) && (!c.slow || o.Policy == t.policies[0]) {
				entries = append(entries, &entry{contestant: c, label: c.name, terminal: terminal})
			}
		}
	}
	file := filepath.Join(t.dir, name+"-"+size)
	o.Log = file + ".log"
	tapes := make([]*verdict, len(entries))
	rounds := t.rounds
	if name == "w1scale" && rounds > 1 {
		rounds *= 5 // its windows are short
	}
	for round := range rounds {
		for i, e := range entries {
			if round > 0 && e.slow {
				continue
			}
			o.Profile = e.terminal
			r, err := t.play(e.contestant, file+".jsonl", o)
			if err != nil {
				return err
			}
			e.rounds = append(e.rounds, r)
			if round == 0 && len(s.Expect) > 0 {
				if tapes[i], err = verdictOf(o, s); err != nil {
					return err
				}
			}
		}
	}
	for i, e := range entries {
		for j, w := range e.rounds[0].Windows {
			n := float64(max(w.Frames, 1))
			l := line{workload: name, size: size, policy: o.Policy, who: e.label, window: w.Name, frames: w.Frames,
				bytes: float64(w.Bytes) / n,
				cpu:   e.medianCPU(j) / n, least: e.leastCPU(j) / n, allocs: float64(w.Allocs) / n, heap: w.Heap,
				tape: tapes[i], last: j == len(e.rounds[0].Windows)-1}
			if o.Policy == "msg" && (name == "w1" || name == "w7") {
				l.twice = float64(s.LeastResent()) / n
			}
			t.lines = append(t.lines, l)
			tape := ""
			if l.last && l.tape != nil {
				tape = l.tape.String()
			}
			fmt.Fprintf(t.w, lineFormat, name, size, o.Policy, e.label, w.Name, figure(l.bytes), figure(l.cpu),
				figure(l.allocs), tape)
		}
	}
	return os.Remove(o.Log)
}

// medianCPU returns the median of the rounds' CPU times for window j, in microseconds.
func (e *entry) medianCPU(j int) float64 {
	var all []int64
	for _, r := range e.rounds {
		all = append(all, r.Windows[j].CPU)
	}
	slices.Sort(all)
	return float64(all[len(all)/2]+all[(len(all)-1)/2]) / 2
}

// leastCPU returns the least of the rounds' CPU times for window j, in microseconds.
func (e *entry) leastCPU(j int) float64 {
	least := e.rounds[0].Windows[j].CPU
	for _, r := range e.rounds {
		least = min(least, r.Windows[j].CPU)
	}
	return float64(least)
}

func figure(f float64) string { return fmt.Sprintf("%.1f", f) }

// findWindow returns the figures for one measured window of a contestant whose name begins with
// who. If window is "", it may have any name. It returns false if there is none.
func (t *table) findWindow(name, size, policy, who, window string) (line, bool) {
	for _, l := range t.lines {
		if l.workload == name && l.size == size && l.policy == policy && strings.HasPrefix(l.who, who) &&
			(window == "" || l.window == window) {
			return l, true
		}
	}
	return line{}, false
}
