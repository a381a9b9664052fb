package tool

import (
	"slices"
	"strings"
)

// splitJoined returns requests with those apart in which a model has joined several: "a.go, b.go".
// One that is there as it stands is one. Of a list with commas or semicolons one part must be
// there, of one with blanks all; a glob is told from a list by whether all of its parts could be
// meant.
func splitJoined(requests []string, there func(request string) bool) []string {
	var all []string
	for _, request := range requests {
		request = unquoted(request)
		glob := strings.ContainsAny(request, globMarks)
		if !glob && there(request) {
			all = append(all, request)
			continue
		}
		parts := partsOf(request, ",;")
		some, every := countThere(parts, there)
		if len(parts) > 1 && (every || some && !glob) {
			all = append(all, parts...)
			continue
		}
		parts = partsOf(request, " \t\n")
		if _, every := countThere(parts, there); len(parts) > 1 && every {
			all = append(all, parts...)
			continue
		}
		all = append(all, request)
	}
	return all
}

// globMarks are the characters of which one makes a path a glob.
const globMarks = "*?[{"

// countThere reports whether some of the parts are there, and whether all of them are.
func countThere(parts []string, there func(string) bool) (some, every bool) {
	every = true
	for _, part := range parts {
		if there(part) {
			some = true
		} else {
			every = false
		}
	}
	return some, every
}

// partsOf returns what stands between marks outside of braces and brackets, without blanks around
// it.
func partsOf(request, marks string) (parts []string) {
	depth, from := 0, 0
	take := func(to int) {
		if part := unquoted(request[from:to]); part != "" {
			parts = append(parts, part)
		}
	}
	for i, c := range request {
		switch {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth = max(depth-1, 0)
		case depth == 0 && strings.ContainsRune(marks, c):
			take(i)
			from = i + 1
		}
	}
	take(len(request))
	return parts
}

// unquoted returns a request without blanks and without one pair of quotes around it.
func unquoted(request string) string {
	request = strings.TrimSpace(request)
	if n := len(request); n > 2 && slices.Contains([]byte("\"'`"), request[0]) && request[0] == request[n-1] {
		return request[1 : n-1]
	}
	return request
}
