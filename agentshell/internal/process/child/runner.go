package child

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ErrLocal is the error for a command of the user's that would run code of the directory in which
// it starts.
var ErrLocal = errors.New("of the workspace decides what this runs; install the program, and name it by its path")

// runners lists programs that run a package by its name, such as npx, with the words that stand
// before that name. They look for the package in the working directory first.
var runners = map[string][]string{"npx": {""}, "pnpx": {""}, "bunx": {""}, "npm": {"exec", "x"},
	"pnpm": {"exec", "dlx"}, "yarn": {"exec", "dlx"}, "bun": {"x"}}

// directing lists words in npm's settings that change where packages come from, or run other code.
var directing = []string{"registry", "node-options", "shell", "prefix", "cache", "proxy", "config", "ssl",
	"cafile", "ca=", "ca ", "ca["}

// RunsLocal returns an error if a command that starts in dir would run code from dir: if it is a
// package runner such as npx, and dir has the package, or settings that say where to get it.
func RunsLocal(dir string, command []string) error {
	runner := strings.TrimSuffix(strings.TrimSuffix(path.Base(filepath.ToSlash(command[0])), ".exe"), ".cmd")
	before, is := runners[runner]
	words := command[1:]
	if is && before[0] != "" {
		at := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "-") })
		is = at >= 0 && slices.Contains(before, words[at])
		words = words[min(at+1, len(words)):]
	}
	if !is {
		return nil
	}
	files := []string{}
	for _, name := range packages(words) {
		files = append(files, "node_modules/"+name, "node_modules/.bin/"+path.Base(name))
	}
	for _, name := range append(files, "bunfig.toml") {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) || name == "bunfig.toml" && !strings.HasPrefix(runner, "bun") {
			continue
		}
		return fmt.Errorf("%s: %s %w", runner, name, ErrLocal)
	}
	for _, file := range []string{".npmrc", ".yarnrc", ".yarnrc.yml"} {
		if holds(dir, []string{file}, directing...) {
			return fmt.Errorf("%s: %s %w", runner, file, ErrLocal)
		}
	}
	return nil
}

// flags lists options of package runners that have no value.
var flags = []string{"-y", "--yes", "-q", "--quiet", "--silent", "--no", "--no-install", "--prefer-online",
	"--prefer-offline", "--offline", "--bun", "--verbose", "--"}

// packages returns the names, without versions, of all packages that the arguments of a package
// runner may name.
func packages(words []string) (names []string) {
	for i, w := range words {
		option := strings.HasPrefix(w, "-")
		if name, value, joined := strings.Cut(w, "="); option && joined && (name == "--package" || name == "-p") {
			w, option = value, false
		}
		if option || w == "" || w == "." || w == ".." {
			continue
		}
		w, _, _ = strings.Cut(strings.TrimSpace(w), " ") // of -c
		if at := strings.LastIndexByte(w, '@'); at > 0 {
			w = w[:at]
		}
		names = append(names, path.Clean("/" + w)[1:])
		value := i > 0 && strings.HasPrefix(words[i-1], "-") && !slices.Contains(flags, words[i-1])
		if !value && !strings.HasPrefix(words[i], "-") {
			break // what follows is for the package
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// SafeEnviron returns environ, extended by PYTHONSAFEPATH=1 if command is Python and would import
// modules from the working directory. Python before 3.11 ignores that variable. A value that
// environ sets itself stays in force.
func SafeEnviron(environ, command []string) []string {
	if !importsLocal(command) {
		return environ
	}
	return append([]string{"PYTHONSAFEPATH=1"}, environ...)
}

// importsLocal reports whether command runs Python in a way that imports from the working directory
// first, as with -m and -c.
func importsLocal(command []string) bool {
	if !strings.HasPrefix(path.Base(filepath.ToSlash(command[0])), "python") {
		return false
	}
	for _, w := range command[1:] {
		switch {
		case !strings.HasPrefix(w, "-") || w == "-":
			return w == "-" // a script looks in its own folder
		case !strings.HasPrefix(w, "--") && strings.ContainsAny(w, "mc"):
			return true
		}
	}
	return len(command) == 1
}
