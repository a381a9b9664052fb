package nearest

import (
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Alike returns a name in which characters that look alike are the same one: blanks of all kinds,
// straight and curly quotes, dashes, dots, letters with their marks as one character or several,
// full-width letters. Two names are alike if this is the same for both.
func Alike(name string) string {
	name = strings.ReplaceAll(name, "\u2026", "...")
	return norm.NFC.String(strings.Map(plainChar, width.Fold.String(norm.NFC.String(name))))
}

// plainChar returns the character of ASCII that looks like r, or r.
func plainChar(r rune) rune {
	switch r {
	case '\u00a0', '\u1680', '\u202f', '\u205f', '\u3000':
		return ' '
	case '\u2018', '\u2019', '\u201b', '\u02bc', '\u2032':
		return '\''
	case '\u201c', '\u201d', '\u201f', '\u2033':
		return '"'
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212':
		return '-'
	}
	if r >= '\u2000' && r <= '\u200a' {
		return ' '
	}
	return r
}

// Path finds what a path that is not there may mean: each of its names that is not there, in the
// folder that is, stands for the one that is alike. Of several, found holds the paths of all, as
// far as they go; one is the whole path. names returns those in a folder, and there reports whether
// something has a path.
func Path(path string, there func(path string) bool, names func(folder string) []string) (found []string) {
	parts := strings.Split(filepath.ToSlash(path), "/")
	at := ""
	for i, part := range parts {
		next := at + part
		if part != "" && !there(next) {
			list := alikeIn(part, names(at))
			if len(list) != 1 {
				for _, name := range list {
					found = append(found, at+name)
				}
				return found
			}
			next = at + list[0]
		}
		if at = next; i < len(parts)-1 {
			at += "/"
		}
	}
	return []string{at}
}

// alikeIn returns those of names that are alike name.
func alikeIn(name string, names []string) (list []string) {
	want := Alike(name)
	for _, n := range names {
		if Alike(n) == want {
			list = append(list, n)
		}
	}
	return list
}
