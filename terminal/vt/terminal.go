package vt

import (
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Config describes a terminal. The zero value is 80 columns by 24 rows without scrollback.
type Config struct {
	Cols, Rows int // size of the grid; 80 and 24 if 0
	Scrollback int // most rows kept above the grid

	CellWidth, CellHeight int // pixels; 8 and 16 if 0
	// For the time limit of synchronized output (mode 2026); nil: the limit never passes.
	Now func() time.Time
	// Gets what the terminal writes back, valid during the call, in which the terminal must not be
	// used; nil: kept for TakeReplies.
	Reply   func([]byte)
	Light   bool   // the colour scheme that mode 2031 and CSI ? 996 n report
	Version string // what XTVERSION reports behind "ghostty "; 1.3.0 if empty

	Personality Personality // how it differs from ghostty; the zero value does not
}

// Terminal is a terminal without a window: bytes of an application in, a grid and replies out. It
// is not safe for concurrent use.
type Terminal struct {
	cfg        Config
	cols, rows int
	windowCols int  // columns that the window was last given
	ownWidths  bool // the personality has a say in the width of characters
	leading    bool // see LeadingWidths
	within     bool // nothing but text has come since seg was made
	seg        segment
	parser     ansi.Parser

	primary, alt *screen // alt is nil until first used
	s            *screen // the active one

	pens     pens
	links    links
	clusters clusters

	modes, savedModes modeSet
	tabs              []bool
	margins           margins
	last              rune // for REP, 0 for none
	prepended         bool // a character was printed that joins whatever follows it (Grapheme_Cluster_Break=Prepend)
	title, pwd        string
	redraw            redraw
	statusLine        bool // DECSASD: output goes to a status line that does not exist
	bells             int
	syncSince         time.Time // when mode 2026 was set
	colors            colors
	clips             clipboards
	light             bool
	focused           bool
	hidden            bool // the window cannot be seen

	dcs     dcs
	apc     apc
	traffic Traffic
	replies []byte
}

// margins are the scrolling region, all inclusive.
type margins struct{ top, bottom, left, right int }

const (
	maxSide    = 10_000  // columns or rows; a larger size is cut
	maxReplies = 4 << 20 // bytes kept for TakeReplies; more are dropped
)

// New returns a terminal in its start state.
func New(cfg Config) *Terminal {
	if cfg.Cols <= 0 {
		cfg.Cols = 80
	}
	if cfg.Rows <= 0 {
		cfg.Rows = 24
	}
	if cfg.CellWidth <= 0 {
		cfg.CellWidth = 8
	}
	if cfg.CellHeight <= 0 {
		cfg.CellHeight = 16
	}
	if cfg.Version == "" {
		cfg.Version = "1.3.0"
	}
	t := &Terminal{cfg: cfg, cols: min(cfg.Cols, maxSide), rows: min(cfg.Rows, maxSide), light: cfg.Light,
		focused: true}
	t.windowCols = t.cols
	t.ownWidths = cfg.Personality.Widths != nil || cfg.Personality.JoinAfterZWJ
	t.leading = cfg.Personality.LeadingWidths
	t.pens = newPens()
	t.links = newLinks()
	t.clusters = newClusters()
	t.primary = newScreen(t.cols, t.rows, max(0, cfg.Scrollback))
	t.s = t.primary
	t.modes, t.savedModes = startModes(cfg.Personality), defaultModes
	t.resetTabs()
	t.resetMargins()
	return t
}

// Write feeds output of the application to the terminal. It takes all of p and never fails.
func (t *Terminal) Write(p []byte) (int, error) {
	n := len(p)
	if own := t.cfg.Personality.Passthrough; own != nil {
		p = own(p, t.now())
	}
	t.expireSync()
	t.parser.Parse(p, (*performer)(t))
	return n, nil
}

// WriteString is Write for a string.
func (t *Terminal) WriteString(s string) (int, error) { return t.Write([]byte(s)) }

// performer keeps the methods of [ansi.Handler] out of the API of Terminal.
type performer Terminal

var _ ansi.Handler = (*performer)(nil)

func (p *performer) Runes(rs []rune)           { (*Terminal)(p).printRunes(rs) }
func (p *performer) Execute(c byte)            { p.within = false; (*Terminal)(p).execute(c) }
func (p *performer) Escape(s *ansi.Sequence)   { p.within = false; (*Terminal)(p).escape(s) }
func (p *performer) OSC(data []byte, bel bool) { p.within = false; (*Terminal)(p).osc(data, bel) }
func (p *performer) Hook(s *ansi.Sequence)     { p.within = false; (*Terminal)(p).dcsHook(s) }
func (p *performer) Put(b []byte)              { (*Terminal)(p).dcsPut(b) }
func (p *performer) Unhook()                   { (*Terminal)(p).dcsUnhook() }
func (p *performer) StringStart(kind byte)     { (*Terminal)(p).apcStart() }
func (p *performer) StringPut(b []byte)        { (*Terminal)(p).apcPut(b) }
func (p *performer) StringEnd()                { (*Terminal)(p).apcEnd() }

// reset implements RIS: everything but the size and the colours returns to the start state, and the
// scrollback goes.
func (t *Terminal) reset() {
	p := t.cfg.Personality
	t.alt = nil
	t.s = t.primary
	t.s.reset(p.ResetKeepsScrollback)
	t.modes, t.savedModes = startModes(p), defaultModes
	t.redraw = redrawAll
	t.resetTabs()
	t.resetMargins()
	t.last = 0
	t.title, t.pwd = "", ""
	t.statusLine = false
}

func (t *Terminal) resetMargins() {
	t.margins = margins{bottom: t.rows - 1, right: t.cols - 1}
}

// reply sends b back to the application.
func (t *Terminal) reply(b []byte) {
	if t.cfg.Reply != nil {
		t.cfg.Reply(b)
		return
	}
	if len(t.replies)+len(b) <= maxReplies {
		t.replies = append(t.replies, b...)
	}
}

// TakeReplies returns what the terminal has written back since the last call, nil if nothing. It is
// empty when Config.Reply is set.
func (t *Terminal) TakeReplies() []byte {
	b := t.replies
	t.replies = nil
	return b
}

// syncLimit is how long an application may hold mode 2026 (ghostty, src/termio/Thread.zig).
const syncLimit = time.Second

// now returns the time, the zero one if nobody tells it.
func (t *Terminal) now() time.Time {
	if t.cfg.Now == nil {
		return time.Time{}
	}
	return t.cfg.Now()
}

func (t *Terminal) expireSync() {
	if t.cfg.Now != nil && t.modes.has(modeSync) && t.cfg.Now().Sub(t.syncSince) >= syncLimit {
		t.modes.set(modeSync, false)
	}
}

// maybeSweep frees pens, links and clusters that no cell uses any more, once there are many: what
// it costs is paid for by the input that made them.
func (t *Terminal) maybeSweep() {
	if t.pens.len() >= t.pens.limit || t.clusters.full() || t.links.bytes >= t.links.limit {
		t.sweep()
	}
}

func (t *Terminal) sweep() {
	penUsed := make([]bool, len(t.pens.list))
	clusterUsed := make([]bool, len(t.clusters.list))
	for _, s := range []*screen{t.primary, t.alt} {
		if s == nil {
			continue
		}
		for i := range len(s.ring.buf) {
			r := &s.ring.buf[i]
			cells := r.cells[:r.used]
			if cap(r.cells) > len(r.cells) { // what a narrower window has cut off may come back
				cells = r.cells[:cap(r.cells)]
			}
			for _, c := range cells {
				penUsed[c.pen()] = true
				if c.tag() == tagCluster {
					clusterUsed[c.content()] = true
				}
			}
		}
		s.cursor.penKnown = false
	}
	t.pens.sweep(penUsed)
	t.clusters.sweep(clusterUsed)
	linkUsed := make([]bool, len(t.links.list))
	for id, used := range penUsed {
		if used {
			linkUsed[t.pens.list[id].link] = true
		}
	}
	for _, s := range []*screen{t.primary, t.alt} {
		if s != nil {
			linkUsed[s.cursor.link] = true
		}
	}
	t.links.sweep(linkUsed)
}
