package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// header is what is known of a file without decoding it.
type header struct {
	kind          string
	w, h          int
	bytesPerPixel int // memory for each pixel while it is decoded, measured (memory_test.go)
}

// readHeader reads the header of file.
func readHeader(file []byte) (header, error) {
	kind := Kind(file)
	var h header
	ok := false
	switch kind {
	case "png":
		h, ok = pngHeader(file)
	case "jpeg":
		h, ok = jpegHeader(file)
	case "gif":
		if ok = len(file) >= 13; ok {
			// Logical screen descriptor; the frames lie within it. An interlaced one is copied
			// once.
			h = header{w: int(binary.LittleEndian.Uint16(file[6:])), h: int(binary.LittleEndian.Uint16(file[8:])),
				bytesPerPixel: 2}
		}
	case "webp":
		h, ok = webpHeader(file)
	default:
		return h, ErrFormat
	}
	if !ok {
		return h, fmt.Errorf("%w: its header ends early", ErrBroken)
	}
	h.kind = kind
	return h, nil
}

// pngHeader reads IHDR.
func pngHeader(file []byte) (h header, ok bool) {
	if len(file) < 29 || string(file[12:16]) != "IHDR" {
		return h, false
	}
	w, ht := binary.BigEndian.Uint32(file[16:]), binary.BigEndian.Uint32(file[20:])
	if w > 1<<30 || ht > 1<<30 {
		w, ht = 1<<30, 1<<30
	}
	h = header{w: int(w), h: int(ht), bytesPerPixel: 4}
	if depth := file[24]; depth == 16 {
		h.bytesPerPixel = 8
	}
	if interlaced := file[28] != 0; interlaced { // each pass is a picture of its own
		h.bytesPerPixel *= 2
	}
	return h, true
}

// jpegHeader looks for the frame header (SOF).
func jpegHeader(file []byte) (h header, ok bool) {
	direct := false // colours are RGB, which takes a copy
	for at := 2; at+4 <= len(file); {
		if file[at] != 0xff {
			at++ // the decoder is as lenient
			continue
		}
		marker := file[at+1]
		switch {
		case marker == 0xff || marker == 0:
			at++
			continue
		case marker >= 0xd0 && marker <= 0xd8 || marker == 0x01: // without a length
			at += 2
			continue
		case marker == 0xda || marker == 0xd9: // the picture begins, or ends
			return h, false
		}
		n := int(binary.BigEndian.Uint16(file[at+2:]))
		body := file[min(at+4, len(file)):min(at+2+max(n, 2), len(file))]
		if marker == 0xee && len(body) >= 12 && bytes.HasPrefix(body, []byte("Adobe")) && body[11] == 0 {
			direct = true
		}
		if marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			if len(body) < 6 {
				return h, false
			}
			parts := int(body[5])
			h = header{w: int(binary.BigEndian.Uint16(body[3:])), h: int(binary.BigEndian.Uint16(body[1:]))}
			if len(body) >= 6+3*3 && body[6] == 'R' && body[9] == 'G' && body[12] == 'B' {
				direct = true
			}
			h.bytesPerPixel = parts
			if parts > 3 || direct {
				h.bytesPerPixel += 4
			}
			if marker != 0xc0 && marker != 0xc1 { // progressive: all coefficients are kept, as 32-bit numbers
				h.bytesPerPixel += 4 * parts
			}
			h.bytesPerPixel = max(h.bytesPerPixel, 1)
			return h, true
		}
		at += 2 + max(n, 2)
	}
	return h, false
}

// webpHeader reads the sizes in all chunks: the size of the whole file does not tell what the
// frame's decoder will do.
func webpHeader(file []byte) (h header, ok bool) {
	h.bytesPerPixel = 9 // lossless: pixels, and once more for a transformation
	see := func(w, ht int) {
		h.w, h.h, ok = max(h.w, w), max(h.h, ht), true
	}
	for at := 12; at+8 <= len(file); {
		id, n := string(file[at:at+4]), int(binary.LittleEndian.Uint32(file[at+4:]))
		body := file[at+8:]
		if n < len(body) {
			body = body[:n]
		}
		switch {
		case id == "VP8X" && len(body) >= 10:
			see(1+uint24(body[4:]), 1+uint24(body[7:]))
		case id == "VP8 " && len(body) >= 10:
			see(int(binary.LittleEndian.Uint16(body[6:])&0x3fff), int(binary.LittleEndian.Uint16(body[8:])&0x3fff))
		case id == "VP8L" && len(body) >= 5:
			v := binary.LittleEndian.Uint32(body[1:])
			see(1+int(v&0x3fff), 1+int(v>>14&0x3fff))
		}
		if n > len(file) {
			break
		}
		at += 8 + n + n&1
	}
	return h, ok
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
