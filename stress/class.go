package stress

import (
	"errors"
	"regexp"
)

var varying = regexp.MustCompile(`"(\\.|[^"])*"|[-\d]+|\[[^\]]*\]|\{[^}]*\}`)

// Class returns the kind of an error that Run has returned: the innermost message without numbers
// and texts. A smaller program that fails in the same way has the same class.
func Class(err error) string {
	if err == nil {
		return ""
	}
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	s := err.Error()
	for i, c := range s {
		if c == '\n' {
			s = s[:i]
			break
		}
	}
	return varying.ReplaceAllString(s, "#")
}
