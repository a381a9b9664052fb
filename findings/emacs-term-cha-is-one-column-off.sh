#!/usr/bin/env bash
# Emacs 28.2 (Debian 12), M-x term: CHA (CSI n G) should put the cursor on column n, counted from 1,
# as CUP (CSI row ; n H) and CR with CUF do there. It puts it on column n+1. It matters to every
# program that updates a part of a row: what is written after CHA is written over the wrong letters,
# and the row shows a text that nobody sent. A renderer can reach the same column by CR and CUF.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for package in emacs-nox=1:28.2+1-15+deb12u4 emacs-common=1:28.2+1-15+deb12u4 \
  emacs-bin-common=1:28.2+1-15+deb12u4 emacs-el=1:28.2+1-15+deb12u4 \
  libgccjit0 libisl23 libmpc3 libmpfr6 libjansson4 liblcms2-2 libgpm2; do
  apt-get download -q "$package" >/dev/null 2>&1 || {
    echo "$package cannot be downloaded: apt-get update first" >&2
    exit 1
  }
done
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
share=$dir/tree/usr/share/emacs/28.2
LD_LIBRARY_PATH=$(echo "$dir"/tree/usr/lib/*-linux-gnu)
EMACSLOADPATH=$(find "$share/lisp" -maxdepth 1 -type d | tr '\n' ':')
EMACSDATA=$share/etc
EMACSPATH=$(echo "$dir"/tree/usr/libexec/emacs/28.2/*)
export LD_LIBRARY_PATH EMACSLOADPATH EMACSDATA EMACSPATH HOME="$dir"
cat >try.el <<'LISP'
(require 'term)
(defun try (name text)
  (with-current-buffer (get-buffer-create name)
    (term-mode)
    (setq term-width 40 term-height 10)
    (let ((process (start-process name (current-buffer) "cat")))
      (set-marker (process-mark process) (point-max))
      (set-process-filter process t)
      (term-char-mode)
      (term-emulate-terminal process text)
      (princ (format "%s: %s\n" name (buffer-substring-no-properties (point-min) (point-max))))
      (delete-process process))))
(princ (format "Emacs %s\n" emacs-version))
(try "CR and CUF" "hello\r\e[2CX")
(try "CUP" "hello\e[1;3HX")
(try "CHA" "hello\e[3GX")
LISP
got=$(timeout 60 tree/usr/bin/emacs-nox --dump-file="$EMACSPATH/emacs.pdmp" -Q --batch -l try.el 2>err) || {
  cat err >&2
  exit 1
}
printf '%s\n' "$got"
[ "$got" = "Emacs 28.2
CR and CUF: heXlo
CUP: heXlo
CHA: helXo" ] || { echo "the behaviour has changed" >&2; exit 1; }
