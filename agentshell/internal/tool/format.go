package tool

import (
	"bytes"
	"context"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// formatted returns the change with its text in order, if the person has a program for that. A file
// that was not in order before stays as it is: else the difference would be full of lines that
// nobody asked for.
func (c change) formatted(ctx context.Context) change {
	if c.env.Format == nil || len(c.after) == 0 || !isUTF8(c.after) {
		return c
	}
	file := c.file.Path.Rel()
	if c.file.Print.Exists && len(c.file.Data) > 0 {
		if !isUTF8(c.file.Data) {
			return c
		}
		was, by, err := c.env.Format(ctx, file, c.file.Data)
		if by == "" || err == nil && !bytes.Equal(was, c.file.Data) {
			return c
		}
	}
	after, by, err := c.env.Format(ctx, file, c.after)
	switch {
	case by == "" || ctx.Err() != nil:
		return c
	case err != nil:
		c.notes = append(c.notes, fmt.Sprintf("%s failed on it: %s", diff.Escape(by), shownLine(err.Error())))
	case !bytes.Equal(after, c.after):
		st := diff.Make(c.after, after, 0).Stats
		c.notes = append(c.notes, fmt.Sprintf("%s put it in order, +%d -%d", diff.Escape(by), st.Added, st.Removed))
		c.after = after
	}
	return c
}

func isUTF8(data []byte) bool {
	e := workspace.Sniff(data)
	return e == workspace.UTF8 || e == workspace.UTF8BOM
}
