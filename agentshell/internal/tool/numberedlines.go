package tool

import (
	"fmt"
	"strconv"
	"strings"
)

// prefix says what is put before each line of text: nothing if raw is true, else the line's number
// and sep.
type prefix struct {
	raw bool
	sep string
}

// numberLines returns at most limit lines of text that fit into the room, each with its prefix.
// first is the number of the first line. The first line is always returned, cut if it is too long.
// n is the number of returned lines, and whole says that none was left out.
func numberLines(text string, first, limit int, left *room, as prefix) (out string, n int, whole bool) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		row := line
		if !as.raw {
			row = strconv.Itoa(first+n) + as.sep + line
		}
		switch {
		case n == limit:
			return b.String(), n, false
		case left.take(row):
			b.WriteString(row)
			if !strings.HasSuffix(line, "\n") && !as.raw {
				b.WriteString("\n[no newline at end of file]\n")
			}
		case n > 0:
			return b.String(), n, false
		default: // one line that fills it all
			cut := left.head(row)
			*left = room{}
			fmt.Fprintf(&b, "%s[line cut at %d of %d bytes; search shows the parts of it that match]\n", cut,
				max(len(cut)-len(row)+len(line), 0), len(line))
		}
		n++
	}
	return b.String(), n, true
}

// of returns " of TOTAL" for a summary, or "" if n is the total.
func of(n, total int) string {
	if n == total {
		return ""
	}
	return fmt.Sprintf(" of %d", total)
}
