package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Key runs KeyCommand and gives what it prints, without the blanks around it. The program has 30 seconds, and no terminal on its standard
// input. An error never holds what it printed on its standard output.
func (c Config) Key(ctx context.Context, environ []string) (string, error) {
	if len(c.KeyCommand) == 0 || c.KeyCommand[0] == "" {
		return "", errors.New("no key_command is configured")
	}
	if program := c.KeyCommand[0]; filepath.Base(program) != program && !filepath.IsAbs(program) {
		return "", fmt.Errorf("key_command %s: name a program, or its whole path: a path from here could lead into a workspace", program)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, c.KeyCommand[0], c.KeyCommand[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ, &out, &problem
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", fmt.Errorf("key_command %s: %w %s", c.KeyCommand[0], err, strings.TrimSpace(problem.String()))
	}
	key := strings.TrimSpace(out.String())
	if key == "" {
		return "", fmt.Errorf("key_command %s printed nothing", c.KeyCommand[0])
	}
	return key, nil
}
