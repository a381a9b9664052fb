package provider

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// CallIDs gives the calls of one answer their ids. The server's id stays, so that the server meets
// the ids that it gave; but one that is missing, or that another call of the conversation has, is
// replaced: a server that is strict would refuse the conversation for ever.
type CallIDs struct {
	from  string
	taken func(id string) bool
	here  map[string]bool // of this answer
	next  int
}

// NewCallIDs begins an answer to a request by the server from, as [Thinking] names it.
func NewCallIDs(req Request, from string) *CallIDs {
	taken := req.TakenID
	if taken == nil {
		ids := map[string]bool{}
		for _, m := range req.Messages {
			m.addIDs(ids)
		}
		taken = func(id string) bool { return ids[id] }
	}
	return &CallIDs{from: from, taken: taken, here: map[string]bool{}}
}

// New returns the call that the server has given that id, without its name and its input.
func (c *CallIDs) New(given string) ToolCall {
	call := ToolCall{ID: strings.Clone(given), From: c.from}
	if given == "" || strings.ContainsFunc(given, unprintable) || c.used(given) {
		call = ToolCall{ID: c.own(), Given: call.ID}
	}
	c.here[call.ID] = true
	return call
}

func (c *CallIDs) used(id string) bool { return c.here[id] || c.taken(id) }

// own returns an id of ours, which fits each API: nine letters and digits are what Mistral wants.
func (c *CallIDs) own() string {
	for {
		c.next++
		if id := fmt.Sprintf("c%08d", c.next); !c.used(id) {
			return id
		}
	}
}

func unprintable(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// IDFor returns the id by which a server meets the call. The one that gave the id gets it back as
// it was, whatever it looks like. Another one may want a form of its own: Anthropic letters,
// digits, _ and -, OpenAI at most 40 bytes, Mistral nine letters and digits. It gets an id in a
// form that all take, the same one at each request.
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

// commonID returns id, or what stands for it, as nine letters and digits.
func commonID(id string) string {
	if len(id) == commonLength && strings.Trim(id, alphanumeric) == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	text := new(big.Int).SetBytes(sum[:]).Text(len(alphanumeric))
	return text[len(text)-commonLength:]
}

// ResultID returns the id by which a server meets a result with that id, which stands behind m, the
// message of the call.
func (m Message) ResultID(id, server string) string {
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok && c.ID == id {
			return c.IDFor(server)
		}
	}
	return commonID(id)
}

// addIDs puts the ids of the calls of m into ids.
func (m Message) addIDs(ids map[string]bool) {
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok {
			ids[c.ID] = true
		}
	}
}

// DistinctCalls returns messages in which no two calls have the same id, nor none: a conversation
// that was kept may have such. Their results, which stand right behind them, go with them. ids has
// the ids that the calls have.
func DistinctCalls(messages []Message) (distinct []Message, ids map[string]bool) {
	ids = map[string]bool{}
	naming := &CallIDs{taken: func(id string) bool { return ids[id] }, here: map[string]bool{}}
	var renamed map[string][]string // ids of the calls before, in their order
	distinct = slices.Clone(messages)
	for i, m := range distinct {
		if m.Role == Assistant {
			distinct[i], renamed = m.distinct(naming)
			maps.Copy(ids, naming.here)
			continue
		}
		distinct[i] = m.answering(renamed)
	}
	return distinct, ids
}

// distinct returns m with ids that no call has yet, and the ids that took the place of each.
func (m Message) distinct(naming *CallIDs) (Message, map[string][]string) {
	renamed := map[string][]string{}
	changed := false
	parts := slices.Clone(m.Parts)
	for i, p := range parts {
		c, ok := p.(ToolCall)
		if !ok {
			continue
		}
		id := c.ID
		if c.ID == "" || naming.used(c.ID) {
			c.ID, c.Given, c.From, changed = naming.own(), c.ID, "", true
			parts[i] = c
		}
		naming.here[c.ID] = true
		renamed[id] = append(renamed[id], c.ID)
	}
	if !changed {
		return m, nil
	}
	m.Parts = parts
	return m, renamed
}

// answering returns m with the ids of results that renamed has: the first result of an id is that
// of the first call.
func (m Message) answering(renamed map[string][]string) Message {
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
