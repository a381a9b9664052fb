#!/usr/bin/env bash
# neovim 0.7.2 (Debian 12), :terminal: a string that a terminal does not know (APC, PM, SOS) should be
# read to its end and shown nowhere, as ECMA-48 says and as OSC and DCS are there. Its body is drawn
# as text instead: only the introducer and the end are taken. It matters to programs that ask
# whether a terminal has kitty's pictures, whose question is an APC: "Gi=1,a=q" stands on the screen,
# the cursor is further right than the program thinks, and a picture would be a page of letters.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for package in neovim=0.7.2-7 neovim-runtime=0.7.2-7 libvterm0=0.1.4-1 libmsgpackc2=4.0.0-3 \
  libtermkey1=0.22-1 libtree-sitter0=0.20.7-1 libunibilium4=2.1.0-1 lua-luv=1.44.2-0-1 \
  libluajit-5.1-2 libuv1; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH VIMRUNTIME="$dir/tree/usr/share/nvim/runtime" HOME="$dir" LC_ALL=C.UTF-8
cat >strings.sh <<'TEXT'
printf 'osc a\033]0;title\033\\b\r\n'
printf 'dcs a\033P+q544e\033\\b\r\n'
printf 'apc a\033_Gi=1,a=q;AAAA\033\\b\r\n'
printf 'pm a\033^words\033\\b\r\n'
printf 'sos a\033Xwords\033\\b\r\n'
TEXT
cat >look.lua <<'LUA'
vim.fn.termopen({ 'bash', '--norc', 'strings.sh' })
local function rows() return vim.api.nvim_buf_get_lines(0, 0, 5, false) end
vim.wait(10000, function() return (rows()[5] or ''):find('^sos .*b') ~= nil end, 50)
io.stdout:write(table.concat(rows(), '\n') .. '\n')
LUA
got="$(tree/usr/bin/nvim --version | head -1)
$(timeout 30 tree/usr/bin/nvim --clean --headless -c 'luafile look.lua' -c 'qa!')"
printf '%s\n' "$got"
[ "$got" = "NVIM v0.7.2
osc ab
dcs ab
apc aGi=1,a=q;AAAAb
pm awordsb
sos awordsb" ] || { echo "the behaviour has changed" >&2; exit 1; }
