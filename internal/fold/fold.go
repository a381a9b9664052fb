// Package fold compares file names as systems do that take several spellings for one file.
package fold

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Path returns a slash path in a form that is equal for all spellings that some file system takes
// for the same file: letters of either case, composed and decomposed letters, characters that are
// not drawn (ext4, APFS, HFS+), blanks and dots at the end of a name and the name of a stream
// (NTFS). It may be equal for paths that a file system tells apart, so it is for what forbids and
// asks, never for what allows.
func Path(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = name(part)
	}
	return strings.Join(parts, "/")
}

func name(s string) string {
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
		s = norm.NFD.String(cases.Fold().String(norm.NFD.String(strings.Map(drawn, s))))
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

// drawn drops characters that are never drawn by themselves.
func drawn(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}
