package dap_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
)

// withPrograms returns a service that finds only programs of these names, all of them the test
// program.
func withPrograms(t *testing.T, table dap.Table, names ...string) *dap.Service {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Symlink(os.Args[0], filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	family.Programs = child.NewPrograms(dir)
	s := dap.NewService(dap.Config{Dir: t.TempDir(), Table: table, Env: os.Environ(), Family: family})
	t.Cleanup(func() {
		s.Close()
		family.Programs = nil
	})
	return s
}

// An adapter whose program is too old for the protocol counts as not installed, and the error says
// what to install. The program is asked for its version once, and not before it is needed.
func TestAnAdapterThatIsTooOldIsNotInstalled(t *testing.T) {
	for text, want := range map[string]string{
		"GNU gdb (Debian 13.1-3) 13.1\nCopyright 2023\n": "gdb 13.1 is too old: it has to be 14 or newer. " +
			"To install it: get gdb",
		"GNU gdb (GDB) 14.1\n":           "",
		"a program that does not tell\n": "",
	} {
		asked := filepath.Join(t.TempDir(), "asked")
		gdb := dap.Adapter{Name: "gdb", Command: []string{"gdb", "-i", "dap"}, Native: true, Install: "get gdb",
			Version: daptest.Version(text, asked), Least: 14}
		s := withPrograms(t, dap.Table{"gdb": gdb}, "gdb")
		if _, err := os.Stat(asked); err == nil {
			t.Fatal("it was asked before it was needed")
		}
		_, err := s.Resolve(t.Context(), gdb)
		var outdated *dap.OutdatedError
		if errors.As(err, &outdated) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if names := s.InstalledNames(t.Context()); (names == "none") != (want != "") {
			t.Errorf("%q: installed are %s", text, names)
		}
		if lines, err := os.ReadFile(asked); err != nil || string(lines) != "asked\n" {
			t.Errorf("%q: it was asked %q times, %v", text, lines, err)
		}
	}
}

// An adapter has the first of its names that is installed.
func TestAnAdapterHasTheFirstNameThatIsInstalled(t *testing.T) {
	lldb := dap.Adapter{Name: "lldb-dap", Command: []string{"lldb-dap", "-x"}, Native: true, Install: "get lldb",
		Names: []string{"lldb-dap-19", "lldb-vscode-14"}}
	for names, want := range map[string]string{"lldb-dap lldb-dap-19": "lldb-dap -x",
		"lldb-vscode-14": "lldb-vscode-14 -x", "lldb-vscode-14 lldb-dap-19": "lldb-dap-19 -x", "lldb": ""} {
		s := withPrograms(t, dap.Table{"lldb-dap": lldb}, strings.Fields(names)...)
		a, err := s.Resolve(t.Context(), lldb)
		var missing *helper.Missing
		if want == "" {
			if !errors.As(err, &missing) || err.Error() != "lldb-dap is not installed. To install it: get lldb" {
				t.Errorf("%s: %v", names, err)
			}
			continue
		}
		if err != nil || strings.Join(a.Command, " ") != want {
			t.Errorf("%s: %q, %v, want %q", names, a.Command, err, want)
		}
	}
	if strings.Join(lldb.Command, " ") != "lldb-dap -x" {
		t.Errorf("the table has changed: %q", lldb.Command)
	}
}
