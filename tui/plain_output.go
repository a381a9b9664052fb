package tui

import (
	"bytes"
	"io"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// plainOut is a canvas that is no terminal: final rows as text, nothing else. Rows that the
// terminal would wrap are one line.
type plainOut struct {
	w   io.Writer
	buf bytes.Buffer
}

func (p *plainOut) Render(f renderer.Frame) (renderer.Seam, error) {
	p.buf.Reset()
	for _, line := range f.Commit {
		for _, s := range line.Spans {
			p.buf.WriteString(harmless(s.Text))
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

func (p *plainOut) Resize(cols, rows int)    {}
func (p *plainOut) Ask() error               { return nil }
func (p *plainOut) Locate() (bool, error)    { return false, nil }
func (p *plainOut) Top() (int, bool)         { return 0, false }
func (p *plainOut) Anchor(col, row int) bool { return true }
func (p *plainOut) Predict()                 {}
func (p *plainOut) Prove(from, n int) ([]renderer.Ends, error) {
	return nil, nil
}
func (p *plainOut) Overtaken()              {}
func (p *plainOut) Restart()                {}
func (p *plainOut) Release(keep bool) error { return nil }
func (p *plainOut) SetModel(width.Model)    {}
func (p *plainOut) Reset(renderer.ResetMode) (renderer.ResetMode, error) {
	return renderer.Redraw, nil
}
func (p *plainOut) SetSync(bool)              {}
func (p *plainOut) SetQuirks(renderer.Quirks) {}
func (p *plainOut) SetLinks(bool)             {}
func (p *plainOut) SetMarks(bool)             {}
