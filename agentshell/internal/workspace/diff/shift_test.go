package diff

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestShift(t *testing.T) {
	text := func(s string) []byte { // a letter is a line
		return []byte(strings.Join(strings.Split(s, ""), "\n") + "\n")
	}
	for _, c := range []struct {
		name, before, after string
		from, to            int
		by                  int
		ok                  bool
	}{
		{"nothing changed", "abc", "abc", 2, 2, 0, true},
		{"all of it", "abc", "abc", 1, 3, 0, true},
		{"a line above", "abcd", "xabcd", 3, 3, 1, true},
		{"two lines less above", "abcdefg", "acefg", 6, 7, -2, true},
		{"the line itself", "abcd", "abxd", 3, 3, 0, false},
		{"the line before it", "abcd", "axcd", 3, 3, 0, false},
		{"the line behind it", "abcd", "abxd", 2, 2, 0, false},
		{"two lines away", "abcde", "abcdx", 2, 3, 0, true},
		{"a line between", "abcd", "abxcd", 2, 3, 0, false},
		{"the place before a line", "abcd", "xabcd", 3, 2, 1, true},
		{"the place where a line was added", "abcd", "abxcd", 3, 2, 0, false},
		{"the place before the first line", "abc", "abcx", 1, 0, 0, true},
		{"the place behind the last line", "abc", "xabc", 4, 3, 1, true},
		{"the place before a new first line", "abc", "xabc", 1, 0, 0, false},
		{"one of three equal lines went", "xaaay", "xaay", 3, 3, 0, false},
		{"one was added to three equal lines", "xaaay", "xaaaay", 3, 3, 0, false},
		{"a round went", "xabababy", "xababy", 4, 4, 0, false},
		{"a round was added", "xababy", "xabababy", 3, 3, 0, false},
		{"behind a round that went", "xabababyz1", "xababyz1", 9, 9, -2, true},
		{"lines that there are twice", "1abc2abc3", "1abc2xabcy", 2, 2, 0, true},
		{"a stretch that there is twice", "1abc2abc3", "4abc5", 3, 3, 0, false},
		{"one of two pairs that changed places", "xabcdy", "xcdaby", 3, 2, 0, false},
		{"the other one", "xabcdy", "xcdaby", 5, 4, 0, false},
		{"no line", "", "", 1, 0, 0, true},
	} {
		by, ok := MakeShift(text(c.before), text(c.after)).Offset(c.from, c.to)
		if c.before == "" {
			by, ok = MakeShift(nil, nil).Offset(c.from, c.to)
		}
		if by != c.by || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, by, ok, c.by, c.ok)
		}
	}
}

// stale is a text, what another writer made of it, and a change of lines from to to (from 1) of the
// text that was written for the old one.
type stale struct {
	before, after []string
	origin        []int // of each line of after: its number in before from 1, or 0
	from, to      int   // to = from-1: lines are put in before from
	fresh         string
}

// newStale makes one of a text like programs are, in which many lines are the same.
func newStale(r *rand.Rand) (s stale) {
	line := func() string {
		if r.IntN(3) == 0 {
			return []string{"}", "", "\treturn nil", "\t}", "\tif err != nil {"}[r.IntN(5)]
		}
		return fmt.Sprintf("\tcall%d()", r.IntN(60))
	}
	for range 5 + r.IntN(60) {
		s.before = append(s.before, line())
	}
	s.after = append(s.after, s.before...)
	for i := range s.before {
		s.origin = append(s.origin, i+1)
	}
	for range 1 + r.IntN(4) {
		at := r.IntN(len(s.after) + 1)
		gone := min(r.IntN(4), len(s.after)-at)
		var lines []string
		for range r.IntN(4) {
			lines = append(lines, line())
		}
		s.after = append(append(append([]string{}, s.after[:at]...), lines...), s.after[at+gone:]...)
		s.origin = append(append(append([]int{}, s.origin[:at]...), make([]int, len(lines))...), s.origin[at+gone:]...)
		if len(s.after) == 0 {
			break
		}
	}
	s.from = 1 + r.IntN(len(s.before))
	s.to = min(len(s.before), s.from-1+r.IntN(4))
	s.fresh = "\tfresh()"
	return s
}

// put gives lines with fresh in place of lines from to to.
func (s stale) put(lines []string, from, to int) string {
	all := append(append(append([]string{}, lines[:from-1]...), s.fresh), lines[to:]...)
	return strings.Join(all, "\n") + "\n"
}

// truth returns where the lines are that the change was written for, by what the other writer did.
// !ok: they were changed, or a line was put between them.
func (s stale) truth() (by int, ok bool) {
	at := func(n int) int { // of line n of the old text in the new one
		for i, o := range s.origin {
			if o == n {
				return i + 1
			}
		}
		return 0
	}
	first, last := s.from, s.to
	if first > last { // a place between two lines
		first, last = max(1, first-1), min(len(s.before), first)
	}
	for n := first; n <= last; n++ {
		if at(n) == 0 || at(n)-n != at(first)-first {
			return 0, false
		}
	}
	return at(first) - first, true
}

// A change that was written for a text that another writer has changed since lands on its lines, or
// nowhere; and wherever it lands diff3 puts it there, too, or finds a conflict, which is rare.
// SCROLLKEEP_STALE=20000 plays as many, with a seed of their own.
func TestAStaleChangeLandsOnItsLinesOrNowhere(t *testing.T) {
	rounds, seed := 120, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_STALE")); err == nil {
		rounds, seed = n, rand.Uint64()
	}
	need.Program(t, "diff3")
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	// What diff guesses by itself is not always the least change, and depends on its version.
	least := filepath.Join(dir, "diff")
	if err := os.WriteFile(least, []byte("#!/bin/sh\nexec diff --minimal \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	landed, lost, doubted := 0, 0, 0
	for i := range rounds {
		s := newStale(r)
		before, after := strings.Join(s.before, "\n")+"\n", strings.Join(s.after, "\n")+"\n"
		if len(s.after) == 0 {
			after = ""
		}
		by, ok := MakeShift([]byte(before), []byte(after)).Offset(s.from, s.to)
		truth, there := s.truth()
		if !ok {
			if there {
				lost++
			}
			continue
		}
		landed++
		got := s.put(s.after, s.from+by, s.to+by)
		if there && by != truth && got != s.put(s.after, s.from+truth, s.to+truth) {
			t.Fatalf("seed %d, round %d: lines %d-%d moved by %d, not %d:\n%s\nnow\n%s", seed, i, s.from, s.to, truth,
				by, before, after)
		}
		for name, text := range map[string]string{"1mine": s.put(s.before, s.from, s.to), "2old": before,
			"3theirs": after} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command("diff3", "--diff-program="+least, "-m", filepath.Join(dir, "1mine"),
			filepath.Join(dir, "2old"), filepath.Join(dir, "3theirs")).Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
			// A conflict: of two least changes it takes one that says the lines were written anew.
			doubted++
			continue
		}
		if err != nil || string(out) != got {
			t.Fatalf("seed %d, round %d: lines %d to %d moved by %d:\n%s\nnow\n%s\ndiff3 (%v) makes\n%s", seed, i,
				s.from, s.to, by, before, after, err, out)
		}
	}
	t.Logf("%d of %d landed, %d could have, in %d diff3 finds a conflict", landed, rounds, lost, doubted)
	if doubted > 1+rounds/200 {
		t.Errorf("seed %d: in %d of %d landings diff3 finds a conflict", seed, doubted, landed)
	}
	if landed < rounds/4 {
		t.Errorf("only %d of %d landed: the test plays nothing", landed, rounds)
	}
}
