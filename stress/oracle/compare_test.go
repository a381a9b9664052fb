package oracle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// saboteur returns a second ghostty core that never gets to see erase-in-line.
func saboteur(t *testing.T) Subject {
	core := start(t)
	return func(p Program) []*screen.Dump {
		p.Ops = slices.Clone(p.Ops)
		for i := range p.Ops {
			if p.Ops[i].Name == "EL" {
				p.Ops[i].Bytes = ""
			}
		}
		var dumps []*screen.Dump
		for dump, err := range core.Run(p.Script()) {
			if err != nil {
				panic(err)
			}
			dumps = append(dumps, dump)
		}
		return dumps
	}
}

func TestTheJudgeCatchesAnEmulatorThatSkipsOneSequence(t *testing.T) {
	judge, subject := start(t), saboteur(t)
	var programs []Program
	for seed := range uint64(30) {
		programs = append(programs, Generate(seed, 40, []string{"text", "erase", "cursor"}))
	}
	var caught []Verdict
	for v, err := range judge.Compare(programs, subject) {
		if err != nil {
			t.Fatal(err)
		}
		if !v.OK() {
			caught = append(caught, v)
		}
		if !slices.ContainsFunc(v.Program.Ops, func(o Op) bool { return o.Name == "EL" }) && !v.OK() {
			t.Errorf("a program without EL differs:\n%v", v)
		}
	}
	if len(caught) < 10 {
		t.Fatalf("%d of %d programs were caught, want ten or more", len(caught), len(programs))
	}
	small, err := judge.Reduce(caught[0], 2000, subject)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(small.Program.Ops); n > 4 || !strings.Contains(small.String(), "EL ") {
		t.Errorf("reduced to %d ops, want text, perhaps a move, and EL:\n%v", n, small)
	}
}

func TestTheJudgeReportsAPanicOfTheSubject(t *testing.T) {
	judge := start(t)
	programs := []Program{Generate(1, 5, nil), Generate(2, 5, nil)}
	n := 0
	for v, err := range judge.Compare(programs, func(p Program) []*screen.Dump { panic("boom") }) {
		if err != nil {
			t.Fatal(err)
		}
		if v.OK() || !strings.Contains(v.String(), "boom") {
			t.Errorf("verdict %v", v)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d verdicts, want 2", n)
	}
}

func TestTheCoreStartsInTheApplicationsStateAndReturnsToItByRIS(t *testing.T) {
	judge := start(t)
	want := []string{"12", "?7", "?25", "?1007", "?1035", "?1036", "?2027"}
	for _, bytes := range []string{"", "\x1b[?2027l\x1b[?7lx\x1bc", "\x1b[?2027l\x1b\n\x7f\xe4c", "\x1b]2;t\x1bc",
		"\x1b[?2027l\x1b[1\x1bc"} {
		for _, chunk := range []int{1, 100} {
			p := Program{Size: screen.Size{Cols: 4, Rows: 2, Scrollback: 10}}
			for c := range slices.Chunk([]byte(bytes), chunk) {
				p.Ops = append(p.Ops, Op{Bytes: string(c)})
			}
			for d, err := range judge.Run(p.Script()) {
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(d.Modes, want) || d.Cursor.Col != 0 {
					t.Errorf("after %q in chunks of %d: modes %v, cursor %v", bytes, chunk, d.Modes, d.Cursor)
				}
			}
		}
	}
}

func TestGenerateIsReproducibleAndUsesEveryClass(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(400) {
		p := Generate(seed, 40, nil)
		if p.String() != Generate(seed, 40, nil).String() {
			t.Fatalf("seed %d gives two programs", seed)
		}
		if len(p.Ops) != 40 {
			t.Fatalf("seed %d: %d ops", seed, len(p.Ops))
		}
		for _, op := range p.Ops {
			seen[op.Name] = true
			if op.Cols != 0 {
				seen["resize"] = true
			}
		}
	}
	for _, name := range []string{"text", "full", "burst", "image", "placeholder", "wide", "comb", "zwj", "skin",
		"flags", "vs", "indic", "hangul", "zero", "odd", "SGR", "CUP", "ICH", "DCH", "ECH", "IL", "DL", "REP", "EL",
		"ED", "scroll",
		"DECSTBM", "DECSLRM", "DECOM", "tabs", "mode", "XTSAVE", "alt", "save", "charset", "OSC", "OSC 133", "OSC 8",
		"protect", "resize", "reset", "keyboard", "DECSCUSR", "query", "C0", "UTF-8", "junk", "split 1"} {
		if !seen[name] {
			t.Errorf("400 programs have no %s", name)
		}
	}
}

func TestGenerateWithClassesKeepsToThem(t *testing.T) {
	for seed := range uint64(50) {
		for _, op := range Generate(seed, 20, []string{"sgr"}).Ops {
			if op.Name != "SGR" && op.Name != "text" {
				t.Fatalf("seed %d: %v", seed, op)
			}
		}
	}
}

func TestShrinkKeepsWhatFailsAndLittleElse(t *testing.T) {
	p := Generate(7, 60, nil)
	p.Ops = append(p.Ops, Op{Name: "move", Bytes: "\x1b[12;7A"}, Op{Cols: 30, Rows: 9},
		Op{Name: "text", Bytes: "hello wörld"})
	fails := func(q Program) bool {
		var move, size, text bool
		for _, op := range q.Ops {
			move = move || strings.HasPrefix(op.Bytes, "\x1b[") && strings.HasSuffix(op.Bytes, "A")
			size = size || op.Cols >= 10
			text = text || strings.Contains(op.Bytes, "ö")
		}
		return move && size && text
	}
	got := Shrink(p, 5000, fails)
	if want := "terminal 1x1, scrollback 100000\n" + fmt.Sprintf("  %-8s %q\n  %-8s %s\n  %-8s %q\n", "move", "\x1b[A",
		"resize", "10x1", "text", "ö"); got.String() != want {
		t.Errorf("got\n%vwant\n%s", got, want)
	}
}
