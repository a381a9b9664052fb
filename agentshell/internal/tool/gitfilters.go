package tool

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
)

// hasFilters reports whether a setting defines a git filter, which is a program that converts
// files.
func hasFilters(settings []gitSetting) bool {
	return slices.ContainsFunc(settings, func(s gitSetting) bool {
		return strings.HasPrefix(strings.ToLower(s.key), "filter.")
	})
}

// filtersFiles reports whether git passes any file of the repository through a filter. Even a
// filter that the user has configured, such as Git LFS, may obey settings of the repository.
func (e Env) filtersFiles(ctx context.Context) (bool, error) {
	list, err := e.git("ls-files", "-z")
	if err != nil {
		return false, err
	}
	check, err := e.git("check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return false, err
	}
	names, pipe := io.Pipe()
	list.Stdout, check.Stdin = pipe, names
	found := &attributeValues{}
	check.Stdout = found
	listed := make(chan error, 1)
	go func() {
		err := e.Commands.family().Run(ctx, list)
		pipe.CloseWithError(err)
		listed <- err
	}()
	err = e.Commands.family().Run(ctx, check)
	names.Close()
	if listErr := <-listed; err == nil {
		err = listErr
	}
	return found.any, err
}

// attributeValues is a writer for the output of git check-attr -z. It records whether the attribute
// is set for any file.
type attributeValues struct {
	// any is true if the attribute is set for at least one file.
	any   bool
	field int    // field is the number of the current field modulo 3: file name, attribute, value.
	value []byte // value is the beginning of an incomplete value.
}

// Write implements io.Writer.
func (a *attributeValues) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part, more, ended := bytes.Cut(rest, []byte{0})
		if a.field == 2 && len(a.value) <= len("unspecified") {
			a.value = append(a.value, part[:min(len(part), len("unspecified")+1)]...)
		}
		if ended {
			value := string(a.value)
			a.any = a.any || a.field == 2 && value != "unspecified" && value != "unset"
			a.field, a.value = (a.field+1)%3, a.value[:0]
		}
		rest = more
	}
	return len(p), nil
}
