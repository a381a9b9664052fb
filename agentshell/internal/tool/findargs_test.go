package tool

import (
	"archive/zip"
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// argued returns a bench with files, an archive and an address.
func argued(t *testing.T) *bench {
	t.Helper()
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for name, text := range map[string]string{"src/in.go": "package in\n// needle\n", "bin": "a\x00needle"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, map[string]string{
		"a.go": "one\nneedle\nfunc(x)\nneedle\n", "b.md": "needle\n", "x, y.txt": "needle\n", "two words": "needle\n",
		"sub/c.go": "needle ${platform} a++ interface{}\n", "p.zip": zipped.String(), "f:3": "needle\n",
	})
	b.env.Addresses = Addresses{"artifact": func(_ context.Context, id string) (string, error) {
		if id != "output-1" {
			return "", failed("no such text")
		}
		return "first\nneedle\nlast\n", nil
	}}
	b.reg = Builtin(b.env)
	return b
}

// What a model sends as paths is understood where it can mean one thing.
func TestFindUnderstandsItsArguments(t *testing.T) {
	b := argued(t)
	type list = []any
	for _, c := range []struct {
		a    args
		want []string
	}{
		{args{"paths": "*.go"}, []string{"workspace/a.go", "workspace/sub/c.go"}},
		{args{"paths": `["b.md"]`}, []string{"workspace/b.md"}},
		{args{"paths": list{"a.go, b.md"}}, []string{"workspace/a.go", "workspace/b.md"}},
		{args{"paths": list{"a.go;b.md"}}, []string{"workspace/a.go", "workspace/b.md"}},
		{args{"paths": list{"a.go b.md"}}, []string{"workspace/a.go", "workspace/b.md"}},
		{args{"paths": list{"*.go, *.md"}}, []string{"workspace/a.go", "workspace/b.md", "workspace/sub/c.go"}},
		{args{"paths": list{"*.{go,md}"}}, []string{"workspace/a.go", "workspace/b.md", "workspace/sub/c.go"}},
		{args{"paths": list{"x, y.txt"}}, []string{"workspace/x, y.txt"}},
		{args{"paths": list{"x, y*"}}, []string{"workspace/x, y.txt"}},
		{args{"paths": list{"two words"}}, []string{"workspace/two words"}},
		{args{"paths": list{"sub, two words"}}, []string{"workspace/sub/c.go", "workspace/two words"}},
		{args{"paths": list{" a.go "}}, []string{"workspace/a.go"}},
		{args{"paths": list{"`a.go`", `"b.md"`}}, []string{"workspace/a.go", "workspace/b.md"}},
		{args{"paths": list{"a.go, none.go"}}, []string{"workspace/a.go"}},
		{args{"paths": list{"*.go"}, "limit": 1.9, "timeout": 0.5}, nil},
		{args{"paths": list{"*.go"}, "limit": 2.0, "timeout": 0}, []string{"workspace/a.go", "workspace/sub/c.go"}},
		{args{"paths": list{"*.go"}, "timeout": 1e9}, []string{"workspace/a.go", "workspace/sub/c.go"}},
	} {
		got := slices.DeleteFunc(b.found(c.a), func(p string) bool { return strings.Contains(p, "Skipped") })
		if c.want == nil && len(got) != 1 || c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("find %v: %q, want %q", c.a, got, c.want)
		}
	}
	for text, a := range map[string]args{
		"imit must be a positive number": {"paths": list{"*.go"}, "limit": 0},
		"Path not found: none.go b.md":   {"paths": list{"none.go b.md"}},
		"Path not found: none, nor":      {"paths": list{"none", "nor"}},
		"artifact://output-1 is no file": {"paths": list{"artifact://output-1"}},
		"must contain non-empty globs":   {"paths": list{"a.go", "  "}},
	} {
		if _, err := b.prepare("find", a); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("find %v: %v, want %q", a, err, text)
		}
	}
	for seconds, want := range map[float64]time.Duration{-1: time.Second / 2, 0.1: time.Second / 2,
		2.5: 5 * time.Second / 2, 1e9: time.Minute} {
		if got := (findArgs{Timeout: &seconds}).patience(); got != want {
			t.Errorf("%v seconds are %v", seconds, got)
		}
	}
	if got := (findArgs{}).patience(); got != 5*time.Second {
		t.Errorf("without a time it looks for %v", got)
	}
	if _, err := b.prepare("find", args{"paths": list{"a.go"}, "limit": -3}); err == nil {
		t.Error("a limit below 0 is taken")
	}
}

// The same of search, which also takes parts of files, members of archives and addresses.
func TestSearchUnderstandsItsArguments(t *testing.T) {
	b := argued(t)
	type list = []any
	for _, c := range []struct {
		a     args
		lines []string // what is found
		say   string
	}{
		{args{"pattern": "needle", "paths": "a.go"}, []string{"2:needle", "4:needle"}, ""},
		{args{"pattern": "needle", "paths": list{"a.go, b.md"}}, []string{"2:needle", "4:needle", "1:needle"}, ""},
		{args{"pattern": "needle", "path": "a.go,b.md"}, []string{"2:needle", "4:needle", "1:needle"}, ""},
		{args{"pattern": "needle", "path": "a.go:3-9"}, []string{"4:needle"}, ""},
		{args{"pattern": "needle", "path": "a.go:1-2,4"}, []string{"2:needle", "4:needle"}, ""},
		{args{"pattern": "needle", "path": "a.go:2+1"}, []string{"2:needle"}, ""},
		{args{"pattern": "needle", "path": "f:3"}, []string{"1:needle"}, ""},
		{args{"pattern": "needle", "path": "x, y.txt"}, []string{"1:needle"}, ""},
		{args{"pattern": "needle", "path": "*.md"}, []string{"1:needle"}, ""},
		{args{"pattern": "needle", "paths": list{"sub/*.go", "*.md"}, "context_after": 0},
			[]string{"1:needle ${platform} a++ interface{}", "1:needle"}, ""},
		{args{"pattern": "needle", "path": "p.zip:src/in.go"}, []string{"2:// needle"},
			"# workspace/p.zip:src/in.go\n"},
		{args{"pattern": "needle", "path": "p.zip:src/in.go:1-1"}, nil, "no line matches"},
		{args{"pattern": "needle", "path": "artifact://output-1"}, []string{"2:needle"}, "# artifact://output-1\n"},
		{args{"pattern": "needle", "path": "artifact://output-1:3"}, nil, "no line matches"},
		{args{"pattern": "needle", "paths": list{"artifact://output-1", "b.md"}}, []string{"2:needle", "1:needle"}, ""},
		{args{"pattern": "func(", "path": "a.go"}, []string{"3:func(x)"}, `"func(" is not a regular expression`},
		{args{"pattern": "fu.c(", "path": "a.go"}, []string{"3:func(x)"}, "its parentheses were taken as text"},
		{args{"pattern": "a++", "path": "sub"}, []string{"1:needle ${platform} a++ interface{}"},
			"was searched as text"},
		{args{"pattern": "${platform}", "path": "sub"}, []string{"1:needle ${platform} a++ interface{}"}, ""},
		{args{"pattern": "interface{}", "path": "sub"}, []string{"1:needle ${platform} a++ interface{}"}, ""},
		{args{"pattern": "ne{2}dle$", "path": "b.md"}, []string{"1:needle"}, ""},
		{args{"pattern": "needle", "paths": list{"b.md", "none"}}, []string{"1:needle"}, "[not found: none]"},
		{args{"pattern": "needle", "path": "b.md", "skip": 0.0, "context_before": 1.0}, []string{"1:needle"}, ""},
	} {
		call, err := b.prepare("search", c.a)
		if err != nil {
			t.Errorf("search %v: %v", c.a, err)
			continue
		}
		r, err := call.Run(t.Context(), nil)
		if err != nil {
			t.Errorf("search %v: %v", c.a, err)
			continue
		}
		var found []string
		for line := range strings.Lines(r.Text) {
			if line, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "*"); ok {
				found = append(found, line)
			}
		}
		if !slices.Equal(found, c.lines) || !strings.Contains(r.Text, c.say) {
			t.Errorf("search %v: %q, want %q\n%s", c.a, found, c.lines, r.Text)
		}
		if want := `search "` + c.a["pattern"].(string) + `" in `; !strings.HasPrefix(call.Title, want) {
			t.Errorf("the title of search %v is %q", c.a, call.Title)
		}
	}
	for text, a := range map[string]args{
		"pattern is empty":                         {"pattern": "  "},
		"a range of lines is one of a single file": {"pattern": "needle", "path": "sub:1-2"},
		"Glob patterns are not supported":          {"pattern": "needle", "path": "artifact://*"},
		"of a single file: sub/*.go is a glob":     {"pattern": "needle", "path": "sub/*.go:1-2"},
		"no such text":                             {"pattern": "needle", "path": "artifact://output-9"},
		"is not in the archive":                    {"pattern": "needle", "path": "p.zip:none"},
		"is a directory of the archive":            {"pattern": "needle", "path": "p.zip:src"},
		"binary":                                   {"pattern": "needle", "path": "p.zip:bin"},
		"skip must be 0 or more":                   {"pattern": "needle", "skip": -1},
		"file not found":                           {"pattern": "needle", "path": "none:1-2"},
	} {
		call, err := b.prepare("search", a)
		var r Result
		if err == nil {
			r, err = call.Run(t.Context(), nil)
		}
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("search %v: %v, want %q\n%s", a, err, text, r.Text)
		}
	}
}
