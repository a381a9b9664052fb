package config

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// maxKey is the maximum number of bytes that are read of the output of a key command.
const maxKey = 64 << 10

// Key runs a key command and returns the key that it prints, without surrounding blanks. The
// program has 30 seconds, and its standard input is no terminal. An error never contains the
// standard output.
func Key(ctx context.Context, command []string, family *child.Family, environ []string) (string, error) {
	if len(command) == 0 || command[0] == "" {
		return "", errors.New("no key_command is configured")
	}
	if program := command[0]; filepath.Base(program) != program && !filepath.IsAbs(program) {
		return "",
			fmt.Errorf("key_command %s: name a program, or its whole path: a path from here could lead into a "+
				"workspace", program)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	program, err := family.Programs.Path(command[0])
	if err != nil {
		return "", fmt.Errorf("key_command: %w", err)
	}
	cmd := exec.Command(program, command[1:]...)
	cmd.Env = family.Programs.Environ(secret.ForPerson(environ))
	out, problem, err := child.Output(ctx, family.Lend, cmd, maxKey)
	if err != nil {
		why := secret.New(string(out)).Redact(strings.TrimSpace(string(problem))) // it may tell the key there, too
		return "", fmt.Errorf("key_command %s: %w %s", command[0], err, why)
	}
	key := strings.TrimSpace(string(out))
	if key == "" {
		return "", fmt.Errorf("key_command %s printed nothing", command[0])
	}
	return key, nil
}
