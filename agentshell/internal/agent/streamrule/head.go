package streamrule

import "strings"

// setting is one "key: value" of a rule's front matter. A list becomes one setting for each item.
type setting struct{ key, value string }

// settingsOf parses the front matter of a rule. A list is written as "[a, b]", or as lines below
// the key that begin with "-".
func settingsOf(head string) (list []setting) {
	key := ""
	for line := range strings.SplitSeq(head, "\n") {
		trimmed := strings.TrimSpace(line)
		item, isItem := strings.CutPrefix(trimmed, "-")
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case isItem && key != "":
			list = append(list, setting{key, unquoted(strings.TrimSpace(item))})
		default:
			name, value, _ := strings.Cut(line, ":")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			if key = ""; value == "" {
				key = name // its items follow
				if !listKey(name) {
					list = append(list, setting{name, ""})
				}
				continue
			}
			for _, v := range items(name, value) {
				list = append(list, setting{name, v})
			}
		}
	}
	return list
}

// listKey reports whether the value of a setting may be a list.
func listKey(name string) bool {
	return name == "condition" || name == "astCondition" || name == "globs" || name == "scope"
}

// items returns the items of a value: several if the value is a list and the setting may be one.
func items(name, value string) (list []string) {
	inner, begins := strings.CutPrefix(value, "[")
	inner, ends := strings.CutSuffix(inner, "]")
	if !begins || !ends || !listKey(name) || name == "condition" &&
		!strings.HasPrefix(strings.TrimSpace(inner), `"`) && !strings.HasPrefix(strings.TrimSpace(inner), "'") {
		return []string{unquoted(value)} // [a-z] is a pattern
	}
	item, quote := "", byte(0)
	add := func() {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, unquoted(item))
		}
		item = ""
	}
	for i := range len(inner) {
		switch c := inner[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && strings.TrimSpace(item) == "" && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == ',':
			add()
			continue
		}
		item += inner[i : i+1]
	}
	add()
	return list
}

// unquoted removes the quotes around a value, if there are any.
func unquoted(value string) string {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
}
