#!/usr/bin/env bash
# github.com/rivo/uniseg v0.4.7: StringWidth should say how many columns a terminal uses. For some
# everyday text it does not. The voiced marks of half-width katakana (U+FF9E, U+FF9F), which are letters
# with a column of their own, count as nothing, because they end a cluster: the width of "ｶﾞｷﾞ" is 2, and
# tmux 3.3a (Debian 12) takes 4. The two- and three-em dashes (U+2E3A, U+2E3B) count as 3 and 4, and
# tmux takes 1. It matters to tables and forms, above all to Japanese ones, since banks and old
# systems send names in half-width katakana: all columns behind such a name are wrong. A full-width name is
# the control.
set -euo pipefail
dir=$(mktemp -d)
cleanup() {
  [ ! -S "$dir/s" ] || tmux kill-server 2>/dev/null || true
  chmod -R u+w "$dir"
  rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir"
for package in tmux=3.3a-3 libevent-core-2.1-7=2.1.12-stable-8 libutempter0=1.2.1-3; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
export LC_ALL=C.UTF-8
tmux() { LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu) "$dir/tree/usr/bin/tmux" -S "$dir/s" -f /dev/null "$@"; }
cat >go.mod <<'MOD'
module finding

go 1.26

require github.com/rivo/uniseg v0.4.7
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/rivo/uniseg"
)

func main() {
	for _, s := range os.Args[1:] {
		fmt.Println(uniseg.StringWidth(s))
	}
}
GO
texts=('ガギ' 'ｶﾞｷﾞ' 'ﾊﾟ' '⸺' '⸻')
GOFLAGS=-mod=mod GOPATH="$dir/go" GOCACHE="$dir/cache" go run . "${texts[@]}" >uniseg 2>err || {
  cat err >&2
  exit 1
}
cat >columns.sh <<'TEXT'
for text; do
  printf '\r%s\033[6n' "$text"
  IFS= read -rsd R report
  printf '\r\033[K'
  echo $((${report##*;} - 1)) >>terminal
done
TEXT
tmux -u new-session -d -x 40 -y 10 "bash --norc columns.sh ${texts[*]@Q}"
for _ in $(seq 100); do
  [ "$(cat terminal 2>/dev/null | wc -l)" = "${#texts[@]}" ] && break
  sleep 0.1
done
got=$(printf '%s\n' "${texts[@]}" | paste -d ' ' - uniseg terminal)
echo "text, uniseg, tmux"
printf '%s\n' "$got"
[ "$got" = "ガギ 4 4
ｶﾞｷﾞ 2 4
ﾊﾟ 1 2
⸺ 3 1
⸻ 4 1" ] || { echo "the behaviour has changed" >&2; exit 1; }
