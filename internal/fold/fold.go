// Package fold compares file names by the rules of file systems that accept several spellings for
// one file.
package fold

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Path returns a slash-separated path in a canonical form, which is the same for all spellings that
// any file system could take for the same file.
//
// It ignores the case of letters, their composition, characters that are not drawn (ext4, APFS,
// HFS+), blanks and dots at the end of a name, and the name of a stream (NTFS). Paths of different
// files may have the same form. So compare forms to forbid something or to ask the user, but never
// to allow something.
func Path(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = foldName(part)
	}
	return strings.Join(parts, "/")
}

// foldName returns the canonical form of one name in a path, see [Path].
func foldName(s string) string {
	ascii := true
	for i := range len(s) {
		if s[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		s = strings.ToLower(s)
	} else {
		s = norm.NFD.String(cases.Fold().String(norm.NFD.String(strings.Map(dropInvisible, s))))
	}
	if s == "." || s == ".." {
		return s
	}
	if before, _, stream := strings.Cut(s, ":"); stream && before != "" {
		s = before
	}
	if t := strings.TrimRight(s, " ."); t != "" {
		s = t
	}
	return s
}

// dropInvisible returns -1 for a character that is never drawn by itself, and r for any other. It
// is for strings.Map.
func dropInvisible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}
