package profile_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

func TestSynchronizedUpdatesAreHeldBack(t *testing.T) {
	const begin, end = "\x1b[?2026h", "\x1b[?2026l"
	long := strings.Repeat("x", 2<<20)
	for _, tt := range []struct {
		name   string
		writes []string
		after  time.Duration // what passes before each write
		shown  string        // of all of them
	}{
		{"nothing to hold", []string{"abc"}, 0, "abc"},
		{"until it ends", []string{"a" + begin + "bc", "de"}, 0, "a" + begin},
		{"and what comes behind", []string{"a" + begin + "bc" + end + "d"}, 0, "a" + begin + "bc" + end + "d"},
		{"two of them", []string{begin + "b" + end + begin + "c"}, 0, begin + "b" + end + begin},
		{"a beginning in pieces", []string{"\x1b[?20", "26hb", "c" + end + "d"}, 0, begin + "bc" + end + "d"},
		{"what is no beginning after all", []string{"\x1b[?20", "27hb"}, 0, "\x1b[?2027hb"},
		{"an end in pieces", []string{begin + "b\x1b[?2", "026lc"}, 0, begin + "b" + end + "c"},
		{"too long an update", []string{begin + long, "y"}, 0, begin + end + long + "y"},
		{"just not too long", []string{begin + long[1:], "y"}, 0, begin},
		{"too long a time", []string{begin + "b", "c", "d"}, 1500 * time.Millisecond, begin + end + "bcd"},
		{"not yet", []string{begin + "b", "c"}, 1500 * time.Millisecond, begin},
		{"one that begins in what was held", []string{begin + "b" + begin + "c", "d"}, 2 * time.Second,
			begin + end + "b" + begin},
	} {
		for _, size := range []int{1 << 30, 1} {
			if size == 1 && (tt.after > 0 || len(tt.shown) > 1000) {
				continue
			}
			hold := profile.Differences{HoldSync: 2 * time.Second}.Build().Passthrough
			var got bytes.Buffer
			now := time.Unix(1e9, 0)
			for _, w := range tt.writes {
				now = now.Add(tt.after)
				for len(w) > 0 {
					n := min(size, len(w))
					got.Write(hold([]byte(w[:n]), now))
					w = w[n:]
				}
			}
			if got.String() != tt.shown {
				t.Errorf("%s, in pieces of %d: shown is %.100q, want %.100q", tt.name, size, got.String(), tt.shown)
			}
		}
	}
}

func TestPlacementsThatStay(t *testing.T) {
	for stay, want := range map[bool]int{true: 1, false: 2} {
		d := profile.Differences{Resizing: profile.Resizing{ShrinkDropsBelow: true, ImagesStay: stay}}
		term := vt.New(vt.Config{Cols: 20, Rows: 6, Scrollback: 10, Personality: d.Build()})
		term.WriteString(strings.Repeat("x", 15) + "\r\n\x1b_Ga=T,i=1,p=1,s=8,v=16,q=2,C=1;" + strings.Repeat("A",
			683) + "=\x1b\\")
		for _, rows := range []int{6, 7} {
			term.Resize(10, rows)
			if got := term.Placements(); len(got) != 1 || got[0].Row != want {
				t.Errorf("stay %v, %d rows: %+v, want row %d", stay, rows, got, want)
			}
		}
	}
}
