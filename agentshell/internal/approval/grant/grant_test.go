package grant

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestARuleIsKeptForItsWorkspaceOrForAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config", "rules.json")
	a, b := Store{file, "/a"}, Store{file, "/b"}
	want := func(s Store, everywhere, here []string) {
		t.Helper()
		e, h, err := s.Load()
		if err != nil || !slices.Equal(e, everywhere) || !slices.Equal(h, here) {
			t.Errorf("%s: %q, %q, %v", s.Workspace, e, h, err)
		}
	}
	want(a, nil, nil)
	for range 2 { // the second time there is nothing to do
		if err := a.Keep("bash(make)", false); err != nil {
			t.Fatal(err)
		}
		if err := b.Keep("bash(go test *)", true); err != nil {
			t.Fatal(err)
		}
	}
	want(a, []string{"bash(go test *)"}, []string{"bash(make)"})
	want(b, []string{"bash(go test *)"}, nil)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if err := b.Forget("bash(make)", false); err != nil { // it is not b's
		t.Fatal(err)
	}
	want(a, []string{"bash(go test *)"}, []string{"bash(make)"})
	if err := a.Forget("bash(make)", false); err != nil {
		t.Fatal(err)
	}
	if err := a.Forget("bash(go test *)", true); err != nil {
		t.Fatal(err)
	}
	want(a, nil, nil)
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".rules-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A file that cannot be read grants nothing, and is not written over.
func TestABrokenFileGrantsNothingAndStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.json")
	const broken = `{"everywhere":["bash(make)"]`
	if err := os.WriteFile(file, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Store{file, "/a"}
	if e, h, err := s.Load(); err == nil || len(e)+len(h) > 0 {
		t.Errorf("%q, %q, %v", e, h, err)
	}
	if s.Keep("bash(ls)", true) == nil || s.Forget("bash(make)", true) == nil {
		t.Error("it is changed")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != broken {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.WriteFile(file, []byte(broken+"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e, _, err := s.Load(); err != nil || len(e) != 1 || e[0] != "bash(make)" {
		t.Errorf("the same file with its end: %q, %v", e, err)
	}
	if err := s.Keep("bash(ls)", true); err != nil {
		t.Errorf("the same file with its end: %v", err)
	}
}
