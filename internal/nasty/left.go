package nasty

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// ProcessesWith returns the processes whose environment holds a variable, NAME=VALUE, where /proc
// tells. Each has its number and its command line.
func ProcessesWith(variable string) (list []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err == nil && bytes.Contains(environ, []byte(variable+"\x00")) {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			text := strings.ReplaceAll(string(line[:min(len(line), 500)]), "\x00", " ")
			list = append(list, filepath.Base(dir)+" "+text)
		}
	}
	return list
}
