// Package keys maps keys to named actions. Each action has built-in keys and a help text, and users
// can configure other keys for it.
//
// Create a [Map] once, at the start of the program. Unknown names, unknown keys and two actions
// with the same key are reported then, not when a key is pressed. In HandleEvent a component asks
// [Map.Name] which action a key triggers. [Map.Hints] returns the current keys for a
// [widget.KeyHelp].
package keys
