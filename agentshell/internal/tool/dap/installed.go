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

// versionTime is how long a program may take to print its version.
const versionTime = 5 * time.Second

// OutdatedError is the error of an adapter whose program is too old to be one.
type OutdatedError struct {
	Name, Version string
	Least         int
	Install       string // the line that installs a newer one, "" if there is none
}

func (e *OutdatedError) Error() string {
	text := fmt.Sprintf("%s %s is too old: it has to be %d or newer", e.Name, e.Version, e.Least)
	if e.Install != "" {
		text += ". To install it: " + e.Install
	}
	return text
}

// Resolve returns an adapter with the program that starts it, of those that its names allow. The
// error says how to install one, where none is there or it is too old. Where that depends on the
// version of the program, the program is asked for it, once.
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
	version := s.version(ctx, path, a.Version)
	number, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(number); err == nil && n < a.Least {
		return a, &OutdatedError{a.Command[0], version, a.Least, a.Install}
	}
	return a, nil
}

// version returns the version of a program, "" if it does not tell.
func (s *Service) version(ctx context.Context, path string, args []string) string {
	s.mu.Lock()
	version, known := s.versions[path]
	s.mu.Unlock()
	if known {
		return version
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
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

// printedVersion returns the version in what a program prints: it begins behind the last space of
// the first line, as the GNU coding standards want it. "" where no number stands there.
func printedVersion(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	last := line[strings.LastIndexByte(strings.TrimSpace(line), ' ')+1:]
	end := strings.IndexFunc(last, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(last)
	}
	return strings.Trim(last[:end], ".")
}

// InstalledNames returns the names of the adapters that are installed, or "none".
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
