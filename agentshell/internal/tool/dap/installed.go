package dap

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// versionTimeout is how long a program may take to print its version.
const versionTimeout = 5 * time.Second

// OutdatedError is the error for an adapter whose program is too old.
type OutdatedError struct {
	Name, Version string
	// Least is the first major version that works.
	Least   int
	Install string // Install is the command line that installs a newer version; "": there is none.
}

func (e *OutdatedError) Error() string {
	text := fmt.Sprintf("%s %s is too old: it has to be %d or newer", e.Name, e.Version, e.Least)
	if e.Install != "" {
		text += ". To install it: " + e.Install
	}
	return text
}

// Resolve finds the installed program of an adapter, under any of its names, and returns the
// adapter with that program in its Command. The error says how to install it if it is missing or
// too old. To find out the version it runs the program, once.
func (s *Service) Resolve(ctx context.Context, a Adapter) (Adapter, error) {
	path, err := s.program(a, "", false).Find()
	first := err
	for i := 0; err != nil && i < len(a.Names); i++ {
		a.Command = append([]string{a.Names[i]}, a.Command[1:]...)
		path, err = s.program(a, "", false).Find()
	}
	switch {
	case err != nil:
		return a, first
	case a.Least == 0:
		return a, nil
	}
	version := s.runVersion(ctx, path, a.Version)
	number, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(number); err == nil && n < a.Least {
		return a, &OutdatedError{a.Command[0], version, a.Least, a.Install}
	}
	return a, nil
}

// runVersion runs the program at path and returns its version, or "" if it prints none.
func (s *Service) runVersion(ctx context.Context, path string, args []string) string {
	s.mu.Lock()
	version, known := s.versions[path]
	s.mu.Unlock()
	if known {
		return version
	}
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Dir = append([]string{}, s.config.Env...), "/"
	out, _, err := child.Output(ctx, s.config.Family.Run, cmd, 4<<10)
	if err != nil {
		return ""
	}
	version = printedVersion(string(out))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.versions == nil {
		s.versions = map[string]string{}
	}
	s.versions[path] = version
	return version
}

// printedVersion returns the version number in the output of a program: the last word of the first
// line, as in the GNU coding standards. It returns "" if that is no number.
func printedVersion(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	last := line[strings.LastIndexByte(strings.TrimSpace(line), ' ')+1:]
	end := strings.IndexFunc(last, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(last)
	}
	return strings.Trim(last[:end], ".")
}

// InstalledNames returns the names of the installed adapters, separated by commas, or "none".
func (s *Service) InstalledNames(ctx context.Context) string {
	var names []string
	for _, a := range s.config.Table.Enabled() {
		if _, err := s.Resolve(ctx, a); err == nil {
			names = append(names, a.Name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
