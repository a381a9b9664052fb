package nearest

import (
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Alike returns name in a canonical form, in which characters that look alike are replaced by the
// same one: blanks of all kinds, straight and curly quotes, dashes, dots, full-width letters, and
// letters with accents as one or as several characters. Two names look alike if their canonical
// forms are equal.
func Alike(name string) string {
	name = strings.ReplaceAll(name, "\u2026", "...")
	return norm.NFC.String(strings.Map(plainChar, width.Fold.String(norm.NFC.String(name))))
}

// plainChar returns the ASCII character that looks like r, or r itself.
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

// Path finds an existing path that looks like the given path, which does not exist. It replaces
// each name in the path that does not exist by the entry of that folder that looks like it, see
// [Alike].
//
// If several entries look alike, it returns the paths up to each of them. If none does, it returns
// nil. there reports whether a path exists, and names returns the names of the entries of a folder.
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

// alikeIn returns the elements of names that look like name.
func alikeIn(name string, names []string) (list []string) {
	want := Alike(name)
	for _, n := range names {
		if Alike(n) == want {
			list = append(list, n)
		}
	}
	return list
}
