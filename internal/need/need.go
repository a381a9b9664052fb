// Package need skips a test whose outside help is missing, and fails it where SCROLLKEEP_REQUIRE says that the help must be there.
package need

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Required reports whether SCROLLKEEP_REQUIRE, a list with commas, names name.
func Required(name string) bool {
	return slices.Contains(strings.Split(os.Getenv("SCROLLKEEP_REQUIRE"), ","), name)
}

// Program is the path of a program.
func Program(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(tb, name, err)
	}
	return path
}

// Missing ends the test: name is not there. why says what is not tested therefore.
func Missing(tb testing.TB, name string, why any) {
	tb.Helper()
	if Required(name) {
		tb.Fatalf("SCROLLKEEP_REQUIRE names %s, but: %v", name, why)
		return // a recorder's Fatalf does
	}
	tb.Skipf("SKIPPED, NOTHING WAS TESTED, no %s: %v", name, why)
}

// Time ends the test where only short ones are wanted (go test -short).
func Time(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("SKIPPED, takes seconds")
	}
}
