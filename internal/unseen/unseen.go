// Package unseen lists the characters that a reader does not see, for tests.
package unseen

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Points returns all code points that a reader does not see: those with
// Default_Ignorable_Code_Point, derived as in the Unicode database (DerivedCoreProperties.txt), the
// separators of lines and paragraphs, and others that fonts draw as nothing. They are sorted. The
// caller must not change the slice.
func Points() []rune { return points() }

// points computes the result of [Points] only once, since that takes a check of a million code
// points.
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

// Text returns a text that contains each invisible code point once, between letters.
func Text() string {
	var b strings.Builder
	for _, r := range Points() {
		b.WriteString("x" + string(r))
	}
	return b.String() + "x"
}

// In returns the first invisible code point in s, or 0.
func In(s string) rune {
	for _, r := range s {
		if _, is := slices.BinarySearch(Points(), r); is {
			return r
		}
	}
	return 0
}
