package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
)

var vimSpace = Space{Width: 40, Height: 20}

// vimKeys returns the keys of a text in which ␛ is Escape, ⏎ is Enter, » is End, ® is Ctrl+R and ß
// is Ctrl+_.
func vimKeys(text string) (keys []Key) {
	for _, r := range text {
		k := Key{Code: r, Alone: true}
		switch r {
		case '␛':
			k.Code = terminal.KeyEscape
		case '⏎':
			k.Code = terminal.KeyEnter
		case '»':
			k.Code = terminal.KeyEnd
		case '®':
			k.Code, k.Mods = 'r', terminal.Ctrl
		case 'ß':
			k.Code, k.Mods = '_', terminal.Ctrl
		}
		keys = append(keys, k)
	}
	return keys
}

// vimEditor returns an editor in normal mode with a text in which | is the caret.
func vimEditor(text string) *Editor {
	before, after, _ := strings.Cut(text, "|")
	e := &Editor{Vim: true}
	e.buf.units = append(splitUnits(before), splitUnits(after)...)
	e.buf.caret = len(splitUnits(before))
	e.vim.normal = true
	return e
}

// caretted returns the text with its caret.
func (e *Editor) caretted() string {
	return joinText(e.buf.units[:e.buf.caret]) + "|" + joinText(e.buf.units[e.buf.caret:])
}

func TestVimCommandsDoWhatVimDoes(t *testing.T) {
	tests := []struct{ text, keys, want string }{
		// moves
		{"|one two", "l", "o|ne two"}, {"|one two", "9l", "one tw|o"}, {"one |two", "2h", "on|e two"},
		{"one |two", "0", "|one two"}, {"|one two", "$", "one tw|o"}, {"  on|e", "^", "  |one"},
		{"|one two.three", "w", "one |two.three"}, {"|one two.three", "3w", "one two.|three"},
		{"|one two.three x", "2W", "one two.three |x"}, {"one two.th|ree", "b", "one two.|three"},
		{"one two.|three", "2b", "one |two.three"}, {"one two.thre|e", "B", "one |two.three"},
		{"|one two", "e", "on|e two"}, {"on|e two", "e", "one tw|o"}, {"|a-b c", "E", "a-|b c"},
		{"|one\n\ntwo", "w", "one\n|\ntwo"}, {"one\n\n|two", "b", "one\n|\ntwo"}, {"|one", "w", "on|e"},
		{"a\n  b\n|c", "gg", "|a\n  b\nc"}, {"|a\n  b\nc", "G", "a\n  b\n|c"}, {"|a\n  b\nc", "2G", "a\n  |b\nc"},
		{"|a b c b", "fb", "a |b c b"}, {"|a b c b", "2fb", "a b c |b"}, {"|a b c b", "tb", "a| b c b"},
		{"a b c |b", "Fb", "a |b c b"}, {"a b c |b", "Tb", "a b| c b"}, {"|a b c b", "fb;", "a b c |b"},
		{"|a b c b", "2fb,", "a |b c b"}, {"|a b c b", "tb;", "a b c| b"}, {"|abc", "fz", "|abc"},
		{"|abc\nb", "2fb", "|abc\nb"}, {"|一二 三", "w", "一二 |三"}, {"|ae\u0301x", "l", "a|e\u0301x"},
		{"|👩‍👩‍👧x", "l", "👩‍👩‍👧|x"},
		{"|ab\nc", "j", "ab\n|c"}, {"a|b\ncd", "j", "ab\nc|d"}, {"ab\nc|d", "k", "a|b\ncd"},
		{"|一a\nxyz", "lj", "一a\nxy|z"}, // by columns
		// changes
		{"|abc", "x", "|bc"}, {"ab|c", "x", "a|b"}, {"|abcd", "3x", "|d"}, {"a|bc", "X", "|bc"}, {"|", "x", "|"},
		{"|e\u0301x", "x", "|x"}, {"|abc", "rz", "|zbc"}, {"|abc", "2rz", "z|zc"}, {"ab|c", "3rz", "ab|c"},
		{"|aBc", "~", "A|Bc"}, {"|aBc", "3~", "Ab|C"}, {"a|bc d", "D", "|a"}, {"|ab\ncd\nef", "2D", "|\nef"},
		{"|one two", "dw", "|two"}, {"one |two", "dw", "one| "}, {"|one\ntwo", "dw", "|\ntwo"},
		{"|one two three", "2dw", "|three"}, {"|one two three", "d2w", "|three"}, {"|one two", "de", "| two"},
		{"one tw|o", "db", "one |o"}, {"|one two", "d$", "|"}, {"one |two", "d0", "|two"}, {"|a(b)", "df(", "|b)"},
		{"|a(b)", "dt(", "|(b)"}, {"|a\nb\nc", "dd", "|b\nc"}, {"a\n|b\nc", "2dd", "|a"}, {"a\nb\n|c", "dd", "a\n|b"},
		{"|a", "dd", "|"}, {"a\n|b\nc\nd", "dj", "a\n|d"}, {"a\n|b\nc", "dk", "|c"}, {"a\n|b\nc", "dG", "|a"},
		{"a\nb\n|c", "dgg", "|"}, {"a\n|b", "dj", "a\n|b"}, {"|one two", "cwx␛", "|x two"}, {"|a b", "cwx␛", "|x b"},
		{"|one two", "c2wx␛", "|x"}, {"one |two", "ccx␛", "|x"}, {"a\n|b\nc", "ccx␛", "a\n|x\nc"},
		{"a|bc", "Cx␛", "a|x"}, {"|ab\ncd", "Sx␛", "|x\ncd"}, {"|abc", "2sx␛", "|xc"}, {"ab\n|cd", "J", "ab\n|cd"},
		{"|ab\n  cd", "J", "ab| cd"}, {"|a\nb\nc", "3J", "a b| c"},
		// insert
		{"a|b", "ix␛", "a|xb"}, {"a|b", "ax␛", "ab|x"}, {"a|b", "Ix␛", "|xab"}, {"|ab", "Ax␛", "ab|x"},
		{"a|b\nc", "ox␛", "ab\n|x\nc"}, {"a\nb|c", "Ox␛", "a\n|x\nbc"}, {"|", "ix␛", "|x"}, {"|ab", "i␛", "|ab"},
		// registers
		{"|one two", "dwP", "one| two"}, {"|ab", "xp", "b|a"}, {"|a\nb", "yyp", "a\n|a\nb"},
		{"a\n|b", "yyP", "a\n|b\nb"}, {"a\n|b", "yyp", "a\nb\n|b"}, {"|a\nb", "ddp", "b\n|a"},
		{"|one", "ywP", "on|eone"},
		{"|ab", "yl3p", "aaa|ab"}, {"|a\nb", "Yjp", "a\nb\n|a"}, {"|a", "p", "|a"}, {"|a\nb", "2yyGp", "a\nb\n|a\nb"},
		// text objects
		{"one t|wo three", "diw", "one | three"}, {"one t|wo three", "daw", "one |three"}, {"one tw|o", "daw", "on|e"},
		{"a(b |c)d", "di(", "a(|)d"}, {"a(b |c)d", "da(", "a|d"}, {"a(b (x) |c)d", "dib", "a(|)d"},
		{"a|(b)", "di(", "a(|)"}, {"a(b|)", "di)", "a(|)"}, {"a [|b] c", "da[", "a | c"}, {"f{\n|x\n}", "di{", "f{|}"},
		{`say "h|i" x`, `di"`, `say "|" x`}, {`|say "hi" x`, `di"`, `say "|" x`}, {`say "h|i" x`, `da"`, `say |x`},
		{`"a\"b|" c`, `ci"z␛`, `"|z" c`}, {"|abc", `di"`, "|abc"}, {"|abc", "di(", "|abc"}, {"<|a>", "ci<b␛", "<|b>"},
		{"one t|wo", "yiwP", "one tw|otwo"}, {"a-b |c-d", "diW", "a-b| "},
		// undo, redo, repeat
		{"|abc", "xxu", "|bc"}, {"|abc", "xx2u", "|abc"}, {"|abc", "xu®", "|bc"}, {"|abc", "ione two␛u", "|abc"},
		{"|one two", "cwx yz␛u", "|one two"}, {"|abcd", "x.", "|cd"}, {"|a b c", "dw.", "|c"},
		{"|one two", "cwx␛w.", "x |x"}, {"|ab", "Ax␛.", "abx|x"}, {"|a\nb", "ddu", "|a\nb"},
		{"|abc", "ixßy␛u", "|abc"}, {"|abc", "xßx", "|bc"},
		// other keys
		{"|abc", "»", "ab|c"}, {"|abc", "2»x", "a|b"},
		// what is begun and not ended
		{"|abc", "d␛x", "|bc"}, {"|abcdef", "3␛x", "|bcdef"}, {"|abc", "dz", "|abc"}, {"|abc", "f␛x", "|bc"},
		{"|abc", "q", "|abc"},
	}
	for _, test := range tests {
		e := vimEditor(test.text)
		for _, k := range vimKeys(test.keys) {
			e.HandleEvent(k, vimSpace)
		}
		if got := e.caretted(); got != test.want {
			t.Errorf("%q, %q: %q, want %q", test.text, test.keys, got, test.want)
		}
		if !e.InNormalMode() {
			t.Errorf("%q, %q: not in normal mode", test.text, test.keys)
		}
	}
}

func TestVimLeavesTheOtherKeysAlone(t *testing.T) {
	var sent []string
	e := &Editor{Vim: true, History: []string{"older"}, OnSubmit: func(s string) { sent = append(sent, s) }}
	press := func(text string) (last bool) {
		for _, k := range vimKeys(text) {
			last = e.HandleEvent(k, vimSpace)
		}
		return last
	}
	press("one␛")
	if !e.InNormalMode() || press("␛") {
		t.Error("the second Escape is not for others")
	}
	press("d")
	if !e.TakesKey(vimKeys("␛")[0]) || !press("␛") {
		t.Error("an Escape that ends a command is for others")
	}
	press("⏎")
	if len(sent) != 1 || sent[0] != "one" || e.InNormalMode() {
		t.Errorf("Enter sent %q", sent)
	}
	press("dw␛k")
	if e.Text() != "one" {
		t.Errorf("k on the first row shows %q", e.Text())
	}
	press("j")
	if e.Text() != "dw" {
		t.Errorf("j on the last row shows %q", e.Text())
	}
	press("/old⏎")
	if e.Text() != "older" || !e.InNormalMode() {
		t.Errorf("the search found %q", e.Text())
	}
	e = &Editor{}
	if press("dd␛"); e.Text() != "dd" || e.InNormalMode() || e.TakesKey(vimKeys("␛")[0]) {
		t.Errorf("without vim it is %q", e.Text())
	}
}

func TestVimTakesAPasteForOneCharacter(t *testing.T) {
	e := vimEditor("|a ")
	e.HandleEvent(vimKeys("A")[0], vimSpace)
	e.HandleEvent(Paste{Text: strings.Repeat("line\n", 20)}, vimSpace)
	for _, k := range vimKeys("␛xp") {
		e.HandleEvent(k, vimSpace)
	}
	if got := e.Text(); got != "a "+strings.Repeat("line\n", 20) || len(e.buf.units) != 3 {
		t.Errorf("%d units, %q", len(e.buf.units), got)
	}
}

// FuzzVim presses any keys: nothing panics, the caret stands between clusters, and undo leads back.
func FuzzVim(f *testing.F) {
	f.Add("one two\nthree", "dwxu®p3J.ciwx␛ggVG")
	f.Add("e\n\u0301 🇩🇪🇫🇷 👩‍👩‍👧 一二", "Jxxlr\u0301dd.pP~")
	f.Add("a(b[c]{d})\"e\"", "di(u2da[yi\"PP;,")
	f.Fuzz(func(t *testing.T, text, keys string) {
		if len(text) > 200 || len(keys) > 60 {
			return
		}
		e := &Editor{Vim: true}
		e.buf.units = splitUnits(text)
		e.vim.normal = true
		text = e.Text()
		for _, k := range vimKeys(keys) {
			if k.Code == terminal.KeyEnter {
				continue // it sends
			}
			e.HandleEvent(k, vimSpace)
			if e.buf.caret < 0 || e.buf.caret > len(e.buf.units) {
				t.Fatalf("the caret is at %d of %d", e.buf.caret, len(e.buf.units))
			}
			if e.search == nil && !slices.Equal(e.buf.units, splitUnits(joinText(e.buf.units))) {
				t.Fatalf("%q are no clusters", e.buf.units)
			}
			if e.InNormalMode() && e.buf.caret > 0 && e.buf.caret == e.buf.lineEnd(e.buf.caret) &&
				e.buf.caret > e.buf.lineStart(e.buf.caret) &&
				e.search == nil {
				t.Fatalf("in normal mode the caret is behind its line: %q", e.caretted())
			}
			e.View(vimSpace)
			if len(e.buf.units) > 1<<16 {
				return
			}
		}
		for _, k := range vimKeys("␛␛␛" + strings.Repeat("u", maxUndoSteps)) {
			e.HandleEvent(k, vimSpace)
		}
		if got := e.Text(); got != text && len(e.buf.undo) == 0 {
			t.Errorf("undo leads to %q, not %q", got, text)
		}
		if len(e.buf.undo) != 0 {
			t.Errorf("%d changes were not undone", len(e.buf.undo))
		}
	})
}
