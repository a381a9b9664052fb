//go:build !race

package decode

// The race detector takes memory of its own and ten times as long: make test runs this package a
// second time without it.

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer/image"
)

// maxMemory is what a process may take in all that shows the worst picture that is let in.
const maxMemory = 256 << 20

// rawPNG returns a PNG of zeros, which no encoder here writes: interlaced, or with 16 bits.
func rawPNG(w, h int, depth, kind byte, interlaced bool) []byte {
	perPixel := map[byte]int{0: 1, 2: 3, 6: 4}[kind] * int(depth)
	out := []byte(pngMagic)
	chunk := func(name string, data []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		start := len(out)
		out = append(append(out, name...), data...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
	}
	ihdr := binary.BigEndian.AppendUint32(nil, uint32(w))
	ihdr = append(binary.BigEndian.AppendUint32(ihdr, uint32(h)), depth, kind, 0, 0, 0)
	passes := [][4]int{{0, 0, 1, 1}} // first column and row, and their steps
	if interlaced {
		ihdr[12] = 1
		passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2},
			{0, 1, 1, 2}}
	}
	chunk("IHDR", ihdr)
	var z bytes.Buffer
	deflate := zlib.NewWriter(&z)
	for _, p := range passes {
		cols, rows := (w-p[0]+p[2]-1)/p[2], (h-p[1]+p[3]-1)/p[3]
		row := make([]byte, 1+(cols*perPixel+7)/8)
		for range rows {
			deflate.Write(row)
		}
	}
	deflate.Close()
	chunk("IDAT", z.Bytes())
	chunk("IEND", nil)
	return out
}

// rawJPEG returns a JPEG of one colour in three full parts, progressive, with its first scan only.
func rawJPEG(t testing.TB, w, h int) []byte {
	j := jpegFile(t, stdimage.NewNRGBA(stdimage.Rect(0, 0, 8, 8)))
	sof := bytes.Index(j, []byte{0xff, 0xc0})
	sos := bytes.Index(j, []byte{0xff, 0xda})
	j[sof+1] = 0xc2
	binary.BigEndian.PutUint16(j[sof+5:], uint16(h))
	binary.BigEndian.PutUint16(j[sof+7:], uint16(w))
	j[sof+11] = 0x11 // not subsampled
	n := int(binary.BigEndian.Uint16(j[sos+2:]))
	j = j[:sos+2+n]
	j[len(j)-3], j[len(j)-2], j[len(j)-1] = 0, 0, 0 // the mean of each block alone
	blocks := ((w + 7) / 8) * ((h + 7) / 8) * 3
	j = append(j, make([]byte, blocks*2/8+8)...) // each difference is none, which is 00 in the usual tables
	return append(j, 0xff, 0xd9)
}

// square returns the side of a picture that takes just the memory that is let in, at cost bytes a
// pixel.
func square(cost int) int {
	n := 1
	for (n+1)*(n+1) <= (96<<20)/cost {
		n++
	}
	return n
}

func flat(w, h int) *stdimage.Paletted {
	return stdimage.NewPaletted(stdimage.Rect(0, 0, w, h), color.Palette{color.Black, color.White})
}

// heaviest returns the largest pictures of each kind that are let in.
func heaviest(t testing.TB) map[string]func() []byte {
	return map[string]func() []byte{
		"png":             func() []byte { return rawPNG(square(4), square(4), 8, 6, false) },
		"png, 16 bits":    func() []byte { return rawPNG(square(8), square(8), 16, 6, false) },
		"png, interlaced": func() []byte { return rawPNG(square(8), square(8), 8, 6, true) },
		"png, both":       func() []byte { return rawPNG(square(16), square(16), 16, 6, true) },
		"png, one row":    func() []byte { return rawPNG(maxSide, 380, 8, 6, false) },
		"png, one column": func() []byte { return rawPNG(380, maxSide, 8, 6, false) },
		"jpeg": func() []byte {
			return jpegFile(t, stdimage.NewYCbCr(stdimage.Rect(0, 0, square(3), square(3)),
				stdimage.YCbCrSubsampleRatio420))
		},
		"jpeg, progressive": func() []byte { return rawJPEG(t, square(15), square(15)) },
		"gif":               func() []byte { return gifFile(t, flat(square(2), square(2))) },
		"webp":              func() []byte { return webpFile(square(9), square(9), 7) },
	}
}

// Each takes seconds: make stress, which sets SCROLLKEEP_PICTURES, shows all of them.
func TestHeaviestPicturesStayWithinTheMemoryLimit(t *testing.T) {
	if name := os.Getenv("SCROLLKEEP_TEST_PICTURE"); name != "" {
		child(t, name)
		return
	}
	heavy, bomb := heaviest(t), bombs(t)
	names := []string{"png, both", "jpeg, progressive", "gif"}
	if os.Getenv("SCROLLKEEP_PICTURES") != "" {
		names = slices.Collect(maps.Keys(heavy))
	}
	for name := range bomb {
		names = append(names, "bomb: "+name)
	}
	slices.Sort(names)
	dir := t.TempDir()
	for _, name := range names {
		file := dir + "/picture"
		var data []byte
		if of, ok := strings.CutPrefix(name, "bomb: "); ok {
			data = bomb[of]
		} else {
			data = heavy[name]()
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestHeaviestPicturesStayWithinTheMemoryLimit$", "-test.v")
		cmd.Env = append(os.Environ(), "SCROLLKEEP_TEST_PICTURE="+file)
		out, err := cmd.CombinedOutput()
		_, said, found := strings.Cut(string(out), "memory=")
		if err != nil || !found {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		number, result, _ := strings.Cut(strings.SplitN(said, "\n", 2)[0], " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-40s %4d MiB, %s", name, n>>20, result)
		if n > maxMemory {
			t.Errorf("%s takes %d MiB", name, n>>20)
		}
		if refused := strings.HasPrefix(name, "bomb"); refused != (result != "shown") {
			t.Errorf("%s: %s", name, result)
		}
	}
}

// child shows one picture and says what that took: all memory that the runtime ever had.
func child(t *testing.T, name string) {
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	result := "shown"
	p, err := New(file, Limits{})
	if err == nil {
		var pix *stdimage.NRGBA
		var own []byte
		if pix, own, err = p.Pixels(1600, 960); err == nil {
			d := image.Pack(pix, own)
			image.Wire{Tmux: true}.AppendTransmit(nil, 1, d)
		}
	}
	if err != nil {
		result = err.Error()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("memory=%d %s\n", m.Sys, result)
}
