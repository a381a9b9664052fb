package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Everybody is the address of all agents that run or are idle.
const Everybody = "all"

// Peers carries messages between one agent and the others of its session. Its methods are safe for
// use by several goroutines.
type Peers interface {
	// Self returns the id of the agent.
	Self() string
	// Others returns the agents that can be written to.
	Others() []Peer
	// Send delivers a message, and returns a receipt for each agent that it is addressed to. It
	// waits for nobody's answer.
	Send(m Letter) []Receipt
	// Pending returns the messages that wait for the agent. Unless it peeks they are its own then.
	Pending(peek bool) []Letter
	// Wait takes the next message, from one agent or with "" from any. It waits for one at most for
	// limit, 0: until ctx ends. why says why there is none, if it is not the time.
	Wait(ctx context.Context, from string, limit time.Duration) (m Letter, found bool, why string)
}

// Peer is an agent as others see it.
type Peer struct {
	ID, Kind, Description, State, Parent string
	Unread                               int
	Active                               time.Time
}

// Letter is a message of one agent to another.
type Letter struct {
	ID, From, To, Text string
	ReplyTo            string // the id of the message that it answers, "" for none
}

// Receipt says what has become of a message for one agent.
type Receipt struct {
	To      string `json:"to"`
	Outcome string `json:"outcome"`         // injected, woken, revived or failed
	Error   string `json:"error,omitempty"` // why it has failed
}

// irc writes to other agents, and reads what they write.
type irc struct {
	peers Peers
	time  time.Duration // how long a wait takes at the most; 0: as long as it takes
	now   func() time.Time
}

type ircArgs struct {
	Op        string   `json:"op" enum:"send wait inbox list" doc:"send a message, wait for one, read those that have come (inbox), or list the agents."`
	To        *string  `json:"to" doc:"send: the id of an agent, or all."`
	Message   *string  `json:"message" doc:"send: the text."`
	ReplyTo   string   `json:"replyTo,omitempty" doc:"send: the id of the message that this one answers."`
	Await     bool     `json:"await,omitempty" doc:"send: wait for the next message from that agent. Not with all."`
	From      string   `json:"from,omitempty" doc:"wait: only for a message from this agent."`
	TimeoutMs *float64 `json:"timeoutMs" doc:"wait, and send with await: the longest wait in milliseconds; 0 waits as long as it takes."`
	Peek      bool     `json:"peek,omitempty" doc:"inbox: leave the messages there."`
}

// Traits implements Tool.
func (t *irc) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindOther}
}

// Spec implements Tool.
func (t *irc) Spec() provider.Tool {
	return provider.Tool{Name: "irc", ReadOnly: true, Schema: schemaOf[ircArgs](),
		Description: "Write to the other agents of this session, and read what they write. A message reaches an " +
			"agent that works before its next step; one that is idle or parked begins to work because of it. What " +
			"is written to you comes by itself between two steps: wait only if you cannot go on without it. " +
			"Answer with send and replyTo. An agent that has given its result still knows all that it found: ask " +
			"it before you start another one."}
}

// Prepare implements Tool.
func (t *irc) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[ircArgs](input)
	if err != nil {
		return Call{}, err
	}
	title := "irc " + args.Op
	run := t.list
	switch args.Op {
	case "send":
		if err := t.check(args); err != nil {
			return Call{}, err
		}
		title += " to " + strings.TrimSpace(*args.To) + ": " + strings.TrimSpace(*args.Message)
		run = t.send
	case "wait":
		if args.From != "" {
			title += " from " + args.From
		}
		run = t.wait
	case "inbox":
		run = t.inbox
	}
	return Call{Title: titled(title, 200), Run: func(ctx context.Context, _ func(string)) (Result, error) {
		return run(ctx, args)
	}}, nil
}

// check returns an error if a message cannot be sent.
func (t *irc) check(args ircArgs) error {
	to := ""
	if args.To != nil {
		to = strings.TrimSpace(*args.To)
	}
	switch {
	case to == "":
		return invalidArgs("to is missing: name the agent that the message is for, or all")
	case args.Message == nil || strings.TrimSpace(*args.Message) == "":
		return invalidArgs("message is missing: say what you write")
	case strings.EqualFold(to, t.peers.Self()):
		return invalidArgs("Cannot send an IRC message to yourself.")
	case args.Await && to == Everybody:
		return invalidArgs("await goes without to all: wait for the answers with op wait")
	}
	return nil
}

// timeout returns how long a call waits at the most; 0: as long as it takes.
func (t *irc) timeout(ms *float64) time.Duration {
	switch {
	case ms == nil || *ms < 0 || math.IsNaN(*ms) || math.IsInf(*ms, 0):
		return t.time
	case *ms == 0:
		return 0
	}
	const longest = 365 * 24 * time.Hour
	return min(max(time.Duration(min(*ms, float64(longest/time.Millisecond)))*time.Millisecond, time.Millisecond),
		longest)
}

// list runs the operation list.
func (t *irc) list(context.Context, ircArgs) (Result, error) {
	peers := t.peers.Others()
	if len(peers) == 0 {
		return Result{Text: "No other agents.\n", Summary: "no other agents", Data: peers}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", count(len(peers), "peer"))
	for _, p := range peers {
		about := strings.Join(withoutBlanks(p.Description, p.Kind, p.State), " · ")
		fmt.Fprintf(&b, "- %s [%s]", p.ID, about)
		if p.Unread > 0 {
			fmt.Fprintf(&b, ", %d unread", p.Unread)
		}
		if p.Parent != "" {
			fmt.Fprintf(&b, ", started by %s", p.Parent)
		}
		fmt.Fprintf(&b, ", active %s ago\n", t.now().Sub(p.Active).Round(time.Second))
	}
	b.WriteString("A parked agent is revived when you write to it.\n")
	return Result{Text: b.String(), Summary: count(len(peers), "peer"), Detail: b.String(), Data: peers}, nil
}

// withoutBlanks returns the texts that are not empty.
func withoutBlanks(texts ...string) (list []string) {
	for _, s := range texts {
		if s != "" {
			list = append(list, s)
		}
	}
	return list
}

// send runs the operation send.
func (t *irc) send(ctx context.Context, args ircArgs) (Result, error) {
	to := strings.TrimSpace(*args.To)
	receipts := t.peers.Send(Letter{To: to, Text: *args.Message, ReplyTo: args.ReplyTo})
	var b strings.Builder
	delivered := 0
	for _, r := range receipts {
		fmt.Fprintf(&b, "- %s: %s", r.To, r.Outcome)
		if r.Error != "" {
			fmt.Fprintf(&b, " — %s", r.Error)
		} else {
			delivered++
			to = r.To
		}
		b.WriteString("\n")
	}
	if delivered == 0 {
		if len(receipts) == 0 {
			return Result{}, failed("No other agents.")
		}
		return Result{}, failed("%s", strings.TrimSuffix(b.String(), "\n"))
	}
	r := Result{Text: b.String(), Summary: fmt.Sprintf("reached %d of %s", delivered, count(len(receipts), "agent")),
		Data: receipts}
	if !args.Await {
		return r, nil
	}
	text, found, err := t.next(ctx, to, args.TimeoutMs)
	r.Text += text
	if !found && err == nil {
		r.Text += "It may still answer: use inbox or wait later, and do not send the message again.\n"
	}
	return r, err
}

// wait runs the operation wait.
func (t *irc) wait(ctx context.Context, args ircArgs) (Result, error) {
	text, found, err := t.next(ctx, strings.TrimSpace(args.From), args.TimeoutMs)
	summary := "no message"
	if found {
		summary = "1 message"
	}
	return Result{Text: text, Summary: summary, Detail: text}, err
}

// next waits for the next message, and returns it, or says that there is none.
func (t *irc) next(ctx context.Context, from string, ms *float64) (text string, found bool, err error) {
	limit := t.timeout(ms)
	m, found, why := t.peers.Wait(ctx, from, limit)
	switch {
	case found:
		return letterText(m) + "\n", true, nil
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case why != "":
		return "No message: " + why + "\n", false, nil
	}
	return fmt.Sprintf("No message within %s.\n", limit), false, nil
}

// inbox runs the operation inbox.
func (t *irc) inbox(_ context.Context, args ircArgs) (Result, error) {
	letters := t.peers.Pending(args.Peek)
	if len(letters) == 0 {
		return Result{Text: "Inbox empty.\n", Summary: "no messages"}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", count(len(letters), "message"))
	for _, m := range letters {
		b.WriteString("- " + letterText(m) + "\n")
	}
	return Result{Text: b.String(), Summary: count(len(letters), "message"), Detail: b.String(), Data: letters}, nil
}

// letterText returns a message as its reader gets it.
func letterText(m Letter) string {
	reply := ""
	if m.ReplyTo != "" {
		reply = " (answers " + m.ReplyTo + ")"
	}
	return fmt.Sprintf("[%s] %s%s: %s", m.ID, m.From, reply, m.Text)
}
