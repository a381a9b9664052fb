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
	// Gets the bytes that the terminal writes back, valid during the call, in which the terminal
	// must not be used; nil: they are stored for TakeReplies.
	Reply   func([]byte)
	Light   bool   // the colour scheme that mode 2031 and CSI ? 996 n report
	Version string // the version that XTVERSION reports after "ghostty "; 1.3.0 if empty

	Personality Personality // how it differs from ghostty; the zero value does not
}

// Terminal is a terminal without a window: bytes of an application in, a grid and replies out. It
// is not safe for concurrent use.
type Terminal struct {
	config     Config
	cols, rows int
	window     window
	printing   printing
	parser     ansi.Parser

	primary, alt *screen // alt is nil until first used
	active       *screen // primary or alt

	pens     pens
	links    links
	clusters clusters

	modes, savedModes modeSet
	tabs              []bool
	margins           margins
	redraw            redraw
	statusLine        bool      // DECSASD: output goes to a status line that does not exist
	syncSince         time.Time // when mode 2026 was set
	colors            colors

	dcs     dcs
	apc     apc
	traffic Traffic
	replies []byte
}

// window is the state of the window around the grid, of which there is only what can be asked for.
type window struct {
	cols       int // columns that it was last given
	title, pwd string
	bells      int
	light      bool
	focused    bool
	unseen     bool // it cannot be seen
	clipboards clipboards
}

// printing is what printing a character depends on besides the screen.
type printing struct {
	customWidths  bool    // the personality changes the width of characters
	leadingWidths bool    // see Personality.LeadingWidths
	segmentValid  bool    // nothing but text has come since segment was made
	segment       segment // the break test after the last character
	last          rune    // for REP, 0 for none
	prepended     bool    // the last character joins the next one (Grapheme_Cluster_Break=Prepend)
}

// margins are the scrolling region, all inclusive.
type margins struct{ top, bottom, left, right int }

const (
	maxSide    = 10_000  // columns or rows; a larger size is cut
	maxReplies = 4 << 20 // bytes stored for TakeReplies; more are dropped
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
	t := &Terminal{config: cfg, cols: min(cfg.Cols, maxSide), rows: min(cfg.Rows, maxSide),
		window: window{light: cfg.Light, focused: true}}
	t.window.cols = t.cols
	t.printing.customWidths = cfg.Personality.Widths != nil || cfg.Personality.JoinAfterZWJ
	t.printing.leadingWidths = cfg.Personality.LeadingWidths
	t.pens = newPens()
	t.links = newLinks()
	t.clusters = newClusters()
	t.primary = newScreen(t.cols, t.rows, max(0, cfg.Scrollback))
	t.active = t.primary
	t.modes, t.savedModes = startModes(cfg.Personality), defaultModes
	t.resetTabs()
	t.resetMargins()
	return t
}

// Write feeds output of the application to the terminal. It takes all of p and never fails.
func (t *Terminal) Write(p []byte) (int, error) {
	n := len(p)
	if passthrough := t.config.Personality.Passthrough; passthrough != nil {
		p = passthrough(p, t.now())
	}
	t.expireSync()
	t.parser.Parse(p, (*performer)(t))
	return n, nil
}

// WriteString writes a string as Write does bytes.
func (t *Terminal) WriteString(s string) (int, error) { return t.Write([]byte(s)) }

// performer keeps the methods of [ansi.Handler] out of the API of Terminal.
type performer Terminal

var _ ansi.Handler = (*performer)(nil)

func (p *performer) Runes(rs []rune) { (*Terminal)(p).printRunes(rs) }
func (p *performer) Execute(c byte)  { p.printing.segmentValid = false; (*Terminal)(p).executeC0(c) }
func (p *performer) Escape(s *ansi.Sequence) {
	p.printing.segmentValid = false
	(*Terminal)(p).dispatchEscape(s)
}
func (p *performer) OSC(data []byte, bel bool) {
	p.printing.segmentValid = false
	(*Terminal)(p).dispatchOSC(data, bel)
}
func (p *performer) Hook(s *ansi.Sequence) {
	p.printing.segmentValid = false
	(*Terminal)(p).dcsHook(s)
}
func (p *performer) Put(b []byte)          { (*Terminal)(p).dcsPut(b) }
func (p *performer) Unhook()               { (*Terminal)(p).dcsUnhook() }
func (p *performer) StringStart(kind byte) { (*Terminal)(p).apcStart() }
func (p *performer) StringPut(b []byte)    { (*Terminal)(p).apcPut(b) }
func (p *performer) StringEnd()            { (*Terminal)(p).apcEnd() }

// reset implements RIS: everything but the size and the colours returns to the start state, and the
// scrollback is dropped.
func (t *Terminal) reset() {
	p := t.config.Personality
	t.alt = nil
	t.active = t.primary
	t.active.reset(p.ResetKeepsScrollback)
	t.modes, t.savedModes = startModes(p), defaultModes
	t.redraw = redrawAll
	t.resetTabs()
	t.resetMargins()
	t.printing.last = 0
	t.window.title, t.window.pwd = "", ""
	t.statusLine = false
}

func (t *Terminal) resetMargins() {
	t.margins = margins{bottom: t.rows - 1, right: t.cols - 1}
}

// reply sends b back to the application.
func (t *Terminal) reply(b []byte) {
	if t.config.Reply != nil {
		t.config.Reply(b)
		return
	}
	if len(t.replies)+len(b) <= maxReplies {
		t.replies = append(t.replies, b...)
	}
}

// TakeReplies returns the bytes that the terminal has written back since the last call, nil if
// there are none. It returns nothing if Config.Reply is set.
func (t *Terminal) TakeReplies() []byte {
	b := t.replies
	t.replies = nil
	return b
}

// syncLimit is the longest time that an application may hold mode 2026 (ghostty,
// src/termio/Thread.zig).
const syncLimit = time.Second

// now returns the time, zero if Config.Now is nil.
func (t *Terminal) now() time.Time {
	if t.config.Now == nil {
		return time.Time{}
	}
	return t.config.Now()
}

func (t *Terminal) expireSync() {
	if t.config.Now != nil && t.modes.has(modeSync) && t.config.Now().Sub(t.syncSince) >= syncLimit {
		t.modes.set(modeSync, false)
	}
}

// maybeSweep frees pens, links and clusters that no cell uses any more, once there are many. Its
// cost is small beside that of the input that made them.
func (t *Terminal) maybeSweep() {
	if t.pens.len() >= t.pens.sweepAt || t.clusters.needsSweep() || t.links.bytes >= t.links.sweepBytes {
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
