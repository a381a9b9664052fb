// Package script implements a model that answers from a text file of JSON lines: without a key or
// network, and the same every time. Demos and tests use it.
//
// Each request uses up one line, even if it is retried, cancelled or fails. After the last line the
// model answers "(end of script)". A field that is not known, occurs twice or is spelled in another
// case is an error. after_runes counts the characters of thinking and say together. Arguments are
// streamed with the same delay as text. A line with "agent" answers only the agent with that id,
// see [Model.For].
package script

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// EndOfScript is the text of each answer after the last line of the script.
const EndOfScript = "(end of script)"

// Mismatch is the error of a conversation that does not contain the texts that a line of the script
// expects. The program then exits with code 3.
type Mismatch struct {
	Line int    // The line's number in the script, from 1.
	What string // The expectation that was not met, and the texts that were found.
}

// Error returns the line number and the description.
func (m *Mismatch) Error() string { return fmt.Sprintf("script line %d: %s", m.Line, m.What) }

// Unwrap returns [provider.ErrOtherConversation], so that callers need not know this package.
func (m *Mismatch) Unwrap() error { return provider.ErrOtherConversation }

// Model answers each request with the next line of a script. It implements provider.Model.
type Model struct {
	// Bounds limits the answers, like those of a provider over the network. It must not be changed
	// after the first call of Stream.
	Bounds provider.Bounds

	name   string
	lines  []line
	agents map[string]*Model // The models of the agents that have lines of their own, by the id of the agent.

	mu   sync.Mutex
	next int // The index of the line that answers the next request.
	seen int // The number of messages that the previous request contained.
	// The first expectation that was not met, or nil.
	mismatch error
}

// Parse reads a script from text. name is the model's name on the screen. An error contains the
// number of the line.
func Parse(name string, text []byte) (*Model, error) { return Read(name, bytes.NewReader(text)) }

// Read reads a script like [Parse], but does not hold all of its text in memory.
func Read(name string, text io.Reader) (*Model, error) {
	lines, err := parse(text)
	if err != nil {
		return nil, err
	}
	m := &Model{name: name, agents: map[string]*Model{}}
	for _, l := range lines {
		to := m
		if l.agent != "" {
			if m.agents[l.agent] == nil {
				m.agents[l.agent] = &Model{name: name}
			}
			to = m.agents[l.agent]
		}
		to.lines = append(to.lines, l)
	}
	return m, nil
}

// For returns the model that answers the agent with the given id. It plays the lines for that
// agent. If there are none, For returns m.
func (m *Model) For(agent string) provider.Model {
	of := m.agents[agent]
	if of == nil {
		return m
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	of.Bounds = m.Bounds
	return of
}

// Name returns the model's name on the screen.
func (m *Model) Name() string { return m.name }

// UnusedLines returns the number of lines that have not answered a request, including lines for
// agents.
func (m *Model) UnusedLines() int {
	unused := 0
	for _, of := range m.agents {
		unused += of.UnusedLines()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return unused + len(m.lines) - m.next
}

// Mismatch returns the first expectation that was not met, by m or by the model of an agent, or
// nil.
func (m *Model) Mismatch() error {
	m.mu.Lock()
	err := m.mismatch
	m.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(m.agents)) {
		if err == nil {
			err = m.agents[id].Mismatch()
		}
	}
	return err
}

// takeLine returns the line that answers the next request, and the texts that were added to the
// conversation since the previous request.
func (m *Model) takeLine(messages []provider.Message) (line, []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen > len(messages) { // a new conversation
		m.seen = 0
	}
	added := textsOf(messages[m.seen:])
	m.seen = len(messages)
	if m.next == len(m.lines) {
		return line{say: EndOfScript, stop: "end", chunkRunes: defaultChunkRunes, delay: defaultDelay}, nil
	}
	m.next++
	return m.lines[m.next-1], added
}

// Stream answers with the next line of the script. The line is used up as soon as the iteration
// begins.
func (m *Model) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		l, added := m.takeLine(req.Messages)
		if err := l.check(added); err != nil {
			m.mu.Lock()
			if m.mismatch == nil {
				m.mismatch = err
			}
			m.mu.Unlock()
			yield(nil, err)
			return
		}
		p := player{ctx: ctx, yield: yield, line: l, tally: provider.NewTally(m.Bounds)}
		if !p.play() && p.err != nil {
			yield(nil, p.err)
		}
	}
}

// check compares the expectations of the line with the texts that were added to the conversation.
func (l line) check(added []string) error {
	for _, want := range l.expect {
		if !anyContains(added, want) {
			return &Mismatch{l.number, fmt.Sprintf("expected %q in what was added since the line before; there was %s",
				want, quoteAll(added))}
		}
	}
	for _, unwanted := range l.expectNot {
		if anyContains(added, unwanted) {
			return &Mismatch{l.number, fmt.Sprintf("did not expect %q; there was %s", unwanted, quoteAll(added))}
		}
	}
	return nil
}

// player sends the events of one line. Its methods return false when nothing more may be sent; then
// err is the reason, or nil if the consumer wants no more events.
type player struct {
	ctx   context.Context
	yield func(provider.Event, error) bool
	line  line
	tally *provider.Tally
	runes int // The number of characters of thinking and say that were sent.
	// A chunk was sent.
	began bool
	err   error
}

// play sends all events of the line.
func (p *player) play() bool {
	l := p.line
	if p.failed() {
		return false
	}
	ok := p.text(l.thinking, p.tally.CountThinking, func(s string) provider.Event {
		return provider.ThinkingDelta{Text: s}
	}) &&
		p.text(l.say, p.tally.CountText, func(s string) provider.Event { return provider.TextDelta{Text: s} })
	if !ok {
		return false
	}
	for _, c := range l.calls {
		if !p.call(c) {
			return false
		}
	}
	if l.hasUsage && !p.send(provider.Usage{Input: l.input, Output: l.output}) {
		return false
	}
	if l.hang {
		<-p.ctx.Done()
		p.err = p.ctx.Err()
		return false
	}
	if l.err != nil {
		p.err = l.err.error()
		return false
	}
	return p.send(provider.End{Stop: l.stop, Message: l.message()})
}

// text sends s in chunks, which event makes and count counts. If the line has an error with
// after_runes, it stops exactly at that character.
func (p *player) text(s string, count func(int) error, event func(string) provider.Event) bool {
	for s != "" {
		n := p.line.chunkRunes
		if e := p.line.err; e != nil && e.afterRunes >= 0 {
			n = min(n, e.afterRunes-p.runes)
		}
		chunk := firstRunes(s, n)
		if !p.pause() || !p.passesBound(count(len(chunk))) || !p.send(event(chunk)) {
			return false
		}
		s = s[len(chunk):]
		p.runes += utf8.RuneCountInString(chunk)
		if p.failed() {
			return false
		}
	}
	return true
}

// call sends the events of a tool call.
func (p *player) call(c call) bool {
	if !p.pause() || !p.passesBound(p.tally.CountCall(len(c.id)+len(c.name))) ||
		!p.send(provider.ToolCallStart{ID: c.id, Name: c.name}) {
		return false
	}
	for rest := c.input; len(rest) > 0; {
		n := min(p.line.toolChunkBytes, len(rest))
		if !p.pause() || !p.passesBound(p.tally.CountArguments(len(c.input)-len(rest), n)) ||
			!p.send(provider.ToolCallDelta{ID: c.id, JSON: string(rest[:n])}) {
			return false
		}
		rest = rest[n:]
	}
	return p.send(provider.ToolCall{ID: c.id, Name: c.name, Input: c.input})
}

// failed reports whether the line's error is due after the characters sent so far, and sets err
// then.
func (p *player) failed() bool {
	e := p.line.err
	if e == nil || e.afterRunes < 0 || p.runes < e.afterRunes {
		return false
	}
	p.err = e.error()
	return true
}

// passesBound reports whether excess, a result of the tally, is nil. It sets err if not.
func (p *player) passesBound(excess error) bool {
	p.err = excess
	return excess == nil
}

func (p *player) send(e provider.Event) bool {
	if p.err = p.ctx.Err(); p.err != nil {
		return false
	}
	return p.yield(e, nil)
}

// pause waits for the delay of the line, except before the first chunk.
func (p *player) pause() bool {
	first := !p.began
	p.began = true
	if first || p.line.delay == 0 {
		return true
	}
	t := time.NewTimer(p.line.delay)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-p.ctx.Done():
		p.err = p.ctx.Err()
		return false
	}
}

func (f *failure) error() error {
	return &provider.Error{Status: f.status, Message: f.message, RetryAfter: f.retryAfter}
}

// message returns the line's answer as a message of the conversation.
func (l line) message() provider.Message {
	m := provider.Message{Role: provider.Assistant}
	if l.thinking != "" {
		m.Parts = append(m.Parts, provider.Thinking{Text: l.thinking})
	}
	if l.say != "" {
		m.Parts = append(m.Parts, provider.Text{Text: l.say})
	}
	for _, c := range l.calls {
		m.Parts = append(m.Parts, provider.ToolCall{ID: c.id, Name: c.name, Input: c.input})
	}
	return m
}

// textsOf returns the texts and the tool results in the user's messages.
func textsOf(messages []provider.Message) []string {
	var list []string
	for _, m := range messages {
		if m.Role != provider.User {
			continue
		}
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.Text:
				list = append(list, part.Text)
			case provider.ToolResult:
				list = append(list, part.Text)
			}
		}
	}
	return list
}

func anyContains(list []string, s string) bool {
	for _, text := range list {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// quoteAll returns the texts for an error message, quoted, separated by commas, and each cut to 200
// characters.
func quoteAll(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		if cut := firstRunes(s, 200); len(cut) < len(s) {
			fmt.Fprintf(&b, "%q...", cut)
		} else {
			fmt.Fprintf(&b, "%q", s)
		}
	}
	return b.String()
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}
