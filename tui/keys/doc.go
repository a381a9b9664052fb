// Package keys names what keys do: bindings with built-in keys and help, which a person may change
// by text.
//
// A [Map] is made once, at the start. Unknown names, unknown keys and two bindings on one key are
// found then, not when the key is pressed. In HandleEvent a component asks [Map.Name] which binding
// a key is of, and [Map.Hints] are the rows of a [widget.KeyHelp], with the keys that hold now.
package keys
