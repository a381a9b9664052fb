package widget

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Input is a text of one line, with the keys of [tui.Editor]. A pasted newline becomes a space.
// Enter submits a text that Validate accepts; Tab completes; Esc and Ctrl+C leave. Shift with Left,
// Right, Home or End marks text, also with Ctrl by words; what is typed or pasted replaces it. With
// Copy, Ctrl+C copies marked text, and Ctrl+X cuts it. In a space without a height it is its title,
// for [Input.Submit]. Fields are for the loop and may be changed in a callback.
type Input struct {
	Title       string // above it
	Prompt      string // before the text; "" for the theme's glyph and a space
	Placeholder string // dim, while it is empty
	Secret      bool   // dots are shown instead of the text
	Bare        bool   // only the text and the completions: for a component around it

	// returns what is wrong with text, shown below it; nil: every text is right
	Validate func(text string) error
	// returns the texts that may replace prefix, the text before the caret
	Complete func(prefix string) (all []string)
	OnSubmit func(text string) // Enter; the text stays
	OnChange func()
	OnLeave  func()                  // Esc, Ctrl+C
	Copy     func(text string) error // puts text on the clipboard: the Copy of the App; nil: nothing does
	Mouse    bool                    // a click puts the caret there, a drag marks text

	editor       tui.Editor
	err          error
	completions  []string // of the last Tab
	pickedIndex  int      // of completions: the one in the text; -1: none of them
	firstVisible int      // the first cluster in sight
	pasted       bool     // the last event was a paste
	caretPos     tui.Pos
	textCol      int // where the text begins in its row
	marked       selection
}

// Text returns the text that would be submitted.
func (in *Input) Text() string { return in.editor.Text() }

// SetText replaces the text; its newlines become spaces. The caret goes to its end.
func (in *Input) SetText(s string) {
	in.marked = selection{}
	in.editor.SetText(oneLine(s))
	in.textChanged()
}

// oneLine returns s without line ends at both ends, and with spaces for the others.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(strings.Trim(s, "\r\n"))
}

// textChanged has to be called after every change of the text.
func (in *Input) textChanged() {
	in.completions = nil
	if in.err != nil && in.Validate != nil {
		in.err = in.Validate(in.Text())
	}
	if in.OnChange != nil {
		in.OnChange()
	}
}

// Submit does the same with text as Enter; without a terminal each line is one. It does nothing if
// Validate refuses the text.
func (in *Input) Submit(text string) {
	in.SetText(text)
	in.handleEnter()
}

// handleEnter submits the text.
func (in *Input) handleEnter() {
	in.completions, in.err = nil, nil
	if in.Validate != nil {
		in.err = in.Validate(in.Text())
	}
	if in.err == nil && in.OnSubmit != nil {
		in.OnSubmit(in.Text())
	}
}

// HandleEvent takes keys and pastes. It leaves some to others: Up, Down and other keys that lead
// nowhere in one line, Tab with nothing to complete, Esc and Ctrl+C without OnLeave.
func (in *Input) HandleEvent(ev tui.Event, s tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Mouse:
		return in.Mouse && in.handleMouse(ev, s)
	case tui.Paste:
		in.pasted = true
		if text := oneLine(ev.Text); text != "" {
			in.deleteSelected(s)
			in.editor.Insert(text)
			in.textChanged()
		}
		return true
	case tui.Key:
		after := in.pasted && !ev.Alone
		in.pasted = false
		return in.handleKey(ev, s, after)
	}
	return false
}

// handleKey acts on k. after: it came in one read with a paste.
func (in *Input) handleKey(k tui.Key, s tui.Space, after bool) bool {
	if in.handleSelection(k, s) {
		return true
	}
	plain := k.Mods == 0
	switch {
	case k.Code == terminal.KeyEnter && plain:
		if !after { // a paste never submits
			in.handleEnter()
		}
		return true
	case k.Code == terminal.KeyTab && plain:
		return in.completeText()
	case k.Code == terminal.KeyEscape && plain && in.completions != nil:
		in.completions = nil
		return true
	case k.Code == terminal.KeyEscape && plain, k.Code == 'c' && k.Mods == terminal.Ctrl:
		if in.OnLeave == nil {
			return false
		}
		in.OnLeave()
		return true
	case k.Code == terminal.KeyEnter, k.Code == terminal.KeyTab, k.Code == terminal.KeyUp, k.Code == terminal.KeyDown,
		k.Mods == terminal.Ctrl && strings.ContainsRune("jor", k.Code):
		return false // to an editor it begins a line, opens a paste, looks for a line
	}
	before := in.Text()
	if !in.editor.HandleEvent(k, s) {
		return false
	}
	if in.completions = nil; in.Text() != before {
		in.textChanged()
	}
	return true
}

// completeText replaces the text before the caret by the part that all completions have in common,
// and then by one completion after the other.
func (in *Input) completeText() bool {
	if in.Complete == nil {
		return false
	}
	before := in.editor.TextBeforeCaret()
	put := func(text string) {
		if text != before {
			in.editor.Complete(before, text)
			offers := in.completions
			in.textChanged()
			in.completions = offers
		}
	}
	if len(in.completions) > 0 {
		in.pickedIndex = (in.pickedIndex + 1) % len(in.completions)
		put(in.completions[in.pickedIndex])
		return true
	}
	var all []string
	for _, o := range in.Complete(before) {
		if o = oneLine(o); !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	switch len(all) {
	case 0:
		return false
	case 1:
		if all[0] == before {
			return false
		}
		put(all[0])
		return true
	}
	in.completions, in.pickedIndex = all, -1
	if prefix := commonPrefix(all); len(prefix) > len(before) {
		put(prefix)
	}
	return true
}

// commonPrefix returns the beginning that all texts share, in whole characters.
func commonPrefix(all []string) string {
	same := []rune(all[0])
	for _, s := range all[1:] {
		n := 0
		for _, r := range s {
			if n == len(same) || same[n] != r {
				break
			}
			n++
		}
		same = same[:n]
	}
	return string(same)
}

// View returns the title, the text with the caret, the completions, and what is wrong.
func (in *Input) View(s tui.Space) tui.View {
	th := s.Look()
	var rows []tui.Line
	if in.Title != "" && !in.Bare {
		rows = append(rows, s.Wrap(tui.Span{Text: in.Title, Style: th.Strong})...)
	}
	line, col := in.textRow(s)
	in.caretPos = tui.Pos{Col: col, Row: len(rows)}
	rows = append(rows, line)
	if len(in.completions) > 0 {
		rows = append(rows, in.completionRow(s))
	}
	if in.err != nil && !in.Bare {
		rows = append(rows, s.Wrap(tui.Span{Text: th.Glyphs.Problem + " " + in.err.Error(), Style: th.Error})...)
	}
	return tui.View{Lines: rows, Cursor: &in.caretPos, Mouse: in.Mouse, Drags: in.Mouse}
}

// textRow returns the row of the text, and the column of the caret in it. The last column is the
// caret's, or shows that the text continues.
func (in *Input) textRow(s tui.Space) (tui.Line, int) {
	th := s.Look()
	prompt, pw := in.Prompt, 0
	if prompt == "" && !in.Bare {
		prompt = th.Glyphs.Prompt + " "
	}
	if pw = s.Columns(prompt); pw+4 > s.Width {
		prompt, pw = "", 0
	}
	in.textCol = pw
	text := in.Text()
	if text == "" {
		hintSpace := s
		hintSpace.Width = max(s.Width-pw-1, 1)
		hint := hintSpace.Cut(tui.Span{Text: in.Placeholder, Style: th.Dim})
		spans := append([]tui.Span{{Text: prompt, Style: th.Accent}}, hint.Spans...)
		return tui.Line{Spans: spans}, min(pw, max(s.Width-1, 0))
	}
	textCols := max(s.Width-pw-1, 1)
	cells, at := in.clusterCells(text, textCols, s)
	in.scrollToCaret(cells, at, textCols)
	col, caret := 0, 0
	end := in.firstVisible
	for ; end < len(cells) && col+cells[end].cols <= textCols; end++ {
		if end == at {
			caret = col
		}
		col += cells[end].cols
	}
	if at == end {
		caret = col
	}
	lead, style := prompt, th.Accent
	if in.firstVisible > 0 && pw > 1 {
		lead, style = th.Glyphs.More+strings.Repeat(" ", pw-s.Columns(th.Glyphs.More)), th.Dim
	}
	spans := append([]tui.Span{{Text: lead, Style: style}}, cellSpans(cells[in.firstVisible:end])...)
	if end < len(cells) && caret < textCols && pw+textCols+s.Columns(th.Glyphs.More) <= s.Width {
		spans = append(spans, tui.Span{Text: strings.Repeat(" ", textCols-col) + th.Glyphs.More, Style: th.Dim})
	}
	return tui.Line{Spans: spans}, min(pw+caret, max(s.Width-1, 0))
}

// cell is one cluster as it is shown, with its columns.
type cell struct {
	text   string
	cols   int
	marked bool
}

// clusterCells returns the clusters of text, none wider than textCols. at is the index of the one
// at the caret.
func (in *Input) clusterCells(text string, textCols int, s tui.Space) (all []cell, at int) {
	before, off, marked := len(in.editor.TextBeforeCaret()), 0, in.selectedRange()
	for c := range s.Model.Clusters(text) {
		if before > 0 {
			before, at = before-len(c), at+1
		}
		isMarked := off >= marked.from && off < marked.to
		off += len(c)
		if in.Secret {
			c = s.Look().Glyphs.Tool
		}
		t, _ := visible.Line(c)
		w := s.Columns(t)
		if w > textCols {
			t, w = "?", 1
		}
		all = append(all, cell{t, w, isMarked})
	}
	return all, at
}

// scrollToCaret brings the caret into sight, with as much text as fits.
func (in *Input) scrollToCaret(cells []cell, at, textCols int) {
	in.firstVisible = min(in.firstVisible, at)
	cols := 0 // from left to the caret
	for _, c := range cells[in.firstVisible:at] {
		cols += c.cols
	}
	for ; cols > textCols; in.firstVisible++ {
		cols -= cells[in.firstVisible].cols
	}
	for _, c := range cells[at:] {
		cols += c.cols
	}
	for ; in.firstVisible > 0 && cols+cells[in.firstVisible-1].cols <= textCols; in.firstVisible-- {
		cols += cells[in.firstVisible-1].cols
	}
}

// completionRow returns the row of the completions, with the picked one in sight.
func (in *Input) completionRow(s tui.Space) tui.Line {
	th := s.Look()
	first, cols := max(in.pickedIndex, 0), 0
	for i := first; i >= 0 && cols <= s.Width/2; i-- { // some of those before it
		first, cols = i, cols+s.Columns(in.completions[i])+2
	}
	var spans []tui.Span
	if first > 0 {
		spans = append(spans, tui.Span{Text: th.Glyphs.More + " ", Style: th.Dim})
	}
	for i := first; i < len(in.completions) && len(spans) < 2*s.Width; i++ {
		style := th.Dim
		if i == in.pickedIndex {
			style = th.Strong
		}
		spans = append(spans, tui.Span{Text: in.completions[i], Style: style}, tui.Span{Text: "  "})
	}
	return s.Cut(spans[:len(spans)-1]...)
}
