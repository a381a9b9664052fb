package shell

import (
	"fmt"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// agentLog holds the transcript of one subagent, in the same blocks as the transcript of the
// session. It lays out its rows only while a page shows them. It belongs to the event loop, except
// for receive.
type agentLog struct {
	thinking bool // The transcript includes what the model thinks.
	blocks   []*logBlock
	// The kind of the last block.
	last  blockKind
	text  *markdown.Document // The text that the model is writing; nil: none.
	isDim bool               // The text that the model is writing is its thinking, which is drawn dim.
	// The blocks of the tool calls that run, by the id of the call.
	calls map[string]*logBlock

	// Guards events.
	mu     sync.Mutex
	events []agent.Event // The events that have come since the last frame.
}

// logBlock holds a block of a subagent's transcript, and its rows at the width of the last frame.
type logBlock struct {
	component tui.Component
	call      *call // The tool call that the block shows while it runs; nil: the block shows no running call.
	open      bool  // The block may still change, so each frame lays it out again.
	// The width in columns for which rows was laid out; 0: it has to be laid out.
	width int
	rows  []tui.Line
}

// receive queues an event of the subagent for the next frame. It may be called on any goroutine.
func (l *agentLog) receive(e agent.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// update adds the queued events to the transcript. It reports whether there were any.
func (l *agentLog) update() bool {
	l.mu.Lock()
	events := l.events
	l.events = nil
	l.mu.Unlock()
	for _, e := range events {
		l.add(e)
	}
	return len(events) > 0
}

// load adds the messages that the subagent had before the page was opened, with their tool calls.
func (l *agentLog) load(look crew.Look) {
	for i, m := range look.Messages {
		switch text, from := m.MainText(); {
		case text == "":
		case m.Role == provider.Assistant:
			l.write(text, false)
			l.endTextBlock()
		default:
			l.put(person, personBlock(agent.AsTyped(text, from)))
		}
		for _, p := range m.Parts {
			if c, ok := p.(provider.ToolCall); ok {
				l.end(agent.StoredCallEnd(c, look.Messages[i+1:]))
			}
		}
	}
	if look.Turn != "" {
		l.put(person, personBlock(look.Turn))
	}
}

// add adds one event of the subagent to its transcript.
func (l *agentLog) add(e agent.Event) {
	switch e := e.(type) {
	case agent.Text:
		l.write(e.Delta, false)
	case agent.Thinking:
		if l.thinking {
			l.write(e.Delta, true)
		}
	case agent.MessageEnd:
		l.endTextBlock()
	case agent.ToolStart:
		l.endTextBlock()
		if e.Proposal == nil {
			l.start(e.ID, e.Title)
		}
	case agent.ToolProgress:
		if b := l.calls[e.ID]; b != nil {
			b.call.appendOutput(e.Text)
		}
	case agent.ToolEnd:
		l.end(e)
	case agent.Retry:
		l.problem(capitalizeFirst(e.Err.Error()) + fmt.Sprintf(" (attempt %d of %d follows)", e.Attempt, e.Of))
	case agent.Retracted:
		l.problem(e.Line())
	case agent.TextWasThinking:
		l.problem(e.Line())
	case agent.Notice:
		l.problem(e.Text)
	case agent.Heard:
		l.endTextBlock()
		l.put(person, personBlock(e.Text))
	case agent.Steered:
		l.endTextBlock()
		l.put(person, personBlock(e.Text))
	case agent.TurnEnd:
		l.endTextBlock()
		if e.Err != nil {
			l.problem(e.Err.Error())
		}
	}
}

func (l *agentLog) problem(text string) {
	l.endTextBlock()
	l.put(notice, problem(text))
}

// put appends a block. A blank row separates it from the previous block, but tool calls follow each
// other without one.
func (l *agentLog) put(kind blockKind, c tui.Component) *logBlock {
	if l.last != noBlock && !(kind == toolCall && l.last == toolCall) {
		l.blocks = append(l.blocks, &logBlock{component: staticBlock(func(tui.Space) []tui.Line {
			return []tui.Line{{}}
		})})
	}
	l.last = kind
	b := &logBlock{component: c}
	l.blocks = append(l.blocks, b)
	return b
}

// write appends text of the model. dim tells that the text is thinking. A change between answer and
// thinking begins a new block.
func (l *agentLog) write(delta string, dim bool) {
	if l.text != nil && l.isDim != dim {
		l.endTextBlock()
	}
	if l.text == nil {
		if strings.TrimSpace(delta) == "" {
			return
		}
		l.text, l.isDim = &markdown.Document{Dim: dim, Breaks: true}, dim
		l.put(answer, l.text).open = true
	}
	_, _ = l.text.Write([]byte(delta))
}

// endTextBlock closes the block of the text that the model was writing, so that later text begins a
// new one.
func (l *agentLog) endTextBlock() {
	for _, b := range l.blocks[max(len(l.blocks)-1, 0):] {
		if b.component == tui.Component(l.text) {
			b.open, b.width = false, 0
		}
	}
	l.text = nil
}

// start appends the block of a tool call that begins to run.
func (l *agentLog) start(id, title string) {
	c := &call{title: displayTitle(title)}
	b := l.put(toolCall, c)
	b.call, b.open = c, true
	if l.calls == nil {
		l.calls = map[string]*logBlock{}
	}
	l.calls[id] = b
}

// end shows the result of a tool call, in its running block if it has one, or else in a new block.
func (l *agentLog) end(e agent.ToolEnd) {
	b := l.calls[e.ID]
	delete(l.calls, e.ID)
	switch {
	case b != nil:
		b.component, b.call, b.open, b.width = endedCall(e), nil, false, 0
	case e.Proposal != nil:
		l.put(fileChange, endedCall(e))
	default:
		l.put(toolCall, endedCall(e))
	}
}

// rows returns the rows of the whole transcript at the width of s. A block that cannot change is
// laid out once for each width.
func (l *agentLog) rows(s tui.Space) (all []tui.Line) {
	s.Height, s.From, s.Focused = 0, 0, false
	for _, b := range l.blocks {
		if b.open || b.width != s.Width {
			b.rows, b.width = b.component.View(s).Lines, s.Width
		}
		all = append(all, b.rows...)
	}
	return all
}
