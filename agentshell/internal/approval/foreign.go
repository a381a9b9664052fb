package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Limits in bytes on the name of a tool, as providers require, and on the name of an MCP server
// within it.
const (
	maxToolName   = 64
	maxServerName = 24
)

// ForeignName returns the name under which the model is offered a tool of an MCP server:
// mcp__server__tool, with at most 64 letters, digits, _ and -. A name that is too long or has other
// characters ends with a part of its hash, so that it does not depend on the server's other tools.
// ForeignName of its own result returns the same name, so that rules may use either name.
func ForeignName(server, tool string) string {
	server = toolNamePart(strings.TrimRight(server, "_"), maxServerName)
	return "mcp__" + server + "__" + toolNamePart(tool, maxToolName-len("mcp____")-len(server))
}

// ExtensionName returns the name under which the model is offered a tool of an extension:
// ext__extension__tool.
func ExtensionName(extension, tool string) string { return extensionPrefix + extension + "__" + tool }

// The prefixes of the names of tools that belong to an MCP server or to an extension.
const (
	foreignPrefix   = "mcp__"
	extensionPrefix = "ext__"
)

// isForeignName reports whether a tool belongs to an MCP server or to an extension.
func isForeignName(tool string) bool {
	return strings.HasPrefix(tool, foreignPrefix) || strings.HasPrefix(tool, extensionPrefix)
}

// toolNamePart returns name in at most the given number of plain characters, and without two _ in a
// row.
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
