package scrollkeep

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// levels are the folders of agentshell/internal, the lowest first. A package imports what is in its
// own level and below.
var levels = []struct{ folders, about string }{
	{"block console keep nearest plural regular secret", "values that need nothing else of the shell"},
	{"process", "programs that are started, confined and ended"},
	{"workspace", "files, their differences, and the way back"},
	{"provider", "models, and what they are told and answer"},
	{"approval", "what is proposed, who allows it, and the rules that stay"},
	{"config", "what a person has set: the file, keys, forms"},
	{"session", "what is kept of conversations"},
	{"tool", "what a model can do"},
	{"agent", "one conversation with a model"},
	{"frontend", "where a person or a program meets the agent"},
	{"app", "one run of the program, put together"},
	{"cli", "the command line"},
}

const inner = module + "agentshell/internal/"

// levelOf returns the place in levels of a package of the shell.
func levelOf(path string) (level int, ok bool) {
	path, ok = strings.CutPrefix(path, inner)
	if !ok {
		return 0, false
	}
	folder, _, _ := strings.Cut(path, "/")
	for i, l := range levels {
		if slices.Contains(strings.Fields(l.folders), folder) {
			return i, true
		}
	}
	return -1, true
}

// agentshell/extension is the one package of the shell that other programs import: extensions are
// written with it. It needs nothing else of this module.
func TestThePackagesOfTheShellImportDownwards(t *testing.T) {
	n := 0
	for _, p := range packages(t) {
		from, ok := levelOf(p.ImportPath)
		if !ok {
			if strings.HasPrefix(p.ImportPath, module+"agentshell/") && !within(p.ImportPath, "agentshell/extension") {
				t.Errorf("%s lies outside of agentshell/internal", p.ImportPath)
			}
			for _, imp := range p.Imports {
				if p.ImportPath == module+"agentshell/extension" && strings.Contains(imp, ".") {
					t.Errorf("%s imports %s, so that a copy of it does not build alone", p.ImportPath, imp)
				}
			}
			continue
		}
		n++
		if from < 0 {
			t.Errorf("%s lies in no level of levels_test.go", p.ImportPath)
		}
		for _, imp := range p.Imports {
			if to, ok := levelOf(imp); ok && to > from {
				t.Errorf("%s imports %s, which lies above it", p.ImportPath, imp)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d packages were looked at", n)
	}
}

func TestEachLevelOfTheShellIsThere(t *testing.T) {
	for _, l := range levels {
		for _, folder := range strings.Fields(l.folders) {
			if _, err := os.Stat("agentshell/internal/" + folder); err != nil {
				t.Error(err)
			}
		}
	}
}
