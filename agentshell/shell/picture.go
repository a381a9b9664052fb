package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/picture"
)

// brought are the pictures that a message of the person names, shown below it. What cannot be sent is said there, too.
func (sh *Shell) brought(ctx context.Context, text string) []picture.Picture {
	if sh.cfg.Pictures == nil {
		return nil
	}
	found, problems := sh.cfg.Pictures(ctx, text)
	sh.show(found)
	for _, p := range problems {
		sh.append(tooling, problem(p))
	}
	return found
}

// show puts pictures into the transcript. Any goroutine.
func (sh *Shell) show(pictures []picture.Picture) {
	for _, p := range pictures {
		sh.append(tooling, words(true, "  "+p.Line()))
	}
}
