package program

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

func TestAProgramReadsAsItPrints(t *testing.T) {
	for seed := range uint64(200) {
		p := Generate(seed, "tmux", 50)
		q, err := Parse("# a comment\n\n" + p.String())
		if err != nil {
			t.Fatal(err)
		}
		if q.Terminal != p.Terminal || q.String() != p.String() {
			t.Fatalf("seed %d: %s\nis read as\n%s", seed, p, q)
		}
	}
	for _, bad := range []string{"", "commit rows=1", "terminal x\nfly", "terminal x\ncommit wings=2",
		"terminal x cols=y", "terminal x blue"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%q is taken for a program", bad)
		}
	}
}

func TestTheSameSeedGivesTheSameProgram(t *testing.T) {
	seen := map[string]bool{}
	kinds := map[Kind]int{}
	natures := map[Nature]int{}
	for seed := range uint64(300) {
		p := Generate(seed, "kitty", 40)
		if p.String() != Generate(seed, "kitty", 40).String() {
			t.Fatalf("seed %d gives two programs", seed)
		}
		if seen[p.String()] {
			t.Fatalf("seed %d gives a program that another gives, too", seed)
		}
		seen[p.String()] = true
		natures[p.Nature()]++
		for _, o := range append(p.Ops, ResizeRace(seed, "kitty").Ops...) { // only a resize race has the op
			kinds[o.Kind]++
		}
	}
	for k := range Kind(len(fields)) {
		if kinds[k] == 0 {
			t.Errorf("no program has the op %s", k)
		}
	}
	if len(natures) != 3 {
		t.Errorf("natures are %v", natures)
	}
}

// Every scenario stands in many programs; -v prints how often.
func TestAThousandProgramsHoldEveryScenario(t *testing.T) {
	const programs, ops = 1000, 200
	count, in := map[Kind]int{}, map[Kind]int{}
	natures := map[Nature]int{}
	for seed := range uint64(programs) {
		p := Generate(seed+1, "tmux", ops)
		natures[p.Nature()]++
		has := map[Kind]bool{}
		for _, o := range p.Ops {
			count[o.Kind]++
			has[o.Kind] = true
		}
		for k := range has {
			in[k]++
		}
	}
	for k := range kinds {
		if k == InFlight {
			continue // ResizeRace makes it
		}
		if in[k] < programs/10 {
			t.Errorf("%s stands in %d of %d programs", k, in[k], programs)
		}
		t.Logf("%-9s %6d times in %4d programs", k, count[k], in[k])
	}
	for n := range natures {
		t.Logf("%-6s %4d programs", n, natures[n])
	}
}

func TestShrinkingFindsTheOpsThatMatter(t *testing.T) {
	p := Generate(7, "tmux", 200)
	commits := func(p Program) int {
		n := 0
		for _, o := range p.Ops {
			if o.Kind == Commit && o.N > 0 {
				n++
			}
		}
		return n
	}
	small := Shrink(p, 5000, func(q Program) bool { return commits(q) >= 3 })
	if len(small.Ops) != 3 || commits(small) != 3 || small.Terminal.Rows != 1 {
		t.Errorf("three commits are left in\n%s", small)
	}
	for _, o := range small.Ops {
		if o.N != 1 || o.Hold {
			t.Errorf("%s is not the smallest", o)
		}
	}
}

func TestALayoutFillsEachRowAndLosesNothing(t *testing.T) {
	m := width.Model{}
	for seed := range uint32(200) {
		for _, cols := range []int{10, 33, 80} {
			b := NewParagraph(seed, 3, cols, seed%2 == 1, m)
			rows := b.Layout(cols, m)
			all := ""
			for i, r := range rows {
				n := m.String(text(r.Spans))
				if seed%2 == 0 && r.Wrapped != (i < len(rows)-1) || n > cols || r.Wrapped && n < cols-1 {
					t.Fatalf("seed %d, %d columns: row %d of %d has %d columns, wrapped %v", seed, cols, i, len(rows),
						n, r.Wrapped)
				}
				all += text(r.Spans)
			}
			if all != text(b.Spans) {
				t.Fatalf("seed %d: %q became %q", seed, text(b.Spans), all)
			}
			for n := range len(rows) {
				rest := b.After(n, cols, m).Layout(cols, m)
				if len(rest) != len(rows)-n || text(rest[0].Spans) != text(rows[n].Spans) {
					t.Fatalf("seed %d: %d rows are left after %d of %d", seed, len(rest), n, len(rows))
				}
			}
		}
	}
}
