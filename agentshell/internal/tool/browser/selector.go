package browser

import (
	"fmt"
	"strings"
)

// selector describes an element of a page that is to be found.
type selector struct {
	kind  string // kind is css, text, xpath, pierce, aria, or id for a number of an Observation.
	value string // value is the selector without its prefix; "" for aria: any name.
	role  string // role is the wanted role of an aria selector.
	id    int
}

// selectorPrefixes lists the prefixes of selectors that are not CSS.
var selectorPrefixes = []string{"text/", "xpath/", "pierce/", "aria/"}

// parseSelector parses a selector. It accepts the prefixes of Puppeteer too, such as p-text/, and
// reads them like text/.
func parseSelector(text string) (s selector, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return s, fmt.Errorf("the selector is empty")
	}
	if rest, ok := strings.CutPrefix(text, "p-"); ok {
		if name, _, isDialect := strings.Cut(rest, "/"); isDialect && isWord(name) {
			known := false
			for _, d := range selectorPrefixes {
				known = known || d == name+"/"
			}
			if !known {
				return s, fmt.Errorf("there is no selector p-%s/: CSS, text/, aria/, xpath/ and pierce/ are known",
					name)
			}
			text = rest
		}
	}
	for _, d := range selectorPrefixes {
		value, ok := strings.CutPrefix(text, d)
		if !ok {
			continue
		}
		kind := strings.TrimSuffix(d, "/")
		if value == "" {
			return s, fmt.Errorf("the selector %s has nothing behind its prefix", d)
		}
		if kind == "aria" {
			return parseAria(value)
		}
		return selector{kind: kind, value: value}, nil
	}
	return selector{kind: "css", value: text}, nil
}

func isWord(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}

// parseAria parses an aria selector: a name, and a role in brackets. Examples are Save,
// Save[role="button"] and [role="button"].
func parseAria(text string) (selector, error) {
	s := selector{kind: "aria"}
	for strings.HasSuffix(text, `]`) {
		at := strings.LastIndexByte(text, '[')
		if at < 0 {
			break
		}
		key, value, ok := strings.Cut(strings.TrimSuffix(text[at+1:], "]"), "=")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		key = strings.TrimSpace(key)
		if !ok || key != "role" && key != "name" {
			break // brackets of a name
		}
		if key == "role" {
			s.role = value
		} else {
			s.value = value
		}
		text = text[:at]
	}
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		s.value = text
	}
	if s.value == "" && s.role == "" {
		return s, fmt.Errorf("the selector aria/ names neither a name nor a role")
	}
	return s, nil
}

func (s selector) String() string {
	switch s.kind {
	case "id":
		return fmt.Sprintf("the element %d", s.id)
	case "css":
		return shorten(s.value)
	case "aria":
		if s.role != "" {
			return shorten(fmt.Sprintf("aria/%s[role=%q]", s.value, s.role))
		}
	}
	return s.kind + "/" + shorten(s.value)
}
