//go:build !unix

package tool

import (
	"context"
	"errors"
)

func execute(context.Context, string, []string, string, *output) (string, error) {
	return "", errors.New("commands do not run on this system")
}
