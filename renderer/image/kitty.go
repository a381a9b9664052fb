package image

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	stdimage "image"
	"image/png"
	"strconv"
)

// Format is the format of Data.Bytes, with the numbers of kitty graphics (key f).
type Format uint8

const (
	RGB  Format = 24
	RGBA Format = 32
	PNG  Format = 100
)

// Data is an image in the form in which it is sent to the terminal.
type Data struct {
	Format Format
	Zlib   bool // Bytes is compressed (key o); never for PNG.
	W, H   int  // The width and the height in pixels.
	Bytes  []byte
}

// Size returns about how many bytes of memory the terminal needs for the image.
func (d Data) Size() int { return 4 * d.W * d.H }

// Pack returns pix in the shortest format that kitty graphics accepts: as file, which is a PNG of
// the same pixels or nil, as a new PNG, as raw pixels, or as compressed ones.
func Pack(pix *stdimage.NRGBA, file []byte) Data {
	w, h := pix.Rect.Dx(), pix.Rect.Dy()
	best := Data{Format: RGBA, W: w, H: h, Bytes: rawPixels(pix, 4)}
	if pix.Opaque() {
		best.Format, best.Bytes = RGB, rawPixels(pix, 3)
	}
	if len(best.Bytes) <= 64 {
		return best // every PNG is longer
	}
	better := func(d Data) {
		if d.W, d.H = w, h; len(d.Bytes) > 0 && len(d.Bytes) < len(best.Bytes) {
			best = d
		}
	}
	var z, p bytes.Buffer
	plain := best
	deflate := zlib.NewWriter(&z)
	if _, err := deflate.Write(plain.Bytes); err == nil && deflate.Close() == nil {
		better(Data{Format: plain.Format, Zlib: true, Bytes: z.Bytes()})
	}
	if file != nil {
		better(Data{Format: PNG, Bytes: file})
	} else if png.Encode(&p, pix) == nil {
		better(Data{Format: PNG, Bytes: p.Bytes()})
	}
	return best
}

// rawPixels returns the pixels of pix, with n bytes each: 3 (RGB) or 4 (RGBA).
func rawPixels(pix *stdimage.NRGBA, n int) []byte {
	w, h := pix.Rect.Dx(), pix.Rect.Dy()
	out := make([]byte, 0, w*h*n)
	for y := range h {
		row := pix.Pix[y*pix.Stride : y*pix.Stride+4*w]
		if n == 4 {
			out = append(out, row...)
			continue
		}
		for x := 0; x < len(row); x += 4 {
			out = append(out, row[x], row[x+1], row[x+2])
		}
	}
	return out
}

// maxCommandBytes is the most bytes of data in one command. They become 4,096 bytes of base64.
const maxCommandBytes = 4096 / 4 * 3

// Wire builds the graphics commands of kitty's protocol. The zero value is for a terminal without a
// multiplexer.
type Wire struct {
	// Each command is wrapped so that tmux passes it to the terminal around it; tmux needs
	// allow-passthrough.
	Tmux bool
}

// AppendTransmit appends the commands that send d to the terminal as image id (a=t). The terminal
// is told not to answer (q=2), since an answer could reach the input of another program. Nothing
// else may be sent between these commands.
func (w Wire) AppendTransmit(dst []byte, id ID, d Data) []byte {
	for at, first := 0, true; first || at < len(d.Bytes); first = false {
		end := min(at+maxCommandBytes, len(d.Bytes))
		dst = w.appendCommandStart(dst)
		if first {
			dst = append(dst, "a=t,q=2,i="...)
			dst = strconv.AppendUint(dst, uint64(id), 10)
			dst = append(dst, ",f="...)
			dst = strconv.AppendUint(dst, uint64(d.Format), 10)
			if d.Format != PNG {
				dst = append(dst, ",s="...)
				dst = strconv.AppendInt(dst, int64(d.W), 10)
				dst = append(dst, ",v="...)
				dst = strconv.AppendInt(dst, int64(d.H), 10)
			}
			if d.Zlib {
				dst = append(dst, ",o=z"...)
			}
			if end < len(d.Bytes) {
				dst = append(dst, ",m=1"...)
			}
		} else if end < len(d.Bytes) {
			dst = append(dst, "m=1"...)
		} else {
			dst = append(dst, "m=0"...)
		}
		dst = append(dst, ';')
		dst = base64.StdEncoding.AppendEncode(dst, d.Bytes[at:end])
		dst = w.appendCommandEnd(dst)
		at = end
	}
	return dst
}

// AppendVirtual appends the command that makes placeholder cells show image id, scaled to box b.
// The terminal answers errors only (q=1); ENOENT means that it does not hold the image. Through
// tmux it answers nothing, since an answer would be typed into the pane.
func (w Wire) AppendVirtual(dst []byte, id ID, b Box) []byte {
	return w.appendPlacement(dst, "a=p,U=1,", id, b)
}

// AppendPlace appends the command that draws image id at the cursor, scaled to box b. The cursor
// does not move (C=1).
func (w Wire) AppendPlace(dst []byte, id ID, b Box) []byte {
	return w.appendPlacement(dst, "a=p,C=1,", id, b)
}

// appendPlacement appends a placement command for image id in box b. keys begins its list of keys.
func (w Wire) appendPlacement(dst []byte, keys string, id ID, b Box) []byte {
	dst = append(w.appendCommandStart(dst), keys...)
	if w.Tmux {
		dst = append(dst, "q=2,i="...)
	} else {
		dst = append(dst, "q=1,i="...)
	}
	dst = strconv.AppendUint(dst, uint64(id), 10)
	dst = append(dst, ",c="...)
	dst = strconv.AppendInt(dst, int64(b.Cols), 10)
	dst = append(dst, ",r="...)
	dst = strconv.AppendInt(dst, int64(b.Rows), 10)
	return w.appendCommandEnd(dst)
}

// AppendDelete appends the command that deletes image id: what is on the screen, and its data (a=d,
// d=I).
func (w Wire) AppendDelete(dst []byte, id ID) []byte {
	dst = append(w.appendCommandStart(dst), "a=d,d=I,q=2,i="...)
	dst = strconv.AppendUint(dst, uint64(id), 10)
	return w.appendCommandEnd(dst)
}

// appendCommandStart appends the beginning of a command.
func (w Wire) appendCommandStart(dst []byte) []byte {
	if w.Tmux {
		return append(dst, "\x1bPtmux;\x1b\x1b_G"...)
	}
	return append(dst, "\x1b_G"...)
}

// appendCommandEnd appends the end of a command.
func (w Wire) appendCommandEnd(dst []byte) []byte {
	if w.Tmux {
		return append(dst, "\x1b\x1b\\\x1b\\"...)
	}
	return append(dst, "\x1b\\"...)
}
