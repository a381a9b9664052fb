package image

import (
	"bytes"
	"encoding/base64"
	"fmt"
	stdimage "image"
	"image/png"
	"strconv"
)

// AppendITerm appends pix, drawn into b at the cursor by OSC 1337 (iTerm2). file, if not nil, is a
// PNG of just these pixels. Terminals differ about the cursor's place afterwards.
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
