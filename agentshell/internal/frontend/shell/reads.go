package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// readRow is the transcript block of files that the model reads one after the other. A single read
// looks like any other call. Several reads share one row, and Ctrl+O shows the output of each. The
// block stays open until something else is added to the transcript, or a read fails.
type readRow struct {
	block   *tui.Block
	running bool // A read of the block runs. Guarded by Shell.mu.

	// The reads that have succeeded.
	ended   []agent.ToolEnd
	current *call          // The read that runs; nil: none does.
	failed  *agent.ToolEnd // The last read, if it has failed.
}

// View returns the rows of the block in its current state.
func (r *readRow) View(s tui.Space) (v tui.View) {
	switch {
	case r.current != nil && len(r.ended) == 0:
		return r.current.View(s)
	case r.current != nil:
		v.Lines = readsRow(s, append(r.names(), readName(r.current.title)))
		if r.current.startedAt.IsZero() {
			r.current.startedAt = s.Now
		}
		if wait := r.current.startedAt.Add(statusDelay).Sub(s.Now); wait > 0 { // most are over by then
			v.RefreshAfter = wait
			return v
		}
		status := tui.Status{Text: "running", Since: r.current.startedAt}
		running := status.View(s)
		v.Lines, v.RefreshAfter = append(v.Lines, running.Lines...), running.RefreshAfter
	case len(r.ended) == 1:
		v.Lines = endedCall(r.ended[0])(s)
	case len(r.ended) > 1:
		v.Lines = readsRow(s, r.names())
	}
	if r.failed != nil {
		v.Lines = append(v.Lines, endedCall(*r.failed)(s)...)
	}
	return v
}

// names returns the names of the files that were read, in order.
func (r *readRow) names() (names []string) {
	for _, e := range r.ended {
		names = append(names, readName(displayTitle(e.Title)))
	}
	return names
}

// readName returns the file that a read call names in its title.
func readName(title string) string {
	name, _ := clipLine(strings.TrimPrefix(title, tool.ReadName+" "))
	return name
}

// maxReadColumns is the least number of columns that the list of several reads may take, however
// narrow the window is.
const maxReadColumns = 72

// readsRow returns the rows that show several reads: their number, and as many names as fit into
// two rows.
func readsRow(s tui.Space, names []string) []tui.Line {
	text := fmt.Sprintf("%d reads: ", len(names))
	free := max(2*(s.Width-2), maxReadColumns) - s.Columns(tool.ReadName+"  "+text)
	for i, name := range names {
		needed := s.Columns(visibleLine(name, s.Look()))
		if i > 0 {
			needed += len(", ")
		}
		if free -= needed; i > 0 && (free < 0 || i < len(names)-1 && free < len(", and 999 more")) {
			text += fmt.Sprintf(", and %d more", len(names)-i)
			break
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return titleRows(s, s.Look().Glyphs.Tool, s.Look().Accent, tool.ReadName, text)
}

// addRead adds the running read c to the open block of reads, or opens such a block, and returns
// the block.
func (sh *Shell) addRead(c *call) *readRow {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r := sh.reads
	if r == nil {
		r = &readRow{}
		r.block = sh.appendBlock(toolCall, func(gap bool) tui.Component {
			if gap {
				return gapped{r}
			}
			return r
		})
		sh.reads = r
	}
	r.running = true
	r.block.Update(func() { r.current = c })
	return r
}

// endRead shows the end of the running read of block r. A failed read closes the block.
func (sh *Shell) endRead(r *readRow, ev agent.ToolEnd) {
	ev.Result.Detail, ev.Result.Images = "", nil // the row stays for the whole session
	if ev.OK {
		ev.Text = ""
	}
	r.block.Update(func() {
		if r.current = nil; ev.OK {
			r.ended = append(r.ended, ev)
		} else {
			r.failed = &ev
		}
	})
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r.running = false
	if sh.reads == r && !ev.OK {
		sh.reads = nil
	}
	if sh.reads != r {
		r.block.Done()
	}
}

// closeReads closes the open block of reads, so that no more reads are added to it. The caller
// holds sh.mu.
func (sh *Shell) closeReads() {
	if r := sh.reads; r != nil {
		if sh.reads = nil; !r.running { // else its end completes the row
			r.block.Done()
		}
	}
}
