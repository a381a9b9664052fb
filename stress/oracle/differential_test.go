package oracle

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/screen"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

var (
	programs = flag.Int("programs", 400, "random programs to judge")
	ops      = flag.Int("ops", 40, "operations of each program")
	seed     = flag.Uint64("seed", 1, "seed of the first program; the next ones count up")
	only     = flag.String("classes", "", "comma-separated classes of operations (default all): "+strings.Join(Classes(), ","))
	reduce   = flag.Int("reduce", 3, "how many failing programs to reduce and print")
)

// emulator plays a program on terminal/vt. Every other operation arrives byte by byte: chunking must not matter.
func emulator(p Program) []*screen.Dump {
	var dumps []*screen.Dump
	t := vt.New(vt.Config{Cols: p.Size.Cols, Rows: p.Size.Rows, Scrollback: p.Size.Scrollback})
	n := 0
	for op := range p.Script() {
		switch {
		case op.Reset != nil:
		case op.Resize != nil:
			t.Resize(op.Resize.Cols, op.Resize.Rows)
		case op.Dump != "":
			dumps = append(dumps, screen.Of(t, op.Dump))
		default:
			if n++; n%2 == 0 {
				t.Write(op.Write)
				continue
			}
			for i := range op.Write {
				t.Write(op.Write[i : i+1])
			}
		}
	}
	return dumps
}

// batch is how many programs are judged in one script: enough to keep both sides busy.
const batch = 200

func TestRandomProgramsLeaveTheSameTerminalAsTheGhosttyCore(t *testing.T) {
	d := start(t)
	var classes []string
	if *only != "" {
		classes = strings.Split(*only, ",")
	}
	from := time.Now()
	kinds := map[string]int{}
	failed := 0
	reduced := map[string]bool{}
	for done := 0; done < *programs; done += batch {
		var list []Program
		for i := range min(batch, *programs-done) {
			list = append(list, Generate(*seed+uint64(done+i), *ops, classes))
		}
		i := 0
		var bad []Verdict
		for v, err := range d.Judge(list, emulator) {
			if err != nil {
				t.Fatalf("seed %d: %v", *seed+uint64(done+i), err)
			}
			if !v.OK() {
				kinds[kind(v)]++
				failed++
				v.Seed = *seed + uint64(done+i)
				bad = append(bad, v)
			}
			i++
		}
		for _, v := range bad {
			if len(reduced) >= *reduce {
				break
			}
			small, err := d.Reduce(v, 1500, emulator)
			if err != nil {
				t.Fatalf("seed %d: %v", v.Seed, err)
			}
			if key := signature(small); !reduced[key] {
				reduced[key] = true
				t.Errorf("seed %d, reduced:\n%v", v.Seed, small)
			}
		}
	}
	t.Logf("%d programs of %d operations in %v: %d differ", *programs, *ops, time.Since(from).Round(time.Millisecond), failed)
	if failed > 0 {
		t.Errorf("%d programs differ: %v", failed, counts(kinds))
	}
}

var digits = regexp.MustCompile(`-?\d+`)

// kind is where a verdict's first difference lies, without numbers.
func kind(v Verdict) string {
	where, _, _ := strings.Cut(digits.ReplaceAllString(v.Differences[0].Where, "#"), " col")
	return where
}

// signature puts reduced programs that look alike into one class: the same operations and the same kind of difference.
func signature(v Verdict) string {
	var names []string
	for _, op := range v.Program.Ops {
		names = append(names, op.Name)
	}
	sort.Strings(names)
	return strings.Join(slices.Compact(names), " ") + kind(v)
}

func counts(kinds map[string]int) []string {
	var list []string
	for k, n := range kinds {
		list = append(list, fmt.Sprintf("%s: %d", k, n))
	}
	sort.Strings(list)
	return list
}
