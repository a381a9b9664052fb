package terminal

import "errors"

// ParseKey reads a key name as [Key.String] writes it: "a", "ctrl+c", "shift+tab", "alt+enter", "f1".
func ParseKey(s string) (Key, error) { return Key{}, errors.New("terminal: no such key: " + s) }
