package remote

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Omission is a part of a request that can be left out where a server refuses it.
type Omission struct {
	Name  string   // as it stands in the request and in the text that refuses it
	Words []string // other texts that refuse it, in lower case
	Model bool     // models of one server differ in it
	Means string   // what a person has to know: "token counts are missing"
}

// rejectionWords are parts of words by which a server says that it does not know a part of a
// request. They are not those by which it refuses the value of a part that it knows.
var rejectionWords = []string{"support", "unknown", "unrecogni", "unexpected", "not permitted", "not allowed", "extra",
	"forbidden", "invalid argument", "not a valid", "not implemented", "must be verified"}

// refuses reports whether text refuses the part o. Names are compared without underscores and
// hyphens: reasoning_effort is reasoningEffort with some.
func (o Omission) refuses(text string) bool {
	text = strings.ToLower(text)
	if slices.ContainsFunc(o.Words, func(w string) bool { return strings.Contains(text, w) }) {
		return true
	}
	if limited(text) { // the limit, not the field
		return false
	}
	if !slices.ContainsFunc(rejectionWords, func(w string) bool { return strings.Contains(text, w) }) {
		return false
	}
	joined := strings.NewReplacer("_", "", "-", "").Replace
	return hasWord(joined(text), joined(strings.ToLower(o.Name)))
}

// hasWord reports whether word stands in text with no letter or digit beside it.
func hasWord(text, word string) bool {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
	for {
		i := strings.Index(text, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !letter(text[i-1])) && (end == len(text) || !letter(text[end])) {
			return true
		}
		text = text[end:]
	}
}

// complaint returns what a refusal says of the request, and "" if it says nothing of it: another
// attempt may pass, the key is wrong. Templates of models fail with 500.
func complaint(err error) string {
	var r *Refused
	if !errors.As(err, &r) || !slices.Contains([]int{0, 400, 422, 500, 501}, r.Status) {
		return ""
	}
	var body struct{ Error struct{ Param string } }
	_ = json.Unmarshal(r.Body, &body)
	return strings.TrimSpace(Sentence(string(r.Body)) + " " + body.Error.Param)
}

// The ways in which a text names a tool of a request.
var (
	declared = lazyregexp.New(`function_declarations[.\[](\d+)`) // Gemini
	numbered = lazyregexp.New(`\btools[.\[](\d+)`)
	named    = lazyregexp.New(`(?i)schema for function ['"]([\w.-]+)['"]`)
)

// refusedTools returns the places of the tools that text names as those that cannot be taken.
func refusedTools(text string, tools []provider.Tool) (places []int) {
	for i, t := range tools {
		if found := named().FindStringSubmatch(text); found != nil && found[1] == t.Name {
			return []int{i}
		}
	}
	found := declared().FindAllStringSubmatch(text, -1)
	if found == nil {
		found = numbered().FindAllStringSubmatch(text, -1)
	}
	for _, f := range found {
		place, err := strconv.Atoi(f[1])
		if err == nil && place < len(tools) && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return places
}
