package provider

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// CallIDs gives the calls of one answer their ids. It keeps the ids that the server gave. It
// replaces an id that is missing or that another call of the conversation has, because a strict
// server would refuse such a conversation for ever.
type CallIDs struct {
	from     string
	isTaken  func(id string) bool
	inAnswer map[string]bool // the ids of this answer
	next     int
}

// NewCallIDs returns the CallIDs of the answer to req. from names the server, as in [Thinking].
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

// New returns the call that the server has given that id, without its name and its input.
func (c *CallIDs) New(given string) ToolCall {
	call := ToolCall{ID: strings.Clone(given), From: c.from}
	if given == "" || strings.ContainsFunc(given, unprintable) || c.isUsed(given) {
		call = ToolCall{ID: c.newID(), Given: call.ID}
	}
	c.inAnswer[call.ID] = true
	return call
}

// isUsed reports whether a call of the conversation has the id.
func (c *CallIDs) isUsed(id string) bool { return c.inAnswer[id] || c.isTaken(id) }

// newID returns an unused id that every API takes. Mistral wants nine letters and digits.
func (c *CallIDs) newID() string {
	for {
		c.next++
		if id := fmt.Sprintf("c%08d", c.next); !c.isUsed(id) {
			return id
		}
	}
}

func unprintable(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// IDFor returns the id of the call in a request to a server. The server that gave the id gets it
// back as it was, whatever it looks like. Another one may want another form: Anthropic letters,
// digits, _ and -, OpenAI at most 40 bytes, Mistral nine letters and digits. It gets an id in a
// form that all of them take, the same one in each request.
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

// commonID returns an id of nine letters and digits: id itself, or one that is computed from it.
func commonID(id string) string {
	if len(id) == commonLength && strings.Trim(id, alphanumeric) == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	text := new(big.Int).SetBytes(sum[:]).Text(len(alphanumeric))
	return text[len(text)-commonLength:]
}

// ResultID returns the id of a tool's result in a request to a server. id is that of the result, m
// is the message of its call.
func (m Message) ResultID(id, server string) string {
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok && c.ID == id {
			return c.IDFor(server)
		}
	}
	return commonID(id)
}

// collectIDs adds the ids of the calls of m to ids.
func (m Message) collectIDs(ids map[string]bool) {
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok {
			ids[c.ID] = true
		}
	}
}

// DistinctCalls returns messages in which each call has an id of its own: in a stored conversation
// two may have the same one, or one may have none. Results, which stand right behind their calls,
// get the new ids, too. ids has the ids of all calls.
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

// withDistinctIDs returns m with call ids that no other call has. If an id had to change, renamed
// holds the new ids of the calls with each old id, in their order.
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

// withResultIDs returns m with the ids of its results replaced as renamed says. The first result
// with an id belongs to the first call with that id.
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
