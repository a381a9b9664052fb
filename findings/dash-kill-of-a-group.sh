#!/usr/bin/env bash
# dash 0.5.12 (Debian 12, its /bin/sh): `kill -KILL -- -PGID`, as many scripts end a group of
# processes, should kill the group, as in bash, where -- ends the options. dash takes -- for a number
# and refuses the line ("Illegal number: -"), and the whole group goes on. `kill -s KILL -- -PGID` and
# `kill -KILL -PGID` work in both. It matters to guards that end what a program has started: written
# for sh and tried in bash, they leave everything running.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for package in dash=0.5.12-2; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
dpkg-deb -x dash_*.deb tree
sh=$(find "$dir/tree" -name dash -type f -perm -u+x | head -1)

# try starts a group of two processes, ends it by a line of a shell, and tells how many are left.
try() {
  setsid bash -c 'sleep 321 & echo $$ >group; exec sleep 321' &
  until [ -s group ]; do sleep 0.05; done
  group=$(cat group)
  "$1" -c "$2 -$group" >/dev/null 2>error || true
  left=2
  for _ in $(seq 20); do
    left=$(pgrep -c -g "$group" || true)
    [ "$left" = 0 ] && break
    sleep 0.1
  done
  kill -s KILL -- "-$group" 2>/dev/null || true
  wait 2>/dev/null || true
  rm group
  echo "$2 -PGID: $left left$(sed 's/.*: kill:/,/; s/^/ /' error)"
}
got="bash
$(for line in 'kill -KILL --' 'kill -s KILL --' 'kill -KILL'; do try bash "$line"; done)
dash
$(for line in 'kill -KILL --' 'kill -s KILL --' 'kill -KILL'; do try "$sh" "$line"; done)"
printf '%s\n' "$got"
[ "$got" = "bash
kill -KILL -- -PGID: 0 left
kill -s KILL -- -PGID: 0 left
kill -KILL -PGID: 0 left
dash
kill -KILL -- -PGID: 2 left , Illegal number: -
kill -s KILL -- -PGID: 0 left
kill -KILL -PGID: 0 left" ] || { echo "the behaviour has changed" >&2; exit 1; }
