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

// Processes yields the ids of the running processes, each with the content of the named file in its
// directory in /proc. It skips processes whose file cannot be read. It avoids filepath.Glob, which
// would list the whole directory of each process and take ten times as long.
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

// ProcessesWith returns the processes whose environment contains the variable, given as NAME=VALUE.
// Each result is a process id and a command line. It finds none on a system without /proc.
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
