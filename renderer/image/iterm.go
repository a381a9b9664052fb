package image

import (
	"bytes"
	"encoding/base64"
	"fmt"
	stdimage "image"
	"image/png"
	"strconv"
)

// AppendITerm appends the sequence that draws pix into box b at the cursor (OSC 1337 of iTerm2).
// file may be a PNG of exactly these pixels, or nil. Where the cursor is afterwards depends on the
// terminal.
func AppendITerm(dst []byte, pix *stdimage.NRGBA, file []byte, b Box) ([]byte, error) {
	if file == nil {
		var p bytes.Buffer
		if err := png.Encode(&p, pix); err != nil {
			return dst, fmt.Errorf("image: %w", err)
		}
		file = p.Bytes()
	}
	dst = append(dst, "\x1b]1337;File=inline=1;size="...)
	dst = strconv.AppendInt(dst, int64(len(file)), 10)
	dst = append(dst, ";width="...)
	dst = strconv.AppendInt(dst, int64(b.Cols), 10)
	dst = append(dst, ";height="...)
	dst = strconv.AppendInt(dst, int64(b.Rows), 10)
	dst = append(dst, ":"...)
	dst = base64.StdEncoding.AppendEncode(dst, file)
	return append(dst, '\a'), nil
}
