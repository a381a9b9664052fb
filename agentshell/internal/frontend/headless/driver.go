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

// Records that the program that leads the conversation has to answer. The turn waits for the
// answer.
type (
	// questionRecord holds questions of the model. The program answers them with the command
	// "answer", which has the same id.
	questionRecord struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Questions []tool.Question `json:"questions"`
	}
	// proposalRecord describes a change or a command that no rule allows. The program approves or
	// denies it with the command "decision", which has the same id.
	proposalRecord struct {
		Type    string           `json:"type"`
		ID      string           `json:"id"`
		Call    string           `json:"call"`
		Tool    string           `json:"tool"`
		Agent   string           `json:"agent,omitempty"` // The agent that asks; missing if it is the main agent.
		Payload approval.Payload `json:"payload"`
		// Lines hold the facts that a user would see together with the diff. A warning begins with
		// "!".
		Lines []string `json:"lines,omitempty"`
		Diff  string   `json:"diff,omitempty"` // The whole change as a unified diff.
	}
	// closedRecord says that a question or proposal needs no answer any more.
	closedRecord struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
)

// Driver passes the model's questions and the approvals to the program that leads the conversation
// (see [Driven]), in place of a user. The zero value is ready for use. Before the conversation
// runs, it denies everything.
type Driver struct {
	mu      sync.Mutex
	records *streamPrinter
	// The records without an answer, by id.
	waiting map[string]*openRecord
	gone    bool // The input has ended, so that no answer can arrive.
}

// openRecord describes a record that waits for its answer.
type openRecord struct {
	answeredBy string // The type of the command that answers the record.
	questions  int    // The number of replies that the answer must have.
	// Receives the answer; closed if none can come.
	answer chan driverCommand
}

// begin lets the driver ask. Its questions are written to records.
func (d *Driver) begin(records *streamPrinter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.records, d.waiting = records, map[string]*openRecord{}
}

// leave ends all open questions without an answer, because the input has ended.
func (d *Driver) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone = true
	for id, open := range d.waiting {
		delete(d.waiting, id)
		close(open.answer)
	}
}

// ask writes a record and waits for the command that answers it. answered is false if no answer can
// come.
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

// take passes the command c to the record that waits for it. If the command does not fit the
// record, take returns an error, and the record continues to wait.
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

// Answer asks the program the model's questions. It implements [tool.Person].
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

// Ask asks the program to decide about proposal p. A proposal without an answer is denied. Ask
// implements [approval.Approver].
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

// labelsOf returns the file labels for the head of the diff of proposal p.
func labelsOf(p *approval.Proposal) diff.Labels {
	switch {
	case p.Remove:
		return diff.RemovedLabels(p.Path)
	case p.Before == nil:
		return diff.NewFileLabels(p.Path)
	}
	return diff.ProposedLabels(p.Path)
}
