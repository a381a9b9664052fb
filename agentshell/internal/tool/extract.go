package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// agentScheme is the scheme of addresses, agent://ID, of subagents' results. Of a result that is
// JSON, agent://ID/findings/0 and agent://ID?q=.findings[0] address a part.
const agentScheme = "agent"

// extraction is a parsed agent:// address: the agent, and which part of its JSON result is wanted.
type extraction struct {
	id    string   // id is the agent's id.
	steps []string // steps lists the object members and the array indexes that lead to the part.
	// is reports whether a part is wanted; false: the whole result is.
	is bool
}

// extractionOf parses the part of an agent:// address that follows the scheme.
func extractionOf(id string) (e extraction, err error) {
	before, query, asked := strings.Cut(id, "?")
	e.id, _, _ = strings.Cut(before, "/")
	path := strings.Trim(strings.TrimPrefix(before, e.id), "/")
	if path != "" {
		e.is, e.steps = true, strings.Split(path, "/")
		for i, step := range e.steps {
			if e.steps[i], err = url.PathUnescape(step); err != nil {
				return e, invalidArgs("the path of %s cannot be read: %v", shownLine(id), err)
			}
		}
	}
	if !asked {
		return e, nil
	}
	value, is := strings.CutPrefix(query, "q=")
	switch {
	case !is:
		return e, invalidArgs("%s may have ?q= behind it, and nothing else", shownLine(id))
	case e.is:
		return e, invalidArgs("%s has a path and ?q=: use one of them", shownLine(id))
	}
	if e.steps, err = querySteps(value); err != nil {
		return e, err
	}
	e.is = len(e.steps) > 0
	return e, nil
}

// querySteps parses a query such as .findings[0].file or ["a name"] into its steps.
func querySteps(query string) (steps []string, err error) {
	if decoded, err := url.PathUnescape(query); err == nil {
		query = decoded
	}
	rest := strings.TrimSpace(query)
	for rest != "" && rest != "." {
		var step string
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			if strings.HasPrefix(rest, `["`) {
				if end = strings.Index(rest, `"]`); end >= 0 {
					end++
				}
			}
			if end < 0 {
				return nil, invalidArgs("the query %q has a [ without its ]", query)
			}
			step, rest = strings.Trim(rest[1:end], `"`), rest[end+1:]
		} else {
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			step, rest = rest[:end], rest[end:]
			if step == "" && strings.HasPrefix(rest, "[") {
				continue
			}
		}
		if step == "" {
			return nil, invalidArgs("the query %q has a part without a name; write it as .findings[0].file", query)
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// of returns the addressed part of a JSON text: a string unquoted, any other value as indented
// JSON.
func (e extraction) of(text string) (string, error) {
	value := json.RawMessage(strings.TrimSpace(text))
	if !json.Valid(value) {
		return "", failed("the result of %s is no JSON, so no part of it can be named; read agent://%s", e.id, e.id)
	}
	for i, step := range e.steps {
		next, has := member(value, step)
		if next == nil {
			where := strings.Join(e.steps[:i], "/")
			if where == "" {
				where = "the result"
			}
			return "", failed("there is no %q in %s of %s%s", step, where, e.id, has)
		}
		value = next
	}
	return strings.TrimSuffix(resultText(value), "\n") + "\n", nil
}

// member returns the object member or the array item that step names in a JSON value. It returns
// nil if there is none; has is then the end of an error message that says what the value contains.
func member(value json.RawMessage, step string) (next json.RawMessage, has string) {
	switch bytes.TrimSpace(value)[0] {
	case '{':
		members, err := object(value)
		if err != nil {
			return nil, ": " + err.Error()
		}
		if next, ok := members[step]; ok {
			return next, ""
		}
		var names []string
		for name := range members {
			names = append(names, name)
		}
		return nil, "; there are " + strings.Join(sortedHead(names, 20), ", ")
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, ": " + err.Error()
		}
		if n, err := strconv.Atoi(step); err == nil && n >= 0 && n < len(items) {
			return items[n], ""
		}
		return nil, fmt.Sprintf("; it is a list of %s", count(len(items), "item"))
	}
	return nil, ", which is a single value"
}

// sortedHead sorts the names and returns the first ones, at most as many as most says, with "..."
// if some are left out.
func sortedHead(names []string, most int) []string {
	slices.Sort(names)
	if len(names) > most {
		names = append(names[:most:most], "...")
	}
	return names
}
