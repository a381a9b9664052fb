package config

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
)

// pressed reads the table keys: vim, and actions with a key or a list of keys. at are the lines of
// the settings. An error begins with the line.
func pressed(table map[string]any, at map[string]int) (m keymap.Map, vim bool, err error) {
	settings := make(map[string][]string)
	for name, value := range table {
		var ok bool
		if name == "vim" {
			if vim, ok = value.(bool); !ok {
				return keymap.Map{}, false, fmt.Errorf("%d: keys.vim must be true or false", at["keys.vim"])
			}
			continue
		}
		if settings[name], ok = texts(value); !ok {
			return keymap.Map{}, false, fmt.Errorf(`%d: keys.%s must be one key, "Ctrl+X", or a list, ["Ctrl+X", "F5"]`,
				at["keys."+name], name)
		}
	}
	if len(settings) == 0 {
		return keymap.Map{}, vim, nil
	}
	m, err = keymap.New(settings)
	if wrong := (*keymap.Error)(nil); errors.As(err, &wrong) {
		return keymap.Map{}, false, fmt.Errorf("%d: keys.%s: %w", at["keys."+wrong.Action], wrong.Action, err)
	}
	return m, vim, err
}

// texts returns a text, or a list of texts.
func texts(value any) (list []string, ok bool) {
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
