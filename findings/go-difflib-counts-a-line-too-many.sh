#!/usr/bin/env bash
# github.com/pmezard/go-difflib v1.0.0: GetUnifiedDiffString with SplitLines, as its own
# documentation combines them, should give a diff that git and patch apply. SplitLines adds a line
# feed to the last line also when nothing follows the last line feed, so every text that ends with
# one gets an empty line more. The diff counts it and shows it as context, and `git apply` refuses
# the diff of two ordinary files; patch takes it only with fuzz. The same two files by `git diff`
# are the control. It matters to tools that show a diff and apply it later, or hand it to somebody.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOPATH="$dir/go" GOCACHE="$dir/cache"
cat >go.mod <<'MOD'
module finding

go 1.26

require github.com/pmezard/go-difflib v1.0.0
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/pmezard/go-difflib/difflib"
)

func main() {
	old, _ := os.ReadFile("old/f")
	changed, _ := os.ReadFile("new/f")
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(string(old)), FromFile: "a/f",
		B: difflib.SplitLines(string(changed)), ToFile: "b/f", Context: 3,
	})
	if err != nil {
		panic(err)
	}
	fmt.Print(text)
}
GO
mkdir old new
printf 'one\ntwo\nthree\n' >old/f
printf 'one\ntwo\n3\n' >new/f
go run . >go-difflib.diff 2>err || { cat err >&2; exit 1; }
git diff --no-index --src-prefix=a/ --dst-prefix=b/ old/f new/f | sed 's|old/f|f|; s|new/f|f|' >git.diff || true
cd old
git init -q .
try() { if git apply --check "../$1" 2>/dev/null; then echo applies; else echo refused; fi; }
got="the hunk of git: $(grep @@ ../git.diff), $(try git.diff)
the hunk of go-difflib: $(grep @@ ../go-difflib.diff), $(try go-difflib.diff)"
printf '%s\n' "$got"
[ "$got" = "the hunk of git: @@ -1,3 +1,3 @@, applies
the hunk of go-difflib: @@ -1,4 +1,4 @@, refused" ] || { echo "the behaviour has changed" >&2; exit 1; }
