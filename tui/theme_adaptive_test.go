package tui

import (
	"reflect"
	"strings"
	"testing"
)

func TestStyleIsOneForEachKindOfTerminal(t *testing.T) {
	a, err := ParseAdaptive("bold #ffaf00 on blue; light: #875f00; 16: bright-red; none: underline")
	if err != nil {
		t.Fatal(err)
	}
	short, err := ParseAdaptive("italic #5f87af on 3")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		colors int
		dark   bool
		want   Style
		short  Style
	}{
		{1 << 24, true, Style{Fg: RGB(0xff, 0xaf, 0), Bg: Indexed(4), Attr: Bold},
			Style{Fg: RGB(0x5f, 0x87, 0xaf), Bg: Indexed(3), Attr: Italic}},
		{1 << 24, false, Style{Fg: RGB(0x87, 0x5f, 0)}, Style{Fg: RGB(0x5f, 0x87, 0xaf), Bg: Indexed(3), Attr: Italic}},
		{256, true, Style{Fg: Indexed(214), Bg: Indexed(4), Attr: Bold},
			Style{Fg: Indexed(67), Bg: Indexed(3), Attr: Italic}},
		{16, true, Style{Fg: Indexed(9)}, Style{Bg: Indexed(3), Attr: Italic}},
		{0, false, Style{Attr: Underline}, Style{Attr: Italic}},
	} {
		th := NewTheme(Caps{Color: c.colors, Dark: c.dark})
		if got := a.For(th); got != c.want {
			t.Errorf("%d colours, dark %v: %+v, want %+v", c.colors, c.dark, got, c.want)
		}
		if got := short.For(th); got != c.short {
			t.Errorf("%d colours, dark %v: %+v, want %+v", c.colors, c.dark, got, c.short)
		}
	}
}

func TestNearestColourIsTheColourItselfWhereThePaletteHasIt(t *testing.T) {
	for n := 16; n < 256; n++ {
		r, g, b, _ := Indexed(uint8(n)).Fixed()
		got := nearestIndexed(RGB(r, g, b))
		if x, y, z, ok := got.Fixed(); x != r || y != g || z != b || !ok {
			t.Errorf("%d became %x", n, got)
		}
	}
}

func TestSheetSaysAllThatIsWrongWithIt(t *testing.T) {
	_, err := ParseSheet(map[string]string{"a": "bald", "b": "red; night: blue", "c": "#12345", "d": "256",
		"e": "red; blue", "f": "bold"})
	want := `"a": tui: "bald" is no colour and no attribute
"b": tui: a style for other terminals begins with dark:, light:, 16: or none:, not with "night: blue"
"c": tui: "#12345" is no colour and no attribute
"d": tui: "256" is no colour and no attribute
"e": tui: a style for other terminals begins with dark:, light:, 16: or none:, not with "blue"`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestSheetChangesItsOwnThemeOnly(t *testing.T) {
	s, err := ParseSheet(map[string]string{"accent": "red", "price": "bold green"})
	if err != nil {
		t.Fatal(err)
	}
	base := NewTheme(Caps{Color: 256, Dark: true})
	was := base.Accent
	th := s.On(base)
	more := Sheet{"price": {Plain: Style{Attr: Bold}}, "other": {}}.On(th)
	if th.Accent != (Style{Fg: Indexed(1)}) || th.Style("accent") != th.Accent ||
		base.Accent != was || base.Styles != nil {
		t.Errorf("%+v, the base has %+v", th.Accent, base.Accent)
	}
	if th.Style("price") != (Style{Fg: Indexed(2), Attr: Bold}) || th.Style("nothing") != (Style{}) ||
		len(th.Styles) != 1 {
		t.Errorf("%+v", th.Styles)
	}
	if len(more.Styles) != 2 || more.Style("price") != (Style{}) {
		t.Errorf("%+v", more.Styles)
	}
}

// A field that is added to Theme or Syntax has its name in a sheet, too.
func TestEveryStyleOfAThemeHasItsNameInASheet(t *testing.T) {
	th := NewTheme(Caps{})
	for _, part := range []any{th, &th.Syntax} {
		v := reflect.ValueOf(part).Elem()
		for i := range v.NumField() {
			name := strings.ToLower(v.Type().Field(i).Name)
			if style, ok := v.Field(i).Addr().Interface().(*Style); ok && th.styleField(name) != style {
				t.Errorf("%s is no name of a sheet", name)
			}
		}
	}
}
