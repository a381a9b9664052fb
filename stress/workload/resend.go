package workload

import "strings"

// LeastResent returns the number of bytes that any library must send a second time in the measured
// windows of s, if a message becomes final only at its end. A message is taller than the screen, so
// that at its end its first rows are neither on the grid nor in history, and must be printed once
// more.
//
// Three rows of the grid belong to the footer. A row counts with its text and one byte for its end.
// The result holds for scripts of paragraphs whose rows are those of Expect.
func (s Script) LeastResent() int {
	height, rows, sum, from := s.Ops[0].H, 0, 0, 0
	inside := false
	for _, o := range s.Ops {
		switch o.K {
		case "begin", "end":
			inside = o.K == "begin"
		case "s":
			if strings.HasSuffix(o.T, "\n") {
				rows += paragraph
			}
		case "hist":
			rows += paragraph * len(o.Rows)
		case "msgend":
			rows = min(rows, len(s.Expect)-from)
			if inside {
				for _, r := range s.Expect[from : from+max(0, rows-(height-3))] {
					sum += len(r) + 1
				}
			}
			from, rows = from+rows, 0
		}
	}
	return sum
}
