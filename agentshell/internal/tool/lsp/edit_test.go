package lsp

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// edits reads edits as a server sends them.
func edits(t *testing.T, text string) (list []TextEdit) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEditsAreMadeInTheOldText(t *testing.T) {
	at := func(line, from, to int, text string) TextEdit {
		return TextEdit{Range: Range{Position{line, from}, Position{line, to}}, NewText: text}
	}
	for _, c := range []struct {
		name, text string
		edits      []TextEdit
		encoding   Encoding
		want       string // "" with err: an error with that text
		err        string
	}{
		{"in any order", "one two\nthree\n", []TextEdit{at(1, 0, 5, "3"), at(0, 4, 7, "2"), at(0, 0, 3, "1")}, UTF16,
			"1 2\n3\n", ""},
		{"two at one place stay in their order", "ab", []TextEdit{at(0, 1, 1, "1"), at(0, 1, 1, "2")}, UTF16, "a12b",
			""},
		{"put in before what is replaced", "ab", []TextEdit{at(0, 1, 2, "X"), at(0, 1, 1, "1")}, UTF16, "a1X", ""},
		{"overlapping", "abc", []TextEdit{at(0, 0, 2, "x"), at(0, 1, 3, "y")}, UTF16, "", "overlap"},
		{"ends before it begins", "abc", []TextEdit{at(0, 2, 1, "x")}, UTF16, "", "ends before it begins"},
		{"behind the end of a line", "ab\ncd", []TextEdit{at(0, 9, 9, "!")}, UTF16, "ab!\ncd", ""},
		{"behind the end of the text", "ab", []TextEdit{at(7, 0, 0, "!")}, UTF16, "ab!", ""},
		{"before the text", "ab", []TextEdit{at(-1, 0, 0, "!")}, UTF16, "", "before the text"},
		{"CR LF stays", "ab\r\ncd\r\n", []TextEdit{at(0, 2, 9, "!"), at(1, 0, 1, "C")}, UTF16, "ab!\r\nCd\r\n", ""},
		{"empty edits at line ends", "ab\r\n", []TextEdit{at(0, 2, 2, "")}, UTF16, "ab\r\n", ""},
		{"UTF-16", "a😀ö=b", []TextEdit{at(0, 4, 5, "≠")}, UTF16, "a😀ö≠b", ""},
		{"UTF-8", "a😀ö=b", []TextEdit{at(0, 7, 8, "≠")}, UTF8, "a😀ö≠b", ""},
		{"UTF-32", "a😀ö=b", []TextEdit{at(0, 3, 4, "≠")}, UTF32, "a😀ö≠b", ""},
		{"within a character", "😀b", []TextEdit{at(0, 1, 1, "x")}, UTF16, "x😀b", ""},
		{"a snippet", "ab", edits(t, `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},
			"newText":"","snippet":{"kind":"snippet","value":"$1"}}]`), UTF16, "", "places to fill in"},
	} {
		got, err := ApplyEdits(c.text, c.edits, c.encoding)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %q, %v, want an error with %q", c.name, got, err, c.err)
		}
	}
}

// disk is files for a plan.
type disk map[string]string

func (d disk) files(version int) Files {
	return Files{
		Read: func(path string) ([]byte, error) {
			if strings.HasPrefix(path, "/outside") {
				return nil, errors.New("outside of the workspace")
			}
			if text, ok := d[path]; ok {
				return []byte(text), nil
			}
			return nil, nil
		},
		List: func(dir string) (list []string, err error) {
			for path := range d {
				if strings.HasPrefix(path, dir+"/") {
					list = append(list, path)
				}
			}
			return list, nil
		},
		Version: func(string) int { return version },
	}
}

// TestAPlanIsWhatTheStepsSay plays edits of all forms. The result is the files that differ, with
// "-" for one that is gone.
func TestAPlanIsWhatTheStepsSay(t *testing.T) {
	const insert = `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"X"}`
	d := disk{"/w/a": "a\n", "/w/b": "b\n", "/w/sub/c": "c\n", "/w/sub/d": "d\n", "/w/bom": bom + "x", "/w/cr": "a\rb",
		"/w/bad": "\xff"}
	for _, c := range []struct {
		name, edit string
		version    int
		want       map[string]string
		err        string
	}{
		{"nothing", `null`, 0, map[string]string{}, ""},
		{"a list, as pylsp says", `[]`, 0, map[string]string{}, ""},
		{"the old form", `{"changes":{"file:///w/a":[` + insert + `],"file:///w/b":[]}}`, 0,
			map[string]string{"/w/a": "Xa\n"}, ""},
		{"both forms: the new one counts",
			`{"changes":{"file:///w/b":[` + insert + `]},"documentChanges":[{"textDocument":{"uri":"file:///w/a",` +
				`"version":null},"edits":[` + insert + `]}]}`, 0, map[string]string{"/w/a": "Xa\n"}, ""},
		{"version 0 of a closed file",
			`{"documentChanges":[{"textDocument":{"uri":"file:///w/a","version":0},"edits":[` +
				insert + `]}]}`, 5, map[string]string{"/w/a": "Xa\n"}, ""},
		{"an old version", `{"documentChanges":[{"textDocument":{"uri":"file:///w/a","version":4},"edits":[` +
			insert + `]}]}`, 5, nil, "has version 5"},
		{"a byte order mark stays", `{"changes":{"file:///w/bom":[` + insert + `]}}`, 0,
			map[string]string{"/w/bom": bom + "Xx"}, ""},
		{"lines that nobody knows", `{"changes":{"file:///w/cr":[` + insert + `]}}`, 0, nil, "CR without LF"},
		{"no text", `{"changes":{"file:///w/bad":[` + insert + `]}}`, 0, nil, "no text in UTF-8"},
		{"a file that is not there", `{"changes":{"file:///w/x":[` + insert + `]}}`, 0, nil, "does not exist"},
		{"outside", `{"changes":{"file:///outside/x":[` + insert + `]}}`, 0, nil, "outside of the workspace"},
		{"no file", `{"changes":{"untitled:x":[` + insert + `]}}`, 0, nil, "names no file"},
		{"another machine", `{"changes":{"file://host/w/a":[` + insert + `]}}`, 0, nil, "names no file"},
		{"created and filled", `{"documentChanges":[{"kind":"create","uri":"file:///w/n"},{"textDocument":{"uri":` +
			`"file:///w/n","version":null},"edits":[` + insert + `]}]}`, 0, map[string]string{"/w/n": "X"}, ""},
		{"created twice", `{"documentChanges":[{"kind":"create","uri":"file:///w/a"}]}`, 0, nil, "exists already"},
		{"created if it is not there", `{"documentChanges":[{"kind":"create","uri":"file:///w/a","options":` +
			`{"ignoreIfExists":true}}]}`, 0, map[string]string{}, ""},
		{"renamed, then edited",
			`{"documentChanges":[{"kind":"rename","oldUri":"file:///w/a","newUri":"file:///w/n"},` +
				`{"textDocument":{"uri":"file:///w/n"},"edits":[` + insert + `]}]}`, 0,
			map[string]string{"/w/a": "-", "/w/n": "Xa\n"}, ""},
		{"renamed onto another",
			`{"documentChanges":[{"kind":"rename","oldUri":"file:///w/a","newUri":"file:///w/b"}]}`,
			0, nil, "exists already"},
		{"a folder", `{"documentChanges":[{"kind":"rename","oldUri":"file:///w/sub","newUri":"file:///w/dir"}]}`, 0,
			map[string]string{"/w/sub/c": "-", "/w/sub/d": "-", "/w/dir/c": "c\n", "/w/dir/d": "d\n"}, ""},
		{"there and back", `{"documentChanges":[{"kind":"rename","oldUri":"file:///w/a","newUri":"file:///w/n"},` +
			`{"kind":"rename","oldUri":"file:///w/n","newUri":"file:///w/a"}]}`, 0, map[string]string{}, ""},
		{"deleted", `{"documentChanges":[{"kind":"delete","uri":"file:///w/a"}]}`, 0, map[string]string{"/w/a": "-"},
			""},
		{"a folder without leave", `{"documentChanges":[{"kind":"delete","uri":"file:///w/sub"}]}`, 0, nil,
			"folder with files"},
		{"a folder with leave", `{"documentChanges":[{"kind":"delete","uri":"file:///w/sub","options":` +
			`{"recursive":true}}]}`, 0, map[string]string{"/w/sub/c": "-", "/w/sub/d": "-"}, ""},
		{"an unknown deed", `{"documentChanges":[{"kind":"chmod","uri":"file:///w/a"}]}`, 0, nil, "do not know"},
	} {
		steps, err := ParseEdit(json.RawMessage(c.edit))
		var changes []Change
		if err == nil {
			changes, err = Plan(steps, d.files(c.version), UTF16)
		}
		got := map[string]string{}
		for _, change := range changes {
			got[change.Path] = string(change.After)
			if change.After == nil {
				got[change.Path] = "-"
			}
		}
		switch {
		case c.err == "" && (err != nil || !maps.Equal(got, c.want)):
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %q, %v, want an error with %q", c.name, got, err, c.err)
		}
	}
}

func TestAddressesOfFiles(t *testing.T) {
	for _, path := range []string{"/a/b.go", "/a b/ö#?%.go", "/a:b/[x]"} {
		if got, err := PathOf(URIOf(path)); err != nil || got != path {
			t.Errorf("%q becomes %q: %q, %v", path, URIOf(path), got, err)
		}
	}
	for _, uri := range []string{"http://x/a", "file:a", "file://host/a", "file:///a%00b", "", "%"} {
		if got, err := PathOf(uri); err == nil {
			t.Errorf("%q names %q", uri, got)
		}
	}
}

func TestTheTableOfServers(t *testing.T) {
	table, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) < 40 {
		t.Errorf("only %d servers", len(table))
	}
	for name, s := range table {
		if s.Name != name || len(s.Command) == 0 || len(s.Kinds) == 0 || s.Install == "" {
			t.Errorf("%s: %+v", name, s)
		}
	}
	mine, err := table.With([]byte("[gopls]\ncommand = [\"/opt/gopls\", \"-rpc.trace\"]\n[gopls.settings.gopls]\n" +
		"staticcheck = true\n[own]\ncommand = [\"own\"]\nkinds = { \".own\" = \"own\" }\n[pyright]\ndisabled = true\n"))
	if err != nil {
		t.Fatal(err)
	}
	if g := mine["gopls"]; g.Command[0] != "/opt/gopls" || g.Kinds[".go"] != "go" || len(g.Roots) != 2 ||
		settingsSection(g.Settings, "gopls").(map[string]any)["staticcheck"] != true {
		t.Errorf("%+v", g)
	}
	names := []string{}
	for _, s := range mine.Enabled() {
		names = append(names, s.Name)
	}
	if slices.Contains(names, "pyright") || !slices.Contains(names, "own") || names[len(names)-1] == "own" {
		t.Errorf("%q", names)
	}
	if table["gopls"].Command[0] != "gopls" {
		t.Error("the table itself has changed")
	}
	for text, want := range map[string]string{"[a]\ncomand = [\"x\"]\n": "line 2",
		"[a]\nkinds = { \".a\" = \"a\" }\n": "no command",
		"[a]\ncommand = [\"x\"]\n":          "no kinds", "[": "line 1", "[a]\ncommand = 1\n": "line 2"} {
		if _, err := table.With([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestUnknownSettingsAreAnEmptyObject(t *testing.T) {
	c := &Client{server: Server{Settings: map[string]any{"python": map[string]any{"analysis": map[string]any{"x": 1}}}}}
	got, _ := json.Marshal(c.requestedSettings(json.RawMessage(
		`{"items":[{"section":"python.analysis"},{"section":"css"},{},{"section":"python.analysis.x.y"}]}`)))
	want := `[{"x":1},{},{"python":{"analysis":{"x":1}}},{}]`
	if string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAnswersInEachForm(t *testing.T) {
	for raw, want := range map[string]string{
		`null`: "", `{"contents":"text"}`: "text", `{"contents":{"kind":"markdown","value":"**x**"}}`: "**x**",
		`{"contents":["a",{"language":"go","value":"func"},""]}`: "a\n\n```go\nfunc\n```", `{"contents":[]}`: "",
		`7`: "",
	} {
		if got := HoverText(json.RawMessage(raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	const r = `{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}`
	for raw, want := range map[string]int{`null`: 0, `[]`: 0, `{"uri":"file:///a","range":` + r + `}`: 1,
		`[{"targetUri":"file:///a","targetRange":` + r + `},{"targetUri":"file:///b","targetRange":` + r +
			`,"targetSelectionRange":` + r + `}]`: 2} {
		got, err := Locations(json.RawMessage(raw))
		if err != nil || len(got) != want || want > 0 && (got[0].URI == "" || got[0].Range.Start.Line != 1) {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
}
