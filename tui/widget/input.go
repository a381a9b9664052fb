package widget

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Input is a text field of one line with the keys of [tui.Editor]. Enter submits the text if
// Validate accepts it. Tab completes. Esc and Ctrl+C leave. A pasted newline becomes a space.
//
// Shift with Left, Right, Home or End selects text, with Ctrl by words. Typed or pasted text
// replaces the selection. If Copy is set, Ctrl+C copies the selected text and Ctrl+X cuts it. If
// the Space has no height, the title is shown as a prompt and [Input.Submit] answers it. Access the
// fields only on the App's loop; callbacks may change them.
type Input struct {
	Title       string // a row above the text
	Prompt      string // before the text; "" for the theme's prompt glyph and a space
	Placeholder string // dim text that is shown while the field is empty
	Secret      bool   // shows dots instead of the text
	Bare        bool   // shows only the text and the completions, for use inside another component

	// Validate returns an error to show below the text if the text is not acceptable; nil: any text
	// is.
	Validate func(text string) error
	// Complete returns the texts that can replace prefix, the text before the caret.
	Complete func(prefix string) (all []string)
	OnSubmit func(text string) // called on Enter; the text stays in the field
	OnChange func()            // called after every change of the text
	OnLeave  func()            // called on Esc and Ctrl+C
	// copies text to the clipboard, such as the Copy method of App; nil: copying is disabled
	Copy  func(text string) error
	Mouse bool // a click moves the caret, a drag selects text

	editor       tui.Editor
	err          error    // the last error of Validate or Copy
	completions  []string // the completions offered by the last Tab
	pickedIndex  int      // index of the completion that is in the text; -1: none
	firstVisible int      // index of the first visible grapheme cluster
	afterPaste   bool     // the last event was a paste
	caretPos     tui.Pos
	textCol      int // column at which the text begins
	selection    selection
}

// Text returns the current text.
func (in *Input) Text() string { return in.editor.Text() }

// SetText replaces the text and moves the caret to its end. Newlines in s become spaces.
func (in *Input) SetText(s string) {
	in.selection = selection{}
	in.editor.SetText(toOneLine(s))
	in.handleTextChange()
}

// toOneLine returns s without leading and trailing line ends. Other line ends and tabs become
// spaces.
func toOneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(strings.Trim(s, "\r\n"))
}

// handleTextChange must be called after every change of the text. It validates the text again and
// calls OnChange.
func (in *Input) handleTextChange() {
	in.completions = nil
	if in.err != nil && in.Validate != nil {
		in.err = in.Validate(in.Text())
	}
	if in.OnChange != nil {
		in.OnChange()
	}
}

// Submit replaces the text and submits it, as Enter does. Without a terminal it is called for each
// line of input. It does not call OnSubmit if Validate refuses the text.
func (in *Input) Submit(text string) {
	in.SetText(text)
	in.handleEnter()
}

// handleEnter submits the text if Validate accepts it.
func (in *Input) handleEnter() {
	in.completions, in.err = nil, nil
	if in.Validate != nil {
		in.err = in.Validate(in.Text())
	}
	if in.err == nil && in.OnSubmit != nil {
		in.OnSubmit(in.Text())
	}
}

// HandleEvent handles keys, pastes and the mouse. It returns false for keys that have no use in a
// single line, such as Up and Down, for Tab if there is nothing to complete, and for Esc and Ctrl+C
// if OnLeave is nil.
func (in *Input) HandleEvent(ev tui.Event, s tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Mouse:
		return in.Mouse && in.handleMouse(ev, s)
	case tui.Paste:
		in.afterPaste = true
		if text := toOneLine(ev.Text); text != "" {
			in.deleteSelected(s)
			in.editor.Insert(text)
			in.handleTextChange()
		}
		return true
	case tui.Key:
		after := in.afterPaste && !ev.Alone
		in.afterPaste = false
		return in.handleKey(ev, s, after)
	}
	return false
}

// handleKey handles the key k. If after is true, k arrived in the same read as a paste, so that
// Enter does not submit.
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
		in.handleTextChange()
	}
	return true
}

// completeText completes the text before the caret. The first call inserts the prefix that all
// completions share; further calls insert one completion after the other. It returns false if there
// is nothing to complete.
func (in *Input) completeText() bool {
	if in.Complete == nil {
		return false
	}
	before := in.editor.TextBeforeCaret()
	put := func(text string) {
		if text != before {
			in.editor.Complete(before, text)
			offers := in.completions
			in.handleTextChange()
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
		if o = toOneLine(o); !slices.Contains(all, o) {
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

// commonPrefix returns the longest prefix that all texts share, without splitting a character.
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

// View returns the title, the text with the caret, the completions, and the error of Validate.
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

// textRow returns the row of the text and the column of the caret in it. The last column is kept
// for the caret at the end of the text, or for a mark that the text continues.
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
	cells, at := in.shownClusters(text, textCols, s)
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
	spans := append([]tui.Span{{Text: lead, Style: style}}, clusterSpans(cells[in.firstVisible:end])...)
	if end < len(cells) && caret < textCols && pw+textCols+s.Columns(th.Glyphs.More) <= s.Width {
		spans = append(spans, tui.Span{Text: strings.Repeat(" ", textCols-col) + th.Glyphs.More, Style: th.Dim})
	}
	return tui.Line{Spans: spans}, min(pw+caret, max(s.Width-1, 0))
}

// shownCluster is one grapheme cluster of the text in the form that is shown, with its width in
// columns.
type shownCluster struct {
	text     string
	cols     int
	isMarked bool // it is part of the selection
}

// shownClusters returns the grapheme clusters of text as they are shown, each at most textCols
// columns wide. The result at is the index of the cluster behind the caret.
func (in *Input) shownClusters(text string, textCols int, s tui.Space) (all []shownCluster, at int) {
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
		all = append(all, shownCluster{t, w, isMarked})
	}
	return all, at
}

// scrollToCaret scrolls the text so that the caret is visible and as much text as possible fits. at
// is the index of the cluster behind the caret.
func (in *Input) scrollToCaret(cells []shownCluster, at, textCols int) {
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

// completionRow returns the row of the offered completions. The one that is in the text is visible.
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
