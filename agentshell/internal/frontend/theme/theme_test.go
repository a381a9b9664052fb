package theme

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

var depths = []int{0, 16, 256, 1 << 24}

// wrong returns what is wrong with the contrasts and differences of a theme's styles.
func wrong(t *tui.Theme, least float64) (list []string) {
	s := schemeFor(t.Dark)
	bad := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	legible := func(name string, st tui.Style) {
		fg, bg := s.channelsOf(st.Fg, s.text), s.channelsOf(st.Bg, s.background)
		if st.Attr&tui.Faint != 0 {
			fg = midpoint(fg, bg)
		}
		if c := contrast(fg, bg); c < least {
			bad("%s has the contrast %.2f: %+v", name, c, st)
		}
		if st.Attr&(tui.Invisible|tui.Blink) != 0 {
			bad("%s: %+v", name, st)
		}
	}
	of := map[string]tui.Style{}
	for _, r := range roles {
		st := *r.style(t)
		of[r.name] = st
		if t.Colors == 0 && (st.Fg != 0 || st.Bg != 0) {
			bad("%s has a colour", r.name)
		}
		if t.Colors == 16 {
			for _, c := range []tui.Color{st.Fg, st.Bg} {
				if n, ok := c.Index(); !r.onChangedLine && c != 0 && (!ok || n > 15) {
					bad("%s has no colour of 16: %+v", r.name, st)
				}
			}
		}
		if _, _, _, direct := st.Fg.RGB(); direct && t.Colors < 1<<24 {
			bad("%s has a direct colour", r.name)
		}
		if !r.onChangedLine {
			legible(r.name, st)
		} else if t.AddedLine.Bg != 0 || t.RemovedLine.Bg != 0 {
			for _, g := range []tui.Style{t.AddedLine, t.RemovedLine} {
				at := tui.Style{Fg: st.Fg, Bg: g.Bg, Attr: st.Attr | g.Attr}
				if at.Fg == 0 {
					at.Fg = g.Fg
				}
				legible(r.name+" on a changed line", at)
			}
		}
	}
	block := func(st tui.Style) tui.Color {
		if st.Attr&tui.Inverse == 0 {
			return st.Bg
		}
		return st.Fg
	}
	if t.Ask.Attr&tui.Inverse == 0 && t.Ask.Bg == 0 {
		bad("the label of a decision is no block: %+v", t.Ask)
	}
	for name, st := range of {
		if name == askRole {
			continue
		}
		if st.Attr&tui.Inverse != 0 {
			bad("%s is inverse", name)
		}
		if t.Colors == 0 {
			continue
		}
		for _, c := range []tui.Color{st.Fg, st.Bg} {
			if c != 0 && distance(s.channelsOf(c, s.text), s.channelsOf(block(t.Ask), s.text)) < minDistance {
				bad("%s is like ask: %+v, %+v", name, st, t.Ask)
			}
		}
	}
	if t.Colors > 0 && distance(s.channelsOf(block(t.Ask), s.text), s.text) < minDistance {
		bad("ask is like text")
	}
	for _, name := range []string{"strong", "warning", "error"} {
		if st := of[name]; st.Attr == tui.Faint && st.Fg == 0 && st.Bg == 0 {
			bad("%s depends on dim alone", name)
		}
	}
	if (t.Strong.Attr^t.Dim.Attr)&^tui.Faint == 0 && t.Strong.Bg == t.Dim.Bg &&
		distance(s.channelsOf(t.Strong.Fg, s.text), s.channelsOf(t.Dim.Fg, s.text)) < minDistance {
		bad("strong is like dim")
	}
	return list
}

func everyCaps(f func(tui.Caps)) {
	for _, depth := range depths {
		for _, dark := range []bool{true, false} {
			f(tui.Caps{Color: depth, Dark: dark, Unicode: true})
		}
	}
}

func TestWhatIsBuiltInKeepsTheGuards(t *testing.T) {
	for _, name := range (Shelf{}).Names() {
		th, err := Shelf{}.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*definition{th.dark, th.light} {
			if s != nil && len(s.refused) > 0 {
				t.Errorf("%s: %q", name, s.refused)
			}
		}
		everyCaps(func(c tui.Caps) {
			for _, w := range wrong(th.Look(c), MinContrast) {
				t.Errorf("%s, %+v: %s", name, c, w)
			}
		})
	}
	for _, m := range builtinFiles {
		dark, light := builtin(m.name).dark, builtin(m.name).light
		if !dark.dark || light.dark || len(dark.styles) != len(light.styles) {
			t.Errorf("%s: its two files are not for the two grounds, or have other roles", m.name)
		}
	}
}

func TestHighContrastIsHigh(t *testing.T) {
	everyCaps(func(c tui.Caps) {
		if c.Color < 256 { // there the palette decides
			return
		}
		for _, w := range wrong(builtin("high-contrast").Look(c), 7) { // WCAG 2.2, 1.4.6
			if !strings.Contains(w, "ask has") { // the label's text is as bold as it is large
				t.Errorf("%+v: %s", c, w)
			}
		}
	})
}

// Eyes without one kind of cones see what is added and what is removed apart (the projections of
// Viénot, Brettel and Mollon, 1999, for deutan and protan).
func TestBlueAndOrangeAreSeenApart(t *testing.T) {
	blind := func(c channels, protan bool) channels {
		r, g, b := linear(c[0]), linear(c[1]), linear(c[2])
		x, y, z := 0.29275*r+0.70725*g, 0.29275*r+0.70725*g, -0.02234*r+0.02234*g+b
		if protan {
			x, y, z = 0.11238*r+0.88762*g, 0.11238*r+0.88762*g, 0.00401*r-0.00401*g+b
		}
		out := channels{}
		for i, v := range []float64{x, y, z} {
			for n := range 256 {
				if linear(uint8(n)) <= v {
					out[i] = uint8(n)
				}
			}
		}
		return out
	}
	apart := func(name string, c tui.Caps, protan bool) float64 {
		th := builtin(name).Look(c)
		s := schemeFor(th.Dark)
		return distance(blind(s.channelsOf(th.Added.Fg, s.text), protan),
			blind(s.channelsOf(th.Removed.Fg, s.text), protan))
	}
	everyCaps(func(c tui.Caps) {
		if c.Color == 0 {
			return
		}
		for _, protan := range []bool{true, false} {
			if d := apart("blue-orange", c, protan); d < 0.15 {
				t.Errorf("%+v, protan %v: %.2f apart; red and green are %.2f", c, protan, d, apart(Auto, c, protan))
			}
		}
	})
}

func TestAThemeOfTheConfigBeatsWhatTheTerminalSays(t *testing.T) {
	everyCaps(func(c tui.Caps) {
		for name, change := range map[string]func(*tui.Caps){
			"": func(*tui.Caps) {}, "auto": func(*tui.Caps) {},
			"dark": func(c *tui.Caps) { c.Dark = true }, "light": func(c *tui.Caps) { c.Dark = false },
			"none": func(c *tui.Caps) { c.Color = 0 },
		} {
			want := c
			change(&want)
			th, err := Shelf{}.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := th.Look(c); !reflect.DeepEqual(got, tui.NewTheme(want)) {
				t.Errorf("theme %q, %+v: %+v", name, c, got)
			}
		}
	})
}

func TestAFileNamesRolesAndKeepsTheRest(t *testing.T) {
	s, err := parse([]byte(`base = "dark"
accent = "bright-cyan"
added = 76
heading = { fg = "#ffd787", bold = false, italic = true }
dim = { fg = "#9e9e9e" }

[added_line]
bg = "#003000"
`))
	if err != nil || len(s.refused) > 0 {
		t.Fatal(err, s.refused)
	}
	c := tui.Caps{Color: 1 << 24, Dark: false, Unicode: true}
	got := s.styleFor(c).result
	c.Dark = true
	want := *tui.NewTheme(c)
	want.Accent.Fg, want.Added.Fg = tui.Indexed(14), tui.Indexed(76)
	want.Heading = tui.Style{Fg: tui.RGB(0xff, 0xd7, 0x87), Attr: tui.Italic}
	want.Dim.Fg, want.AddedLine.Bg = tui.RGB(0x9e, 0x9e, 0x9e), tui.RGB(0, 0x30, 0)
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
	c.Color = 256
	if got := s.styleFor(c).result; got.Heading.Fg != tui.Indexed(222) || got.AddedLine.Bg == 0 {
		t.Errorf("256 colours: %+v, %+v", got.Heading, got.AddedLine)
	}
	c.Color = 16
	if got := s.styleFor(c).result; got.AddedLine.Bg != 0 || got.AddedLine != got.Added ||
		got.Heading.Attr != tui.Italic {
		t.Errorf("16 colours: %+v, %+v", got.Heading, got.AddedLine)
	}
	c.Color = 0
	if got := s.styleFor(c).result; got.Heading != (tui.Style{Attr: tui.Italic}) || got.Accent != (tui.Style{}) {
		t.Errorf("no colours: %+v, %+v", got.Heading, got.Accent)
	}
}

func TestAnErrorNamesTheLineAndWhatToDo(t *testing.T) {
	for _, good := range []string{"base = \"light\"\n", "base = \"dark\"\naccent = 117\n",
		"base = \"dark\"\n\naccent = \"#87d7ff\"\n", "base = \"dark\"\n[accent]\nfg = 117\n\nbold = true\n"} {
		if s, err := parse([]byte(good)); s == nil || err != nil || len(s.refused) > 0 {
			t.Errorf("%q is a theme: %+v, %v", good, s, err)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"accent = 3\n", `1: the theme has no base: write base = "dark" or base = "light" at the top`},
		{"\nbase = \"auto\"\n", `2: base must be "dark" or "light"`},
		{"base = 1\n", `1: base must be`},
		{"base = \"dark\"\nacent = 3\n", `2: there is no role "acent"; did you mean "accent"?`},
		{"base = \"dark\"\nbackground = 3\n", `2: there is no role "background"; roles are dim, strong, accent, ask,`},
		{"base = \"dark\"\n\naccent = \"blu\"\n", `3: accent: "blu" is no colour: write "#rrggbb", a number ` +
			"from 0 to 255, a name"},
		{"base = \"dark\"\naccent = 256\n", `2: accent: a colour is "#rrggbb"`},
		{"base = \"dark\"\naccent = -1\n", `2: accent: a colour is`},
		{"base = \"dark\"\naccent = \"#12345\"\n", `2: accent: "#12345" is no colour`},
		{"base = \"dark\"\naccent = \"red; bold\"\n", `2: accent: "red; bold" is no colour`},
		{"base = \"dark\"\naccent = \"#+12345\"\n", `2: accent: "#+12345" is no colour`},
		{"base = \"dark\"\naccent = [1]\n", `2: accent: a colour is`},
		{"base = \"dark\"\n[accent]\nfg = 3\n\nbg = \"x\"\n", `5: accent.bg: "x" is no colour`},
		{"base = \"dark\"\naccent = { fg = 3,\n blink = true }\n",
			`3: accent has no "blink"; it may have fg, bg, bold, italic, underline or dim`},
		{"base = \"dark\"\n[accent]\nbold = 1\n", `3: accent.bold must be true or false`},
		{"base = \"dark\"\na b\n", "2: "},
		{"base = \"dark\"\nbase = \"light\"\n", "2: "},
		{"base = \"dark\"\n\"\\u001b[2J\" = 1\n", `2: there is no role "\x1b[2J"`},
	} {
		s, err := parse([]byte(test.text))
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

func TestWhatBreaksAGuardIsRefusedByName(t *testing.T) {
	for _, test := range []struct {
		text    string
		refused []string // beginnings
	}{
		{"base = \"dark\"\naccent = \"#222222\"\n",
			[]string{"2: accent is not used, the base's look is: its contrast to the ground is 1.0, and it takes 3.0 " +
				"to be read; choose a lighter colour"}},
		{"base = \"light\"\naccent = \"#eeeeee\"\n", []string{"2: accent is not used"}},
		{"base = \"dark\"\nadded_line = { fg = 22 }\n", []string{"2: added_line is not used, the base's look is: " +
			"its contrast to its own background is 1.0"}},
		{"base = \"dark\"\naccent = \"#ee70ee\"\n", []string{"2: accent is not used, the base's look is: " +
			"its colour is too near to that of ask"}},
		{"base = \"dark\"\nask = \"bright-blue\"\n", []string{"2: ask is not used, " +
			"the base's look is: its colour is too near to that of accent"}},
		{"base = \"dark\"\nask = \"default\"\n", []string{"2: ask is not used, " +
			"the base's look is: its colour is too near to that of ordinary text"}},
		{"base = \"dark\"\nask = { fg = \"#000000\", bg = \"#1e1e2e\" }\n", []string{"2: ask is not used"}},
		{"base = \"dark\"\nask = { fg = \"#ff00ee\", bg = \"#ff00ff\" }\n", []string{"2: ask is not used, " +
			"the base's look is: its contrast to its own background"}},
		{"base = \"dark\"\nask = \"#ff9933\"\naccent = \"#ff9a35\"\n", []string{"2: ask is not used"}},
		{"base = \"dark\"\nwarning = { fg = \"default\", dim = true }\n", []string{"2: warning is not used, " +
			"the base's look is: only dim tells it"}},
		{"base = \"dark\"\ndim = { fg = \"#707070\", dim = true }\n", []string{"2: dim is not used"}},
		{"base = \"dark\"\nstrong = { fg = 245, bold = false }\n", []string{"2: strong is not used, " +
			"the base's look is: strong and dim look the same"}},
		{"base = \"dark\"\ndim = { fg = \"default\", bold = true }\n", []string{"2: dim is not used, " +
			"the base's look is: strong and dim look the same"}},
		{"base = \"dark\"\nline_keyword = 22\n", []string{"2: line_keyword is not used"}},
		{"base = \"dark\"\naccent = 16\nadded = 17\nask = 18\n", []string{"2: accent", "3: added", "4: ask"}},
		{"base = \"dark\"\nask = { fg = \"#000000\", bg = \"#ff00ff\" }\n", nil},
		{"base = \"dark\"\nkeyword = \"bright-red\"\n", nil},
		{"base = \"light\"\nadded_line = { fg = \"#ffffff\", bg = \"#003000\" }\n", nil},
	} {
		s, err := parse([]byte(test.text))
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		slices.Sort(s.refused)
		ok := len(s.refused) == len(test.refused)
		for i := range min(len(s.refused), len(test.refused)) {
			ok = ok && strings.HasPrefix(s.refused[i], test.refused[i])
		}
		if !ok {
			t.Errorf("%q: refused\n%s\nwant\n%s", test.text, strings.Join(s.refused, "\n"),
				strings.Join(test.refused, "\n"))
		}
		for _, depth := range depths {
			for _, w := range wrong(s.styleFor(tui.Caps{Color: depth, Unicode: true}).result, MinContrast) {
				t.Errorf("%q, %d colours: %s", test.text, depth, w)
			}
		}
	}
}

func TestAThemeIsAFileOfTheFolderAndNothingElse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "themes")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write("dusk.toml", "base = \"dark\"\naccent = \"#87d7ff\"\nadded = \"#111111\"\n")
	write("dark.toml", "base = \"light\"\n") // the name is taken
	write("broken.toml", "base = \"dark\"\n\nacent = 1\n")
	write("large.toml", strings.Repeat("# \n", maxFile))
	write("with blank.toml", "base = \"dark\"\n")
	write("../outside.toml", "base = \"dark\"\n")
	if err := os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := Shelf{Dir: dir}
	want := "auto dark light none high-contrast blue-orange broken dusk folder large"
	if got := strings.Join(s.Names(), " "); got != want {
		t.Errorf("names are %s", got)
	}
	th, err := s.Load("dusk")
	if err != nil || !th.IsPersons || th.Base() != "dark" || th.About != "yours, for a dark ground" {
		t.Fatalf("%+v, %v", th, err)
	}
	line := filepath.Join(dir, "dusk.toml") + ":3: added is not used"
	if len(th.Refused) != 1 || !strings.HasPrefix(th.Refused[0], line) {
		t.Errorf("refused: %q", th.Refused)
	}
	if th, _ := s.Load("dark"); th == nil || th.IsPersons {
		t.Errorf("dark is %+v", th)
	}
	for name, want := range map[string]string{
		"broken": filepath.Join(dir, "broken.toml") + `:3: there is no role "acent"; did you mean "accent"?`,
		"large":  "larger than 64 KiB", "folder": "it is a directory",
		"dusc": `there is no theme "dusc"; did you mean "dusk"?; there are auto, dark, light, none, high-contrast, ` +
			"blue-orange, broken, dusk, folder, large, and a file NAME.toml in " + dir,
		"../outside": "there is no theme", "with blank": "there is no theme", "x/../dusk": "there is no theme",
	} {
		if th, err := s.Load(name); th != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	all, problems := s.All()
	if len(all) != 7 || len(problems) != 3 {
		t.Errorf("%d themes, problems %q", len(all), problems)
	}
	if _, err := (Shelf{}).Load("dusk"); err == nil {
		t.Error("without a folder there is a theme of it")
	}
}

// FuzzAThemeFileNeverMakesTextInvisible: whatever a file says, no reader of it panics, and what it
// makes keeps the guards on every terminal.
func FuzzAThemeFileNeverMakesTextInvisible(f *testing.F) {
	for _, text := range []string{
		"base = \"dark\"\naccent = \"#222222\"\nask = 3\n[added_line]\nbg = 3\nfg = \"#303030\"\ndim = true\n",
		"base = \"light\"\nask = { fg = 0, bg = 9 }\ndim = { bold = true }\n" +
			"strong = { fg = 7, dim = true, bold = false }\n",
		"base = \"dark\"\nline_keyword = 22\nremoved_line = { bg = \"#ff00ff\" }\nadded = \"bright-magenta\"\n",
		"base = 'dark'\nask = '#00ff00'\nadded = '#00ff10'\nadded_line = 16\n" +
			"error = {fg = 'default', bg = 'default', dim = true}\n",
	} {
		f.Add(text)
	}
	for _, m := range builtinFiles {
		text, _ := themeFiles.ReadFile("builtin/" + m.name + ".dark.toml")
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse([]byte(text))
		if err != nil {
			if line, _, _ := strings.Cut(err.Error(), ":"); strings.Trim(line, "0123456789") != "" || line == "" {
				t.Errorf("an error without a line: %v", err)
			}
			return
		}
		everyCaps(func(c tui.Caps) {
			for _, w := range wrong(s.styleFor(c).result, MinContrast) {
				t.Errorf("%d colours: %s", c.Color, w)
			}
		})
	})
}

// The judge of the tests above finds what they look for.
func TestTheJudgeSeesWhatIsWrong(t *testing.T) {
	for name, spoil := range map[string]func(*tui.Theme){
		"dim has the contrast":              func(t *tui.Theme) { t.Dim.Fg = tui.Indexed(234) },
		"added_line has the contrast":       func(t *tui.Theme) { t.AddedLine.Fg = t.AddedLine.Bg },
		"line_string on a changed line has": func(t *tui.Theme) { t.LineSyntax.String.Fg = t.RemovedLine.Bg },
		"accent is like ask":                func(t *tui.Theme) { t.Accent = t.Ask },
		"accent is inverse":                 func(t *tui.Theme) { t.Accent.Attr = tui.Inverse },
		"removed_line is like ask":          func(t *tui.Theme) { t.RemovedLine.Bg = t.Ask.Fg },
		"ask is like text":                  func(t *tui.Theme) { t.Ask.Fg = tui.Indexed(188) },
		"the label of a decision is no":     func(t *tui.Theme) { t.Ask.Attr = tui.Bold },
		"warning depends on dim":            func(t *tui.Theme) { t.Warning = tui.Style{Attr: tui.Faint} },
		"strong is like dim":                func(t *tui.Theme) { t.Strong = t.Dim },
		"code: ":                            func(t *tui.Theme) { t.Code.Attr = tui.Invisible },
		"number has a direct colour":        func(t *tui.Theme) { t.Syntax.Number.Fg = tui.RGB(200, 200, 0) },
	} {
		look := *tui.NewTheme(tui.Caps{Color: 256, Dark: true})
		if w := wrong(&look, MinContrast); len(w) > 0 {
			t.Fatal(w)
		}
		spoil(&look)
		if w := strings.Join(wrong(&look, MinContrast), "\n"); !strings.Contains(w, name) {
			t.Errorf("%q is not found: %q", name, w)
		}
	}
}

// Random files of roles and colours, which the fuzzer finds slowly.
func TestNoFileOfRolesMakesTextInvisible(t *testing.T) {
	rng := rand.New(rand.NewPCG(1985, 7))
	names := strings.Fields(`default black red green yellow blue magenta cyan white bright-black bright-red
		bright-green bright-yellow bright-blue bright-magenta bright-cyan bright-white`)
	some := func() string {
		switch rng.IntN(4) {
		case 0:
			return strconv.Quote(names[rng.IntN(len(names))])
		case 1:
			return strconv.Itoa(rng.IntN(256))
		}
		return fmt.Sprintf(`"#%06x"`, rng.IntN(1<<24))
	}
	used, refused := 0, 0
	for range 600 {
		text := "base = " + strconv.Quote([]string{"dark", "light"}[rng.IntN(2)]) + "\n"
		for _, r := range roles {
			switch rng.IntN(4) {
			case 0:
				text += r.name + " = " + some() + "\n"
			case 1:
				text += fmt.Sprintf("%s = { fg = %s, bg = %s, bold = %v, dim = %v }\n", r.name, some(), some(),
					rng.IntN(2) == 0, rng.IntN(4) == 0)
			}
		}
		s, err := parse([]byte(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		used, refused = used+len(s.styles), refused+len(s.refused)
		everyCaps(func(c tui.Caps) {
			for _, w := range wrong(s.styleFor(c).result, MinContrast) {
				t.Errorf("%d colours: %s\n%s", c.Color, w, text)
			}
		})
		if t.Failed() {
			return
		}
	}
	if used < 500 || refused < 500 {
		t.Errorf("%d roles were used, %d refused", used, refused)
	}
}

// A theme is made anew with each key in the list of /theme.
func BenchmarkLook(b *testing.B) {
	th := builtin("blue-orange")
	for b.Loop() {
		th.Look(tui.Caps{Color: 256, Dark: true, Unicode: true})
	}
}

func TestTheExampleInTheDocumentationIsATheme(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/themes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```toml\n")
	text, _, _ = strings.Cut(text, "```")
	s, err := parse([]byte(text))
	if err != nil || len(s.refused) > 0 {
		t.Fatalf("%v, %+v", err, s)
	}
	for _, r := range roles {
		if _, told := s.styles[r.name]; !told {
			t.Errorf("the example says nothing of %s", r.name)
		}
	}
	for _, name := range (Shelf{}).Names() {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the page does not name %s", name)
		}
	}
	if !strings.Contains(string(page), fmt.Sprintf("at least %g to 1", MinContrast)) {
		t.Error("the page has another contrast")
	}
}
