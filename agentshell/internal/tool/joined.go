package tool

import (
	"slices"
	"strings"
)

// splitJoined splits requests in which the model has put several paths into one string, such as
// "a.go, b.go". The function there reports whether a path exists; a request that exists as it is
// remains whole. A list with commas or semicolons is split if at least one part exists, and one
// with blanks if all parts exist. A glob is only split if all parts exist.
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

// globMarks holds the characters that make a path a glob.
const globMarks = "*?[{"

// countThere reports whether some of the parts exist, and whether every part does.
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

// partsOf splits a request at each of the characters in marks that is outside of braces and
// brackets. Empty parts are dropped, and blanks and quotes around a part removed.
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

// unquoted returns a request without surrounding blanks and without one pair of quotes or
// backquotes.
func unquoted(request string) string {
	request = strings.TrimSpace(request)
	if n := len(request); n > 2 && slices.Contains([]byte("\"'`"), request[0]) && request[0] == request[n-1] {
		return request[1 : n-1]
	}
	return request
}
