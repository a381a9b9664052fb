package decode

import (
	stdimage "image"
	"image/draw"
	"math"
)

// scale draws img, which lies within full, into w by h pixels, no larger than full. The filter is
// Catmull-Rom, stretched over as many pixels as become one, on premultiplied colours. Rows are
// processed one at a time: besides the result it needs memory for a few rows.
func scale(img stdimage.Image, full stdimage.Rectangle, w, h int) *stdimage.NRGBA {
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	across, down := taps(full.Dx(), w), taps(full.Dy(), h)
	row := stdimage.NewRGBA(stdimage.Rect(0, 0, full.Dx(), 1))
	narrow := make([]float32, 4*w)
	open := make(map[int][]float32) // sums of the rows under way
	var spare [][]float32
	next := 0 // the first row of out that is not finished
	for y := range full.Dy() {
		clear(row.Pix)
		draw.Draw(row, row.Rect, img, stdimage.Pt(0, y), draw.Src)
		narrowed := false
		for i := next; i < h && down[i].first <= y; i++ {
			t := &down[i]
			if y >= t.first+len(t.weight) {
				continue
			}
			if !narrowed {
				narrowRow(narrow, row.Pix, across)
				narrowed = true
			}
			sum := open[i]
			if sum == nil {
				if n := len(spare); n > 0 {
					sum, spare = spare[n-1], spare[:n-1]
					clear(sum)
				} else {
					sum = make([]float32, 4*w)
				}
				open[i] = sum
			}
			f := t.weight[y-t.first]
			for k, v := range narrow {
				sum[k] += f * v
			}
		}
		for next < h && y >= down[next].first+len(down[next].weight)-1 {
			writeRow(out.Pix[next*out.Stride:], open[next])
			spare = append(spare, open[next])
			delete(open, next)
			next++
		}
	}
	return out
}

// tap says which pixels make one, from first on, and the weight of each. The weights add up to 1.
type tap struct {
	first  int
	weight []float32
}

// taps returns the taps that reduce n pixels to m, m <= n.
func taps(n, m int) []tap {
	list := make([]tap, m)
	ratio := float64(n) / float64(m)
	for i := range list {
		centre := (float64(i)+0.5)*ratio - 0.5
		first := max(int(math.Ceil(centre-2*ratio)), 0)
		last := min(int(math.Floor(centre+2*ratio)), n-1)
		weight := make([]float32, last-first+1)
		sum := 0.0
		for k := range weight {
			v := catmullRom(math.Abs(float64(first+k)-centre) / ratio)
			weight[k] = float32(v)
			sum += v
		}
		for k := range weight {
			weight[k] /= float32(sum)
		}
		list[i] = tap{first, weight}
	}
	return list
}

// catmullRom returns the cubic with B = 0 and C = 1/2.
func catmullRom(x float64) float64 {
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// narrowRow makes one row narrower.
func narrowRow(dst []float32, src []byte, across []tap) {
	for i := range across {
		t := &across[i]
		var r, g, b, a float32
		p := src[4*t.first:]
		for _, f := range t.weight {
			r, g, b, a = r+f*float32(p[0]), g+f*float32(p[1]), b+f*float32(p[2]), a+f*float32(p[3])
			p = p[4:]
		}
		dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = r, g, b, a
	}
}

// writeRow writes a row of sums as pixels that are not premultiplied.
func writeRow(dst []byte, sum []float32) {
	for i := 0; i < len(sum); i += 4 {
		a := min(max(sum[i+3], 0), 255)
		dst[i+3] = byte(a + 0.5)
		for k := range 3 {
			v := float32(0)
			if a >= 0.5 {
				v = sum[i+k] * 255 / a
			}
			dst[i+k] = byte(min(max(v, 0), 255) + 0.5)
		}
	}
}
