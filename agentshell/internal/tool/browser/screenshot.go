package browser

import (
	"context"
	"encoding/json"
	"fmt"
)

// maxShotHeight is the height that a picture of a long page may have, in CSS pixels. Models do not
// accept larger pictures.
const maxShotHeight = 16000

// Shot is a picture of a page.
type Shot struct {
	Data []byte // a PNG
	Cut  bool   // Cut says that the page is longer than the picture.
}

// screenshot takes a picture of the element that s selects, of the whole page if fullPage is set,
// or otherwise of the window.
func (t *Tab) screenshot(ctx context.Context, s *selector, fullPage bool) (shot Shot, err error) {
	params := object{"format": "png"}
	switch {
	case s != nil:
		var box struct{ X, Y, Width, Height float64 }
		err := t.waitElement(ctx, *s, func(ctx context.Context, el element) (string, error) {
			r, err := t.callPageFunction(ctx, el.frame, "rect", el.object, true)
			if err != nil || string(r.Value) == "null" {
				return "is not visible", err
			}
			return "", json.Unmarshal(r.Value, &box)
		})
		if err != nil {
			return shot, err
		}
		shot.Cut = box.Height > maxShotHeight
		params["captureBeyondViewport"] = true
		params["clip"] = object{"x": box.X, "y": box.Y, "width": box.Width, "height": min(box.Height, maxShotHeight),
			"scale": 1}
	case fullPage:
		var m struct {
			Content struct{ Width, Height float64 } `json:"cssContentSize"`
		}
		if err := t.call(ctx, "Page.getLayoutMetrics", nil, &m); err != nil {
			return shot, err
		}
		shot.Cut = m.Content.Height > maxShotHeight
		params["captureBeyondViewport"] = true
		params["clip"] = object{"x": 0, "y": 0, "width": min(m.Content.Width, 2*4096),
			"height": min(m.Content.Height, maxShotHeight), "scale": 1}
	}
	var r struct{ Data []byte }
	if err := t.call(ctx, "Page.captureScreenshot", params, &r); err != nil {
		return shot, err
	}
	if len(r.Data) == 0 {
		return shot, fmt.Errorf("the browser gave no picture")
	}
	shot.Data = r.Data
	return shot, nil
}

// Screenshot takes a picture of the window.
func (t *Tab) Screenshot(ctx context.Context) (Shot, error) { return t.screenshot(ctx, nil, false) }
