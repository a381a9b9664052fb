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

// Omission is a part of a request that can be left out if a server refuses it.
type Omission struct {
	Name  string   // The part's name in the request, which also appears in error messages about it.
	Words []string // Other texts of error messages that refuse the part, in lower case.
	Model bool     // Some models of a server may accept the part while others refuse it.
	Means string   // What the omission means for the user: "token counts are missing".
}

// rejectionWords lists parts of words by which a server says that it does not know a field of a
// request. Words that refuse the value of a known field are not among them.
var rejectionWords = []string{"support", "unknown", "unrecogni", "unexpected", "not permitted", "not allowed", "extra",
	"forbidden", "invalid argument", "not a valid", "not implemented", "must be verified"}

// refuses reports whether text, a server's error message, refuses the part o. Names match without
// regard to underscores, hyphens and case: some servers write reasoningEffort for reasoning_effort.
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

// hasWord reports whether text contains word with neither a letter nor a digit next to it. Both are
// in lower case.
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

// complaint returns the server's message if err may be about the content of the request. It returns
// "" for other errors, such as a wrong key, or one after which a second attempt may succeed. Status
// 500 counts: models' prompt templates fail with it.
func complaint(err error) string {
	var r *Refused
	if !errors.As(err, &r) || !slices.Contains([]int{0, 400, 422, 500, 501}, r.Status) {
		return ""
	}
	var body struct{ Error struct{ Param string } }
	_ = json.Unmarshal(r.Body, &body)
	return strings.TrimSpace(Sentence(string(r.Body)) + " " + body.Error.Param)
}

// Patterns of error messages that name a tool of the request, by its index or by its name.
var (
	declared = lazyregexp.New(`function_declarations[.\[](\d+)`) // with Gemini
	numbered = lazyregexp.New(`\btools[.\[](\d+)`)
	named    = lazyregexp.New(`(?i)schema for function ['"]([\w.-]+)['"]`)
)

// refusedTools returns the indexes of the tools that text, a server's error message, refuses. They
// are sorted.
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
