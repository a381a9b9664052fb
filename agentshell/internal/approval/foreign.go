package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// What providers take as the name of a tool, and how much of it a server's own may have.
const (
	maxToolName   = 64
	maxServerName = 24
)

// ForeignName returns the name under which a tool of a server is offered: mcp__server__tool, of at
// most 64 letters, digits, _ and -. A name that is none, or too long, is one with a part of its
// hash behind it, so that it stays the same whatever the server has besides. It is its own name in
// turn, so that rules may use either.
func ForeignName(server, tool string) string {
	server = nameable(strings.TrimRight(server, "_"), maxServerName)
	return "mcp__" + server + "__" + nameable(tool, maxToolName-len("mcp____")-len(server))
}

// nameable returns a name of at most so many plain characters without two _ in a row.
func nameable(name string, most int) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, name)
	for strings.Contains(clean, "__") {
		clean = strings.ReplaceAll(clean, "__", "_")
	}
	if clean == name && len(name) <= most {
		return name
	}
	const digits = 6
	sum := sha256.Sum256([]byte(name))
	clean = strings.Trim(clean[:min(len(clean), most-digits-1)], "_")
	if clean == "" {
		clean = "x"
	}
	return clean + "_" + hex.EncodeToString(sum[:])[:digits]
}
