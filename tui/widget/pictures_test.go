package widget_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// pictures are those of the documentation, docs/pictures/<name>.svg, one for each widget.
var pictures = []struct {
	name, shows string
	rows        int
	make        func() tui.Component
	keys        []string // see play
}{
	{"breadcrumb", "A row of places, the current one last", 1, func() tui.Component {
		return &widget.Breadcrumb{Places: []string{"home", "projects", "tides", "moon.go"}}
	}, nil},
	{"calendar", "A month with the chosen day in brackets", 8, func() tui.Component {
		return &widget.Calendar{Date: day(2026, time.November, 28)}
	}, []string{"up"}},
	{"confirm", "A question with the answers yes and no", 2, func() tui.Component {
		return &widget.Confirm{Title: "Delete the branch tides?"}
	}, nil},
	{"filepicker", "Files of a directory, of which one is chosen", 5, func() tui.Component {
		return &widget.FilePicker{FS: sources(), Title: "Open a file"}
	}, []string{"down", "right", "down"}},
	{"input", "A line of text with what is wrong with it below", 3, func() tui.Component {
		return &widget.Input{Title: "Branch", Validate: func(text string) error {
			if strings.Contains(text, " ") {
				return errors.New("a name has no blanks")
			}
			return nil
		}}
	}, []string{"=new tides", "enter"}},
	{"keyhelp", "A row of keys and what they do", 1, func() tui.Component {
		return &widget.KeyHelp{Keys: []widget.KeyHint{{Key: "Enter", Help: "opens"}, {Key: "/", Help: "searches"},
			{Key: "s", Help: "sorts"}, {Key: "Esc", Help: "leaves"}}}
	}, nil},
	{"list", "A list whose rows are those that hold the typed word", 6, func() tui.Component {
		return &widget.List{Title: "Which branch?", Items: []widget.Item{{Text: "main", Note: "2 hours ago"},
			{Text: "tides", Note: "yesterday"}, {Text: "tide-table", Note: "last week"}, {Text: "herons"}}}
	}, []string{"=tid", "down"}},
	{"log", "Messages with their levels, in a pane that follows the end", 5, func() tui.Component {
		v := &widget.Viewport{Title: "server.log", Highlight: widget.Levels, Follow: true}
		for _, line := range []string{"12:00:01 INFO listening port=8080", "12:00:04 WARN slow query ms=412",
			"12:00:05 ERROR connection reset peer=10.0.0.7", "12:00:06 INFO retrying"} {
			v.Add(line)
		}
		return v
	}, nil},
	{"menu", "A context menu with keys at the right", 5, func() tui.Component {
		return &widget.Menu{Items: []widget.MenuItem{{Text: "Open", Key: "Enter"}, {Text: "Rename", Key: "F2"}, {},
			{Text: "Copy the path", Key: "Ctrl+C"}, {Text: "Delete", Key: "Del"}}}
	}, []string{"down"}},
	{"multiselect", "A list of which several options are marked", 8, func() tui.Component {
		return &widget.MultiSelect[string]{Title: "Topics", Options: []string{"releases", "security", "events", "jobs"}}
	}, []string{"space", "down", "down", "space"}},
	{"progress", "A bar with the bytes, the rate and the time that is left", 1, func() tui.Component {
		return loading(&widget.Progress{Title: "tides.tar.gz", Total: 12e6, Bytes: true})
	}, []string{"~5010ms"}},
	{"scrollbar", "A table with a scroll bar", 6, func() tui.Component {
		w := counted(40)
		w.ScrollBar = true
		return w
	}, []string{"pgdown", "pgdown"}},
	{"select", "Options in groups, of which one is chosen", 9, func() tui.Component {
		return &widget.Select[string]{Title: "Model", Options: []string{"small", "large", "local"},
			Show: func(name string) widget.Item {
				group := "hosted"
				if name == "local" {
					group = "on this machine"
				}
				return widget.Item{Text: name, Group: group}
			}}
	}, []string{"down"}},
	{"spinner", "A row that turns while something goes on", 1, func() tui.Component {
		return &widget.Spinner{Text: "linking the program", Hint: "Ctrl+C stops"}
	}, []string{"~2550ms"}},
	{"statusline", "A row of parts at the left, in the middle and at the right", 1, func() tui.Component {
		return &widget.StatusLine{Left: []widget.StatusPart{{Text: "main", Style: "accent"}, {Text: "3 changes"}},
			Middle: parts("moon.go"), Right: parts("UTF-8", "12:34")}
	}, nil},
	{"table", "A table that is sorted by a column", 5, func() tui.Component { return waters() },
		[]string{"right", "s", "s", "down"}},
	{"tabs", "Three tabs; a table is in the one that is shown", 6, func() tui.Component {
		return &widget.Tabs{At: 1, Tabs: []widget.Tab{{Title: "Notes", Body: tui.NewText("none")},
			{Title: "Rivers", Body: waters()}, {Title: "Log", Body: tui.NewText("none")}}}
	}, nil},
	{"toasts", "Messages that go away by themselves", 3, func() tui.Component {
		w := &widget.Toasts{}
		w.Show(widget.Success, "moon.go was saved")
		w.Show(widget.Warning, "the battery is low")
		w.Show(widget.Failure, "the server does not answer")
		return w
	}, nil},
	{"tree", "A tree with one branch open", 5, func() tui.Component {
		return &widget.Tree{Title: "Rivers", Children: func(id string) []widget.Node {
			switch id {
			case "":
				return []widget.Node{{ID: "north", Text: "North Sea", Branch: true},
					{ID: "black", Text: "Black Sea", Branch: true}}
			case "north":
				return []widget.Node{{ID: "rhine", Text: "Rhine", Note: "1,230 km"},
					{ID: "elbe", Text: "Elbe", Note: "1,094 km"}}
			}
			return nil
		}}
	}, []string{"right", "right", "down"}},
	{"viewport", "Text in a pane, in which a word is searched", 7, func() tui.Component {
		return &widget.Viewport{Title: "notes.md", Text: strings.Repeat("The harbour master knows the tides.\n"+
			"Ask when the water is high.\n", 9)}
	}, []string{"=/water", "enter", "n"}},
}

func waters() *widget.Table {
	return &widget.Table{Columns: []widget.Column{{Title: "River", Weight: 1}, {Title: "Mouth", Weight: 1},
		{Title: "km", Min: 6, Right: true}},
		Rows: [][]string{{"Rhine", "North Sea", "1230"}, {"Danube", "Black Sea", "2850"}, {"Loire", "Atlantic", "1006"},
			{"Po", "Adriatic", "652"}}}
}

func sources() fs.FS {
	file := &fstest.MapFile{Data: []byte("package tides\n")}
	return fstest.MapFS{"README.md": file, "go.mod": file, "tides/tides.go": file, "tides/moon.go": file}
}

func TestThePicturesOfTheWidgetsAreUpToDate(t *testing.T) {
	for _, p := range pictures {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &tui.App{}
				app.Overlay(p.make(), tui.Place{Full: true})
				s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: p.rows,
					Env: map[string]string{"SCROLLKEEP_STILL": "1"}})
				play(t, s, p.keys)
				tuitest.Golden(t, "../../docs/pictures/"+p.name+".svg", s.SVG(p.shows))
			})
		})
	}
}

// What is added to the package needs a row above.
func TestEachWidgetHasAPicture(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, p := range pictures {
		have[p.name] = true
	}
	n := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "View" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			of := f.Recv.List[0].Type.(*ast.StarExpr).X
			if generic, ok := of.(*ast.IndexExpr); ok {
				of = generic.X
			}
			if of := of.(*ast.Ident).Name; ast.IsExported(of) {
				n++
				if !have[strings.ToLower(of)] {
					t.Errorf("%s has no picture", of)
				}
			}
		}
	}
	if n < 12 {
		t.Errorf("%d widgets were found", n)
	}
}
