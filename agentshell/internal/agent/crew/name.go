package crew

import "strings"

// generatedName returns a name for an agent for which nobody has one. intn returns a random number
// below n.
func generatedName(intn func(n int) int) string {
	first := strings.Fields("Amber Brisk Calm Clear Deft Early Fair Glad Keen Light Mild Neat Plain Quick Sage " +
		"Stout Swift Warm")
	second := strings.Fields("Anvil Badger Beacon Birch Cedar Comet Falcon Fern Harbor Heron Lark Maple Otter " +
		"Pine Quill Reed Slate Wren")
	return first[intn(len(first))] + second[intn(len(second))]
}
