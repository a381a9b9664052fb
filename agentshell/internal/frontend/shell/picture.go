package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
	"github.com/scrollkeep/scrollkeep/tui"
)

// The largest size of a picture in the transcript, in terminal cells. It leaves room for the text
// around the picture.
const (
	pictureCols = 80
	pictureRows = 16
)

// attachedPictures returns the pictures that a message of the user names, and shows them in the
// transcript. It also shows why others cannot be sent.
func (sh *Shell) attachedPictures(ctx context.Context, text string) []picture.Picture {
	if sh.cfg.Files.Pictures == nil {
		return nil
	}
	found, problems := sh.cfg.Files.Pictures(ctx, text)
	sh.showPictures(found)
	for _, p := range problems {
		sh.addBlock(toolCall, problem(p))
	}
	return found
}

// showPictures adds pictures to the transcript. It may be called on any goroutine.
func (sh *Shell) showPictures(pictures []picture.Picture) {
	for _, p := range pictures {
		source, _ := decode.New(p.Data, decode.Limits{}) // decoded once already; what fails now is a line
		sh.openBlock(toolCall, func(bool) tui.Component {
			return &tui.Image{Source: source, Alt: "picture " + displayPath(p.Name), MaxCols: pictureCols,
				MaxRows: pictureRows}
		}).Done()
	}
}
