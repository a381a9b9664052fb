package nasty

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Processes returns the processes that run, by number, each with what its file of that name in
// /proc holds. Processes whose file cannot be read are left out. A pattern for path/filepath would
// read the whole folder of each process, which takes ten times as long.
func Processes(file string) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		all, _ := os.ReadDir("/proc")
		for _, e := range all {
			pid, err := strconv.Atoi(e.Name())
			if err != nil {
				continue
			}
			text, err := os.ReadFile(filepath.Join("/proc", e.Name(), file))
			if err == nil && !yield(pid, text) {
				return
			}
		}
	}
}

// ProcessesWith returns the processes whose environment holds a variable, NAME=VALUE, where /proc
// tells. Each has its number and its command line.
func ProcessesWith(variable string) (list []string) {
	for pid, environ := range Processes("environ") {
		if bytes.Contains(environ, []byte(variable+"\x00")) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			text := strings.ReplaceAll(string(line[:min(len(line), 500)]), "\x00", " ")
			list = append(list, fmt.Sprintf("%d %s", pid, text))
		}
	}
	return list
}
