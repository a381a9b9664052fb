#!/usr/bin/env bash
# golang.org/x/term v0.48.0: Terminal is a line editor, so one would guess that it knows how many
# columns a character takes. It counts each rune as one column. Backspace over the second letter of
# "漢字" goes back one of its two columns, so that "end" stands behind a hole. Backspace over a
# combining accent goes back a column although the accent has none, so that the line "aeend" is shown
# as "aend". The line that ReadLine returns is right; only what the person sees is not. The rows are
# read from tmux 3.3a (Debian 12). It matters to every program whose
# prompt is this editor: people correct a name and see another one.
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

require golang.org/x/term v0.48.0
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// rawOutput writes line feeds as a terminal in raw mode would get them.
type both struct {
	io.Reader
	io.Writer
}

func main() {
	for _, keys := range os.Args[1:] {
		t := term.NewTerminal(both{strings.NewReader(keys + "\r"), os.Stdout}, "> ")
		line, err := t.ReadLine()
		fmt.Printf("read %q %v\r\n", line, err)
	}
	io.Copy(io.Discard, os.Stdin)
}
GO
sed -i 's|^// rawOutput.*|// both reads keys and writes what the editor draws.|' main.go
GOFLAGS=-mod=mod GOPATH="$dir/go" GOCACHE="$dir/cache" go build -o editor . 2>err || {
  cat err >&2
  exit 1
}
tmux -u new-session -d -x 40 -y 10 "./editor \$'abc\\x7fend' \$'漢字\\x7fend' \$'ae\\u0301\\x7fend'"
for _ in $(seq 100); do
  [ "$(tmux capture-pane -p | grep -c read)" = 3 ] && break
  sleep 0.1
done
got=$(tmux capture-pane -p | grep .)
printf '%s\n' "$got"
[ "$got" = '> abend
read "abend" <nil>
> 漢 end
read "漢end" <nil>
> aend
read "aeend" <nil>' ] || { echo "the behaviour has changed" >&2; exit 1; }
