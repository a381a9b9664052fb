// Package unseen lists, for tests, the characters that a reader does not see.
package unseen

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Points returns all code points of Default_Ignorable_Code_Point, as the Unicode database derives
// it (DerivedCoreProperties.txt), the separators of lines and paragraphs, and characters that fonts
// draw as nothing without such a property. The list is not to be changed.
func Points() []rune { return points() }

// points looks at a million code points, once: some tests ask after each row.
var points = sync.OnceValue(func() (all []rune) {
	blank := []rune{0x2800, 0xfffc, 0x13441, 0x13442, 0x16fe4, 0x1d159}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		ignorable := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf,
			unicode.Variation_Selector) &&
			!unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark) &&
			!(r >= 0xfff9 && r <= 0xfffb) && !(r >= 0x13430 && r <= 0x13440)
		if ignorable || r == 0x2028 || r == 0x2029 || slices.Contains(blank, r) {
			all = append(all, r)
		}
	}
	return all
})

// Text holds each of them once, between letters.
func Text() string {
	var b strings.Builder
	for _, r := range Points() {
		b.WriteString("x" + string(r))
	}
	return b.String() + "x"
}

// In returns the first of them in s as it is, 0 if there is none.
func In(s string) rune {
	for _, r := range s {
		if _, is := slices.BinarySearch(Points(), r); is {
			return r
		}
	}
	return 0
}
