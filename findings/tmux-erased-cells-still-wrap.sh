#!/usr/bin/env bash
# tmux 3.3a (Debian 12): a row whose end was erased (EL) should be as long as what is left of it, so a
# narrower window that has room for the rest needs one row for it. The erased cells still count: the
# row stays as long as it ever was, "ab" with 16 erased columns takes two rows in a window of 10, and
# as the window has the same height, its first row leaves the screen though the rows below are blank.
# Only an erase that begins in column 0 makes a row short: EL and the same text once more take one
# row. It matters to progress bars and prompts that clear to the end of the line, as most do, and to
# programs that reckon where their rows are after a change of size.
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

# try prints a row of 18 letters that becomes "ab", and a row below it, makes the window narrower, and
# tells how many rows lie between the two, with history.
try() {
  tmux -u new-session -d -x 20 -y 8 "printf '$2\r\nbelow\r\n'; sleep 60"
  for _ in $(seq 100); do
    tmux capture-pane -p | grep -q below && break
    sleep 0.1
  done
  tmux resize-window -x 10
  for _ in $(seq 100); do
    [ "$(tmux display -p '#{pane_width}')" = 10 ] && break
    sleep 0.1
  done
  echo "$1: rows $(tmux capture-pane -p -S - | sed '/below/q' | grep -c ''), in history $(tmux display -p '#{history_size}')"
  tmux kill-server
  while tmux ls >/dev/null 2>&1; do sleep 0.1; done
}
got="$(tmux -V)
$(try 'two letters' 'ab'
try 'erased from column 0, and written again' 'abcdefghijklmnopqr\r\033[Kab'
try 'erased from column 2, EL' 'abcdefghijklmnopqr\r\033[2C\033[K'
try 'erased from column 2, ED' 'abcdefghijklmnopqr\r\033[2C\033[J'
try 'erased from column 2, ECH' 'abcdefghijklmnopqr\r\033[2C\033[16X')"
printf '%s\n' "$got"
[ "$got" = "tmux 3.3a
two letters: rows 2, in history 0
erased from column 0, and written again: rows 2, in history 0
erased from column 2, EL: rows 3, in history 1
erased from column 2, ED: rows 3, in history 1
erased from column 2, ECH: rows 3, in history 1" ] || { echo "the behaviour has changed" >&2; exit 1; }
