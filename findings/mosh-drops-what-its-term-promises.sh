#!/usr/bin/env bash
# mosh 1.4.0 (Debian 12): mosh-server sets TERM to xterm-256color, so a program may write what that
# entry of terminfo promises. REP (rep=%p1%c\E[%p2%{1}%-%db, print the last character again) is one of
# them: xterm knows it, and tmux 3.3a around mosh does. mosh itself drops it without a trace, so a row
# of 40 equal characters is one character, and all that follows stands 39 columns too far left. The
# same bytes without mosh are the control. It matters to programs that save bytes by terminfo: over
# mosh, where bytes are dear, rows come out short.
set -euo pipefail
dir=$(mktemp -d)
cleanup() {
  [ ! -S "$dir/s" ] || tmux kill-server 2>/dev/null || true
  pkill -f "$dir/tree/usr/bin/mosh-server" || true
  rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir"
for package in mosh=1.4.0-1+b1 libprotobuf32=3.21.12-3+deb12u1 tmux=3.3a-3 \
  libevent-core-2.1-7=2.1.12-stable-8 libutempter0=1.2.1-3; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
export LC_ALL=C.UTF-8
LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
tmux() { "$dir/tree/usr/bin/tmux" -S "$dir/s" -f /dev/null "$@"; }
cat >row.sh <<'TEXT'
echo "TERM $TERM, $(infocmp -1 | grep -c 'rep=.*b,') rep"
printf 'a=\033[7bb, the end\n'
sleep 60
TEXT

# shown starts a command in a window and prints the rows once the last one is there.
shown() {
  tmux -u new-session -d -x 60 -y 10 "$1"
  for _ in $(seq 100); do
    tmux capture-pane -p | grep -q 'the end' && break
    sleep 0.1
  done
  tmux capture-pane -p | grep -E 'TERM|the end'
  tmux kill-server
  while tmux ls >/dev/null 2>&1; do sleep 0.1; done
}
connect=$(tree/usr/bin/mosh-server new -c 256 -i 127.0.0.1 -- bash --norc "$dir/row.sh" 2>/dev/null | grep 'MOSH CONNECT')
read -r _ _ port key <<<"$connect"
got="in tmux
$(shown "TERM=xterm-256color bash --norc row.sh")
in mosh in tmux
$(shown "MOSH_KEY=$key $dir/tree/usr/bin/mosh-client 127.0.0.1 $port")"
printf '%s\n' "$got"
[ "$got" = "in tmux
TERM xterm-256color, 1 rep
a========b, the end
in mosh in tmux
TERM xterm-256color, 1 rep
a=b, the end" ] || { echo "the behaviour has changed" >&2; exit 1; }
