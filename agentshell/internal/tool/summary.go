package tool

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// maxSummaryBytes and maxSummaryLines limit the source files that are summarized. shownRanges is
// the number of left-out line ranges that a summary names as examples.
const (
	maxSummaryBytes = 2 << 20
	maxSummaryLines = 20_000
	shownRanges     = 3
)

// summary returns the declarations of a source file that is too long for one read, without the
// bodies of its functions. head is put before them, and sep after each line number. If the file
// cannot be summarized, ok is false.
func (t *readFile) summary(ctx context.Context, p workspace.Path, text, head, sep string) (r Result, ok bool) {
	total := workspace.Lines([]byte(text))
	if t.env.Bodies == nil || len(text) > maxSummaryBytes || total > maxSummaryLines {
		return Result{}, false
	}
	spans := t.env.Bodies(p.Base(), text)
	if len(spans) == 0 {
		return Result{}, false
	}
	var b strings.Builder
	b.WriteString(head)
	rows := roomOf(ctx)
	rows.take(head)
	n, kept, left, cut := 0, 0, 0, 0
	var ranges []string
	for line := range strings.Lines(text) {
		n++
		for len(spans) > 0 && n > spans[0][1] {
			spans = spans[1:]
		}
		if len(spans) > 0 && n >= spans[0][0] {
			if n == spans[0][0] {
				b.WriteString("...\n")
				ranges = append(ranges, fmt.Sprintf("%d-%d", n, spans[0][1]))
			}
			left++
			continue
		}
		row := strconv.Itoa(n) + sep + strings.TrimRight(line, "\r\n") + "\n"
		if kept == maxReadLines || !rows.take(row) {
			cut = n
			break
		}
		kept++
		b.WriteString(row)
	}
	if cut > 0 {
		fmt.Fprintf(&b, "[declarations of lines 1-%d of %d; read on with %s:%d]\n", cut-1, total, p, cut)
	}
	ranges = slices.Clip(ranges)[:min(len(ranges), shownRanges)]
	fmt.Fprintf(&b, "[%s elided; re-read needed ranges, e.g. %s:%s]\n", count(left, "line"), p, strings.Join(ranges,
		","))
	return Result{Text: b.String(), Summary: fmt.Sprintf("declarations of %s", count(total, "line")),
		Detail: b.String()}, true
}
