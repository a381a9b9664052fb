package play

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// The profile of kitty puts rows and cursor where the core of a real kitty puts them, at each
// change of size: the renderer's promise for kitty rests on it.
func TestTheProfileOfKittyIsKitty(t *testing.T) {
	p := profileOfKitty(t)
	for seed := range uint64(14) {
		log := scribble(rand.New(rand.NewPCG(seed, 0)))
		if seed >= 8 {
			log = marked(rand.New(rand.NewPCG(seed, 0)))
		}
		want, err := foreign("kitty", oracleDir, log)
		if err != nil {
			t.Fatal(err)
		}
		got := replay(p, log)
		for i := range want.Moments {
			w, g := want.Moments[i].After, got.Moments[i].After
			if w.Cursor != g.Cursor || !slices.Equal(w.Rows, g.Rows) {
				t.Fatalf("seed %d, change %d of %d: from %dx%d, cursor on row %d of\n%s\nto %dx%d, cursor on row"+
					" %d, kitty's on row %d:\n%s\nkitty has\n%s", seed, i, len(want.Moments),
					want.Moments[i].Before.Cols, len(want.Moments[i].Before.Rows), want.Moments[i].Before.Cursor,
					strings.Join(want.Moments[i].Before.Rows, "|\n"),
					w.Cols, len(w.Rows), g.Cursor, w.Cursor, strings.Join(g.Rows, "|\n"), strings.Join(w.Rows, "|\n"))
			}
		}
		// Of 0.26 the rows only: where history ends, its mark stays on a row that it lays out by
		// itself, and the emulator's does not.
		if w, g := inked(want.Tape), inked(got.Tape); p.Differs.Layout == profile.LayoutJoined && !slices.Equal(w, g) {
			t.Errorf("seed %d: the lines of the tape are\n%s\nkitty's\n%s", seed, strings.Join(g, "|\n"),
				strings.Join(w, "|\n"))
		}
	}
}

// The profile of kitty since 0.42 puts clusters where its core puts them: behind a cursor that was
// moved, over others, at the edge, and in pieces.
func TestTheProfileOfKittyJoinsAsKitty(t *testing.T) {
	p := profileOfKitty(t)
	if !p.Differs.LeadingWidths {
		need.Missing(t, "kitty-0.40", "this one measures characters")
	}
	for seed := range uint64(20) {
		log := patches(rand.New(rand.NewPCG(seed, 0)))
		want, err := foreign("kitty", oracleDir, log)
		if err != nil {
			t.Fatal(err)
		}
		got := replay(p, log)
		for i := range want.Moments {
			if w, g := want.Moments[i].Before, got.Moments[i].Before; !slices.Equal(w.Rows, g.Rows) {
				t.Errorf("seed %d, patch %d: %+q makes of %+q the emulator's %+q, kitty's %+q", seed, i,
					log[1+2*i].Data, want.Moments[max(0, i-1)].Before.Rows, g.Rows, w.Rows)
				break
			}
		}
		if w, g := inked(want.Tape), inked(got.Tape); !slices.Equal(w, g) {
			t.Errorf("seed %d: the lines of the tape are\n%s\nkitty's\n%s", seed, strings.Join(g, "|\n"),
				strings.Join(w, "|\n"))
		}
	}
}

// patches are short texts of clusters at random places of a small grid; a bar behind each shows
// where it has left the cursor, and a size that is none makes both emulators say what they show.
func patches(rng *rand.Rand) []workload.Record {
	const cols, rows = 9, 4
	pool := []rune("ab  |漢한\u1112\u1161\u11ab\u0301\u093f\u0915\u094d\u0937" +
		"\u0e01\u0e33\U0001f1e9\U0001f1ea\U0001f44d\U0001f469\u2764\u231a\u261d\u200d\u00a9")
	log := []workload.Record{{Cols: cols, Rows: rows}}
	for range 400 {
		var b strings.Builder
		fmt.Fprintf(&b, "\x1b[%d;%dH", 1+rng.IntN(rows), 1+rng.IntN(cols))
		for range 1 + rng.IntN(8) {
			switch rng.IntN(12) {
			case 0:
				b.WriteString("\x1b[m")
			case 1:
				fmt.Fprintf(&b, "\x1b[%dG", 1+rng.IntN(cols))
			case 2:
				b.WriteString([]string{"\r", "\r\n", "\r\x1b[K", "\x1b[?7h"}[rng.IntN(4)])
			case 3:
				b.WriteString("\U0001f44d\U0001f3fd")
			case 4: // not in the last column, nor VS15 anywhere: that can crash kitty 0.48.2
				fmt.Fprintf(&b, "\x1b[%dG\u2764\ufe0f", 1+rng.IntN(cols-1))
			default:
				b.WriteRune(pool[rng.IntN(len(pool))])
			}
		}
		b.WriteString("\x1b[m|\x1b[?7h")
		log = append(log, workload.Record{Data: []byte(b.String())}, workload.Record{Cols: cols, Rows: rows})
	}
	return log
}

// inked returns the letters of a tape's lines, down to the last line that shows something. How many
// blanks stand where two rows are joined is not compared: a row may go on whose last column is
// blank.
func inked(tape []string) []string {
	return strings.Split(strings.TrimRight(strings.ReplaceAll(strings.Join(tape, "\n"), " ", ""), "\n"), "\n")
}

// profileOfKitty returns the profile that the kitty which is asked should have.
func profileOfKitty(t *testing.T) profile.Profile {
	t.Helper()
	need.Program(t, oracle.Kitty())
	version, p, err := oracle.KittyProfile()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("kitty %s, profile %s", version, p.Name)
	return p
}

// scribble is text with a cursor somewhere in it, and a new size, again and again. Shifted rows are
// never those with wide characters: one that a new width has taken apart at the edge would be
// cleared by the shift in the emulator.
func scribble(rng *rand.Rand) []workload.Record {
	wide := rng.IntN(2)
	log := []workload.Record{{Cols: 40, Rows: 12}}
	for range 120 {
		var b strings.Builder
		b.WriteString(strings.Repeat("\x1b[99B\r\n", wide)) // nor is one half of them written over
		for range rng.IntN(8) {
			switch k := rng.IntN(8); {
			case k == 0:
				b.WriteString("\r\n")
			case k == 1 && wide == 0:
				fmt.Fprintf(&b, "\x1b[%dA\r\x1b[K", 1+rng.IntN(4))
			case k < 4 && wide == 0:
				fmt.Fprintf(&b, "\x1b[%dA\x1b[%d%c", 1+rng.IntN(4), 1+rng.IntN(3), "LM"[k-2])
			case k < 4 && wide == 1:
				b.WriteString(strings.Repeat("x", rng.IntN(2)) + strings.Repeat("漢", rng.IntN(40)) + "\r\n")
			default:
				b.WriteString(strings.Repeat(string(rune('a'+rng.IntN(26))), rng.IntN(60)) + "\r\n")
			}
		}
		fmt.Fprintf(&b, "\x1b[%dA\r", 1+rng.IntN(5))
		if n := rng.IntN(50); n > 0 {
			fmt.Fprintf(&b, "\x1b[%dC", n)
		}
		if rng.IntN(4) == 0 {
			b.WriteString("\x1b7")
		}
		log = append(log, workload.Record{Data: []byte(b.String())})
		cols, rows := log[0].Cols, log[0].Rows
		for _, r := range log {
			if r.Cols > 0 {
				cols, rows = r.Cols, r.Rows
			}
		}
		if k := rng.IntN(4); k != 0 {
			cols = 10 + rng.IntN(60)
			if k == 1 {
				rows = 3 + rng.IntN(20)
			}
		} else {
			rows = 3 + rng.IntN(20)
		}
		log = append(log, workload.Record{Cols: cols, Rows: rows})
	}
	return log
}

// marked is text with a live region below it, whose first row has a mark, and some new sizes, again
// and again: what stands from the mark on is drawn again by the program, or is not.
func marked(rng *rand.Rand) []workload.Record {
	log := []workload.Record{{Cols: 40, Rows: 12}}
	for range 60 {
		var b strings.Builder
		b.WriteString("\x1bc")
		for range rng.IntN(12) {
			b.WriteString(strings.Repeat(string(rune('a'+rng.IntN(26))), rng.IntN(90)) + "\r\n")
		}
		marks := []string{"A;k=s", "A;k=s", "A;k=s", "A", "C", "A;k=s;redraw=0"}
		fmt.Fprintf(&b, "\x1b]133;%s\x1b\\", marks[rng.IntN(len(marks))])
		n := rng.IntN(6)
		for range n {
			b.WriteString(strings.Repeat("-", rng.IntN(70)) + "\r\n")
		}
		b.WriteString(strings.Repeat("=", rng.IntN(9)))
		b.WriteString(strings.Repeat("\x1b[A", rng.IntN(n+1)))
		fmt.Fprintf(&b, "\x1b[%dG", 1+rng.IntN(9))
		log = append(log, workload.Record{Data: []byte(b.String())})
		for range 1 + rng.IntN(3) {
			log = append(log, workload.Record{Cols: 10 + rng.IntN(60), Rows: 3 + rng.IntN(20)})
		}
	}
	return log
}

// Nothing is lost, doubled or left behind in the core of kitty, while text streams through 50
// changes of size, too.
func TestTheTapeIsCleanInKitty(t *testing.T) {
	p := profileOfKitty(t)
	for i, c := range []struct{ name, policy string }{
		{"w5s", "para"}, {"w5s", "msg"},
		{"w1", "msg"}, {"w4s", "para"}, {"w5", "para"}, {"w5", "msg"}, {"w6", "para"}, {"w7", "para"},
	} {
		if !everything && i > 1 {
			continue
		}
		s, err := workload.Make(c.name, 100, 30, 11)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			r, err := play(s, options{Policy: c.policy, Resize: "preserve", Profile: p.Name, Emulator: "kitty",
				Oracle: oracleDir})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Tape.clean() {
				t.Errorf("%s, %s: %s", c.name, c.policy, r.Tape)
			}
		})
	}
}
