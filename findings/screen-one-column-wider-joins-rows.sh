#!/usr/bin/env bash
# GNU screen 4.9.0 (Debian 12): rows that were printed with line feeds should be rows of their own at
# every width. In a window that is exactly one column wider than any before it (81 after 80), every
# row that scrolls in counts as the continuation of the row before. Nothing is to be seen of it until
# the next change of size: then all those rows are joined into long lines, blanks included, and the
# output of `seq` goes across the screen like a staircase. Two columns more, and all is well. It
# matters to programs whose rows someone reads back later, and to whoever tests changes of size at
# round numbers only.
set -euo pipefail
dir=$(mktemp -d)
cleanup() {
  "$dir/tree/usr/bin/screen" -S try -X quit >/dev/null 2>&1 || true
  [ ! -S "$dir/s" ] || tmux kill-server 2>/dev/null || true
  rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir"
for package in screen=4.9.0-4 tmux=3.3a-3 libevent-core-2.1-7=2.1.12-stable-8 libutempter0=1.2.1-3; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH LC_ALL=C.UTF-8 SCREENDIR="$dir/sockets"
mkdir -m 700 "$SCREENDIR"
tmux() { "$dir/tree/usr/bin/tmux" -S "$dir/s" -f /dev/null "$@"; }
echo 'startup_message off' >rc
cat >rows.sh <<'TEXT'
stty -echo
echo ready
while read -r width; do
  until [ "$(stty size)" = "10 $width" ]; do sleep 0.1; done
  [ "$width" = 100 ] || seq 101 120
  echo "at $width"
done
TEXT

# seen waits until a text stands in the window.
seen() {
  for _ in $(seq 100); do
    tmux capture-pane -p 2>/dev/null | grep -q "$1" && return
    sleep 0.1
  done
  tmux capture-pane -p >&2
  return 1
}

# try prints 20 rows in a window of so many columns, which had 80 before, and tells how many rows of
# the window hold one number alone once it has 100.
try() {
  tmux -u new-session -d -x 80 -y 10 "$dir/tree/usr/bin/screen -U -S try -c rc bash --norc rows.sh"
  seen ready
  for width in "$1" 100; do
    tmux resize-window -x "$width"
    tmux send-keys "$width" Enter
    seen "at $width"
  done
  echo "printed at $1 columns: rows in their place $(tmux capture-pane -p | grep -cE '^1[0-9][0-9]$')"
  "$dir/tree/usr/bin/screen" -S try -X quit
  while tmux ls >/dev/null 2>&1; do sleep 0.1; done
}
got="$(tree/usr/bin/screen --version | cut -d ' ' -f 1-3)
$(for width in 80 81 82; do try "$width"; done)"
printf '%s\n' "$got"
[ "$got" = "Screen version 4.09.00
printed at 80 columns: rows in their place 7
printed at 81 columns: rows in their place 0
printed at 82 columns: rows in their place 7" ] || { echo "the behaviour has changed" >&2; exit 1; }
