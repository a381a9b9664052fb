package secret

import "regexp"

// looks is what keys of well-known services, and private keys, begin with.
var looks = regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|` +
	`glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|` +
	`npm_[A-Za-z0-9]{30,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,})|-----BEGIN [A-Z ]*PRIVATE KEY-----|` +
	`(?i)\b(password|passwd|secret|token|api[_-]?key)\s*[:=]\s*\S{8,}|(?i)\bauthorization:\s*\S+\s+\S{8,}`)

// Looks reports whether text holds what looks like a key or a password, anybody's. It is for what
// can be left out at no cost: it errs on the side of yes.
func Looks(text string) bool { return looks.MatchString(text) }
