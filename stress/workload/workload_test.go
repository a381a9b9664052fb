package workload

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

var sizes = [][2]int{{50, 14}, {80, 24}, {100, 30}, {200, 60}}

// greedy breaks text at spaces as every simple wrapper does.
func greedy(text string, cols int) []string {
	var rows []string
	row, used := "", 0
	for _, w := range strings.Split(text, " ") {
		n := graphemes.String(w)
		switch {
		case row == "":
			row, used = w, n
		case used+1+n <= cols:
			row, used = row+" "+w, used+1+n
		default:
			rows = append(rows, row)
			row, used = w, n
		}
	}
	return append(rows, row)
}

// What is streamed is the expected rows, however a greedy wrapper of that width breaks them; none
// is full.
func TestStreamedTextIsTheExpectedRows(t *testing.T) {
	for _, size := range sizes {
		for _, name := range []string{"w1", "w1scale", "w2-1000", "w3", "w5", "w5s", "w7"} {
			if name == "w1scale" && size[0] > 50 {
				continue // a hundred thousand rows
			}
			s, err := Make(name, size[0], size[1], 7)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			text, sinceEnd := "", 0
			for _, o := range s.Ops {
				switch o.K {
				case "s":
					text += o.T
					if par, ok := strings.CutSuffix(text, "\n"); ok {
						rows := greedy(par, size[0])
						got, text, sinceEnd = append(got, rows...), "", sinceEnd+len(rows)
					}
				case "hist":
					for _, par := range o.Rows {
						rows := greedy(par, size[0])
						got, sinceEnd = append(got, rows...), sinceEnd+len(rows)
					}
				case "msgend":
					if sinceEnd == 0 || text != "" {
						t.Fatalf("%s %v: a message of no rows, or in the middle of a paragraph", name, size)
					}
					sinceEnd = 0
				}
			}
			if !reflect.DeepEqual(got, s.Expect) {
				t.Errorf("%s %v: %d rows, expected %d", name, size, len(got), len(s.Expect))
			}
			for _, r := range s.Expect {
				if w := graphemes.String(r); w < size[0]-7 || w > size[0]-2 ||
					!regexp.MustCompile(`^r\d{6} `).MatchString(r) {
					t.Fatalf("%s %v: %q has %d columns", name, size, r, w)
				}
			}
		}
	}
}

func TestToolRowsAndPanesFit(t *testing.T) {
	for _, size := range sizes {
		for _, name := range []string{"w4", "w4s", "w6"} {
			s, err := Make(name, size[0], size[1], 7)
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, o := range s.Ops {
				rows = append(rows, o.Rows...)
			}
			if len(rows) != 5000 {
				t.Errorf("%s: %d rows", name, len(rows))
			}
			if name != "w6" && !reflect.DeepEqual(rows, s.Expect) || name == "w6" && len(s.Expect) != size[1] {
				t.Errorf("%s %v: expects %d rows", name, size, len(s.Expect))
			}
			for _, r := range rows {
				if n := len(sgr.ReplaceAllString(r, "")); n > size[0]-2 && n > 56 {
					t.Fatalf("%s %v: %q has %d columns", name, size, r, n)
				}
			}
		}
	}
}

// The numbers of the definition.
func TestWorkloadsAreWhatTheirDefinitionSays(t *testing.T) {
	count := func(name string, k string) (n int) {
		s, err := Make(name, 100, 30, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range s.Ops {
			if o.K == k {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name, kind string
		want       int
	}{
		{"w1", "msgend", 25}, {"w2-1000", "tick", 1000}, {"w3", "key", 500}, {"w5", "resize", 50},
		{"w5s", "resize", 50}, {"w5", "tick", 20}, {"w5s", "begin", 1},
		{"w6", "scroll", 450}, {"w1scale", "begin", 4}, {"w7", "msgend", 12},
	} {
		if got := count(c.name, c.kind); got != c.want {
			t.Errorf("%s has %d %s, want %d", c.name, got, c.kind, c.want)
		}
	}
	for _, name := range []string{"w5", "w5s"} {
		s, _ := Make(name, 100, 30, 1)
		last := Op{}
		for _, o := range s.Ops {
			if o.K == "resize" {
				if o.W == last.W && o.H == last.H {
					t.Errorf("%s: a change to the same size", name)
				}
				last = o
			}
		}
		if last.W != 100 || last.H != 30 {
			t.Errorf("%s ends at %dx%d", name, last.W, last.H)
		}
	}
}

func TestTheSeedDecides(t *testing.T) {
	for _, name := range Names() {
		if name == "w1scale" || name == "w2-10000" {
			continue
		}
		a, _ := Make(name, 80, 24, 1)
		b, _ := Make(name, 80, 24, 1)
		c, _ := Make(name, 80, 24, 2)
		if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
			t.Errorf("%s: the text is not the seed's", name)
		}
	}
}

func TestAScriptIsReadBack(t *testing.T) {
	for _, name := range []string{"w5s", "w6", "w7"} {
		s, _ := Make(name, 80, 24, 3)
		var b bytes.Buffer
		if err := Write(&b, s.Ops); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(&b); err != nil || !reflect.DeepEqual(got, s.Ops) {
			t.Errorf("%s: not the same: %v", name, err)
		}
	}
}

func TestBadInputIsRefused(t *testing.T) {
	for _, text := range []string{"", "{\"k\":\"s\"}\n", "nonsense\n", "{\"k\":\"size\"}\n"} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a script", text)
		}
	}
	for _, c := range []struct {
		name       string
		cols, rows int
	}{{"w9", 80, 24}, {"w1", 49, 24}, {"w1", 80, 13}} {
		if _, err := Make(c.name, c.cols, c.rows, 1); err == nil {
			t.Errorf("%+v is made", c)
		}
	}
}

// A message of 40 rows on 27 rows of a screen: 13 rows are sent again. Nothing is, where messages
// fit.
func TestLeastResentCountsTheRowsThatWereNotInSight(t *testing.T) {
	s, err := Make("w1", 100, 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for i, r := range s.Expect {
		if i%40 < 13 {
			want += len(r) + 1
		}
	}
	if got := s.LeastResent(); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	s.Ops[0].H = 43
	if got := s.LeastResent(); got != 0 {
		t.Errorf("%d bytes on a screen that shows all", got)
	}
}
