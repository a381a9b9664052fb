package picture

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
)

// Limits describes which pictures a model accepts.
type Limits struct {
	Media []string // The media types, such as "image/png".
	Side  int      // The maximum number of pixels of the longer side.
	Bytes int      // The maximum number of bytes of the file.
}

// limitsByModel lists the limits of models by the beginnings of their names, as their makers
// publish them (read in November 2026). No limit is above MaxSide and MaxBytes.
var limitsByModel = []struct {
	prefixes []string
	limits   Limits
}{
	// 8000 pixels and 5 MB of base64; older models scale to 1568.
	{[]string{"claude-"}, Limits{[]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, MaxSide, MaxBytes}},
	// An animated GIF is refused, and any GIF may be one.
	{[]string{"gpt-", "o3", "o4", "chatgpt-"},
		Limits{[]string{"image/png", "image/jpeg", "image/webp"}, MaxSide, MaxBytes}},
	// No GIF, and 7 MB of a request.
	{[]string{"gemini-"}, Limits{[]string{"image/png", "image/jpeg", "image/webp"}, MaxSide, MaxBytes}},
}

// LimitsOf returns the limits of the named model. A model that is not known accepts PNG and JPEG.
func LimitsOf(model string) Limits {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, l := range limitsByModel {
		if slices.ContainsFunc(l.prefixes, func(p string) bool { return strings.HasPrefix(model, p) }) {
			return l.limits
		}
	}
	return Limits{[]string{"image/png", "image/jpeg"}, MaxSide, MaxBytes}
}

// Fit returns the picture in a form within the limits. If it has to, it scales the picture down or
// converts it to another format. An animation then becomes its first frame.
func (p Picture) Fit(l Limits) (Picture, error) {
	if slices.Contains(l.Media, p.Media) && max(p.W, p.H) <= l.Side && len(p.Data) <= l.Bytes {
		return p, nil
	}
	d, err := decode.New(p.Data, decode.Limits{File: MaxFile})
	if err != nil {
		return Picture{}, err
	}
	pix, _, err := d.Pixels(l.Side, l.Side)
	if err != nil {
		return Picture{}, err
	}
	p.W, p.H = pix.Rect.Dx(), pix.Rect.Dy()
	p.Media, p.Data, err = pack(pix)
	return p, err
}
