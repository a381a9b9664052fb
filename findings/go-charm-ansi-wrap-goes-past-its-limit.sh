#!/usr/bin/env bash
# github.com/charmbracelet/x/ansi v0.11.9: Wrap with a limit should give no line of more columns, as it
# breaks words where it has to. Where a hyphen meets the edge, it does: "a state-of-the-art design" at 7
# has the line "a state-o", and a text of 29 columns that ends with a hyphen stays one line at 28.
# Hardwrap with the same texts is the control. It matters to programs that lay out rows by it: a
# terminal breaks such a row once more, all rows below are one off, and options such as --dry-run
# are full of hyphens.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOPATH="$dir/go" GOCACHE="$dir/cache"
cat >go.mod <<'MOD'
module finding

go 1.26

require github.com/charmbracelet/x/ansi v0.11.9
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

func main() {
	for _, c := range []struct {
		text  string
		limit int
	}{
		{"a state-of-the-art design", 7},
		{"the years 1990-1999 and 2000-", 28},
		{"the years 1990-1999 and 2000.", 28},
	} {
		for name, wrapped := range map[bool]string{
			true: ansi.Wrap(c.text, c.limit, ""), false: ansi.Hardwrap(c.text, c.limit, true),
		} {
			widest := ""
			for _, line := range strings.Split(wrapped, "\n") {
				if ansi.StringWidth(line) > ansi.StringWidth(widest) {
					widest = line
				}
			}
			how := map[bool]string{true: "Wrap", false: "Hardwrap"}[name]
			fmt.Printf("%s at %d: %d columns, %q\n", how, c.limit, ansi.StringWidth(widest), widest)
		}
	}
}
GO
go run . >out 2>err || { cat err >&2; exit 1; }
got=$(LC_ALL=C sort out)
printf '%s\n' "$got"
[ "$got" = 'Hardwrap at 28: 28 columns, "the years 1990-1999 and 2000"
Hardwrap at 28: 28 columns, "the years 1990-1999 and 2000"
Hardwrap at 7: 7 columns, "a state"
Wrap at 28: 23 columns, "the years 1990-1999 and"
Wrap at 28: 29 columns, "the years 1990-1999 and 2000-"
Wrap at 7: 9 columns, "a state-o"' ] || { echo "the behaviour has changed" >&2; exit 1; }
