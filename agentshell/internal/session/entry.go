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

// The kinds of entries. An entry of an unknown kind is kept and ignored.
const (
	kindSession = "session" // the root
	kindMessage = "message"
	kindClear   = "clear"  // an empty conversation begins
	kindMove    = "move"   // the conversation continues after the parent
	kindLabel   = "label"  // Text is a label for the entry Target; "" removes it
	kindBegin   = "begin"  // a file is about to be changed; without Change: no longer
	kindChange  = "change" // a file was changed
	kindDenied  = "denied" // Change was denied, and not made
	// Messages replace the earlier ones; Text describes that in a line.
	kindCompact = "compact"
	// The conversation continues after the parent. Text is a summary of the branch that was left.
	kindSummary = "summary"
	// The conversation continues after the parent with Messages. Text is the part of them that a
	// model has reported.
	kindReport = "report"
	kindAgent  = "agent"  // the log is that of an agent, which is as Agent says from now on
	kindDir    = "dir"    // the person has added the directory Text
	kindName   = "name"   // the session is called Name from now on
	kindChoice = "choice" // only Choices
	kindRun    = "run"    // the call Target of the last message is about to be run
)

// isChange reports whether e is about a change of a file, and so not a part of the conversation.
func (e entry) isChange() bool { return e.Kind == kindChange || e.Kind == kindBegin }

// isDenied reports whether e is about a change that was denied.
func (e entry) isDenied() bool { return e.Kind == kindDenied && e.Change != nil }

// isOutsideConversation reports whether e is no part of the conversation. The entry after it has
// the same parent as e.
func (e entry) isOutsideConversation() bool {
	return e.isChange() || e.Kind == kindDenied || e.Kind == kindAgent || e.Kind == kindName || e.Kind == kindDir ||
		e.Kind == kindChoice || e.Kind == kindRun
}

// startsBranch reports whether the conversation continues elsewhere from e on.
func (e entry) startsBranch() bool { return e.Kind == kindMove || e.Kind == kindSummary }

// isMessage reports whether e is a message, or stands for messages.
func (e entry) isMessage() bool {
	return e.Kind == kindMessage || e.Kind == kindSummary || e.Kind == kindCompact || e.Kind == kindReport
}

// entry is one line of the file.
type entry struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	Count  int       `json:"count,omitempty"` // messages of the person in the conversation, including this one
	Name   string    `json:"name,omitempty"`  // that the person has given the session

	Version   int    `json:"version,omitempty"`
	Workspace string `json:"workspace,omitempty"`
	Model     string `json:"model,omitempty"`

	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts,omitempty"`
	Noted bool   `json:"noted,omitempty"` // each call in Parts has an entry of kind run before it can have effects

	Target string `json:"target,omitempty"`
	Text   string `json:"text,omitempty"`

	Change *undo.Change `json:"change,omitempty"`
	Agent  *Agent       `json:"agent,omitempty"`

	Spent   *Spent   `json:"spent,omitempty"`   // what the session had cost then, where it differs from before
	Choices *Choices `json:"choices,omitempty"` // what held from here on, where it differs from before

	Messages []stored `json:"messages,omitempty"`
	// Kept is the number of Messages that stay from the conversation before a report; 0: all of
	// that conversation stays.
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
	// JSON as text, since it may be broken and must keep its bytes; for a compaction: its facts
	Input   string `json:"input,omitempty"`
	IsError bool   `json:"is_error,omitempty"`
	Summary string `json:"summary,omitempty"` // of a result or a command, for the person
	Kind    string `json:"kind,omitempty"`    // of a result: why the call failed

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
			list = append(list, part{Type: "text", Text: p.Text, Origin: p.Origin, Rule: p.Rule,
				Summary: p.Summary})
		case provider.Thinking:
			list = append(list, part{Type: "thinking", Text: p.Text, Signature: p.Signature, Redacted: p.Redacted,
				From: p.From})
		case provider.ToolCall:
			list = append(list, part{Type: "tool_call", ID: p.ID, Name: p.Name, Input: string(p.Input),
				Given: p.Given, From: p.From})
		case provider.ToolResult:
			list = append(list, part{Type: "tool_result", ID: p.ID, Text: p.Text, IsError: p.IsError, Rules: p.Rules,
				Summary: p.Summary, Kind: p.Kind})
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
			list = append(list, provider.Text{Text: p.Text, Origin: p.Origin, Rule: p.Rule, Summary: p.Summary})
		case "thinking":
			list = append(list, provider.Thinking{Text: p.Text, Signature: p.Signature, Redacted: p.Redacted,
				From: p.From})
		case "tool_call":
			list = append(list, provider.ToolCall{ID: p.ID, Name: p.Name, Input: json.RawMessage(p.Input),
				Given: p.Given, From: p.From})
		case "compaction":
			list = append(list, provider.Compaction{Text: p.Text, Facts: json.RawMessage(p.Input)})
		case "tool_result":
			pictures, lostLines := decodePictures(p.Images)
			list = append(list,
				provider.ToolResult{ID: p.ID, Text: p.Text + lostLines, IsError: p.IsError, Images: pictures,
					Rules: p.Rules, Summary: p.Summary, Kind: p.Kind})
		case "image":
			pictures, lostLines := decodePictures(p.Images)
			for _, img := range pictures {
				list = append(list, provider.Image{Picture: img})
			}
			if lostLines != "" {
				list = append(list, provider.Text{Text: strings.TrimPrefix(lostLines, "\n")})
			}
		}
	}
	return list
}

// line returns the line of the entry, with secrets removed from it. Secrets in its parts are
// removed before.
func (e entry) line(secrets secret.Set) ([]byte, error) {
	e.Text, e.Model, e.Workspace = secrets.Redact(e.Text), secrets.Redact(e.Model), secrets.Redact(e.Workspace)
	e.Name = secrets.Redact(e.Name)
	if e.Change != nil {
		c := *e.Change
		c.Rel, c.Dirs = secrets.Redact(c.Rel), slices.Clone(c.Dirs)
		for i := range c.Dirs {
			c.Dirs[i] = secrets.Redact(c.Dirs[i])
		}
		e.Change = &c
	}
	if e.Agent != nil {
		e.Agent = e.Agent.redact(secrets)
	}
	if e.Choices != nil {
		e.Choices = e.Choices.redact(secrets)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return b.Bytes(), err
}

// file is the parsed content of a session's file.
type file struct {
	entries []entry
	end     int  // bytes up to the end of the last valid line
	damaged int  // invalid lines before end
	torn    bool // something follows the last valid line
	highest int  // the highest number of an entry
}

// parse reads all valid entries. Bytes after the last valid entry are incomplete.
func parse(text []byte) file {
	var f file
	offset, badLines := 0, 0
	times := map[string]time.Time{}
	for line := range bytes.Lines(text) {
		list, end, hasGarbage := entries(line)
		for _, e := range list {
			if earlier, known := times[e.ID]; known && earlier.Equal(e.Time) {
				// Written again, because it was not known to be on the disk.
				continue
			}
			times[e.ID] = e.Time
			f.entries = append(f.entries, e)
			if n, err := strconv.Atoi(e.ID); err == nil {
				f.highest = max(f.highest, n)
			}
		}
		switch {
		case len(list) == 0 && len(bytes.TrimSpace(line)) > 0:
			badLines++
		case len(list) > 0:
			f.damaged += badLines
			badLines = 0
			if hasGarbage {
				f.damaged++
			}
			if f.end = offset + end; end < len(line) {
				badLines++
			}
		}
		offset += len(line)
	}
	f.torn = f.end < len(text)
	return f
}

// entryStart is the beginning of an entry. It cannot occur inside of an entry: quotes in texts are
// escaped, and no other object begins with it.
const entryStart = `{"id":"`

// maxStarts is the number of places in a damaged line that are tried as the start of an entry.
const maxStarts = 64

// entries returns the entries of a line. Normally there is one. If a write was interrupted there is
// none, or those after the incomplete one. end is the index after the last entry and its newline.
// hasGarbage reports whether something else stands before that.
func entries(line []byte) (list []entry, end int, hasGarbage bool) {
	offset := 0
	for range maxStarts {
		i := bytes.Index(line[offset:], []byte(entryStart))
		if i < 0 {
			break
		}
		offset += i
		var e entry
		d := json.NewDecoder(bytes.NewReader(line[offset:]))
		if d.Decode(&e) != nil || e.Kind == "" {
			offset += len(entryStart)
			continue
		}
		hasGarbage = hasGarbage || offset > end
		list = append(list, e)
		offset += int(d.InputOffset())
		end = offset
	}
	if len(list) > 0 && len(bytes.TrimSpace(line[end:])) == 0 {
		end = len(line)
	}
	return list, end, hasGarbage
}

// root returns the id of the first entry, or "" if that is damaged.
func (f file) root() string {
	if f.entries[0].Kind == kindSession {
		return f.entries[0].ID
	}
	return ""
}

// messages returns the conversation of the last entry: the messages of its ancestors in order,
// beginning with the last compaction.
func (f file) messages() []provider.Message { return f.messagesUpTo(len(f.entries) - 1) }

// messagesUpTo returns the conversation of entry last.
func (f file) messagesUpTo(last int) []provider.Message {
	var list []provider.Message
	for _, i := range f.path(last) {
		e := f.entries[i]
		if e.Kind == kindCompact || e.Kind == kindReport && e.Kept > 0 {
			list = e.messageRange(0, len(e.Messages))
			continue
		}
		list = append(list, e.messages()...)
	}
	return list
}

// fullMessages returns all messages on the path to entry i, also those that were compacted.
func (f file) fullMessages(i int) (list []provider.Message) {
	for _, i := range f.path(i) {
		list = append(list, f.entries[i].messages()...)
	}
	return list
}

// messages returns the messages of the entry.
func (e entry) messages() []provider.Message {
	switch e.Kind {
	case kindMessage:
		return []provider.Message{{Role: provider.Role(e.Role), Parts: decode(e.Parts)}}
	case kindSummary:
		return []provider.Message{{Role: provider.User,
			Parts: []provider.Part{provider.Text{Text: leftPrefix + e.Text, Origin: provider.Left}}}}
	case kindReport:
		from := e.Kept
		if from > 0 { // what the person said stands before it
			from = len(e.Messages) - 1
		}
		return e.messageRange(from, len(e.Messages))
	}
	return nil
}

// messageRange returns the messages from index from up to to.
func (e entry) messageRange(from, to int) (list []provider.Message) {
	for _, m := range e.Messages[min(max(from, 0), to):to] { // a damaged entry may say anything
		list = append(list, provider.Message{Role: provider.Role(m.Role), Parts: decode(m.Parts)})
	}
	return list
}

// leftPrefix stands before the summary of a branch that was left.
const leftPrefix = "I went back in this conversation and go on from here. A summary of what was said after this " +
	"point " +
	"and is left out now (the files stay as they are):\n\n"

// SummaryText returns the summary in a text with the origin [provider.Left], which a move with a
// summary has added to the conversation.
func SummaryText(text string) (summary string) { return strings.TrimPrefix(text, leftPrefix) }

// path returns the indexes of entry i and its ancestors, oldest first. A damaged ancestor is
// replaced by the entry before it in the file.
func (f file) path(i int) []int {
	indexes := map[string]int{}
	for i, e := range f.entries {
		indexes[e.ID] = i
	}
	var list []int
	for i >= 0 {
		list = append(list, i)
		e := f.entries[i]
		parent, known := indexes[e.Parent]
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

// completed returns a conversation that a provider accepts: it begins with the person, each call is
// followed by its result, and there is no result without a call. cut are the calls whose result was
// inserted. Those of the last message whose ids notRun has had no effect.
func completed(messages []provider.Message, notRun map[string]bool) (list []provider.Message, cut []cutCall) {
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if len(list) == 0 && m.Role != provider.User {
			continue
		}
		if m.Role == provider.User {
			if m = withoutResults(m); len(m.Parts) > 0 {
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
			lost := cutCall{call, i == len(messages)-1 && notRun[call.ID]}
			r := lost.result()
			at := slices.IndexFunc(came, func(r provider.ToolResult) bool { return r.ID == call.ID })
			if at < 0 {
				cut = append(cut, lost)
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
	return list, cut
}

// withoutResults returns a message without tool results. Results that belong to a call are inserted
// with that call.
func withoutResults(m provider.Message) provider.Message {
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
