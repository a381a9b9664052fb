package main

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each requirement of the shell names the tests that hold it; a test that was renamed or removed is
// noticed here.
func TestRequirementsNameTheirTests(t *testing.T) {
	tests := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		b, err := os.ReadFile(name)
		for _, m := range function.FindAllSubmatch(b, -1) {
			tests[string(m[1])] = true
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
			continue
		}
		for _, name := range words[1:] {
			if !tests[name] {
				t.Errorf("%s: there is no test %s", words[0], name)
			}
		}
	}
	if len(ids) < 150 {
		t.Errorf("only %d requirements", len(ids))
	}
}
