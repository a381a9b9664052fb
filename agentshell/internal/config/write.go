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

// MCPText returns the settings of an MCP server as a table of the configuration file.
func MCPText(name string, m MCP) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[mcp.%s]\n", name)
	writeText := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s = %s\n", key, form.Quote(value))
		}
	}
	writeList := func(key string, values []string) {
		if len(values) == 0 {
			return
		}
		var list []string
		for _, v := range values {
			list = append(list, form.Quote(v))
		}
		fmt.Fprintf(&b, "%s = [%s]\n", key, strings.Join(list, ", "))
	}
	writeList("command", m.Command)
	writeList("env", m.Env)
	writeText("url", m.URL)
	writeText("token_env", m.TokenEnv)
	return b.String()
}

// Append adds a table to the end of the configuration file in dir, and returns the path of the
// file. It leaves the file unchanged if the result would not be valid.
func Append(dir, table string) (file string, err error) {
	return rewriteFile(dir, func(text string) (string, error) {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if text != "" {
			text += "\n"
		}
		return text + table, nil
	})
}

// RemoveMCP removes the table of an MCP server, with its subtables, from the configuration file in
// dir. It returns the path of the file and the removed text.
func RemoveMCP(dir, name string) (file, removed string, err error) {
	file, err = rewriteFile(dir, func(text string) (string, error) {
		var kept []string
		inside := false
		for _, line := range strings.SplitAfter(text, "\n") {
			if head, ok := tableName(line); ok {
				inside = len(head) >= 2 && head[0] == "mcp" && head[1] == name
			}
			if inside {
				removed += line
			} else {
				kept = append(kept, line)
			}
		}
		if removed == "" {
			return "", fmt.Errorf("mcp.%s does not stand in a table of its own; take it out by hand", name)
		}
		return strings.Join(kept, ""), nil
	})
	return file, removed, err
}

// tableName returns the name of the table whose header is line, split at the dots. ok is false if
// line is no header.
func tableName(line string) (parts []string, ok bool) {
	line = strings.TrimSpace(line)
	if i := strings.IndexByte(line, '#'); i > 0 && !strings.Contains(line[:i], `"`) {
		line = strings.TrimSpace(line[:i])
	}
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") || strings.HasPrefix(line, "[[") &&
		!strings.HasSuffix(line, "]]") {
		return nil, false
	}
	line = strings.Trim(line, "[]")
	for part := range strings.SplitSeq(line, ".") {
		part = strings.TrimSpace(part)
		if s, err := strconv.Unquote(part); err == nil {
			part = s
		}
		parts = append(parts, part)
	}
	return parts, true
}

// rewriteFile replaces the text of the configuration file in dir by the result of edit. It leaves
// the file unchanged if that is not valid. If the file is a symbolic link, it replaces the link's
// target.
func rewriteFile(dir string, edit func(text string) (string, error)) (file string, err error) {
	if dir == "" {
		return "", errNoFile()
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
	text, err := edit(string(old))
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

// errNoFile returns the error for an environment that names no configuration directory.
func errNoFile() error {
	return errors.New("there is neither HOME nor XDG_CONFIG_HOME, so there is no config file")
}
