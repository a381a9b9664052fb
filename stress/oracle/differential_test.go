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
	programs = flag.Int("programs", 300, "random programs to judge")
	ops      = flag.Int("ops", 40, "operations of each program")
	seed     = flag.Uint64("seed", 1, "seed of the first program; the next ones count up")
	only     = flag.String("classes", "", "comma-separated classes of operations (default all): "+
		strings.Join(Classes(), ","))
	reduceFlag = flag.Int("reduce", 3, "how many failing programs to reduce and print")
)

// emulator plays a program on terminal/vt. Every other operation arrives byte by byte: chunking
// must not matter.
func emulator(p Program) []*screen.Dump {
	var dumps []*screen.Dump
	t := vt.New(vt.Config{Cols: p.Size.Cols, Rows: p.Size.Rows, Scrollback: p.Size.Scrollback,
		Personality: vt.Personality{ReflowCutsCursor: true}}) // as the pinned core
	n := 0
	for op := range p.Script() {
		switch {
		case op.Reset != nil:
		case op.Resize != nil:
			t.Resize(op.Resize.Cols, op.Resize.Rows)
		case op.Dump != "":
			if err := t.Check(); err != nil {
				panic(err)
			}
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
	var crashed, excused []uint64
	for done := 0; done < *programs; done += batch {
		var list []Program
		for i := range min(batch, *programs-done) {
			list = append(list, Generate(*seed+uint64(done+i), *ops, classes))
		}
		var bad []Verdict
		for i := 0; i < len(list); {
			for v, err := range d.Compare(list[i:], emulator) {
				v.Seed = *seed + uint64(done+i)
				i++
				if err != nil { // the core died of this program: nobody knows what it would have shown
					crashed = append(crashed, v.Seed)
					d = start(t)
					break
				}
				if !v.OK() {
					bad = append(bad, v)
				}
			}
		}
		for _, v := range bad {
			if contradictsItself(t, d, v) {
				excused = append(excused, v.Seed)
				continue
			}
			kinds[kind(v)]++
			failed++
			if len(reduced) >= *reduceFlag {
				continue
			}
			small, err := d.Reduce(v, 1500, emulator)
			if err != nil {
				d = start(t)
			}
			if key := signature(small); !reduced[key] {
				reduced[key] = true
				t.Errorf("seed %d, reduced:\n%v", v.Seed, small)
			}
		}
	}
	if len(crashed) > 0 {
		t.Logf("the core crashed on %d programs, seeds %v", len(crashed), crashed)
	}
	if len(excused) > 0 {
		t.Logf("the core's links change more than links in %d programs, seeds %v", len(excused), excused)
	}
	if len(crashed)+len(excused) > 1+*programs/100 {
		t.Errorf("that is too many to call this a judgement")
	}
	t.Logf("%d programs of %d operations in %v: %d differ", *programs, *ops, time.Since(from).Round(time.Millisecond),
		failed)
	if failed > 0 {
		t.Errorf("%d programs differ: %v", failed, counts(kinds))
	}
}

// contradictsItself reports the one known difference that cannot be mended: the core copies a page
// when its table of links has to grow, in the middle of what it is doing. Marks go to the freed
// page then, and soft wraps left over in unused rows (see clearHistory of terminal/vt) are gone. It
// shows in that a program differs with its links and does not without them, while links change
// nothing else in terminal/vt.
func contradictsItself(t *testing.T, d *Driver, v Verdict) bool {
	p := v.Program
	p.Ops = slices.Clone(p.Ops)
	links := false
	for i := range p.Ops {
		if p.Ops[i].Name == "OSC 8" {
			p.Ops[i].Bytes, links = "", true
		}
	}
	if !links {
		return false
	}
	same := true
	for w, err := range d.Compare([]Program{p}, emulator) {
		if err != nil {
			t.Fatal(err)
		}
		same = w.OK()
	}
	without := emulator(p)
	for i, with := range emulator(v.Program) {
		same = same && len(screen.Compare(unlinked(with), unlinked(without[i]), rules)) == 0
	}
	return same
}

func unlinked(d *screen.Dump) *screen.Dump {
	for _, rows := range [][]screen.Row{d.Scrollback, d.Grid} {
		for _, r := range rows {
			for i := range r.Cells {
				r.Cells[i].Link = ""
			}
		}
	}
	return d
}

var digits = regexp.MustCompile(`-?\d+`)

// kind returns where a verdict's first difference lies, without numbers.
func kind(v Verdict) string {
	where, _, _ := strings.Cut(digits.ReplaceAllString(v.Differences[0].Where, "#"), " col")
	return where
}

// signature puts reduced programs that look alike into one class: the same operations and the same
// kind of difference.
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
