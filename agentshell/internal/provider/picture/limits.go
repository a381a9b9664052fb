package picture

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
)

// Limits are what a model takes of one picture.
type Limits struct {
	Media []string // its formats
	Side  int      // pixels of the longer side
	Bytes int      // of the file
}

// limitsByModel are the limits of models by the beginning of their names, as their makers publish
// them (read in November 2026). A picture is never larger than MaxSide and MaxBytes anyway.
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

// LimitsOf returns the limits of a model. Servers of other makers read PNG and JPEG, but often
// nothing else.
func LimitsOf(model string) Limits {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, l := range limitsByModel {
		if slices.ContainsFunc(l.prefixes, func(p string) bool { return strings.HasPrefix(model, p) }) {
			return l.limits
		}
	}
	return Limits{[]string{"image/png", "image/jpeg"}, MaxSide, MaxBytes}
}

// Fit returns the picture within limits: in another format, or smaller, if it has to be. Of an
// animation it is the first picture then.
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
