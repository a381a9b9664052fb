package crew

import "strings"

// generatedName returns a random name for an agent that was started without one. intn(n) returns a
// random number in [0, n).
func generatedName(intn func(n int) int) string {
	first := strings.Fields("Amber Brisk Calm Clear Deft Early Fair Glad Keen Light Mild Neat Plain Quick Sage " +
		"Stout Swift Warm")
	second := strings.Fields("Anvil Badger Beacon Birch Cedar Comet Falcon Fern Harbor Heron Lark Maple Otter " +
		"Pine Quill Reed Slate Wren")
	return first[intn(len(first))] + second[intn(len(second))]
}
