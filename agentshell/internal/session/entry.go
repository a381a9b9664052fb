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

// The kinds of entries in a session's log. An entry of an unknown kind is kept and ignored.
const (
	kindSession = "session" // the first entry of a log
	kindMessage = "message"
	kindClear   = "clear"  // the entry begins a new, empty conversation
	kindMove    = "move"   // the conversation continues after the entry Target, usually on a new branch
	kindLabel   = "label"  // Text is a label for the entry Target; "" removes the label
	kindBegin   = "begin"  // the file change Change is about to be made; without Change, it is not made after all
	kindChange  = "change" // the entry records that the file change Change was made
	kindDenied  = "denied" // the entry records that the file change Change was denied
	// Messages replace all earlier messages. Text describes that to the user.
	kindCompact = "compact"
	// The conversation continues after the entry Target. Text is a summary of the branch that it
	// left.
	kindSummary = "summary"
	// The conversation goes back to the entry Target, and continues with Messages. Text is the
	// report in them that the model wrote.
	kindReport = "report"
	kindAgent  = "agent"  // the log belongs to a sub-agent, whose state is now Agent
	kindDir    = "dir"    // the user has added the directory Text to the session
	kindName   = "name"   // the entry records that the user has named the session Name
	kindChoice = "choice" // the entry only stores Choices
	kindRun    = "run"    // the call Target of the last message is about to run
)

// isChange reports whether e records a file change that was made or is about to be made.
func (e entry) isChange() bool { return e.Kind == kindChange || e.Kind == kindBegin }

// isDenied reports whether e records a file change that was denied.
func (e entry) isDenied() bool { return e.Kind == kindDenied && e.Change != nil }

// isOutsideConversation reports whether e is not part of the conversation. The entry after e then
// has the same parent as e.
func (e entry) isOutsideConversation() bool {
	return e.isChange() || e.Kind == kindDenied || e.Kind == kindAgent || e.Kind == kindName || e.Kind == kindDir ||
		e.Kind == kindChoice || e.Kind == kindRun
}

// startsBranch reports whether the conversation continues after another entry than the one before
// e.
func (e entry) startsBranch() bool { return e.Kind == kindMove || e.Kind == kindSummary }

// isMessage reports whether e contains messages of the conversation.
func (e entry) isMessage() bool {
	return e.Kind == kindMessage || e.Kind == kindSummary || e.Kind == kindCompact || e.Kind == kindReport
}

// entry is one line of a session's log.
type entry struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	Count  int       `json:"count,omitempty"` // the number of the user's messages in the conversation up to here
	Name   string    `json:"name,omitempty"`  // the name that the user has given to the session

	Version   int    `json:"version,omitempty"`
	Workspace string `json:"workspace,omitempty"`
	Model     string `json:"model,omitempty"`

	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts,omitempty"`
	Noted bool   `json:"noted,omitempty"` // each call in Parts gets an entry of kind run before it can have effects

	Target string `json:"target,omitempty"`
	Text   string `json:"text,omitempty"`

	Change *undo.Change `json:"change,omitempty"`
	Agent  *Agent       `json:"agent,omitempty"`

	Spent   *Spent   `json:"spent,omitempty"`   // the cost of the session so far; nil: as in the entries before
	Choices *Choices `json:"choices,omitempty"` // the user's choices from here on; nil: as in the entries before

	Messages []stored `json:"messages,omitempty"`
	// Kept is the number of Messages, in an entry of kind report, that are copied from the
	// conversation before. 0: none are, and the conversation up to Target stays.
	Kept int `json:"kept,omitempty"`
}

// stored is one message of an entry with several.
type stored struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

// part is one part of a message, as it is stored.
type part struct {
	Type      string `json:"type"` // text, thinking, tool_call, tool_result, image, compaction
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
	From      string `json:"from,omitempty"`
	ID        string `json:"id,omitempty"`
	Given     string `json:"given,omitempty"` // for a call: the id that the server gave it, if it differs from ID
	Name      string `json:"name,omitempty"`
	// the input of a call as text, since it may be invalid JSON and must keep its bytes; for a
	// compaction: its facts
	Input   string `json:"input,omitempty"`
	IsError bool   `json:"is_error,omitempty"`
	Summary string `json:"summary,omitempty"` // for a result or a command: a summary for the user
	Kind    string `json:"kind,omitempty"`    // for a result: why the call failed

	Origin provider.Origin `json:"origin,omitempty"` // for a text: how the text came into the conversation
	Rule   string          `json:"rule,omitempty"`
	// for a result: the names of the stream rules that the result tells the model
	Rules []string `json:"rules,omitempty"`

	Images []storedPicture `json:"images,omitempty"` // the pictures of a result; for an image: exactly one
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

// line returns the entry as a line of JSON without secrets. Secrets in its message parts must have
// been replaced before.
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

// file is the parsed content of a session's log.
type file struct {
	entries []entry
	end     int  // the offset in bytes after the last valid line
	damaged int  // the number of invalid lines before end
	torn    bool // an incomplete line follows the last valid one
	highest int  // the highest number of an entry
}

// parse parses a session's log. It skips invalid lines, and treats everything after the last valid
// entry as an incomplete line.
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

// entryStart is the beginning of each entry. It cannot occur within an entry, because quotes in
// texts are escaped, and no other object of an entry begins with it.
const entryStart = `{"id":"`

// maxStarts is the number of positions in a damaged line that are tried as the start of an entry.
const maxStarts = 64

// entries returns the entries in a line. Normally there is one. After an interrupted write there
// may be none, or those that follow an incomplete entry. end is the offset after the last entry and
// its newline. hasGarbage reports whether there are other bytes before end.
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

// root returns the id of the first entry, or "" if that entry is damaged.
func (f file) root() string {
	if f.entries[0].Kind == kindSession {
		return f.entries[0].ID
	}
	return ""
}

// messages returns the conversation at the last entry: the messages on the path to it, from the
// last compaction on.
func (f file) messages() []provider.Message { return f.messagesUpTo(len(f.entries) - 1) }

// messagesUpTo returns the conversation at the entry with index last.
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

// fullMessages returns all messages on the path to entry i, including those that were compacted.
func (f file) fullMessages(i int) (list []provider.Message) {
	for _, i := range f.path(i) {
		list = append(list, f.entries[i].messages()...)
	}
	return list
}

// messages returns the messages that the entry adds to the conversation.
func (e entry) messages() []provider.Message {
	switch e.Kind {
	case kindMessage:
		return []provider.Message{{Role: provider.Role(e.Role), Parts: decode(e.Parts)}}
	case kindSummary:
		return []provider.Message{{Role: provider.User,
			Parts: []provider.Part{provider.Text{Text: leftPrefix + e.Text, Origin: provider.Left}}}}
	case kindReport:
		from := e.Kept
		if from > 0 { // the first Messages repeat the conversation before
			from = len(e.Messages) - 1
		}
		return e.messageRange(from, len(e.Messages))
	}
	return nil
}

// messageRange returns the stored messages Messages[from:to].
func (e entry) messageRange(from, to int) (list []provider.Message) {
	for _, m := range e.Messages[min(max(from, 0), to):to] { // a damaged entry may say anything
		list = append(list, provider.Message{Role: provider.Role(m.Role), Parts: decode(m.Parts)})
	}
	return list
}

// leftPrefix is the text before the summary of a branch that the conversation has left.
const leftPrefix = "I went back in this conversation and go on from here. A summary of what was said after this " +
	"point " +
	"and is left out now (the files stay as they are):\n\n"

// SummaryText returns the summary in a text with the origin [provider.Left]. A move with a summary
// adds such a text to the conversation.
func SummaryText(text string) (summary string) { return strings.TrimPrefix(text, leftPrefix) }

// path returns the indexes of entry i and its ancestors, oldest first. If an ancestor is damaged,
// the entry before it in the file takes its place.
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

// completed returns a conversation that a provider accepts: it begins with a message of the user,
// each call is followed by its result, and each result has a call. cut lists the calls for which a
// result was inserted. Calls of the last message whose ids are in notRun had no effect.
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

// withoutResults returns a message without its tool results.
func withoutResults(m provider.Message) provider.Message {
	var parts []provider.Part
	for _, p := range m.Parts {
		if _, ok := p.(provider.ToolResult); !ok {
			parts = append(parts, p)
		}
	}
	return provider.Message{Role: m.Role, Parts: parts}
}

// resultsOf returns the tool results in a message with the role User.
func resultsOf(m provider.Message) (list []provider.ToolResult) {
	for _, p := range m.Parts {
		if r, ok := p.(provider.ToolResult); ok && m.Role == provider.User {
			list = append(list, r)
		}
	}
	return list
}
