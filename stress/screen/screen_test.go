package screen

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func parse(t *testing.T, row string) Row {
	t.Helper()
	var r Row
	if err := json.Unmarshal([]byte(row), &r); err != nil {
		t.Fatalf("%s: %v", row, err)
	}
	return r
}

func TestCompareTellsRowsApart(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		off        []string
		want       string // part of the difference, empty for equal
	}{
		{"runs may be cut anywhere", `{"cells":[{"t":"a","n":3}]}`, `{"cells":[{"t":"a"},{"t":"a","n":2}]}`, nil, ""},
		{"trailing default cells may be absent", `{"cells":[{"t":"a"},{"n":7}]}`, `{"cells":[{"t":"a"}]}`, nil, ""},
		{"a space equals nothing", `{"cells":[{"t":" "}]}`, `{"cells":[]}`, nil, ""},
		{"text", `{"cells":[{"t":"a"}]}`, `{"cells":[{"t":"b"}]}`, nil, "row 0 col 0 (text)"},
		{"only the first difference of a row counts", `{"cells":[{},{"t":"a"},{"t":"b"}]}`, `{"cells":[{"n":3}]}`, nil,
			"row 0 col 1 (text)"},
		{"half of a wide cell", `{"cells":[{"t":"世","w":2},{"w":0}]}`, `{"cells":[{"t":"世","w":2},{}]}`, nil,
			"row 0 col 1 (width)"},
		{"background of a blank", `{"cells":[{"bg":"idx:1","n":2}]}`, `{"cells":[{"bg":"idx:1"}]}`, nil,
			"row 0 col 1 (background)"},
		{"foreground of a blank is not seen", `{"cells":[{"fg":"idx:1"}]}`, `{"cells":[]}`, nil, ""},
		{"bold on a blank is not seen", `{"cells":[{"attrs":["bold","italic"]}]}`, `{"cells":[]}`, nil, ""},
		{"inverse on a blank is seen", `{"cells":[{"attrs":["inverse"]}]}`, `{"cells":[]}`, nil, "attributes"},
		{"a struck blank shows its foreground", `{"cells":[{"attrs":["strike"],"fg":"idx:1"}]}`,
			`{"cells":[{"attrs":["strike"]}]}`, nil, "foreground"},
		{"attributes in any order", `{"cells":[{"t":"x","attrs":["italic","bold"]}]}`,
			`{"cells":[{"t":"x","attrs":["bold","italic"]}]}`, nil, ""},
		{"default is written or left out", `{"cells":[{"t":"x","fg":"default"}]}`, `{"cells":[{"t":"x"}]}`, nil, ""},
		{"underline colour without underline", `{"cells":[{"t":"x","ulc":"idx:1"}]}`, `{"cells":[{"t":"x"}]}`, nil, ""},
		{"underline colour with underline", `{"cells":[{"t":"x","ul":"curly","ulc":"idx:1"}]}`,
			`{"cells":[{"t":"x","ul":"curly"}]}`, nil, "underline colour"},
		{"underline style unknown", `{"cells":[{"t":"x","ul":"curly"}]}`, `{"cells":[{"t":"x","ul":"single"}]}`,
			[]string{"ulstyle"}, ""},
		{"link", `{"cells":[{"t":"x","link":"a"}]}`, `{"cells":[{"t":"x","link":"b"}]}`, nil, "link"},
		{"link target unknown", `{"cells":[{"t":"x","link":"a"}]}`, `{"cells":[{"t":"x","link":"b"}]}`,
			[]string{"linkuri"}, ""},
		{"no link against a link, target unknown", `{"cells":[{"t":"x","link":"a"}]}`, `{"cells":[{"t":"x"}]}`,
			[]string{"linkuri"}, "link"},
		{"index as RGB", `{"cells":[{"t":"x","fg":"idx:100"}]}`, `{"cells":[{"t":"x","fg":"rgb:010203"}]}`,
			[]string{"colorkind"}, ""},
		{"a low index is never RGB", `{"cells":[{"t":"x","fg":"idx:10"}]}`, `{"cells":[{"t":"x","fg":"rgb:010203"}]}`,
			[]string{"colorkind"}, "foreground"},
		{"protection is not compared", `{"cells":[{"t":"x","prot":true}]}`, `{"cells":[{"t":"x"}]}`, nil, ""},
		{"wrapped", `{"wrapped":true,"cells":[]}`, `{"cells":[]}`, nil, "row 0 (wrapped)"},
		{"wrapped unknown", `{"wrapped":true,"cells":[]}`, `{"cells":[]}`, []string{"wrapped"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			last := Row{}
			a := &Dump{Cols: 8, Rows: 2, Grid: []Row{parse(t, tt.a), last}, Unsupported: tt.off}
			b := &Dump{Cols: 8, Rows: 2, Grid: []Row{parse(t, tt.b), last}}
			for _, pair := range [][2]*Dump{{a, b}, {b, a}} {
				got := Compare(pair[0], pair[1], Rules{})
				switch {
				case tt.want == "" && len(got) != 0:
					t.Errorf("want equal, got %v", got)
				case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0].Where, tt.want)):
					t.Errorf("want one difference in %q, got %v", tt.want, got)
				}
			}
		})
	}
}

func TestCompareSeesEveryFieldOfADump(t *testing.T) {
	base := func() *Dump {
		return &Dump{Cols: 8, Rows: 1, Screen: "normal", Cursor: Cursor{Shape: "block"}, Scrollback: []Row{{}},
			ScrollbackLen: 1, Grid: []Row{{}}, Images: []Image{}, Stored: []Stored{}}
	}
	for where, change := range map[string]func(*Dump){
		"size":              func(d *Dump) { d.Cols = 9 },
		"screen":            func(d *Dump) { d.Screen = "alt" },
		"cursor":            func(d *Dump) { d.Cursor.Row = 1 },
		"cursor visible":    func(d *Dump) { d.Cursor.Visible = true },
		"pending wrap":      func(d *Dump) { d.Cursor.PendingWrap = true },
		"cursor shape":      func(d *Dump) { d.Cursor.Shape = "bar" },
		"scrollback length": func(d *Dump) { d.ScrollbackLen = 2 },
		"scrollback row -1": func(d *Dump) { d.Scrollback = []Row{{Wrapped: true}} },
		"mode ?2004":        func(d *Dump) { d.Modes = []string{"?2004"} },
		"title":             func(d *Dump) { d.Title = "x" },
		"replies":           func(d *Dump) { d.Replies = []byte("x") },
		"images":            func(d *Dump) { d.Images = []Image{{ID: 1}} },
		"stored images":     func(d *Dump) { d.Stored = []Stored{{ID: 1}} },
		"modes":             func(d *Dump) { d.Modes = []string{"?12"} },
		"kitty keyboard":    func(d *Dump) { d.KittyKeyboard = 1 },
		"bells":             func(d *Dump) { d.Bells = 1 },
		"row 0 (prompt)":    func(d *Dump) { d.Grid = []Row{{Prompt: 1}} },
	} {
		d := base()
		change(d)
		got := Compare(d, base(), Rules{Replies: true, Images: true, Extras: true})
		if where == "mode ?2004" && len(got) == 2 { // seen as a core mode and among all modes
			got = got[:1]
		}
		if len(got) != 1 || !strings.HasPrefix(got[0].Where, where) {
			t.Errorf("%s: got %v", where, got)
		}
	}
	if got := Compare(base(), base(), Rules{Replies: true, Images: true, Protection: true, Extras: true}); len(
		got) != 0 {
		t.Errorf("a dump differs from itself: %v", got)
	}
}

func TestOpsKeepTheirMeaningThroughJSON(t *testing.T) {
	for line, op := range map[string]Op{
		`{"reset":{"cols":80,"rows":24,"scrollback":1000}}`: {Reset: &Size{80, 24, 1000}},
		`{"write":"aGk="}`:   {Write: []byte("hi")},
		`{"write":""}`:       {Write: []byte{}},
		`{"resize":[40,10]}`: {Resize: &Size{Cols: 40, Rows: 10}},
		`{"dump":true}`:      {Dump: Full},
		`{"dump":"screen"}`:  {Dump: Screen},
		`{"dump":"brief"}`:   {Dump: Brief},
	} {
		b, err := json.Marshal(op)
		if err != nil || string(b) != line {
			t.Errorf("marshal: got %s, %v, want %s", b, err, line)
		}
		var back Op
		if err := json.Unmarshal([]byte(line), &back); err != nil || !reflect.DeepEqual(back, op) {
			t.Errorf("unmarshal %s: got %+v, %v, want %+v", line, back, err, op)
		}
	}
	for _, line := range []string{`{}`, `{"dump":"all"}`, `{"dump":true,"write":""}`, `{"dump":3}`, `[]`} {
		if err := json.Unmarshal([]byte(line), new(Op)); err == nil {
			t.Errorf("%s was accepted", line)
		}
	}
}
