package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// The kinds of entries. An entry of another kind is kept and passed over.
const (
	kindSession = "session" // the root
	kindMessage = "message"
	kindClear   = "clear"  // the conversation begins anew
	kindMove    = "move"   // the conversation goes on behind the parent
	kindLabel   = "label"  // Text is a name for the entry Target; "" takes it away
	kindBegin   = "begin"  // a file is about to be changed; without Change: not any more
	kindChange  = "change" // a file was changed
	// Messages take the place of those before; Text says so in a line.
	kindCompact = "compact"
	// The conversation goes on behind the parent, and Text is a summary of what was left for it.
	kindSummary = "summary"
	// The conversation goes on behind the parent with Messages, of which Text is what a model has
	// reported.
	kindReport = "report"
)

// aside reports whether e is no part of the conversation.
func (e entry) aside() bool { return e.Kind == kindChange || e.Kind == kindBegin }

// stands reports whether e is something that was said, or stands for that.
func (e entry) stands() bool {
	return e.Kind == kindMessage || e.Kind == kindSummary || e.Kind == kindCompact || e.Kind == kindReport
}

// entry is one line.
type entry struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	Count  int       `json:"count,omitempty"` // of the person's messages in the conversation, this one included

	Version   int    `json:"version,omitempty"`
	Workspace string `json:"workspace,omitempty"`
	Model     string `json:"model,omitempty"`

	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts,omitempty"`

	Target string `json:"target,omitempty"`
	Text   string `json:"text,omitempty"`

	Change *undo.Change `json:"change,omitempty"`

	Messages []stored `json:"messages,omitempty"`
	// Kept is how many of Messages are all that stays of the conversation before a report; 0: all
	// of it does.
	Kept int `json:"kept,omitempty"`
}

// stored is a message within an entry.
type stored struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

// part is one part of a message.
type part struct {
	Type      string `json:"type"` // text, thinking, tool_call, tool_result, image, compaction
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
	From      string `json:"from,omitempty"`
	ID        string `json:"id,omitempty"`
	Given     string `json:"given,omitempty"` // of a call: what its server called it, where that is not the id
	Name      string `json:"name,omitempty"`
	Input     string `json:"input,omitempty"` // JSON as text: it may be broken, and it keeps its bytes; the facts of a compaction
	IsError   bool   `json:"is_error,omitempty"`

	Origin provider.Origin `json:"origin,omitempty"` // of a text
	Rule   string          `json:"rule,omitempty"`
	Rules  []string        `json:"rules,omitempty"` // of a result

	Images []storedPicture `json:"images,omitempty"` // of an image one
}

func encode(parts []provider.Part) []part {
	var list []part
	for _, p := range parts {
		switch p := p.(type) {
		case provider.Text:
			list = append(list, part{Type: "text", Text: p.Text, Origin: p.Origin, Rule: p.Rule})
		case provider.Thinking:
			list = append(list, part{Type: "thinking", Text: p.Text, Signature: p.Signature, Redacted: p.Redacted,
				From: p.From})
		case provider.ToolCall:
			list = append(list, part{Type: "tool_call", ID: p.ID, Name: p.Name, Input: string(p.Input),
				Given: p.Given, From: p.From})
		case provider.ToolResult:
			list = append(list, part{Type: "tool_result", ID: p.ID, Text: p.Text, IsError: p.IsError, Rules: p.Rules})
		case provider.Image:
			list = append(list, part{Type: "image"})
		case provider.Compaction:
			list = append(list, part{Type: "compaction", Text: p.Text, Input: string(p.Facts)})
		}
	}
	return list
}

func decode(parts []part) []provider.Part {
	var list []provider.Part
	for _, p := range parts {
		switch p.Type {
		case "text":
			list = append(list, provider.Text{Text: p.Text, Origin: p.Origin, Rule: p.Rule})
		case "thinking":
			list = append(list, provider.Thinking{Text: p.Text, Signature: p.Signature, Redacted: p.Redacted,
				From: p.From})
		case "tool_call":
			list = append(list, provider.ToolCall{ID: p.ID, Name: p.Name, Input: json.RawMessage(p.Input),
				Given: p.Given, From: p.From})
		case "compaction":
			list = append(list, provider.Compaction{Text: p.Text, Facts: json.RawMessage(p.Input)})
		case "tool_result":
			kept, lost := images(p.Images)
			list = append(list, provider.ToolResult{ID: p.ID, Text: p.Text + lost, IsError: p.IsError, Images: kept,
				Rules: p.Rules})
		case "image":
			kept, lost := images(p.Images)
			for _, img := range kept {
				list = append(list, provider.Image{Picture: img})
			}
			if lost != "" {
				list = append(list, provider.Text{Text: strings.TrimPrefix(lost, "\n")})
			}
		}
	}
	return list
}

// line returns the entry as it is written, without secrets; those of its parts are gone already.
func (e entry) line(secrets secret.Set) ([]byte, error) {
	e.Text, e.Model, e.Workspace = secrets.Redact(e.Text), secrets.Redact(e.Model), secrets.Redact(e.Workspace)
	if e.Change != nil {
		c := *e.Change
		c.Rel, c.Dirs = secrets.Redact(c.Rel), slices.Clone(c.Dirs)
		for i := range c.Dirs {
			c.Dirs[i] = secrets.Redact(c.Dirs[i])
		}
		e.Change = &c
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return b.Bytes(), err
}

// file is what was read of a session.
type file struct {
	entries []entry
	end     int // bytes up to the end of the last good line
	damaged int // bad lines before it
	highest int // number of an entry
}

// parse reads what can be read. What follows the last good entry is torn.
func parse(text []byte) file {
	var f file
	at, bad := 0, 0
	seen := map[string]time.Time{}
	for line := range bytes.Lines(text) {
		list, end, other := entries(line)
		for _, e := range list {
			if was, again := seen[e.ID]; again && was.Equal(e.Time) {
				// Written again, because it was not known to be on the disk.
				continue
			}
			seen[e.ID] = e.Time
			f.entries = append(f.entries, e)
			if n, err := strconv.Atoi(e.ID); err == nil {
				f.highest = max(f.highest, n)
			}
		}
		switch {
		case len(list) == 0 && len(bytes.TrimSpace(line)) > 0:
			bad++
		case len(list) > 0:
			f.damaged += bad
			bad = 0
			if other {
				f.damaged++
			}
			if f.end = at + end; end < len(line) {
				bad++
			}
		}
		at += len(line)
	}
	return f
}

// entryStart is how an entry begins. Within an entry it stands nowhere: quotes in texts are
// escaped, and no other object begins so.
const entryStart = `{"id":"`

// maxStarts bounds the search for entries in a damaged line.
const maxStarts = 64

// entries returns the entries on a line: one, or, where a write was cut short, none, or the ones
// that follow the torn one. end is behind the last one and its newline; other: something else
// stands before it.
func entries(line []byte) (list []entry, end int, other bool) {
	at := 0
	for range maxStarts {
		i := bytes.Index(line[at:], []byte(entryStart))
		if i < 0 {
			break
		}
		at += i
		var e entry
		d := json.NewDecoder(bytes.NewReader(line[at:]))
		if d.Decode(&e) != nil || e.Kind == "" {
			at += len(entryStart)
			continue
		}
		other = other || at > end
		list = append(list, e)
		at += int(d.InputOffset())
		end = at
	}
	if len(list) > 0 && len(bytes.TrimSpace(line[end:])) == 0 {
		end = len(line)
	}
	return list, end, other
}

// root returns the entry that everything stands below; "" if it is damaged.
func (f file) root() string {
	if f.entries[0].Kind == kindSession {
		return f.entries[0].ID
	}
	return ""
}

// messages returns the conversation of the last entry: its ancestors in order, from the last
// compaction on.
func (f file) messages() []provider.Message {
	var list []provider.Message
	for _, i := range f.path(len(f.entries) - 1) {
		e := f.entries[i]
		if e.Kind == kindCompact || e.Kind == kindReport && e.Kept > 0 {
			list = e.stored(0, len(e.Messages))
			continue
		}
		list = append(list, e.said()...)
	}
	return list
}

// said returns all that was said on the way to entry i, as if nothing had been compacted.
func (f file) said(i int) (list []provider.Message) {
	for _, i := range f.path(i) {
		list = append(list, f.entries[i].said()...)
	}
	return list
}

// said returns what was said by the entry.
func (e entry) said() []provider.Message {
	switch e.Kind {
	case kindMessage:
		return []provider.Message{{Role: provider.Role(e.Role), Parts: decode(e.Parts)}}
	case kindSummary:
		return []provider.Message{{Role: provider.User,
			Parts: []provider.Part{provider.Text{Text: leftBehind + e.Text, Origin: provider.Left}}}}
	case kindReport:
		from := e.Kept
		if from > 0 { // what the person said stands before it
			from = len(e.Messages) - 1
		}
		return e.stored(from, len(e.Messages))
	}
	return nil
}

// stored is some of Messages.
func (e entry) stored(from, to int) (list []provider.Message) {
	for _, m := range e.Messages[min(max(from, 0), to):to] { // a damaged entry may say anything
		list = append(list, provider.Message{Role: provider.Role(m.Role), Parts: decode(m.Parts)})
	}
	return list
}

// leftBehind stands before the summary of a branch that was left.
const leftBehind = "I went back in this conversation and go on from here. A summary of what was said after this " +
	"point " +
	"and is left out now (the files stay as they are):\n\n"

// LeftBehind returns the summary in what a move with one has put into the conversation, a text of
// the origin [provider.Left].
func LeftBehind(said string) (summary string) { return strings.TrimPrefix(said, leftBehind) }

// path returns entry i and its ancestors, oldest first. Where an ancestor is damaged, the entry
// before it in the file takes its place.
func (f file) path(i int) []int {
	at := map[string]int{}
	for i, e := range f.entries {
		at[e.ID] = i
	}
	var list []int
	for i >= 0 {
		list = append(list, i)
		e := f.entries[i]
		parent, known := at[e.Parent]
		switch {
		case e.Parent == "":
			i = -1
		case known && parent < i: // always backwards: a circle ends
			i = parent
		default:
			i--
		}
	}
	slices.Reverse(list)
	return list
}

// interrupted is the result of a call whose result was lost.
const interrupted = "interrupted: the shell ended while this tool call was open; it may have had effects"

// whole makes a conversation one that a provider takes: it begins with the person, each call has
// one result right behind, and there is no result without its call. added counts the results that
// were put in.
func whole(messages []provider.Message) (list []provider.Message, added int) {
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if len(list) == 0 && m.Role != provider.User {
			continue
		}
		if m.Role == provider.User {
			if m = without(m); len(m.Parts) > 0 {
				list = append(list, m)
			}
			continue
		}
		list = append(list, m)
		var came []provider.ToolResult
		if i+1 < len(messages) {
			came = resultsOf(messages[i+1])
		}
		var results []provider.Part
		for _, p := range m.Parts {
			call, ok := p.(provider.ToolCall)
			if !ok {
				continue
			}
			r := provider.ToolResult{ID: call.ID, Text: interrupted, IsError: true}
			at := slices.IndexFunc(came, func(r provider.ToolResult) bool { return r.ID == call.ID })
			if at < 0 {
				added++
			} else { // two calls of one id have their results in their order
				r = came[at]
				came = slices.Delete(came, at, at+1)
			}
			results = append(results, r)
		}
		if len(results) > 0 {
			list = append(list, provider.Message{Role: provider.User, Parts: results})
		}
	}
	return list, added
}

// without returns a message without its results: the ones that belong to a call are put in with the
// call.
func without(m provider.Message) provider.Message {
	var parts []provider.Part
	for _, p := range m.Parts {
		if _, ok := p.(provider.ToolResult); !ok {
			parts = append(parts, p)
		}
	}
	return provider.Message{Role: m.Role, Parts: parts}
}

// resultsOf returns the results in a message of the person's.
func resultsOf(m provider.Message) (list []provider.ToolResult) {
	for _, p := range m.Parts {
		if r, ok := p.(provider.ToolResult); ok && m.Role == provider.User {
			list = append(list, r)
		}
	}
	return list
}
