package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	stdimage "image"
	"image/png"
	"testing"
)

// pngPart returns a part of a PNG file, with a wrong checksum if it is broken.
func pngPart(kind, data string, broken bool) []byte {
	part := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	part = append(part, kind+data...)
	sum := crc32.ChecksumIEEE(part[4:])
	if broken {
		sum++
	}
	return binary.BigEndian.AppendUint32(part, sum)
}

// A part that no decoder needs may have a wrong checksum: the picture is shown, and the file that
// is sent on has no such part. What is needed must be whole.
func TestAPNGWithABrokenPartThatIsNotNeeded(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, stdimage.NewNRGBA(stdimage.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	const header = len(pngMagic) + 25
	end := len(whole) - 12
	with := func(at int, part []byte) []byte {
		return append(append(bytes.Clone(whole[:at]), part...), whole[at:]...)
	}
	described := with(header, pngPart("tEXt", "a\x00b", false))
	spoiled := func(at int) []byte {
		file := bytes.Clone(whole)
		file[at] ^= 1
		return file
	}
	for name, c := range map[string]struct {
		file, want []byte // nil: broken
	}{
		"whole":                        {whole, whole},
		"a sound part":                 {described, described},
		"a broken text":                {with(header, pngPart("tEXt", "a\x00b", true)), whole},
		"a broken profile":             {with(header, pngPart("iCCP", "a\x00\x00b", true)), whole},
		"a broken part behind it":      {with(end, pngPart("zTXt", "a", true)), whole},
		"a broken part behind the end": {with(len(whole), pngPart("prVt", "a", true)), whole},
		"a broken header":              {spoiled(header - 1), nil},
		"broken pixels":                {spoiled(end - 1), nil},
		"a broken palette":             {with(header, pngPart("PLTE", "abc", true)), nil},
		"an end that is cut":           {with(header, pngPart("tEXt", "a\x00b", true))[:len(whole)-9], nil},
	} {
		p, err := New(c.file, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, file, err := p.Pixels(9, 9)
		if c.want == nil {
			if !errors.Is(err, ErrBroken) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !bytes.Equal(p.File(), c.want) || !bytes.Equal(file, c.want) {
			t.Errorf("%s: %v, %d bytes, want %d", name, err, len(file), len(c.want))
		}
	}
}
