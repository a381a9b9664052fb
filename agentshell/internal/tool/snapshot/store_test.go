package snapshot

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestATagStandsForOneTextOfAPath(t *testing.T) {
	var s Store
	a := s.Mint("f", "one\n")
	if !regexp.MustCompile(`^[0-9A-F]{4}$`).MatchString(a) || s.Mint("f", "one\n") != a || s.Mint("f", "two\n") == a {
		t.Errorf("%s, %s, %s", a, s.Mint("f", "one\n"), s.Mint("f", "two\n"))
	}
	if !s.Is("f", a, "one\n") || s.Is("f", a, "two\n") || s.Is("g", a, "one\n") || s.Is("f", "zzzz", "one\n") {
		t.Error("a tag stands for something else")
	}
	if text, known, kept := s.Text("f", a); text != "one\n" || !known || !kept {
		t.Errorf("%q, %v, %v", text, known, kept)
	}
	if _, known, _ := s.Text("g", a); known {
		t.Error("a tag of one path is known for another")
	}
	if (&Store{}).Is("f", a, "one\n") {
		t.Error("an empty store knows a tag")
	}
}

// Texts whose sums begin alike have tags of their own: 3,000 texts of one path, of 65,536 tags.
func TestTagsOfAPathDiffer(t *testing.T) {
	var s Store
	tags := map[string]string{}
	for i := range 3000 {
		text := fmt.Sprintf("text %d\n", i)
		tag := s.Mint("f", text)
		if other, ok := tags[tag]; ok {
			t.Fatalf("%q and %q have the tag %s", other, text, tag)
		}
		tags[tag] = text
	}
	for tag, text := range tags {
		if got, _, kept := s.Text("f", tag); got != text || !kept || s.Mint("f", text) != tag {
			t.Fatalf("%s is %q, want %q", tag, got, text)
		}
	}
}

func TestWhatWasUsedLongestAgoGoes(t *testing.T) {
	s := Store{textLimit: 100, tagLimit: 4}
	text := func(i int) string { return fmt.Sprintf("%d", i) + strings.Repeat("x", 39) }
	a, b := s.Mint("a", text(1)), s.Mint("b", text(2))
	s.Text("a", a)
	c := s.Mint("c", text(3))
	for _, want := range []struct {
		path, tag   string
		known, kept bool
	}{{"a", a, true, true}, {"b", b, true, false}, {"c", c, true, true}} {
		if _, known, kept := s.Text(want.path, want.tag); known != want.known || kept != want.kept {
			t.Errorf("%s: %v, %v", want.path, known, kept)
		}
	}
	if !s.Is("b", b, text(2)) {
		t.Error("whether b is as it was is not known any more")
	}
	if s.Mint("b", text(2)) != b {
		t.Error("a text that went has another tag")
	}
	if _, _, kept := s.Text("b", b); !kept {
		t.Error("a text that is here again is not kept")
	}
	for i := range 100 {
		s.Mint("d", text(i))
	}
	if s.recentlyUsed.Len() != 4 || len(s.tags) != 4 || s.textBytes > 100 || len(s.texts) > 4 {
		t.Errorf("%d, %d tags, %d bytes, %d texts", s.recentlyUsed.Len(), len(s.tags), s.textBytes, len(s.texts))
	}
	large, before := s.Mint("e", strings.Repeat("x", 200)), s.textBytes
	if _, known, kept := s.Text("e", large); !known || kept || s.textBytes > 100 || before == 0 {
		t.Errorf("a text that is too large: %v, %v, %d bytes", known, kept, s.textBytes)
	}
	// One text of two paths is kept once, until the last of them goes.
	s = Store{textLimit: 100, tagLimit: 2}
	f := s.Mint("f", text(1))
	s.Mint("g", text(1))
	s.Mint("h", "")
	if _, known, _ := s.Text("f", f); known || s.textBytes != 40 {
		t.Errorf("%v, %d bytes", known, s.textBytes)
	}
	s.Mint("i", "")
	if s.textBytes != 0 || len(s.texts) != 1 {
		t.Errorf("%d bytes, %d texts", s.textBytes, len(s.texts))
	}
}

func TestAStoreIsForSeveralGoroutines(t *testing.T) {
	s := Store{textLimit: 1000, tagLimit: 20}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 1000 {
				text := fmt.Sprint(i % 37)
				tag := s.Mint(fmt.Sprint(g%2), text)
				if got, _, kept := s.Text(fmt.Sprint(g%2), tag); kept && got != text {
					t.Errorf("%q, want %q", got, text)
				}
			}
		})
	}
	all.Wait()
}
