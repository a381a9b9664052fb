package mcp

import (
	"strings"
	"testing"
)

func TestPlainNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "read_file-2": true, "Z9": true, strings.Repeat("x", 40): true,
		"": false, strings.Repeat("x", 41): false, "a b": false, "a/b": false, "a\n": false, "é": false, "a.b": false,
		"\x1b[m": false, "a\x00b": false,
	} {
		if isPlainName(name) != want {
			t.Errorf("plain(%q) is %v", name, !want)
		}
	}
}
