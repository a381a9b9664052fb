package oracle

import (
	"fmt"
	"iter"
	"regexp"
	"runtime/debug"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// rules says what is compared besides the common set: everything that ghostty's core can report.
var rules = screen.Rules{Replies: true, Images: true, Protection: true, Extras: true}

// applicationOnly matches replies that differ between the ghostty application and its core (title
// report, DA3, focus at once, in-band size at once, XTGETTCAP, DECRQSS, colours). They are removed
// on both sides, because the application cannot be asked.
var applicationOnly = regexp.MustCompile("\x1b\\[[IO]|\x1b\\[48;[0-9;]*t|\x1b" +
	"P[01][$+]r[^\x1b]*\x1b\\\\|\x1bP!\\|[0-9A-F]*\x1b\\\\|\x1b\\][0-9l][^\a\x1b]*(\a|\x1b\\\\)")

// Subject is the emulator under test, as a function: it plays a program and returns a dump for each
// dump of [Program.Script].
type Subject func(Program) []*screen.Dump

// Verdict holds the result of one program. Differences lists those in the first dump that differs.
type Verdict struct {
	Program     Program
	Seed        uint64 // seed of the program, set by the caller
	Dump        int    // index of the first dump in which the emulators differ
	Differences []screen.Difference
	Got, Want   *screen.Dump
}

// OK reports whether the emulator under test agrees with ghostty in all dumps.
func (v Verdict) OK() bool { return len(v.Differences) == 0 }

// String returns the program, the differences, and the screens of both emulators.
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

// Compare plays the programs on the subject and on ghostty's core, and yields a verdict for each
// program. It runs all of them in one process. Operations for which ghostty has changed since the
// core are rewritten for the core, or left out on both sides, see [Changes]. It ends at an error:
// the core has crashed, or the driver is broken.
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

// Reduce makes the failing program of v smaller, with at most the given number of tries. The result
// fails, too, but perhaps in another way.
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
