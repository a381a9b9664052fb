package app_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Limits of the bytes and allocations that all packages make before main begins. Go's own trace
// counts them, so the load does not matter. A package that makes more than smallBytes has a line in
// largeStarts, with its reason.
const (
	startBytes  = 1_280_000
	startAllocs = 6_000
	smallBytes  = 32_000
	// The runtime's table of interface types doubles once (runtime.itabAdd of Go 1.26). Which
	// package begins then depends on all code, so these bytes are nobody's.
	tableGrowth = 40_960
)

var largeStarts = map[string]int{
	"codeberg.org/readeck/go-readability/v2":     280_000, // expressions
	"github.com/ledongthuc/pdf":                  230_000, // names of signs
	"github.com/yuin/goldmark/util":              150_000, // letters of both cases
	"golang.org/x/net/html":                      140_000, // names of characters
	"github.com/yuin/goldmark/parser":            120_000, // expressions
	"github.com/google/jsonschema-go/jsonschema": 90_000,  // expressions
	"encoding/gob":                               40_000,
}

// promptBudget limits what happens before the first prompt: the number of reads and writes, their
// bytes, and the kilobytes of anonymous memory. Files of /proc and /sys count as well.
var promptBudget = map[string]int{"syscr": 45, "rchar": 32_000, "syscw": 12, "wchar": 1_400, "RssAnon": 4_800}

// screenBudget limits the bytes that are written to a terminal that answers nothing. They include a
// script's long path.
const screenBudget = 545

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`)

func TestTheStartOfThePackagesIsWithinItsBudget(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "GODEBUG=inittrace=1")
	r := p.run("", "--version")
	found := initLine.FindAllStringSubmatch(r.stderr, -1)
	if len(found) < 50 {
		t.Fatalf("only %d packages are traced: %s", len(found), r.stderr)
	}
	bytes, allocs, grown := 0, 0, false
	for _, f := range found {
		b, errBytes := strconv.Atoi(f[2])
		a, errAllocs := strconv.Atoi(f[3])
		if errBytes != nil || errAllocs != nil {
			t.Fatal(f)
		}
		bytes, allocs = bytes+b, allocs+a
		most := max(smallBytes, largeStarts[f[1]])
		if b > most && !grown {
			grown, b = true, b-tableGrowth
		}
		if b > most {
			t.Errorf("%s makes %d bytes at each start: make them when they are used", f[1], b)
		}
	}
	if bytes > startBytes || allocs > startAllocs {
		t.Errorf("the packages make %d bytes in %d allocations at each start; the budget is %d in %d",
			bytes, allocs, startBytes, startAllocs)
	}
}

// Before the first prompt the program reads a few small files, and starts no other.
func TestTheFirstPromptIsWithinItsBudget(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.screen("--script", p.script(hi))
	s.sees("Type a message", 0)
	pid := s.cmd.Process.Pid
	for what, budget := range promptBudget {
		file := "io"
		if what == "RssAnon" {
			file = "status"
		}
		if got := statOf(t, pid, file, what); got > budget || got == 0 {
			t.Errorf("%s is %d before the first prompt; the budget is %d", what, got, budget)
		}
	}
	if got := len(s.shown()); got > screenBudget {
		t.Errorf("%d bytes are written to a terminal that answers nothing; the budget is %d", got, screenBudget)
	}
	if n := childFaults(t, pid); n > 0 {
		t.Error("a program was started before the first prompt")
	}
	s.keys("!true\r") // the control
	s.waits("a program that was started", func() bool { return childFaults(t, pid) > 0 })
}

// statOf returns a number from a file in /proc that has one name a line.
func statOf(t *testing.T, pid int, file, name string) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("%s has no %s", file, name)
	return 0
}

// childFaults returns how many pages the children of a process have touched that it has waited for:
// none, if it started none.
func childFaults(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ") // from state on
	n, err := strconv.Atoi(strings.Fields(after)[8])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
