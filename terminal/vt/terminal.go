package vt

import (
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Config holds the settings of a [Terminal]. The zero value is a terminal of 80 columns and 24 rows
// without scrollback.
type Config struct {
	Cols, Rows int // size of the grid; 80 and 24 if 0
	Scrollback int // The most rows that are kept above the grid.

	CellWidth, CellHeight int // pixels; 8 and 16 if 0
	// Returns the time, for the time limit of synchronized updates (mode 2026); nil: there is no
	// limit.
	Now func() time.Time
	// Receives the bytes that the terminal sends to the application. They are valid during the
	// call, in which the terminal must not be used. nil: they are stored for TakeReplies.
	Reply   func([]byte)
	Light   bool   // The window has a light theme, which mode 2031 and CSI ? 996 n report.
	Version string // The version that XTVERSION reports behind "ghostty "; "": 1.3.0.

	Personality Personality // The differences of the terminal from ghostty.
}

// Terminal is a terminal emulator without a window. It takes the output of an application, and has
// a grid of cells and the replies to the application. It is not safe for concurrent use.
type Terminal struct {
	config     Config
	cols, rows int
	window     window
	printing   printing
	parser     ansi.Parser

	primary, alt *screen // alt is nil until first used
	active       *screen // primary or alt.

	pens     pens
	links    links
	clusters clusters

	modes, savedModes modeSet
	tabs              []bool
	margins           margins
	redraw            redraw
	// Output goes to a status line (DECSASD), which does not exist here, so that it is dropped.
	statusLine bool
	syncSince  time.Time // When mode 2026 was set.
	colors     colors

	dcs     dcs
	apc     apc
	traffic Traffic
	replies []byte
}

// window holds the state of a window that applications can ask for.
type window struct {
	cols       int // The number of columns at the last Resize.
	title, pwd string
	bells      int
	light      bool
	focused    bool
	unseen     bool // The window is not visible.
	clipboards clipboards
}

// printing holds the state, besides the screen, on which printing a character depends.
type printing struct {
	customWidths  bool    // The personality changes the widths of characters.
	leadingWidths bool    // See Personality.LeadingWidths.
	segmentValid  bool    // Nothing but text has come since segment was set.
	segment       segment // The state of the test for cluster boundaries after the last character.
	last          rune    // The last character, for REP; 0: none.
	prepended     bool    // The last character joins the next one (Grapheme_Cluster_Break=Prepend).
}

// margins holds the scrolling region: its first and last row and column.
type margins struct{ top, bottom, left, right int }

const (
	maxSide    = 10_000  // The most columns and the most rows. A larger size is reduced to it.
	maxReplies = 4 << 20 // The most bytes that are stored for TakeReplies. More are dropped.
)

// New returns a terminal in its initial state.
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

// Write processes the output of an application. It takes all of p and never fails.
func (t *Terminal) Write(p []byte) (int, error) {
	n := len(p)
	if passthrough := t.config.Personality.Passthrough; passthrough != nil {
		p = passthrough(p, t.now())
	}
	t.expireSync()
	t.parser.Parse(p, (*performer)(t))
	return n, nil
}

// WriteString does what Write does, for a string.
func (t *Terminal) WriteString(s string) (int, error) { return t.Write([]byte(s)) }

// performer implements [ansi.Handler] for a Terminal, so that its methods are not part of the API
// of Terminal.
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

// reset implements RIS: everything but the size and the colours is reset, and the scrollback is
// dropped.
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

// reply sends b to the application.
func (t *Terminal) reply(b []byte) {
	if t.config.Reply != nil {
		t.config.Reply(b)
		return
	}
	if len(t.replies)+len(b) <= maxReplies {
		t.replies = append(t.replies, b...)
	}
}

// TakeReplies returns the bytes that the terminal has sent to the application since the last call,
// or nil. If Config.Reply is set it always returns nil.
func (t *Terminal) TakeReplies() []byte {
	b := t.replies
	t.replies = nil
	return b
}

// syncLimit is the longest time of a synchronized update (mode 2026; ghostty,
// src/termio/Thread.zig).
const syncLimit = time.Second

// now returns the time, or zero if Config.Now is nil.
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

// maybeSweep frees pens, links and clusters that no cell uses, if there are many of them. That
// costs little beside processing the input that has created them.
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
