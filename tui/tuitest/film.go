package tuitest

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Film is a session as one moving picture, which starts again at its end. The zero value is an
// empty one, on a dark background.
type Film struct {
	Look Look

	cols, rows     int            // of the largest frame
	pictureNumbers map[string]int // the numbers of pictures
	pictures       []string       // rows, as painter.row makes them
	frames         []frame
	end            time.Duration

	screen    *Screen // nil: none is filmed
	startedAt time.Time
	clock     time.Duration // the time that Pass has let pass: the place in the script
	lastLook  time.Duration // when the screen was looked at last
}

// frame is a screen from a time on. Its rows are numbers of pictures, 0 for a blank row.
type frame struct {
	at       time.Duration
	pictures []int
	scrolled int  // rows that have left the grid before; those of the alternate screen do not count
	alt      bool // it is the alternate screen
}

// equals reports whether only the time differs.
func (f frame) equals(o frame) bool {
	return slices.Equal(f.pictures, o.pictures) && f.scrolled == o.scrolled && f.alt == o.alt
}

// tick is the precision of times: what is shown for less is not in the film.
const tick = 100 * time.Millisecond

// Frame adds the screen of t, from the time at on, which counts from the film's beginning and is
// not before the last frame's. The film ends with its last frame, so that it has to be added twice
// to be seen.
func (f *Film) Frame(t *vt.Terminal, at time.Duration) {
	at = max(at, f.end).Truncate(tick)
	f.end = at
	cols, rows := t.Size()
	f.cols, f.rows = max(f.cols, cols), max(f.rows, rows)
	p := painter{light: f.Look.Light}
	next := frame{at: at, alt: t.AltScreen()}
	for y := range rows {
		next.pictures = append(next.pictures, f.picture(p.row(t, y)))
	}
	n := len(f.frames)
	switch {
	case !next.alt:
		next.scrolled = t.Scrolled()
	case n > 0:
		next.scrolled = f.frames[n-1].scrolled
	}
	if n > 0 && !f.frames[n-1].equals(next) && f.frames[n-1].at == at { // too short to be seen
		n--
		f.frames = f.frames[:n]
	}
	if n == 0 || !f.frames[n-1].equals(next) {
		f.frames = append(f.frames, next)
	}
}

// picture returns the number of a row.
func (f *Film) picture(drawing string) int {
	if drawing == "" {
		return 0
	}
	n, ok := f.pictureNumbers[drawing]
	if !ok {
		if f.pictureNumbers == nil {
			f.pictureNumbers = map[string]int{}
		}
		f.pictures = append(f.pictures, drawing)
		n = len(f.pictures)
		f.pictureNumbers[drawing] = n
	}
	return n
}

// Film films s from now on, until the SVG is made: the screen at each tenth of a second, once
// everything is painted. From then on [Screen.Pass] counts from the film's beginning, so that it
// does not matter how long the program has taken for a key. Only one film is made at a time.
//
// In a bubble the film is the same at each run, if keys come at tenths of a second and what the
// program does by itself comes at tenths or halves of them. If steps are shorter than a frame, it
// depends on chance which of them a frame shows.
func (s *Screen) Film(name string) *Film {
	s.tb.Helper()
	s.Settle()
	s.tty.mu.Lock()
	defer s.tty.mu.Unlock()
	f := &Film{Look: Look{Light: s.light, Name: name}, screen: s, startedAt: time.Now()}
	f.Frame(s.tty.vt, 0)
	s.film = f
	return f
}

// The screen is looked at so long after the beginning of a tick that changes at its beginning are
// painted, even if they came in two frames. Work that is under way then has settleLimit, but not
// until the next tick. (Only the caret takes longer, which rests hidden for a while after a
// stream.)
const (
	lookDelay   = 80 * time.Millisecond
	settleLimit = 15 * time.Millisecond
)

// passUntil lets time pass until a time of the film, and looks at the screen at each tick.
func (f *Film) passUntil(until time.Duration) {
	now := func() time.Duration { return time.Since(f.startedAt) }
	for {
		next := max(f.lastLook+tick, now().Truncate(tick))
		if next+lookDelay > until {
			break
		}
		f.screen.sleep(next + lookDelay - now())
		for n := 0; n < int(settleLimit/time.Millisecond) && !f.screen.app.Settled(); n++ {
			f.screen.sleep(time.Millisecond)
		}
		f.takeFrame(next)
	}
	f.screen.sleep(until - now())
}

// takeFrame adds the current screen.
func (f *Film) takeFrame(at time.Duration) {
	f.screen.tty.mu.Lock()
	defer f.screen.tty.mu.Unlock()
	f.lastLook = at
	f.Frame(f.screen.tty.vt, at)
}

// SVG returns the film as an SVG file that moves by itself, without a script. If the reader's
// system asks for no motion, or the program that shows it cannot do it, it is the last frame.
func (f *Film) SVG() []byte {
	if f.screen != nil {
		f.screen.Settle()
		f.takeFrame(max(f.clock, f.lastLook+tick))
		f.screen.film, f.screen = nil, nil
	}
	tape, alt := f.layers()
	m := motion{film: f, names: map[string]string{}}
	var body strings.Builder
	class, at := m.scroll()
	fmt.Fprintf(&body, "<g%s%s>\n", class, at)
	m.writeUses(&body, tape.allParts(f.end))
	body.WriteString("</g>\n")
	m.writeUses(&body, alt.allParts(f.end))

	var b bytes.Buffer
	f.Look.begin(&b, f.cols, f.rows)
	if m.rules.Len() > 0 {
		fmt.Fprintf(&b, "<style>@media (prefers-reduced-motion:no-preference){\n"+
			".k{visibility:hidden}\n.k,.s{animation:%dms step-end infinite}\n%s}</style>\n", f.end.Milliseconds(),
			m.rules.String())
	}
	b.WriteString("<defs>\n")
	for i, drawing := range f.pictures {
		if f.used(i + 1) {
			fmt.Fprintf(&b, "<g id=\"r%d\">\n%s</g>\n", i+1, drawing)
		}
	}
	// What has scrolled out of the grid is cut off by the inner picture.
	fmt.Fprintf(&b, "</defs>\n<svg width=\"%d\" height=\"%d\">\n%s</svg>\n", f.cols*cellWidth, f.rows*cellHeight,
		body.String())
	f.Look.end(&b)
	return b.Bytes()
}

// used reports whether picture n is in any frame. A picture that was replaced within a tick is in
// none.
func (f *Film) used(n int) bool {
	return slices.ContainsFunc(f.frames, func(fr frame) bool { return slices.Contains(fr.pictures, n) })
}

// part is a picture in a row, and the times at which it is shown.
type part struct {
	row, picture int
	spans        []span
}

// span is a time.
type span struct{ from, to time.Duration }

// layers returns what is shown and when. The layers of the tape are the rows of the normal screen,
// counted from the first one of the film: a row that scrolls stays in its place, and rows out of
// sight may show anything. The others are the rows of the picture.
func (f *Film) layers() (tape, alt layer) {
	first := f.minScrolled()
	for _, fr := range f.frames {
		for y := range f.rows {
			n, altRows := 0, 0
			if y < len(fr.pictures) {
				n = fr.pictures[y]
			}
			if fr.alt {
				n, altRows = 0, n
			}
			tape.showAt(fr.scrolled-first+y, n, fr.at)
			alt.showAt(y, altRows, fr.at)
		}
	}
	return tape, alt
}

// minScrolled returns the lowest number of rows that had scrolled away in any frame.
func (f *Film) minScrolled() int {
	first := math.MaxInt
	for _, fr := range f.frames {
		first = min(first, fr.scrolled)
	}
	return first
}

// layer is rows and what they have shown so far.
type layer struct {
	rows  []int // the picture that each shows, 0 for none
	shown map[[2]int][]span
}

// showAt notes that a row shows a picture from a time on, until it shows another.
func (l *layer) showAt(row, picture int, from time.Duration) {
	for len(l.rows) <= row {
		l.rows = append(l.rows, 0)
	}
	was := l.rows[row]
	if was != 0 && was != picture {
		spans := l.shown[[2]int{row, was}]
		spans[len(spans)-1].to = from
	}
	l.rows[row] = picture
	if picture == 0 || picture == was {
		return
	}
	if l.shown == nil {
		l.shown = map[[2]int][]span{}
	}
	key := [2]int{row, picture}
	l.shown[key] = append(l.shown[key], span{from, from})
}

// allParts returns everything that was shown, by rows and then by pictures.
func (l *layer) allParts(end time.Duration) (all []part) {
	for row, picture := range l.rows {
		if picture != 0 {
			spans := l.shown[[2]int{row, picture}]
			spans[len(spans)-1].to = end
		}
	}
	for key, spans := range l.shown {
		all = append(all, part{key[0], key[1], spans})
	}
	slices.SortFunc(all, func(a, b part) int { return cmp.Or(a.row-b.row, a.picture-b.picture) })
	return all
}

// motion holds the rules of a film by which things move. Things with the same motion share one.
type motion struct {
	film  *Film
	names map[string]string // of rules, by their key frames
	rules strings.Builder
}

// rule returns the class of things that move by key frames.
func (m *motion) rule(keys string) string {
	name, ok := m.names[keys]
	if !ok {
		name = fmt.Sprint("k", len(m.names))
		m.names[keys] = name
		fmt.Fprintf(&m.rules, "@keyframes %s{%s}\n.%s{animation-name:%s}\n", name, keys, name, name)
	}
	return name
}

// scroll returns the attributes of the tape, and where it is at the end.
func (m *motion) scroll() (class, at string) {
	var keys strings.Builder
	first, last := m.film.minScrolled(), -1
	for _, fr := range m.film.frames {
		if n := fr.scrolled - first; n != last {
			last = n
			fmt.Fprintf(&keys, "%s{transform:translateY(%dpx)}", m.film.percent(fr.at), -n*cellHeight)
		}
	}
	if strings.Count(keys.String(), "%") > 1 {
		class = fmt.Sprintf(` class="s %s"`, m.rule(keys.String()))
	}
	if last > 0 {
		at = fmt.Sprintf(` transform="translate(0 %d)"`, -last*cellHeight)
	}
	return class, at
}

// writeUses writes what is shown.
func (m *motion) writeUses(b *strings.Builder, all []part) {
	for _, s := range all {
		place, class := "", ""
		if s.row > 0 {
			place = fmt.Sprintf(` y="%d"`, s.row*cellHeight)
		}
		if keys, last := m.keys(s.spans); keys != "" {
			if class = fmt.Sprintf(` class="k %s"`, m.rule(keys)); !last {
				class += ` visibility="hidden"`
			}
		}
		fmt.Fprintf(b, `<use href="#r%d"%s%s/>`+"\n", s.picture, place, class)
	}
}

// keys returns the key frames of something that is shown at these times and hidden otherwise, empty
// for all the time. last reports whether it is shown at the end.
func (m *motion) keys(spans []span) (keys string, last bool) {
	end := m.film.end
	last = spans[len(spans)-1].to == end
	if len(spans) == 1 && spans[0].from == 0 && last {
		return "", true
	}
	var b strings.Builder
	for _, s := range spans {
		fmt.Fprintf(&b, "%s{visibility:visible}", m.film.percent(s.from))
		if s.to < end {
			fmt.Fprintf(&b, "%s{visibility:hidden}", m.film.percent(s.to))
		}
	}
	return b.String(), last
}

// percent returns the part of the film at which a time is.
func (f *Film) percent(at time.Duration) string {
	n := at.Milliseconds() * 100_000 / max(1, f.end.Milliseconds())
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%03d", n/1000, n%1000), "0"), ".") + "%"
}
