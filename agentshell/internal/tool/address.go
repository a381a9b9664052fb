package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Addresses maps schemes, such as "artifact" for artifact://ID, to functions that return the text
// with an id. read_file reads these texts, which are not files of the workspace. An id is a name
// that the function looks up, never a path.
type Addresses map[string]func(ctx context.Context, id string) (text string, err error)

// addressScheme matches the beginning of an address, such as "artifact://".
var addressScheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// isAddress reports whether a request is an address with any scheme, and not a path.
func isAddress(request string) bool { return addressScheme().MatchString(strings.TrimSpace(request)) }

// notWritable returns the error for a write to an address.
func notWritable(request string) error {
	if isNote(request) {
		return invalidArgs("%s is a note, which is written whole: write_file replaces it", shownLine(request))
	}
	return invalidArgs("%s is an address, which cannot be written to; give the path of a file", shownLine(request))
}

// open splits a request into an address and its line selector. id is the address without its
// scheme. ok is false if the scheme is not in the map: such a request may be the path of a file.
func (a Addresses) open(request string) (address, id string, sel selector, ok bool, err error) {
	scheme, _, found := strings.Cut(request, "://")
	if _, known := a[scheme]; !found || !known {
		return "", "", selector{}, false, nil
	}
	address, sel, _, err = parseSelector(request)
	return address, strings.TrimPrefix(address, scheme+"://"), sel, true, err
}

// address prepares a call that reads the text at an address.
func (t *readFile) address(address, id string, sel selector) Call {
	scheme, _, _ := strings.Cut(address, "://")
	return Call{Title: "read_file " + shownLine(address) + sel.String(), Path: address,
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			if scheme == agentScheme {
				if r, is, err := t.extracted(ctx, id, sel); is || err != nil {
					return r, err
				}
			}
			text, err := t.env.Addresses[scheme](ctx, id)
			if err != nil {
				return Result{}, failed("%s: %v", shownLine(address), err)
			}
			return readLines(ctx, text, shownLine(address), sel), nil
		}}
}

// extracted returns the part of a subagent's JSON result that an agent:// address names, complete
// and without line numbers. is is false if the address names no part.
func (t *readFile) extracted(ctx context.Context, id string, sel selector) (r Result, is bool, err error) {
	part, err := extractionOf(id)
	switch {
	case err != nil || part.id == id:
		return Result{}, false, err
	case len(sel.ranges) > 0:
		return Result{}, true, invalidArgs("Cannot combine query extraction with offset/limit: read %s without :%s",
			shownLine(agentScheme+"://"+id), strings.TrimPrefix(sel.String(), ":"))
	}
	text, err := t.env.Addresses[agentScheme](ctx, part.id)
	if err == nil && part.is {
		text, err = part.of(text)
	}
	if err != nil {
		return Result{}, true, err
	}
	return Result{Text: text, Summary: count(strings.Count(text, "\n"), "line"), Detail: text}, true, nil
}

// readLines returns the selected lines of a text in memory, as read_file shows them.
func readLines(ctx context.Context, text, name string, sel selector) Result {
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	ranges := sel.ranges
	if len(ranges) == 0 {
		ranges = []lines{{1, 0}}
	}
	var b strings.Builder
	got, left := 0, roomOf(ctx)
	for _, r := range ranges {
		if r.from > len(all) {
			fmt.Fprintf(&b, "[%s has %s; line %d is beyond its end]\n", name, count(len(all), "line"), r.from)
			continue
		}
		to := len(all)
		if r.to > 0 {
			to = min(to, r.to)
		}
		if left.bytes <= 0 || left.tokens <= 0 || got >= maxReadLines {
			fmt.Fprintf(&b, "[limit reached; read on with %s:%d]\n", name, r.from)
			break
		}
		body, n, whole := numberLines(strings.Join(all[r.from-1:to], ""), r.from, maxReadLines-got, &left,
			prefix{sel.raw, "\t"})
		b.WriteString(body)
		got += n
		if !whole {
			fmt.Fprintf(&b, "[lines %d-%d of %d; read on with %s:%d]\n", r.from, r.from+n-1, len(all), name, r.from+n)
		}
	}
	return Result{Text: b.String(), Summary: count(got, "line") + of(got, len(all)), Detail: b.String()}
}

// shownLine returns a text for display: on one line, with control characters escaped.
func shownLine(address string) string { return diff.Escape(address) }
