package width

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHeadAndTailAreWholeClusters(t *testing.T) {
	for name, unit := range map[string]string{
		"letters": "abc", "a letter and marks": "e\u0323\u0300", "ideographs": "漢字", "a family": "👨‍👩‍👧‍👦",
		"flags": "🇩🇪🇫🇷🇯🇵", "hangul": "\u1112\u1161\u11ab", "a conjunct": "क्ष", "a skin tone": "👍🏽", "a keycap": "1️⃣",
		"line ends": "a\r\n\r\nb",
	} {
		for _, repeat := range []int{1, 40, 700} {
			if name == "flags" && repeat > 40 {
				continue // a row of more than a hundred flags may be cut between two letters of one
			}
			text := strings.Repeat(unit, repeat)
			ends := map[int]bool{0: true}
			var order []int
			for at := 0; at < len(text); {
				cluster, _ := firstCluster(text[at:])
				at += len(cluster)
				ends[at] = true
				order = append(order, at)
			}
			for n := range min(len(text), 300) + 1 {
				for _, n := range []int{n, len(text) - n} {
					head, tail := Head(text, n), Tail(text, n)
					if !ends[len(head)] || !ends[len(text)-len(tail)] || len(head) > n || len(tail) > n {
						t.Fatalf("%s: %d of %d bytes give a head of %d and a tail of %d", name, n, len(text), len(head),
							len(tail))
					}
					i, is := slices.BinarySearch(order, n)
					if !is && i > 0 && len(head) != order[i-1] {
						t.Fatalf("%s: a head of %d bytes where %d fit", name, len(head), order[i-1])
					}
				}
			}
		}
	}
}

// What no cluster ends in reach of, is cut between characters, and what is no text, anywhere.
func TestHeadAndTailEndWhereNoClusterDoes(t *testing.T) {
	zalgo := "a" + strings.Repeat("\u0301", 5000)
	for _, n := range []int{1, 2, 400, 401, 5000, 5001} {
		if head, tail := Head(zalgo, n), Tail(zalgo, n); !utf8.ValidString(head) || !utf8.ValidString(tail) ||
			len(head) < n-1 || len(tail) < n-1 {
			t.Errorf("%d bytes give a head of %d and a tail of %d", n, len(head), len(tail))
		}
	}
	broken := strings.Repeat("\x80", 50)
	if head, tail := Head(broken, 20), Tail(broken, 20); len(head) > 20 || len(tail) > 20 {
		t.Errorf("%d and %d bytes of 20", len(head), len(tail))
	}
	if Head("abc", 9) != "abc" || Tail("abc", 9) != "abc" || Head("abc", 0) != "" || Tail("abc", 0) != "" ||
		Head("abc", -1) != "" || Tail("abc", -1) != "" {
		t.Error("a short text is not what it was")
	}
}

func FuzzHeadAndTailRebuildTheText(f *testing.F) {
	f.Add("e\u0301 👨‍👩‍👧 🇩🇪", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(max(n, 0), len(s))
		head, tail := Head(s, n), Tail(s, n)
		if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || len(head) > n || len(tail) > n {
			t.Errorf("%q, %d: %q and %q", s, n, head, tail)
		}
	})
}
