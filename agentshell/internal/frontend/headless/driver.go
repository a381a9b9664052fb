package headless

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// Records that the driving program answers. A turn waits for the answer.
type (
	// questionRecord is what the model asks. The command "answer" with its id answers it.
	questionRecord struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Questions []tool.Question `json:"questions"`
	}
	// proposalRecord is a change or a command that no rule allows. The command "decision" with its
	// id decides.
	proposalRecord struct {
		Type    string           `json:"type"`
		ID      string           `json:"id"`
		Call    string           `json:"call"`
		Tool    string           `json:"tool"`
		Agent   string           `json:"agent,omitempty"` // that asks; missing: the model itself
		Payload approval.Payload `json:"payload"`
		// What a person is shown beside the diff; a warning begins with "!".
		Lines []string `json:"lines,omitempty"`
		Diff  string   `json:"diff,omitempty"` // unified, whole
	}
	// closedRecord says that a question or proposal needs no answer any more.
	closedRecord struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
)

// Driver asks the program that drives a conversation (see [Driven]), in place of a person. The zero
// value is ready; it asks once the conversation runs.
type Driver struct {
	mu      sync.Mutex
	records *streamPrinter
	waiting map[string]*openRecord
	gone    bool // no command comes any more
}

// openRecord is a record that waits for its answer.
type openRecord struct {
	answeredBy string // the type of the command
	questions  int    // how many replies it takes
	answer     chan driverCommand
}

// begin lets the driver ask by records.
func (d *Driver) begin(records *streamPrinter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.records, d.waiting = records, map[string]*openRecord{}
}

// leave answers all that is open, since no command comes any more.
func (d *Driver) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone = true
	for id, open := range d.waiting {
		delete(d.waiting, id)
		close(open.answer)
	}
}

// ask writes a record and waits for its answer. answered is false if none will come.
func (d *Driver) ask(ctx context.Context, id string, open *openRecord, record any) (c driverCommand, answered bool,
	err error) {
	open.answer = make(chan driverCommand, 1)
	d.mu.Lock()
	if d.gone || d.records == nil {
		d.mu.Unlock()
		return c, false, nil
	}
	d.waiting[id] = open
	d.mu.Unlock()
	d.records.write(record)
	select {
	case c, answered = <-open.answer:
		return c, answered, nil
	case <-ctx.Done():
		d.mu.Lock()
		delete(d.waiting, id)
		d.mu.Unlock()
		d.records.write(closedRecord{"closed", id})
		return c, false, ctx.Err()
	}
}

// take passes an answer to what waits for it. An answer that does not fit is an error, and the
// record stays open.
func (d *Driver) take(c driverCommand) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	open := d.waiting[c.ID]
	switch {
	case open == nil:
		return fmt.Errorf("nothing with the id %q waits for an answer", c.ID)
	case open.answeredBy != c.Type:
		return fmt.Errorf("the record %q is answered by the type %q, not by %q", c.ID, open.answeredBy, c.Type)
	case c.Type == "answer" && !c.Left && len(c.Replies) != open.questions:
		return fmt.Errorf("there are %d replies to %d questions", len(c.Replies), open.questions)
	}
	delete(d.waiting, c.ID)
	open.answer <- c
	return nil
}

// Answer implements [tool.Person].
func (d *Driver) Answer(ctx context.Context, questions []tool.Question) ([]tool.Reply, error) {
	id := rand.Text()
	c, answered, err := d.ask(ctx, id, &openRecord{answeredBy: "answer", questions: len(questions)},
		questionRecord{"question", id, questions})
	switch {
	case err != nil:
		return nil, err
	case !answered:
		return nil, tool.ErrNobody
	case c.Left:
		return nil, tool.ErrUnanswered
	}
	return c.Replies, nil
}

// Ask implements [approval.Approver]. What is not answered is denied.
func (d *Driver) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	if p.Flagged(approval.FlagBinary) {
		return approval.No{ID: p.ID, Reason: "the change is binary, so that nobody can be shown it here"}, nil
	}
	record := proposalRecord{Type: "proposal", ID: p.ID, Call: p.Call, Tool: p.Tool, Agent: p.By, Payload: p.Payload,
		Lines: append(p.Above(), p.Below()...)}
	if !p.Diff.Identical() {
		record.Diff, _ = p.Diff.Unified(labelsOf(p), 0)
	}
	c, answered, err := d.ask(ctx, p.ID, &openRecord{answeredBy: "decision"}, record)
	switch {
	case err != nil || !answered || !c.Allow:
		return approval.No{ID: p.ID, Reason: c.Reason}, err
	case p.Changed(ctx) != nil:
		return approval.Stale{ID: p.ID}, nil
	}
	return approval.Yes{ID: p.ID}, nil
}

// labelsOf returns the labels of the diff of a proposal.
func labelsOf(p *approval.Proposal) diff.Labels {
	switch {
	case p.Remove:
		return diff.RemovedLabels(p.Path)
	case p.Before == nil:
		return diff.NewFileLabels(p.Path)
	}
	return diff.ProposedLabels(p.Path)
}
