package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// maxDiffBytes limits the memory for changes that /diff can show again, in bytes. Beyond it the
// oldest changes are dropped.
const maxDiffBytes = 64 << 20

// shownDiff is a file change that has a block in the transcript.
type shownDiff struct {
	name, about string
	proposal    *approval.Proposal // The change itself; nil: it was dropped to save memory.
	// The user or a rule has approved or denied the change; false: a command has made it.
	decided bool
	size    int
}

// shownDiffs holds the file changes of the transcript, which /diff numbers from 1. It is safe for
// use by several goroutines.
type shownDiffs struct {
	mu   sync.Mutex
	list []shownDiff
	from int // The index in list of the first change that still has its proposal.
	// The number of bytes that all kept changes take up, roughly.
	size int
}

// add adds the file changes of a call that has ended. It returns the number of the first one, from
// which the numbers of the others count on, or 0 if the call has changed no file.
func (d *shownDiffs) add(e agent.ToolEnd) (first int) {
	var fresh []shownDiff
	switch p := e.Proposal; {
	case p != nil && changesFile(p):
		if p.Diff.Identical() {
			return 0
		}
		name, about := changeTitle(e)
		if e.Kind == agent.KindDenied {
			about += ", denied"
		}
		fresh = []shownDiff{{name: name, about: about, proposal: p, decided: true}}
	default:
		for _, ed := range e.Result.Edits {
			verb := "change"
			if changesFiles(e.Name) {
				verb = editVerb(e)
			}
			about := editCounts(ed)
			if ed.Denied {
				about += ", denied"
			}
			fresh = append(fresh, shownDiff{name: verb + " " + displayPath(ed.Path), about: about,
				proposal: editedProposal(ed), decided: changesFiles(e.Name)})
		}
	}
	if len(fresh) == 0 {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	first = len(d.list) + 1
	for _, f := range fresh {
		f.size = diffSize(f.proposal)
		d.list, d.size = append(d.list, f), d.size+f.size
	}
	for ; d.size > maxDiffBytes && d.from < len(d.list)-1; d.from++ {
		d.size -= d.list[d.from].size
		d.list[d.from].proposal = nil
	}
	return first
}

// diffSize returns roughly the number of bytes that p takes up in memory.
func diffSize(p *approval.Proposal) int {
	size := len(p.Before) + len(p.After)
	for _, h := range p.Diff.Hunks {
		for _, l := range h.Lines {
			size += len(l.Text)
		}
	}
	return size
}

// find returns the change with number n, or the last decided one if n is 0. number is its number,
// and of is the count of all changes. found is nil if there is no such change.
func (d *shownDiffs) find(n int) (found *shownDiff, number, of int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of = len(d.list)
	if n == 0 {
		for i, f := range slices.Backward(d.list) {
			if f.decided {
				return &f, i + 1, of
			}
		}
	}
	if n < 1 || n > of {
		return nil, n, of
	}
	f := d.list[n-1]
	return &f, n, of
}

// changesFile reports whether p proposes to change a file.
func changesFile(p *approval.Proposal) bool {
	switch p.Payload.(type) {
	case approval.Write, approval.Edit, approval.Undo:
		return true
	}
	return false
}

// showDiff runs /diff and /diff N: it adds the whole diff of an earlier file change to the
// transcript. what is the number N, or "" for the last change.
func (sh *Shell) showDiff(what string) {
	n := 0
	if what != "" {
		n, _ = strconv.Atoi(what)
	}
	switch found, number, of := sh.diffs.find(n); {
	case found == nil && of == 0, found == nil && what == "":
		sh.addBlock(notice, paragraphs(false, "No file change was decided yet."))
	case found == nil:
		sh.addBlock(notice, problem("There is no diff "+what+".", fmt.Sprintf("/diff 1 to /diff %d show the changes "+
			"of this session.", of)))
	case found.proposal == nil:
		sh.addBlock(notice, problem(fmt.Sprintf("Diff %d, %s, is no longer kept.", number, found.name),
			"/transcript shows the changes of this session."))
	default:
		sh.addBlock(notice, staticBlock(func(s tui.Space) []tui.Line {
			t := s.Look()
			about := strings.Join(withoutEmpty([]string{found.about, fmt.Sprintf("all of diff %d", number)}), ", ")
			return append(titleRows(s, t.Glyphs.Tool, t.Accent, found.name, about),
				diffExcerpt(found.proposal, maxOutputRows, 0, s)...)
		}))
	}
}

// isDiffNumber reports whether the argument of /diff is a number.
func isDiffNumber(what string) bool {
	_, err := strconv.Atoi(what)
	return err == nil
}
