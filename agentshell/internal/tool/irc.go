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

// Everybody is the recipient that stands for all other agents that are running or idle.
const Everybody = "all"

// Peers carries messages between one agent and the other agents of its session. Its methods are
// safe for use by several goroutines.
type Peers interface {
	// Self returns the id of the agent to which this Peers belongs.
	Self() string
	// Others returns the agents to which messages can be sent.
	Others() []Peer
	// Send delivers a message, and returns one receipt for each recipient. It does not wait for an
	// answer.
	Send(m Letter) []Receipt
	// Pending returns the unread messages for the agent. Unless peek is true, they count as read
	// then.
	Pending(peek bool) []Letter
	// Wait waits for the next message from the agent from, or from any agent if from is "", and
	// marks it as read. limit is the longest wait; 0 waits until ctx ends. If there is no message
	// for another reason than the time, why says the reason.
	Wait(ctx context.Context, from string, limit time.Duration) (m Letter, found bool, why string)
}

// Peer describes an agent for the other agents of its session.
type Peer struct {
	// ID is the agent's id. Kind is the name of its [AgentKind], and Description says what it works
	// on. State says whether it is running, idle or parked. Parent is the id of the agent that
	// started it, or "".
	ID, Kind, Description, State, Parent string
	// Unread is the number of messages that the agent has not read yet.
	Unread int
	// Active is the time at which the agent was last active.
	Active time.Time
}

// Letter is a message from one agent to another.
type Letter struct {
	ID, From, To, Text string
	ReplyTo            string // ReplyTo is the ID of the message that this one answers, or "".
}

// Receipt says how the delivery of a message to one agent has ended.
type Receipt struct {
	To      string `json:"to"`
	Outcome string `json:"outcome"`         // Outcome is injected, woken, revived or failed.
	Error   string `json:"error,omitempty"` // Error is the reason for the outcome failed.
}

// irc is the tool irc, with which agents of a session send messages to each other and read them.
type irc struct {
	peers Peers
	time  time.Duration // time is the default limit of a wait; 0: there is none.
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

// check returns an error if the arguments of the operation send are invalid.
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

// timeout returns the longest wait for the argument timeoutMs, in milliseconds; 0 means that there
// is no limit. A missing or invalid argument means the default.
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

// list carries out the operation list.
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

// withoutBlanks returns the texts that are not "".
func withoutBlanks(texts ...string) (list []string) {
	for _, s := range texts {
		if s != "" {
			list = append(list, s)
		}
	}
	return list
}

// send carries out the operation send.
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

// wait carries out the operation wait.
func (t *irc) wait(ctx context.Context, args ircArgs) (Result, error) {
	text, found, err := t.next(ctx, strings.TrimSpace(args.From), args.TimeoutMs)
	summary := "no message"
	if found {
		summary = "1 message"
	}
	return Result{Text: text, Summary: summary, Detail: text}, err
}

// next waits for the next message from an agent, or from any if from is "". The text is the
// message, or says why none came.
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

// inbox carries out the operation inbox: it returns the unread messages.
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

// letterText returns a message in the form in which the receiving model reads it.
func letterText(m Letter) string {
	reply := ""
	if m.ReplyTo != "" {
		reply = " (answers " + m.ReplyTo + ")"
	}
	return fmt.Sprintf("[%s] %s%s: %s", m.ID, m.From, reply, m.Text)
}
