//go:build unix

package tool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A program that only reads runs unasked if it is the one of that name. What a manager of versions
// puts before it runs what a file of the workspace names, in whatever directory.
func TestAShimIsNoProgramThatReads(t *testing.T) {
	bash := need.Program(t, "bash")
	b := readingPlace(t)
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	code, err := os.ReadFile(bash)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"shims/head": []byte("#!/bin/sh\necho ran > M\n"), "bin/mise": code,
		"own/rg": code, "own/fd": []byte("#!/bin/sh\necho ran > M\n")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755),
			os.WriteFile(at(name), data, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range [][2]string{{"own/jq", "../bin/mise"}, {"mine", "shims"}, {"own/tree", "rg"}} {
		if err := os.Symlink(link[1], at(link[0])); err != nil {
			t.Fatal(err)
		}
	}
	system := "/usr/bin:/bin"
	for _, c := range []struct {
		path, command string
		reads         bool
	}{
		{at("shims"), "head f", false},
		{at("mine"), "head f", false},
		{at("shims"), "cd sub && head g", false},
		{at("own"), "jq . j.json", false}, // a link to the manager
		{at("own"), "fd x", false},        // a script
		{at("own"), "tree", false},        // a program of another name
		{at("own") + ":" + system, "rg one f", true},
		{at("shims") + ":" + system, "head -n 1 f", true}, // that of the system runs
		{at("shims") + ":" + system, "cat f | head", true},
		{at("shims"), "echo head && pwd", true},
		{at("shims") + ":" + system, "egrep one f", true},
		{system, "awk 'NR==1' f", true},
	} {
		b.env.Commands.Environ = []string{"PATH=" + c.path, "HOME=" + home}
		b.reg = Builtin(b.env)
		if why := b.env.reads(t.Context(), c.command); why == "" != c.reads {
			t.Errorf("PATH %s, %s: %q", c.path, c.command, why)
		}
		if !c.reads || strings.HasPrefix(c.path, at("own")) {
			continue
		}
		if _, err := b.must("bash", args{"command": c.command}).Reading(context.Background(), nil); err != nil {
			t.Errorf("PATH %s, %s: %v", c.path, c.command, err)
		}
		if _, err := os.Lstat(filepath.Join(b.dir, "M")); err == nil {
			t.Errorf("PATH %s, %s: the shim ran", c.path, c.command)
		}
	}
	b.env.Commands.Environ = []string{"PATH=" + at("shims") + ":" + system, "HOME=" + home}
	b.reg = Builtin(b.env)
	if call := b.must("bash", args{"command": "./x && head f"}); call.Beside([]int{1}) == "" {
		t.Error("beside a command that a rule allows, the shim runs")
	}
}
