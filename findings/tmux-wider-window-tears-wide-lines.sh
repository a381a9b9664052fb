#!/usr/bin/env bash
# tmux 3.3a (Debian 12): a wider window should join the rows of a long line again, and the cursor
# should stay on its text. When the new width leaves exactly one column free before a wide character
# with which an old row begins, the line is cut in two there for good (no later width joins it, and a
# copy of it has a line break), and the cursor ends one row too high: on the last row that was
# printed, not below it. One column more or less, or letters of one column, and all is well. It
# matters to whoever draws below text of CJK or emoji: what is drawn next goes over the row before.
# A line of three rows or more of width w meets it at 2w+1.
set -euo pipefail
dir=$(mktemp -d)
cleanup() {
  [ ! -S "$dir/s" ] || tmux kill-server 2>/dev/null || true
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
LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH LC_ALL=C.UTF-8
tmux() { "$dir/tree/usr/bin/tmux" -S "$dir/s" -f /dev/null "$@"; }

# try prints a line and a row below it at 20 columns, makes the window wider, and tells how many
# lines there are and where the cursor is. There are two lines, so that it belongs below them: on
# row 3 if the long line has two rows.
try() {
  tmux -u new-session -d -x 20 -y 8 "printf '%s\r\nbelow\r\n' '$2'; sleep 60"
  for _ in $(seq 100); do
    tmux capture-pane -p | grep -q below && break
    sleep 0.1
  done
  tmux resize-window -x "$1"
  for _ in $(seq 100); do
    [ "$(tmux display -p '#{pane_width}')" = "$1" ] && break
    sleep 0.1
  done
  echo "$3 at $1 columns: lines $(tmux capture-pane -pJ | grep -c .)," \
    "rows $(tmux capture-pane -p | grep -c .), cursor on row $(tmux display -p '#{cursor_y}')"
  tmux kill-server
  while [ -S "$dir/s" ] && tmux ls >/dev/null 2>&1; do sleep 0.1; done
}
letters=abcdefghijklmnopqrst
wide=漢字漢字漢字漢字漢字漢字漢字漢字
got="$(tmux -V)
$(for columns in 40 41 42; do
  try "$columns" "$letters$wide" wide
  try "$columns" "$letters${letters}abcdefghijkl" letters
done)"
want='tmux 3.3a
wide at 40 columns: lines 2, rows 3, cursor on row 3
letters at 40 columns: lines 2, rows 3, cursor on row 3
wide at 41 columns: lines 3, rows 3, cursor on row 2
letters at 41 columns: lines 2, rows 3, cursor on row 3
wide at 42 columns: lines 2, rows 3, cursor on row 3
letters at 42 columns: lines 2, rows 3, cursor on row 3'
printf '%s\n' "$got"
[ "$got" = "$want" ] || {
  echo "no longer so; expected:" >&2
  printf '%s\n' "$want" >&2
  exit 1
}
