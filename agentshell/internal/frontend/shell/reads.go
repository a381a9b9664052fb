package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// readRow is the block of files that are read one after the other. One read looks as any other
// call, and several are one row; Ctrl+O opens what each has given. The block stays open until
// something else comes into the transcript, or a read fails.
type readRow struct {
	block   *tui.Block
	running bool // a read of it runs; guarded by Shell.mu

	// What follows belongs to the loop.
	ended   []agent.ToolEnd // the reads that have ended well
	current *call           // the one that runs; nil: none
	failed  *agent.ToolEnd  // the last one, if it has failed
}

// View returns the rows of the block as it is now.
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

// names returns what was read, in order.
func (r *readRow) names() (names []string) {
	for _, e := range r.ended {
		names = append(names, readName(displayTitle(e.Title)))
	}
	return names
}

// readName returns what the call with that title reads.
func readName(title string) string {
	name, _ := clipLine(strings.TrimPrefix(title, tool.ReadName+" "))
	return name
}

// maxReadColumns is the number of columns that the row of several reads has in any window.
const maxReadColumns = 72

// readsRow returns the rows that show several reads: how many, and as many of their names as two
// rows have room for.
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

// addRead adds a read that runs to the open row of reads, or opens one. c is the read.
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

// endRead shows the end of a read of row r. After one that has failed the row is complete.
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

// closeReads ends the open row of reads: no more are added to it. sh.mu is held.
func (sh *Shell) closeReads() {
	if r := sh.reads; r != nil {
		if sh.reads = nil; !r.running { // else its end completes the row
			r.block.Done()
		}
	}
}
