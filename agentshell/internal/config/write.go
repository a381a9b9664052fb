package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// MCPText returns a server as the file has it.
func MCPText(name string, m MCP) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[mcp.%s]\n", name)
	text := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s = %s\n", key, form.Quote(value))
		}
	}
	lists := func(key string, values []string) {
		if len(values) == 0 {
			return
		}
		var list []string
		for _, v := range values {
			list = append(list, form.Quote(v))
		}
		fmt.Fprintf(&b, "%s = [%s]\n", key, strings.Join(list, ", "))
	}
	lists("command", m.Command)
	lists("env", m.Env)
	text("url", m.URL)
	text("token_env", m.TokenEnv)
	return b.String()
}

// Append writes a table behind what the file in dir holds, and gives its name. What cannot be read
// then is not written.
func Append(dir, table string) (file string, err error) {
	return change(dir, func(text string) (string, error) {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if text != "" {
			text += "\n"
		}
		return text + table, nil
	})
}

// RemoveMCP takes the table of a server out of the file in dir, with those below it, and gives what
// it took. Everything else stays as it is.
func RemoveMCP(dir, name string) (file, gone string, err error) {
	file, err = change(dir, func(text string) (string, error) {
		var kept []string
		inside := false
		for _, line := range strings.SplitAfter(text, "\n") {
			if head, is := header(line); is {
				inside = len(head) >= 2 && head[0] == "mcp" && head[1] == name
			}
			if inside {
				gone += line
			} else {
				kept = append(kept, line)
			}
		}
		if gone == "" {
			return "", fmt.Errorf("mcp.%s does not stand in a table of its own; take it out by hand", name)
		}
		return strings.Join(kept, ""), nil
	})
	return file, gone, err
}

// header returns the name of the table that a line begins, by its parts.
func header(line string) (parts []string, is bool) {
	line = strings.TrimSpace(line)
	if i := strings.IndexByte(line, '#'); i > 0 && !strings.Contains(line[:i], `"`) {
		line = strings.TrimSpace(line[:i])
	}
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") || strings.HasPrefix(line, "[[") &&
		!strings.HasSuffix(line, "]]") {
		return nil, false
	}
	line = strings.Trim(line, "[]")
	for p := range strings.SplitSeq(line, ".") {
		p = strings.TrimSpace(p)
		if s, err := strconv.Unquote(p); err == nil {
			p = s
		}
		parts = append(parts, p)
	}
	return parts, true
}

// change writes the file in dir anew, if it can be read then. A link stays one.
func change(dir string, how func(text string) (string, error)) (file string, err error) {
	if dir == "" {
		return "", errors.New("there is neither HOME nor XDG_CONFIG_HOME, so there is no config file")
	}
	file = filepath.Join(dir, "config.toml")
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		real = file
	}
	old, err := regular.ReadFile(real)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	text, err := how(string(old))
	if err != nil {
		return file, err
	}
	if _, err := Parse([]byte(text)); err != nil {
		return file, fmt.Errorf("%s was not changed: what would come of it cannot be read: line %w", file, err)
	}
	if slices.Equal(old, []byte(text)) {
		return file, nil
	}
	mode := fs.FileMode(0o600) // it may hold keys
	if info, err := os.Stat(real); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(real), 0o700); err != nil {
		return file, err
	}
	f, err := os.CreateTemp(filepath.Dir(real), ".config-*")
	if err != nil {
		return file, err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), real)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return file, err
}
