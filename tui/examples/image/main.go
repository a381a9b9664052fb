// Command image shows pictures among text: those named as arguments, then those whose names are
// typed. Where the terminal cannot show them there is a line of text.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
	"github.com/scrollkeep/scrollkeep/tui"
)

func main() {
	if err := gallery(os.Args[1:]...).Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func gallery(names ...string) *tui.App {
	app := &tui.App{}
	app.Footer = &tui.Editor{Placeholder: "name of a PNG, JPEG, GIF or WebP file; Ctrl+D quits",
		OnSubmit: func(name string) {
			go show(app.Transcript(), name)
		}}
	for _, name := range names {
		show(app.Transcript(), name)
	}
	return app
}

// maxFile is the maximum number of bytes that are read from a file. decode.New refuses larger
// files.
const maxFile = 33 << 20

// show appends the picture in a file to the transcript, or the reason why it cannot be shown.
func show(t *tui.Transcript, name string) {
	f, err := os.Open(name)
	if err != nil {
		t.Append(&tui.Image{Alt: err.Error()}).Done()
		return
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		t.Append(&tui.Image{Alt: err.Error()}).Done()
		return
	}
	picture, _ := decode.New(file, decode.Limits{}) // one that is refused says why in its place
	t.Append(&tui.Image{Source: picture, Alt: name}).Done()
}
