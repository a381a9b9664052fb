package oracle

import (
	"fmt"
	"iter"
	"regexp"
	"runtime/debug"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// rules are what a judgement compares beyond the common set: everything that the core can tell.
var rules = screen.Rules{Replies: true, Images: true, Protection: true, Extras: true}

// applicationOnly are replies that either the application adds to its core or the core gives and
// the application does not (title report, DA3, focus at once, in-band size at once, XTGETTCAP,
// DECRQSS, colours). They are left out on both sides: no core of the application can be asked.
var applicationOnly = regexp.MustCompile("\x1b\\[[IO]|\x1b\\[48;[0-9;]*t|\x1b" +
	"P[01][$+]r[^\x1b]*\x1b\\\\|\x1bP!\\|[0-9A-F]*\x1b\\\\|\x1b\\][0-9l][^\a\x1b]*(\a|\x1b\\\\)")

// A Subject is an emulator under judgement: it plays a program and returns a dump for each dump of
// [Program.Script].
type Subject func(Program) []*screen.Dump

// A Verdict is what the judge found on one program. Differences are those of the first dump that
// differs.
type Verdict struct {
	Program     Program
	Seed        uint64 // the caller's: where the program came from
	Dump        int    // index of the dump that differs
	Differences []screen.Difference
	Got, Want   *screen.Dump
}

// OK reports whether no dump differs.
func (v Verdict) OK() bool { return len(v.Differences) == 0 }

// String prints the program, the differences and both pictures.
func (v Verdict) String() string {
	s := v.Program.String()
	for _, d := range v.Differences {
		s += "  " + d.String() + "\n"
	}
	if v.Got != nil && v.Want != nil {
		s += "got  " + v.Got.String() + "want " + v.Want.String()
	}
	return s
}

// Compare plays the programs on the subject and on the ghostty core, many at a time in the driver's
// one process, and yields a verdict for each. What is behind the core is told it in its own words,
// or left out on both sides ([Changes]). An error ends it: the core crashed or the driver is
// broken.
func (d *Driver) Compare(programs []Program, subject Subject) iter.Seq2[Verdict, error] {
	return d.compare(programs, subject, Changes())
}

func (d *Driver) compare(programs []Program, subject Subject, changes []Change) iter.Seq2[Verdict, error] {
	return func(yield func(Verdict, error) bool) {
		script := func(yield func(screen.Op) bool) {
			for _, p := range programs {
				for op := range tell(avoid(p, changes), changes).Script() {
					if !yield(op) {
						return
					}
				}
			}
		}
		next, stop := iter.Pull2(d.Run(script))
		defer stop()
		for _, p := range programs {
			v := Verdict{Program: p}
			got, panicked := play(subject, avoid(p, changes))
			if panicked != "" {
				v.Differences = []screen.Difference{{Where: "panic", Got: panicked, Want: "none"}}
			}
			for i := range p.Dumps() {
				want, err, ok := next()
				if !ok {
					err = fmt.Errorf("oracle: no dump %d", i)
				}
				if err != nil {
					yield(v, err)
					return
				}
				if !v.OK() {
					continue // read on to the next program
				}
				if i >= len(got) {
					v.Differences = []screen.Difference{{Where: "dumps", Got: fmt.Sprint(len(got)),
						Want: fmt.Sprint(p.Dumps())}}
					continue
				}
				got[i].Replies = applicationOnly.ReplaceAll(got[i].Replies, nil)
				want.Replies = applicationOnly.ReplaceAll(want.Replies, nil)
				if diff := screen.Compare(got[i], want, rules); len(diff) > 0 {
					v.Dump, v.Differences, v.Got, v.Want = i, diff, got[i], want
				}
			}
			if !yield(v, nil) {
				return
			}
		}
		next() // past the last dump, so that the driver ends its script in peace and can run another
	}
}

func play(subject Subject, p Program) (dumps []*screen.Dump, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	return subject(p), ""
}

// Reduce shrinks a failing program and compares each smaller one in the same way. The result fails,
// too, but perhaps in another way.
func (d *Driver) Reduce(v Verdict, tries int, subject Subject) (Verdict, error) {
	var broken error
	best := v
	Shrink(v.Program, tries, func(p Program) bool {
		if broken != nil {
			return false
		}
		var w Verdict
		for got, err := range d.Compare([]Program{p}, subject) { // never broken off: the driver would be lost
			w, broken = got, err
		}
		if broken != nil || w.OK() {
			return false
		}
		best = w
		return true
	})
	return best, broken
}
