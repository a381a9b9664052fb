package provider

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// CallIDs chooses the ids of the tool calls in one answer. It keeps the id that the server sent,
// unless the id is empty, unprintable, or used by another call of the conversation: a strict server
// would refuse such a conversation in every later request.
type CallIDs struct {
	from     string
	isTaken  func(id string) bool
	inAnswer map[string]bool // The ids of the calls in this answer.
	next     int
}

// NewCallIDs returns the CallIDs for the answer to req. from names the server that answers, as in
// [ToolCall].
func NewCallIDs(req Request, from string) *CallIDs {
	taken := req.TakenID
	if taken == nil {
		ids := map[string]bool{}
		for _, m := range req.Messages {
			m.collectIDs(ids)
		}
		taken = func(id string) bool { return ids[id] }
	}
	return &CallIDs{from: from, isTaken: taken, inAnswer: map[string]bool{}}
}

// New returns a tool call with an id, but without a name and input. given is the id that the server
// sent.
func (c *CallIDs) New(given string) ToolCall {
	call := ToolCall{ID: strings.Clone(given), From: c.from}
	if given == "" || strings.ContainsFunc(given, unprintable) || c.isUsed(given) {
		call = ToolCall{ID: c.newID(), Given: call.ID}
	}
	c.inAnswer[call.ID] = true
	return call
}

// isUsed reports whether another call of the conversation has the id.
func (c *CallIDs) isUsed(id string) bool { return c.inAnswer[id] || c.isTaken(id) }

// newID returns an unused id of nine letters and digits. Every API accepts that form; Mistral
// accepts no other.
func (c *CallIDs) newID() string {
	for {
		c.next++
		if id := fmt.Sprintf("c%08d", c.next); !c.isUsed(id) {
			return id
		}
	}
}

func unprintable(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// IDFor returns the id of the call for a request to the given server. The server that sent the id
// gets it back unchanged. Other servers accept different forms: Anthropic letters, digits, _ and -,
// OpenAI at most 40 bytes, Mistral nine letters and digits. They get an id that all of them accept.
// It is the same in each request.
func (c ToolCall) IDFor(server string) string {
	if c.From != "" && c.From == server {
		return c.ID
	}
	return commonID(c.ID)
}

const (
	alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	commonLength = 9
)

// commonID returns id if it has nine letters and digits, or else an id of that form that is
// computed from it.
func commonID(id string) string {
	if len(id) == commonLength && strings.Trim(id, alphanumeric) == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	text := new(big.Int).SetBytes(sum[:]).Text(len(alphanumeric))
	return text[len(text)-commonLength:]
}

// ResultID returns the id of a tool's result for a request to the given server. m is the message
// with the tool's call, and id is the id of the call and its result.
func (m Message) ResultID(id, server string) string {
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok && c.ID == id {
			return c.IDFor(server)
		}
	}
	return commonID(id)
}

// collectIDs adds the ids of the tool calls in m to ids.
func (m Message) collectIDs(ids map[string]bool) {
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok {
			ids[c.ID] = true
		}
	}
}

// DistinctCalls returns a copy of messages in which no two tool calls have the same id, and none
// lacks one. Stored conversations can contain such calls. The results, which follow their calls
// directly, get the new ids, too. ids is the set of all ids.
func DistinctCalls(messages []Message) (distinct []Message, ids map[string]bool) {
	ids = map[string]bool{}
	naming := &CallIDs{isTaken: func(string) bool { return false }, inAnswer: ids}
	var renamed map[string][]string // ids of the calls before, in their order
	distinct = slices.Clone(messages)
	for i, m := range distinct {
		if m.Role == Assistant {
			distinct[i], renamed = m.withDistinctIDs(naming)
			continue
		}
		distinct[i] = m.withResultIDs(renamed)
	}
	return distinct, ids
}

// withDistinctIDs returns m with ids for its tool calls that no earlier call has. If an id had to
// change, renamed maps each old id to the new ids of the calls that had it, in their order.
// Otherwise renamed is nil.
func (m Message) withDistinctIDs(naming *CallIDs) (distinct Message, renamed map[string][]string) {
	renamed = map[string][]string{}
	changed := false
	parts := slices.Clone(m.Parts)
	for i, p := range parts {
		c, ok := p.(ToolCall)
		if !ok {
			continue
		}
		id := c.ID
		if c.ID == "" || naming.isUsed(c.ID) {
			c.ID, c.Given, c.From, changed = naming.newID(), c.ID, "", true
			parts[i] = c
		}
		naming.inAnswer[c.ID] = true
		renamed[id] = append(renamed[id], c.ID)
	}
	if !changed {
		return m, nil
	}
	m.Parts = parts
	return m, renamed
}

// withResultIDs returns m with the ids of its tool results replaced as renamed says. The first
// result with an id belongs to the first call with that id, and so on. It removes used entries from
// renamed.
func (m Message) withResultIDs(renamed map[string][]string) Message {
	if len(renamed) == 0 {
		return m
	}
	m.Parts = slices.Clone(m.Parts)
	for i, p := range m.Parts {
		r, ok := p.(ToolResult)
		if ids := renamed[r.ID]; ok && len(ids) > 0 {
			if len(ids) > 1 {
				renamed[r.ID] = ids[1:]
			}
			r.ID = ids[0]
			m.Parts[i] = r
		}
	}
	return m
}
