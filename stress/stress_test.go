package stress

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

var (
	seeds       = flag.Int("seeds", 150, "programs to run")
	first       = flag.Uint64("first", 1, "the first seed")
	ops         = flag.Int("ops", 60, "ops of a program")
	seedFlag    = flag.Uint64("seed", 0, "run only the program of this seed")
	profileName = flag.String("profile", "", "run only on this profile of stress/profile")
	natures     = flag.String("natures", "still,gentle,rough", "which programs, by their resizes: still, gentle, rough")
	shrink      = flag.Bool("shrink", true, "make a failing program smaller and keep it in testdata")
	small       = flag.Int("small", 3_000, "small programs to run")
	bursts      = flag.Int("bursts", 1_500, "small programs with several sizes in a row to run")
	races       = flag.Int("races", 1_500, "small programs whose window changes while a frame is in flight to run")
	classes     = flag.Bool("classes", false, "go on after failures, and count them by kind")
)

// Programs that failed once are run again first.
func TestProgramsThatFailedOncePass(t *testing.T) {
	files, err := filepath.Glob("testdata/*.program")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".program"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := program.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := Run(p); err != nil {
				t.Errorf("%s\n%v", p, err)
			}
		})
	}
}

// Programs of many ops, on terminals of usual and of tiny sizes.
func TestProgramsKeepTheTape(t *testing.T) {
	search(t, *seeds, func(seed uint64, profile string) program.Program {
		return program.Generate(seed, profile,
			*ops)
	})
}

// Small programs on small terminals, thousands in the time of one of the others.
func TestSmallProgramsKeepTheTape(t *testing.T) { search(t, *small, program.Small) }

// Small programs whose windows change several times in a row.
func TestBurstsKeepTheTape(t *testing.T) { search(t, *bursts, program.Burst) }

// Small programs whose window changes while an ordinary frame is in flight.
func TestResizeRacesKeepTheText(t *testing.T) { search(t, *races, program.ResizeRace) }

// search runs n programs, beside the other searches. The terminals take turns; a failing program is
// made smaller, printed, and kept in testdata.
func search(t *testing.T, n int, generate func(seed uint64, profile string) program.Program) {
	if !*mutantRun { // which ends with the first failure
		t.Parallel()
	}
	all := profile.All()
	found := map[string]int{}
	defer func() {
		for class, n := range found {
			t.Logf("%4d %s", n, class)
		}
	}()
	chosen := part.seeds(*first, uint64(n))
	if *seedFlag != 0 {
		chosen = shard{}.seeds(*seedFlag, 1)
	}
	for s := range chosen {
		name := all[int(s)%len(all)].Name
		if *profileName != "" {
			name = *profileName
		}
		p := generate(s, name)
		if !strings.Contains(*natures, p.Nature().String()) {
			continue
		}
		if err := Run(p); err != nil {
			class := Class(err)
			if found[class]++; found[class] == 1 {
				failWithSmallest(t, s, p, err)
			}
			if !*classes {
				return
			}
		}
	}
}

// failWithSmallest fails t with the smallest program that fails as p does.
func failWithSmallest(t *testing.T, seed uint64, p program.Program, err error) {
	t.Helper()
	if !*shrink {
		t.Errorf("seed %d: %v", seed, err)
		return
	}
	class := Class(err)
	small := program.Shrink(p, 3000, func(q program.Program) bool { return Class(Run(q)) == class })
	text := fmt.Sprintf("# seed %d, %d ops: %s\n%s", seed, len(p.Ops), class, small)
	file := filepath.Join("testdata", fmt.Sprintf("seed-%d.program", seed))
	if err := os.MkdirAll("testdata", 0o755); err == nil {
		err = os.WriteFile(file, []byte(text), 0o644)
		if err != nil {
			t.Log(err)
		}
	}
	t.Errorf("seed %d: %v\nmade smaller, kept in %s:\n%s\n%v", seed, err, file, small, Run(small))
}
