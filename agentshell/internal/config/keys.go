package config

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
)

// parseKeys converts the table "keys", which contains vim and the keys of actions, to key bindings.
// lines maps settings to their lines. An error begins with the line number.
func parseKeys(table map[string]any, lines map[string]int) (m keymap.Map, vim bool, err error) {
	settings := make(map[string][]string)
	for name, value := range table {
		var ok bool
		if name == "vim" {
			if vim, ok = value.(bool); !ok {
				return keymap.Map{}, false, fmt.Errorf("%d: keys.vim must be true or false", lines["keys.vim"])
			}
			continue
		}
		if settings[name], ok = stringList(value); !ok {
			return keymap.Map{}, false, fmt.Errorf(`%d: keys.%s must be one key, "Ctrl+X", or a list, ["Ctrl+X", "F5"]`,
				lines["keys."+name], name)
		}
	}
	if len(settings) == 0 {
		return keymap.Map{}, vim, nil
	}
	m, err = keymap.New(settings)
	if keyErr := (*keymap.Error)(nil); errors.As(err, &keyErr) {
		return keymap.Map{}, false, fmt.Errorf("%d: keys.%s: %w", lines["keys."+keyErr.Action], keyErr.Action, err)
	}
	return m, vim, err
}

// stringList returns a decoded string or list of strings as a list. ok is false for any other
// value.
func stringList(value any) (list []string, ok bool) {
	switch value := value.(type) {
	case string:
		return []string{value}, true
	case []any:
		list = []string{}
		for _, v := range value {
			text, ok := v.(string)
			if !ok {
				return nil, false
			}
			list = append(list, text)
		}
		return list, true
	}
	return nil, false
}
