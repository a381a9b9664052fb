#!/usr/bin/env bash
# vim 9.0 (Debian 12), :terminal: a zero width joiner or space inside a text of a program should take
# no column. vim gives it six columns of the grid, as many as its editor needs to spell it `<200d>`,
# and tells them to the program that asks for the cursor. So a family of three, which takes 2 columns
# in terminals that know clusters and 6 in those that do not, takes 18. It matters to programs that
# draw by columns: no width table has these numbers, so that a right edge or an update in place hits
# other cells. Only the cursor's report tells.
set -euo pipefail
dir=$(mktemp -d)
cleanup() {
  [ ! -S "$dir/s" ] || tmux kill-server 2>/dev/null || true
  rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir"
for package in vim=2:9.0.1378-2+deb12u2 vim-runtime=2:9.0.1378-2+deb12u2 libsodium23 libgpm2 tmux=3.3a-3 \
  libevent-core-2.1-7=2.1.12-stable-8 libutempter0=1.2.1-3; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
export LC_ALL=C.UTF-8 VIMRUNTIME="$dir/tree/usr/share/vim/vim90" HOME="$dir"
LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
tmux() { "$dir/tree/usr/bin/tmux" -S "$dir/s" -f /dev/null "$@"; }
cat >columns.sh <<'TEXT'
for text in 'ab' $'a\u200bb' $'a\u200db' '👩‍👩‍👧'; do
  printf '%s|\033[6n' "$text"
  IFS= read -rsd R -t 5 report
  printf ' column %s\n' "${report##*;}"
done
echo the end
sleep 60
TEXT
tmux -u new-session -d -x 60 -y 12 "$dir/tree/usr/bin/vim.basic -u NONE -c 'terminal ++curwin bash --norc columns.sh'"
for _ in $(seq 200); do
  tmux capture-pane -p | grep -q 'the end' && break
  sleep 0.1
done
got="$(tree/usr/bin/vim.basic --version | head -1 | cut -d ' ' -f 1-5)
$(tmux capture-pane -p | grep -o 'column.*')"
printf '%s\n' "$got"
[ "$got" = 'VIM - Vi IMproved 9.0
column 4
column 10
column 10
column 20' ] || { echo "the behaviour has changed" >&2; exit 1; }
