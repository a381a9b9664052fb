package app

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// toBeMapped is every requirement of the rendering contract and of the shell's parts: each has a
// line in requirements.txt or stands in notBuilt.
func toBeMapped() []string {
	var ids []string
	for _, r := range []struct {
		group       string
		first, last int
	}{{"RC", 1, 18}, {"RC", 20, 27}, {"RC", 30, 37}, {"RC", 40, 43},
		{"SH", 1, 9}, {"SH", 20, 21}, {"SH", 23, 27}, {"SH", 40, 40}, {"SH", 42, 42}} {
		for n := r.first; n <= r.last; n++ {
			ids = append(ids, fmt.Sprintf("%s-%d", r.group, n))
		}
	}
	return ids
}

// notBuilt says why a requirement has no line yet.
var notBuilt = map[string]string{
	"SH-23": "edits are anchored by their text; anchors of lines with a tag of the file are to come",
}

// unmapped says what is wrong with the ids of a map, beside those that have to be there and those
// that are not built yet.
func unmapped(ids, must []string, notBuilt map[string]string) []string {
	var wrong []string
	for _, id := range must {
		why, missing := notBuilt[id]
		switch mapped := slices.Contains(ids, id); {
		case mapped && missing:
			wrong = append(wrong, id+" has a line, and is said not to be built")
		case !mapped && strings.TrimSpace(why) == "":
			wrong = append(wrong, id+" has no line, and nothing says why")
		}
	}
	for id := range notBuilt {
		if !slices.Contains(must, id) {
			wrong = append(wrong, id+" is said not to be built, and is no requirement that has to be")
		}
	}
	return wrong
}

func TestARequirementWithoutALineOrAReasonIsFound(t *testing.T) {
	must := []string{"RC-1", "RC-2"}
	for _, c := range []struct {
		ids      []string
		notBuilt map[string]string
		wrong    int
	}{
		{must, nil, 0},
		{[]string{"RC-1"}, map[string]string{"RC-2": "why"}, 0},
		{[]string{"RC-1"}, nil, 1},
		{[]string{"RC-1"}, map[string]string{"RC-2": " "}, 1},
		{must, map[string]string{"RC-2": "why"}, 1},
		{must, map[string]string{"RC-3": "why"}, 1},
	} {
		if got := unmapped(c.ids, must, c.notBuilt); len(got) != c.wrong {
			t.Errorf("%q without %q: %q", c.ids, c.notBuilt, got)
		}
	}
}

// Each requirement of the shell names the tests that hold it; a test that was renamed or removed is
// noticed here.
func TestRequirementsNameTheirTests(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	err := filepath.WalkDir("../../..", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		b, err := os.ReadFile(name)
		for _, part := range bytes.Split(b, []byte("\nfunc "))[1:] {
			if bytes.HasPrefix(part, []byte("Test")) || bytes.HasPrefix(part, []byte("Fuzz")) {
				test, _, _ := bytes.Cut(part, []byte("("))
				tests[string(test)] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("testdata/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for in := bufio.NewScanner(bytes.NewReader(list)); in.Scan(); {
		words := strings.Fields(in.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if slices.Contains(ids, words[0]) {
			t.Errorf("%s stands there twice", words[0])
		}
		ids = append(ids, words[0])
		switch {
		case len(words) < 2:
			t.Errorf("%s has no test", words[0])
		case words[1] == "-":
			if len(words) < 3 {
				t.Errorf("%s has neither a test nor a reason", words[0])
			}
			continue
		}
		for _, name := range words[1:] {
			if !tests[name] {
				t.Errorf("%s: there is no test %s", words[0], name)
			}
		}
	}
	for _, wrong := range unmapped(ids, toBeMapped(), notBuilt) {
		t.Error(wrong)
	}
	if len(ids) < 200 {
		t.Errorf("only %d requirements", len(ids))
	}
}
