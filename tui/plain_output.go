package tui

import (
	"bytes"
	"io"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// plainCanvas is the canvas for output that is no terminal. It writes only final rows, as plain
// text. Rows that a terminal would wrap are written as one line.
type plainCanvas struct {
	w   io.Writer
	buf bytes.Buffer
}

// Render writes the final rows of f.
func (p *plainCanvas) Render(f renderer.Frame) (renderer.Seam, error) {
	p.buf.Reset()
	for _, line := range f.Commit {
		for _, s := range line.Spans {
			p.buf.WriteString(withVisibleControls(s.Text))
		}
		if !line.Wrapped {
			p.buf.WriteByte('\n')
		}
	}
	if p.buf.Len() == 0 {
		return renderer.Seam{}, nil
	}
	_, err := p.w.Write(p.buf.Bytes())
	return renderer.Seam{}, err
}

func (p *plainCanvas) Resize(cols, rows int)    {}
func (p *plainCanvas) Ask() error               { return nil }
func (p *plainCanvas) Locate() (bool, error)    { return false, nil }
func (p *plainCanvas) Top() (int, bool)         { return 0, false }
func (p *plainCanvas) Anchor(col, row int) bool { return true }
func (p *plainCanvas) Predict()                 {}
func (p *plainCanvas) Prove(from, n int) ([]renderer.Ends, error) {
	return nil, nil
}
func (p *plainCanvas) Measure(samples []string, cols int) (int, error) {
	return 0, nil
}
func (p *plainCanvas) Overtaken()              {}
func (p *plainCanvas) Restart()                {}
func (p *plainCanvas) Release(keep bool) error { return nil }
func (p *plainCanvas) CaretShown() bool        { return true }
func (p *plainCanvas) SetModel(width.Model)    {}
func (p *plainCanvas) Reset(renderer.ResetMode) (renderer.ResetMode, error) {
	return renderer.Redraw, nil
}
func (p *plainCanvas) SetSync(bool)              {}
func (p *plainCanvas) SetQuirks(renderer.Quirks) {}
func (p *plainCanvas) SetLinks(bool)             {}
func (p *plainCanvas) SetMarks(bool)             {}
