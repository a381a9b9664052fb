package stress

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/mutate"
)

var (
	mutations    = flag.Int("mutations", 0, "bugs by operator that are put into the renderer: make stress puts 100")
	mutationSeed = flag.Uint64("mutationseed", 1, "which of them")
	mutated      = flag.String("mutated", "", "only in functions like this; -profile: on it alone")
)

// spine are the files of package renderer from a picture to bytes, and what becomes of it at a
// resize.
var spine = []string{"emit.go", "erase.go", "frame.go", "ledger.go", "pending.go", "plan.go", "renderer.go",
	"floor.go", "resize.go", "row.go", "slide.go"}

// equivalent are bugs that no tape shows, by function and operator, with the reason.
var equivalent = map[string]string{
	"ledger.check drop": "a check of the renderer's own beliefs",
	"rowCost negate":    "an estimate: another way to the same rows is taken",
}

// A bug by operator is at a place that a seed has chosen. At most one in mostSurvive may stay
// unseen.
const mostSurvive = 5

// sizeTests are those of other packages that count the live rows which a change of size leaves
// behind, or look at what is admitted of them.
var sizeTests = map[string]string{"../tui": "^Test(InKitty|AFrame|AnAnsweredFrame|ASignal)",
	"../renderer": "Report|Resize"}

type drawn struct {
	path string
	src  []byte
	mutate.Mutant
}

func (d drawn) String() string { return filepath.Base(d.path) + ": " + d.Mutant.String() }

// key returns how d stands in equivalent.
func (d drawn) key() string { return d.Func + " " + string(d.Operator) }

func TestBugsByOperatorAreFound(t *testing.T) {
	if *mutantRun {
		return // it is this test that runs it
	}
	if *mutations > 0 {
		need.Time(t)
	}
	only, err := regexp.Compile(*mutated)
	if err != nil {
		t.Fatal(err)
	}
	var all []drawn
	for _, file := range spine {
		path, err := filepath.Abs(filepath.Join("..", "renderer", file))
		if err != nil {
			t.Fatal(err)
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := mutate.Of(src)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s has %d places for a bug, %v", file, len(found), err)
		}
		for _, m := range found {
			if only.MatchString(m.Func) && slices.Contains(mutate.General(), m.Operator) {
				all = append(all, drawn{path, src, m})
			}
		}
	}
	rng := rand.New(rand.NewPCG(*mutationSeed, 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	dir := t.TempDir()
	seen, unseen := 0, []drawn{}
	for i, d := range all {
		if seen+len(unseen) == *mutations {
			break
		}
		if _, ok := equivalent[d.key()]; ok {
			continue
		}
		found, compiles := d.run(t, filepath.Join(dir, fmt.Sprint(i)))
		switch {
		case !compiles:
		case found:
			seen++
			t.Logf("found: %s", d)
		default:
			unseen = append(unseen, d)
			t.Logf("nothing has found %s\n%.200s\nas %q", d, d.src[d.From:], d.New)
		}
	}
	t.Logf("seed %d, %d places: %d bugs were found, %d were not", *mutationSeed, len(all), seen, len(unseen))
	if *mutations == 0 {
		return // a few of them say nothing of all: each change of the renderer draws others
	}
	ran := seen + len(unseen)
	if *mutated == "" && ran < *mutations || ran == 0 || len(unseen) > max(1, ran/mostSurvive) {
		t.Errorf("%d of %d bugs were found by no program: %v", len(unseen), ran, unseen)
	}
}

// run reports whether the harness compiles with the bug, and fails or does not end with it.
func (d drawn) run(t *testing.T, dir string) (found, compiles bool) {
	t.Helper()
	binary, err := compileTests(t, dir, d.path, mutate.Apply(d.src, d.Mutant))
	if err != nil {
		return false, false
	}
	defer os.Remove(binary)
	if filepath.Base(d.path) == "resize.go" { // what is left behind is admitted here
		for pkg, tests := range sizeTests {
			run := exec.Command("go", "test", "-overlay", filepath.Join(dir, overlayFile), "-run", tests, pkg)
			if run.Run() != nil {
				return true, true
			}
		}
	}
	args := []string{"-c", `ulimit -v 6000000; ulimit -t 240; exec "$0" "$@"`, binary, // a loop without end
		"-test.run", "^Test(ProgramsThatFailedOncePass|.*Keep(TheTape|TheText))$",
		"-test.failfast", "-test.timeout", "15m", "-mutant", "-shrink=false", "-seeds", "600", "-ops", "40"}
	if *profileName != "" { // as many for it as if all took turns
		args = append(args, "-profile", *profileName,
			"-seeds", "60", "-small", "2000", "-bursts", "1000", "-races", "1000")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	return exec.CommandContext(ctx, need.Program(t, "sh"), args...).Run() != nil, true
}
