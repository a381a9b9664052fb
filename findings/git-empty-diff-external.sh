#!/usr/bin/env bash
# git 2.39.5 (Debian 12): credential.helper="" and core.pager="" turn those off, so one would guess
# that diff.external="" turns an external diff off that a repository names. It does not: git takes
# the empty text for a program, and each diff with a change dies with exit code 128. An empty
# GIT_EXTERNAL_DIFF does the same. No value of the setting means "none"; only the option
# --no-ext-diff does, which `git diff` and `git log` take, and which an environment cannot add. It
# matters to whoever starts git in a repository that it does not trust and wants to set its
# configuration from outside (GIT_CONFIG_COUNT): the guard breaks every `git diff`, and a test in a
# repository without a change does not notice.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
version=1:2.39.5-0+deb12u3
apt-get download -q "git=$version" >/dev/null 2>&1 || {
  echo "git $version cannot be downloaded: apt-get update first" >&2
  exit 1
}
dpkg-deb -x git_*.deb root
export GIT_EXEC_PATH=$dir/root/usr/lib/git-core HOME=$dir GIT_CONFIG_NOSYSTEM=1 LC_ALL=C
git() { "$dir/root/usr/bin/git" "$@"; }
git init -q repo
cd repo
printf 'a\n' >f
git add f
git -c user.name=x -c user.email=x@x commit -qm one
printf 'b\n' >f

lines=
try() {
  local name=$1 code=0 out
  shift
  out=$("$@" 2>&1) || code=$?
  lines+="$name: code $code, $(printf '%s\n' "$out" | head -n 1)"$'\n'
}
try 'plain' git diff
try 'diff.external=""' git -c diff.external= diff
try 'diff.external="" --no-ext-diff' git -c diff.external= diff --no-ext-diff
try 'GIT_EXTERNAL_DIFF=""' env GIT_EXTERNAL_DIFF= "$dir/root/usr/bin/git" diff
try 'core.pager=""' git -c core.pager= -p diff
printf '%s' "$lines"
[ "$lines" = 'plain: code 0, diff --git a/f b/f
diff.external="": code 128, error: cannot run : No such file or directory
diff.external="" --no-ext-diff: code 0, diff --git a/f b/f
GIT_EXTERNAL_DIFF="": code 128, error: cannot run : No such file or directory
core.pager="": code 0, diff --git a/f b/f
' ] || { echo "the behaviour has changed" >&2; exit 1; }
