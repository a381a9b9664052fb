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

// Film records a terminal session as one animated picture that repeats endlessly. The zero value is
// an empty film on a dark background.
type Film struct {
	Look Look

	cols, rows     int            // size of the largest frame
	pictureNumbers map[string]int // maps the drawing of a row to its number
	pictures       []string       // drawings of rows, as painter.row makes them; number 1 is the first
	frames         []frame
	end            time.Duration // time of the last frame

	screen      *Screen // the screen that is being recorded; nil: none
	startedAt   time.Time
	scriptTime  time.Duration // total time of all calls of Pass, which is the current position in the script
	lastFrameAt time.Duration // time of the last frame that was taken
}

// frame is what the screen shows from the time at on. pictures holds the number of the drawing of
// each row, 0 for a blank row.
type frame struct {
	at       time.Duration
	pictures []int
	scrolled int  // number of rows that had scrolled off the normal screen
	alt      bool // it shows the alternate screen
}

// equals reports whether f and o differ at most in their times.
func (f frame) equals(o frame) bool {
	return slices.Equal(f.pictures, o.pictures) && f.scrolled == o.scrolled && f.alt == o.alt
}

// filmTick is the precision of times. What is shown for a shorter time is not in the film.
const filmTick = 100 * time.Millisecond

// Frame adds the screen of t at the time at, counted from the start of the film. Times must not
// decrease. The film ends at the time of its last frame, so add that one twice to show it for some
// time.
func (f *Film) Frame(t *vt.Terminal, at time.Duration) {
	at = max(at, f.end).Truncate(filmTick)
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

// picture returns the number of the drawing of a row. It stores new drawings.
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

// Film starts to record s as a film, until the SVG is made. It takes a frame each tenth of a
// second, when everything is painted. From now on [Screen.Pass] counts from the start of the film,
// so that the time that the program takes for a key does not matter. Only one film of a screen can
// be recorded at a time.
//
// In a synctest bubble the film is the same at each run, if keys are sent at tenths of a second and
// the program acts on its own at tenths or halves of them. If its steps are shorter than a frame,
// it is random which of them a frame shows.
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

// Times of taking a frame. It is taken lookDelay after the start of a tick, so that changes at that
// start are painted even if they take two frames of the App. Unfinished work then gets up to
// settleLimit, which ends before the next tick. Only the caret can take longer, because it stays
// hidden for a while after streaming.
const (
	lookDelay   = 80 * time.Millisecond
	settleLimit = 15 * time.Millisecond
)

// passUntil waits until the given time of the film, and takes a frame at each tick.
func (f *Film) passUntil(until time.Duration) {
	now := func() time.Duration { return time.Since(f.startedAt) }
	for {
		next := max(f.lastFrameAt+filmTick, now().Truncate(filmTick))
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

// takeFrame adds the current screen as a frame.
func (f *Film) takeFrame(at time.Duration) {
	f.screen.tty.mu.Lock()
	defer f.screen.tty.mu.Unlock()
	f.lastFrameAt = at
	f.Frame(f.screen.tty.vt, at)
}

// SVG returns the film as an SVG file that is animated without a script. It shows only the last
// frame if the viewer's system asks for reduced motion, or if the viewer cannot animate.
func (f *Film) SVG() []byte {
	if f.screen != nil {
		f.screen.Settle()
		f.takeFrame(max(f.scriptTime, f.lastFrameAt+filmTick))
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

// used reports whether any frame contains the drawing with number n. One that was replaced within a
// tick is in no frame.
func (f *Film) used(n int) bool {
	return slices.ContainsFunc(f.frames, func(fr frame) bool { return slices.Contains(fr.pictures, n) })
}

// part is a drawing in a row, and the times at which it is shown.
type part struct {
	row, picture int
	spans        []span
}

// span is a range of time.
type span struct{ from, to time.Duration }

// layers returns what the rows show at which times. The rows of tape are those of the normal
// screen, counted from the first one of the film: a row keeps its number when it scrolls, and may
// show anything while it is out of sight. The rows of alt are those of the alternate screen.
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

// minScrolled returns the smallest number of scrolled rows of all frames.
func (f *Film) minScrolled() int {
	first := math.MaxInt
	for _, fr := range f.frames {
		first = min(first, fr.scrolled)
	}
	return first
}

// layer records which drawings its rows show at which times.
type layer struct {
	rows  []int             // number of the drawing that each row shows now; 0: none
	shown map[[2]int][]span // times by row and drawing
}

// showAt records that a row shows a drawing from the given time on, until it shows another one.
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

// allParts returns everything that was shown until the time end, sorted by rows and then by
// drawings.
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

// motion builds the CSS rules of a film's animations. Elements with the same animation share a
// rule.
type motion struct {
	film  *Film
	names map[string]string // maps key frames to the name of their rule
	rules strings.Builder
}

// rule returns the CSS class that animates by the given key frames.
func (m *motion) rule(keys string) string {
	name, ok := m.names[keys]
	if !ok {
		name = fmt.Sprint("k", len(m.names))
		m.names[keys] = name
		fmt.Fprintf(&m.rules, "@keyframes %s{%s}\n.%s{animation-name:%s}\n", name, keys, name, name)
	}
	return name
}

// scroll returns the SVG attributes of the tape: the class of its scrolling animation, and its
// final position.
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

// writeUses writes an SVG element for each part.
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

// keys returns the key frames of a part that is shown at the given times, or "" if it is always
// shown. last reports whether it is shown at the end.
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

// percent returns the time at as a percentage of the film's length.
func (f *Film) percent(at time.Duration) string {
	n := at.Milliseconds() * 100_000 / max(1, f.end.Milliseconds())
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%03d", n/1000, n%1000), "0"), ".") + "%"
}
