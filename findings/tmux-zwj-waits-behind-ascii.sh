#!/usr/bin/env bash
# tmux 3.3a (Debian 12): a zero width joiner behind a letter, as older Malayalam spells the end of
# many words, should take no column and change nothing else. tmux does not store it with the letter
# but keeps it until the next character that is not ASCII, however many spaces and letters of ASCII
# come in between, and then puts both, joiner and character, into the cell before. That character
# takes no column, so that the rest of the row stands one column further left than every width table
# says. It matters to whoever draws text by columns: the cursor is not where it was put together, and
# an update of a part of the row leaves letters twice. A ZWNJ (U+200C) has no such effect.
set -euo pipefail
dir=$(mktemp -d)
cleanup() {
  [ ! -S "$dir/s" ] || tmux kill-server || true
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

cat >text.sh <<'TEXT'
show() { printf "$1|\033[6n"; IFS= read -rsd R report; printf ' column %s\n' "${report##*;}"; }
show '\u0d28\u0d4d \u0d35'       # as a width table has it: a letter, a space, a letter, a bar
show '\u0d28\u0d4d\u200d \u0d35'
show '\u0d28\u0d4d\u200d abc \u0d35'
show '\u0d28\u0d4d\u200c \u0d35'
TEXT
tmux -u new-session -d -x 40 -y 10 "bash --norc text.sh; sleep 60"
for _ in $(seq 100); do
  [ "$(tmux capture-pane -p | grep -c column)" = 4 ] && break
  sleep 0.1
done
got="$(tmux -V)
$(tmux capture-pane -p | grep column | sed 's/.*|//')"
want='tmux 3.3a
 column 5
 column 4
 column 8
 column 5'
printf '%s\n' "$got"
[ "$got" = "$want" ] || {
  echo "no longer so; expected:" >&2
  printf '%s\n' "$want" >&2
  exit 1
}
