// Package plural formats numbers with nouns in singular or plural.
package plural

import (
	"strconv"
	"strings"
)

// Of returns a number with its noun in the right form, such as "1 line", "2 matches" or "0
// entries".
func Of(n int, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
	case y && !strings.ContainsAny(stem[max(len(stem)-1, 0):], "aeou"):
		noun = stem + "ies"
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
