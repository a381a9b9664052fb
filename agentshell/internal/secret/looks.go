package secret

import "github.com/scrollkeep/scrollkeep/internal/lazyregexp"

// keyPattern matches the beginnings of keys of well-known services, private keys in PEM form, and
// passwords with their names.
var keyPattern = lazyregexp.New(
	`\b(sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|` +
		`glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|` +
		`npm_[A-Za-z0-9]{30,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,})|-----BEGIN [A-Z ]*PRIVATE KEY-----|` +
		`(?i)\b(password|passwd|secret|token|api[_-]?key)\s*[:=]\s*\S{8,}|(?i)\bauthorization:\s*\S+\s+\S{8,}`)

// LooksSecret reports whether text contains something that looks like a key or a password. In doubt
// it returns true, so it is only for text that can be left out without harm.
func LooksSecret(text string) bool { return keyPattern().MatchString(text) }
