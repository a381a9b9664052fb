package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// The maximum length of a tool's name for providers, and of a server's name in it.
const (
	maxToolName   = 64
	maxServerName = 24
)

// ForeignName returns the name under which a tool of a server is offered: mcp__server__tool, of at
// most 64 letters, digits, _ and -. A name that has other characters or is too long gets a part of
// its hash at its end, so that it does not depend on the server's other tools. ForeignName of its
// result is the result again, so rules may use either name.
func ForeignName(server, tool string) string {
	server = toolNamePart(strings.TrimRight(server, "_"), maxServerName)
	return "mcp__" + server + "__" + toolNamePart(tool, maxToolName-len("mcp____")-len(server))
}

// ExtensionName returns the name under which a tool of an extension is offered. Names of extensions
// and of their tools are plain and short.
func ExtensionName(extension, tool string) string { return extensionPrefix + extension + "__" + tool }

// The beginnings of the names of foreign tools: of servers, and of extensions.
const (
	foreignPrefix   = "mcp__"
	extensionPrefix = "ext__"
)

// isForeignName reports whether a tool is one of a server or of an extension.
func isForeignName(tool string) bool {
	return strings.HasPrefix(tool, foreignPrefix) || strings.HasPrefix(tool, extensionPrefix)
}

// toolNamePart returns name with at most most plain characters and without two _ in a row.
func toolNamePart(name string, most int) string {
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
