// Package need skips a test that needs a program, or anything else, that is not installed. If the
// environment variable SCROLLKEEP_REQUIRE names it, the test fails instead.
package need

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Required reports whether the environment variable SCROLLKEEP_REQUIRE, a list separated by commas,
// contains name.
func Required(name string) bool {
	return slices.Contains(strings.Split(os.Getenv("SCROLLKEEP_REQUIRE"), ","), name)
}

// Program returns the path of an installed program. If the program is missing, it ends the test by
// [Missing].
func Program(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(tb, name, err)
	}
	return path
}

// Missing skips the test because name is not installed, or fails it if the test is [Required]. why
// is the reason, for the message.
//
// It also adds a line, with the command that installs name, to the file in the environment variable
// SCROLLKEEP_MISSING. `make test` prints that file at its end.
func Missing(tb testing.TB, name string, why any) {
	tb.Helper()
	if file := os.Getenv("SCROLLKEEP_MISSING"); file != "" {
		note(tb, file, name, why)
	}
	if Required(name) {
		tb.Fatalf("SCROLLKEEP_REQUIRE names %s, but: %v", name, why)
		return // a recorder's Fatalf does
	}
	tb.Skipf("SKIPPED, NOTHING WAS TESTED, no %s: %v", name, why)
}

// Time skips the test, which takes seconds, in short mode (go test -short).
func Time(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("SKIPPED, takes seconds")
	}
}

// note adds a line to a file: the missing name, the reason, and the command that installs it,
// separated by tabs.
func note(tb testing.TB, file, name string, why any) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		tb.Logf("it is not noted that %s is missing: %v", name, err)
		return
	}
	defer f.Close()
	reason := strings.Join(strings.Fields(fmt.Sprint(why)), " ")
	if _, err := fmt.Fprintf(f, "%s\t%s\t%s\n", name, reason, installCommand(name)); err != nil {
		// One write: packages run beside each other.
		tb.Logf("it is not noted that %s is missing: %v", name, err)
	}
}

// installCommand returns the command that installs name on Debian, or a description of another way.
// It returns "" if there is none.
func installCommand(name string) string {
	switch name {
	case "ghostty", "xterm.js", "xtermjs":
		return "make oracle"
	case "ssh":
		return "apt-get install openssh-client"
	case "sshd":
		return "apt-get install openssh-server"
	case "gopls":
		return "go install golang.org/x/tools/gopls@v0.23.0"
	case "dlv":
		return "go install github.com/go-delve/delve/cmd/dlv@v1.27.2"
	case "ast-grep":
		return "npm install --prefix DIR @ast-grep/cli@0.40.0, with DIR/node_modules/.bin in PATH"
	case "chromium":
		name = "chromium-headless-shell"
	case "debugpy":
		name = "python3-debugpy"
	case "ipykernel":
		name = "python3-ipykernel"
	case "mcp", "acp", "gateway", "lsp":
		return "make servers"
	case "Xvfb":
		name = "xvfb"
	case "sh":
		name = "dash"
	case "sandbox":
		return "apt-get install bubblewrap, on a machine that allows user namespaces (in a chroot none are)"
	case "userns":
		return "a machine that allows user namespaces (in a chroot none are)"
	case "a directory that is not temporary":
		return "a checkout or a home directory outside of /tmp"
	case "casefold":
		return "apt-get install e2fsprogs; root"
	case "mount":
		return "apt-get install mount; root"
	case "setxkbmap":
		name = "x11-xkb-utils"
	case "rg":
		name = "ripgrep"
	case "node":
		return "apt-get install nodejs npm"
	case "pgrep":
		name = "procps"
	case "find":
		name = "findutils"
	case "proc", "pty", "owner", "immutable", "mutants", "kitty-0.40", "kitty-stream", "kitty-unstable", "kitty0.28":
		return ""
	case "emacs-vterm":
		name = "elpa-vterm"
	case "emacs-eat":
		name = "elpa-eat"
	case "emacs":
		name = "emacs-nox"
	case "nvim":
		name = "neovim"
	case "mosh-server", "mosh-client":
		name = "mosh"
	case "vte":
		name = "gir1.2-vte-2.91"
	}
	if strings.ContainsAny(name, " /") {
		return ""
	}
	return "apt-get install " + name
}
