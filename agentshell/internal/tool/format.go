package tool

import (
	"bytes"
	"context"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// formatted returns the change with its new text formatted, by the user's formatter or a language
// server. The text stays as it is if there is neither, or if the old file was not formatted:
// otherwise the diff would be full of unrelated lines.
func (c change) formatted(ctx context.Context) change {
	if c.env.Format == nil && c.env.Languages == nil || len(c.after) == 0 || !isUTF8(c.after) {
		return c
	}
	if c.file.Print.Exists && len(c.file.Data) > 0 {
		if !isUTF8(c.file.Data) {
			return c
		}
		was, by, err := c.format(ctx, c.file.Data)
		if by == "" || err == nil && !bytes.Equal(was, c.file.Data) {
			return c
		}
	}
	after, by, err := c.format(ctx, c.after)
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

// format formats text as the content of the changed file. by is the name of the user's formatter,
// or else of the language server, that did it; "": there is neither.
func (c change) format(ctx context.Context, text []byte) (formatted []byte, by string, err error) {
	if c.env.Format != nil {
		if formatted, by, err = c.env.Format(ctx, c.file.Path.Rel(), text); by != "" || err != nil {
			return formatted, by, err
		}
	}
	if c.env.Languages == nil || len(text) == 0 {
		return text, "", nil
	}
	return c.env.Languages.Format(ctx, c.env.Workspace.Abs(c.file.Path), text)
}

func isUTF8(data []byte) bool {
	e := workspace.Sniff(data)
	return e == workspace.UTF8 || e == workspace.UTF8BOM
}
