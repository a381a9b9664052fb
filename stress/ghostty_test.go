package stress

import (
	"errors"
	"flag"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/stress/screen"
)

var ghosttySessions = flag.Int("ghostty", 30, "sessions on the real ghostty core, a multiple of 3")

// What is judged on the emulator holds on the real ghostty core if the same bytes and sizes leave
// the same screen and history there.
func TestTheGhosttyCoreHasTheSameTape(t *testing.T) {
	d, err := oracle.Start("oracle")
	if errors.Is(err, oracle.ErrMissing) {
		need.Missing(t, "ghostty", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p, _ := profile.ByName("ghostty")
	var sessions []oracle.Program
	var named []program.Program
	natures := map[program.Nature]int{}
	for seed := uint64(1); len(sessions) < *ghosttySessions; seed++ {
		q := program.Generate(seed, "ghostty", 40)
		// at its limit a history is trimmed by pages there
		if natures[q.Nature()] == *ghosttySessions/3 || q.Terminal.Scrollback < 1000 {
			continue
		}
		events, _, err := Record(q)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		natures[q.Nature()]++
		s := oracle.Program{Size: screen.Size{Cols: q.Terminal.Cols, Rows: q.Terminal.Rows,
			Scrollback: q.Terminal.Scrollback}}
		for _, e := range events {
			s.Ops = append(s.Ops, oracle.Op{Name: "frame", Bytes: string(e.Bytes), Cols: e.Cols, Rows: e.Rows})
		}
		sessions, named = append(sessions, s), append(named, q)
	}
	subject := func(s oracle.Program) []*screen.Dump {
		term := p.New(s.Size.Cols, s.Size.Rows, s.Size.Scrollback)
		for _, o := range s.Ops {
			if o.Cols > 0 {
				term.Resize(o.Cols, o.Rows)
			} else {
				term.WriteString(o.Bytes)
			}
		}
		return []*screen.Dump{screen.Of(term, screen.Full)}
	}
	i := 0
	for v, err := range d.Compare(sessions, subject) {
		if err != nil {
			t.Fatal(err)
		}
		if !v.OK() {
			t.Errorf("%s\n%v", named[i], v.Differences)
		}
		i++
	}
	if i != len(sessions) {
		t.Errorf("%d of %d sessions were judged", i, len(sessions))
	}
	t.Logf("%d sessions: %v", i, natures)
}
