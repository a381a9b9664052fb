package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// setting is one setting in a git configuration. name is in lower case and without its subsection,
// such as "core.hookspath".
type setting struct{ name, value string }

// maxIncludes is the depth to which git follows the includes of a configuration.
const maxIncludes = 10

// configFile holds the settings of a git configuration and of all files that it includes, even
// conditionally.
type configFile struct {
	files             []string // files lists the files that were read, and those that would be if they existed.
	settings          []setting
	unconditionalOnly bool // unconditionalOnly leaves out files that are included on a condition.
}

func (c *configFile) read(name, home string, depth int) {
	c.files = append(c.files, name)
	b, err := readSmall(name)
	if err != nil || depth > maxIncludes {
		return
	}
	for _, s := range parseConfig(string(b)) {
		c.settings = append(c.settings, s)
		if s.name == "include.path" || s.name == "includeif.path" && !c.unconditionalOnly {
			c.read(absolutePath(s.value, filepath.Dir(name), home), home, depth+1)
		}
	}
}

// absolutePath returns the absolute path for a path in a configuration. dir is the directory of the
// configuration.
func absolutePath(p, dir, home string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

// parseConfig returns the settings in the text of a git configuration. It accepts more than git
// does.
func parseConfig(text string) (found []setting) {
	section := ""
	for text != "" {
		var line string
		line, text = logicalLine(text)
		line = strings.TrimLeft(line, " \t\r")
		if head, ok := strings.CutPrefix(line, "["); ok {
			name, rest, _ := strings.Cut(head, "]")
			if before, sub, quoted := strings.Cut(name, `"`); quoted { // the subsection may hold a bracket
				name = before
				if _, rest, ok = strings.Cut(head[len(before)+1:], `"`); ok {
					_, rest, _ = strings.Cut(rest, "]")
				} else {
					rest = sub
				}
			}
			name, _, _ = strings.Cut(strings.TrimSpace(name), ".")
			section, line = strings.ToLower(name), rest
		}
		key, value, _ := strings.Cut(line, "=")
		if key = strings.ToLower(strings.TrimSpace(key)); key != "" && key[0] != '#' && key[0] != ';' {
			found = append(found, setting{section + "." + key, unquote(value)})
		}
	}
	return found
}

// logicalLine returns the first line of text joined with its continuation lines, and the remaining
// text.
func logicalLine(text string) (line, rest string) {
	var b strings.Builder
	for {
		line, rest, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		trail := len(line) - len(strings.TrimRight(line, `\`))
		if trail%2 == 0 || rest == "" {
			b.WriteString(line)
			return b.String(), rest
		}
		b.WriteString(line[:len(line)-1])
		text = rest
	}
}

// unquote returns the value of a setting without quotes, escapes, comments and surrounding blanks.
func unquote(value string) string {
	var b strings.Builder
	quoted, length := false, 0 // length: up to the last character that is no blank outside of quotes
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '"':
			quoted = !quoted
			continue
		case c == '\\' && i+1 < len(value):
			i++
			c = value[i]
			if j := strings.IndexByte("nt", c); j >= 0 {
				c = "\n\t"[j]
			}
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:length]
		case !quoted && (c == ' ' || c == '\t'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
			continue
		}
		b.WriteByte(c)
		length = b.Len()
	}
	return b.String()[:length]
}

// readSmall returns the content of a regular file of at most 1 MiB.
func readSmall(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil, fs.ErrInvalid
	}
	return regular.ReadFile(name)
}
