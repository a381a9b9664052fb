package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
	"github.com/scrollkeep/scrollkeep/tui"
)

// What a picture takes of the transcript at most, in cells: what is said about it should be in
// view, too.
const (
	pictureCols = 80
	pictureRows = 16
)

// brought returns the pictures that a message of the person names, shown below it. What cannot be
// sent is said there, too.
func (sh *Shell) brought(ctx context.Context, text string) []picture.Picture {
	if sh.cfg.Files.Pictures == nil {
		return nil
	}
	found, problems := sh.cfg.Files.Pictures(ctx, text)
	sh.show(found)
	for _, p := range problems {
		sh.append(tooling, problem(p))
	}
	return found
}

// show puts pictures into the transcript. Any goroutine.
func (sh *Shell) show(pictures []picture.Picture) {
	for _, p := range pictures {
		source, _ := decode.New(p.Data, decode.Limits{}) // decoded once already; what fails now is a line
		sh.block(tooling, func(bool) tui.Component {
			return &tui.Image{Source: source, Alt: "picture " + shown(p.Name), MaxCols: pictureCols,
				MaxRows: pictureRows}
		}).Done()
	}
}
