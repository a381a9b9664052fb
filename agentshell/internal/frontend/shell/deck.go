package shell

import (
	"bytes"
	"context"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// deck is the proposals that are asked together, each in a pane of its own. One is shown, } and {
// show the others (PANE-11). It belongs to the loop.
type deck struct {
	sh     *Shell
	ctx    context.Context
	tell   func(i int, a approval.Answer)
	panes  []*pane // nil: settled
	seen   []bool  // in sight for as long as an answer takes
	at     int     // the one that is shown
	full   bool    // on the alternate screen
	remove func()  // the overlay of what is shown, or nil
	stop   []func()

	all  []*pane        // key A: the panes that one answer is for
	list *diffview.Body // of them
}

// newDeck lays proposals on the table. tell is given what the person answers to each.
func newDeck(ctx context.Context, sh *Shell, ps []*approval.Proposal, tell func(i int, a approval.Answer)) *deck {
	d := &deck{sh: sh, ctx: ctx, tell: tell, at: -1, panes: make([]*pane, len(ps)), seen: make([]bool, len(ps)),
		stop: make([]func(), len(ps))}
	for i, p := range ps {
		d.lay(i, p)
		d.panes[i].fresh = sh.stale[p.Call]
		delete(sh.stale, p.Call)
	}
	what := "A change waits for your answer."
	if _, plan := aPlan(ps[0]); plan {
		what = "A plan waits for your answer."
	}
	if offers(ps[0]) {
		what = "A question waits for your answer."
	}
	if len(ps) > 1 {
		what = fmt.Sprintf("%d changes wait for your answer.", len(ps))
	}
	sh.app.Notify("scrollkeep", what)
	d.show(0)
	return d
}

// lay puts the pane of p on place i.
func (d *deck) lay(i int, p *approval.Proposal) {
	var n *pane
	n = newPane(p, &d.sh.editor, func(a approval.Answer) {
		// Else it comes from a pane that was taken away or replaced: its file has changed, or its
		// editor has ended, too late.
		if d.panes[i] == n {
			d.gave(i, a)
		}
	})
	n.mapped, n.house = d.sh.cfg.Keys, d.sh
	n.quiet, n.ripe = d.sh.cfg.Times.Quiet, d.sh.cfg.Times.Ripe
	n.screen = func(full bool) { d.full = full; d.open(i) }
	n.full = d.full
	ctx, cancel := context.WithCancel(d.ctx)
	if d.stop[i] != nil {
		d.stop[i]()
	}
	d.stop[i] = cancel
	if d.sh.cfg.Editor != nil && canEdit(p) {
		n.edit = func() { d.sh.edit(ctx, n) }
	}
	n.plainly = func(why string) { d.sh.plainly(ctx, n, why) }
	if pol := d.sh.cfg.Policy; pol != nil {
		n.offers, n.grant, n.keeps = pol.Offers(subject(p)), pol.GrantFor, pol.Keepable
		n.reach = func(offer string) []string { return pol.Covers(offer, subject(p).Command) }
	}
	if _, plan := aPlan(p); plan && d.sh.cfg.Policy != nil {
		n.edits = d.sh.cfg.Policy.Edits()
	}
	if len(d.panes) > 1 {
		n.deck = d
	}
	n.place = i
	d.panes[i] = n
	go d.sh.watch(ctx, p, n)
}

// open shows pane i: the overlay of what was shown before goes.
func (d *deck) open(i int) {
	if d.remove != nil {
		d.remove()
		d.remove = nil
	}
	d.at = i
	if i < 0 {
		return
	}
	n := d.panes[i]
	n.full = d.full
	place := tui.Place{}
	if n.opened.IsZero() { // it counts as painted only when the terminal has taken it
		place.Quiet = painted
	}
	if d.full {
		place.Full = true
	} else {
		place.Replace = true
	}
	d.remove = d.sh.app.Overlay(n, place)
}

// show shows the first pane from i on that is not settled, or none if all are.
func (d *deck) show(i int) {
	for k := range d.panes {
		if at := (i + k) % len(d.panes); d.panes[at] != nil {
			d.open(at)
			return
		}
	}
	d.full = false
	d.open(-1)
}

// move goes to the next pane, or the previous one. The keys stay with the panes, but those that
// approve begin anew.
func (d *deck) move(step int) {
	for k := 1; k < len(d.panes); k++ {
		at := (d.at + step*k + len(d.panes)*k) % len(d.panes)
		n := d.panes[at]
		if n == nil {
			continue
		}
		n.reset()
		n.focus = true
		d.open(at)
		return
	}
}

// moving reports whether the pane that was moved to has not been painted yet: keys of the person,
// who sees another one, still come here.
func (d *deck) moving() bool {
	return d.at >= 0 && d.panes[d.at].focus && d.panes[d.at].opened.IsZero()
}

// between takes the keys of that moment: those that move or stop work, none answers.
func (d *deck) between(k tui.Key, s tui.Space) bool {
	d.panes[d.at].touched = true
	switch {
	case k.Code == '}':
		d.move(1)
	case k.Code == '{':
		d.move(-1)
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		return d.panes[d.at].HandleEvent(k, s)
	}
	return true
}

// gave passes an answer on. A pane that waits for a fresh proposal stays until it comes.
func (d *deck) gave(i int, a approval.Answer) {
	switch a.(type) {
	case approval.Stop:
		d.close()
		d.sh.stop()
	case approval.StopServer:
		server, _ := asksAgain(d.panes[i].prop)
		d.settle(i)
		d.sh.append(notice, stoppedServer(server))
	case approval.Yes, approval.No:
		d.settle(i)
	default: // another proposal comes
		if _, stale := a.(approval.Stale); stale && len(d.panes) == 1 {
			d.sh.stale[d.panes[i].prop.Call] = true
		}
		if len(d.panes) == 1 {
			d.settle(i)
		}
	}
	d.tell(i, a)
}

// settle takes pane i away.
func (d *deck) settle(i int) {
	if d.panes[i] == nil {
		return
	}
	d.stop[i]()
	d.panes[i] = nil
	if d.at == i {
		d.show(i)
	}
}

// put lays a fresh proposal on place i, where one was stale or revised, or where a yes came too
// late for the file.
func (d *deck) put(i int, p *approval.Proposal) {
	if d.ctx.Err() != nil {
		return
	}
	old := d.panes[i]
	d.lay(i, p)
	d.seen[i] = false
	d.panes[i].fresh = old == nil ||
		old.stale && !(bytes.Equal(old.prop.Before, p.Before) && bytes.Equal(old.prop.After, p.After))
	if d.at == i || d.at < 0 {
		d.open(i)
	}
}

// close takes everything away.
func (d *deck) close() {
	for i := range d.panes {
		if d.panes[i] != nil {
			d.stop[i]()
		}
	}
	clear(d.panes)
	d.open(-1)
}

// several reports whether there is another pane to go to.
func (d *deck) several() bool {
	n := 0
	for _, p := range d.panes {
		if p != nil {
			n++
		}
	}
	return n > 1
}

// openAll lists what one answer could be for: the proposals that were shown and are not flagged.
// Its ids are fixed from here on.
func (d *deck) openAll() {
	d.all = nil
	rows := []string{"One answer for all of these changes, which you have seen:"}
	var others []string
	for i, n := range d.panes {
		if n == nil {
			continue
		}
		op, path, counts := title(n.prop)
		line := fmt.Sprintf("%d  %s %s  %s", i+1, op, path, counts)
		switch {
		case n.done || n.stale:
			others = append(others, line+": changed in the meantime")
		case n.flagged():
			others = append(others, line+": flagged, needs its own Y")
		case !d.seen[i]:
			others = append(others, line+": not shown yet")
		default:
			d.all = append(d.all, n)
			rows = append(rows, line)
		}
	}
	if len(others) > 0 {
		rows = append(append(rows, "", "Not for these:"), others...)
	}
	d.list = diffview.New(note(rows...))
}

// closeAll goes back to the pane.
func (d *deck) closeAll() { d.all, d.list = nil, nil }

// answerAll gives one answer to each of the list.
func (d *deck) answerAll(allow bool) {
	all := d.all
	d.closeAll()
	for _, n := range all {
		if allow {
			n.give(approval.Yes{ID: n.prop.ID})
		} else {
			n.give(approval.No{ID: n.prop.ID})
		}
	}
}

// inAll takes the keys of the list of key A.
func (n *pane) inAll(k tui.Key) bool {
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch {
	case k.Code == 'y':
		if n.lit && len(n.deck.all) > 0 {
			n.deck.answerAll(true)
		}
	case k.Code == 'n':
		n.deck.answerAll(false)
	case k.Code == '?':
		n.help()
	case k.Code == terminal.KeyEscape && n.query() == "", k.Code == 'A':
		n.deck.closeAll()
	default:
		return false
	}
	return true
}

// rowAll returns the decision row meanwhile: the key that approves, and the others.
func (d *deck) rowAll(narrow bool) (yes, rest string) {
	switch {
	case narrow && len(d.all) == 0:
		return "", "none shown: } Esc"
	case narrow:
		return fmt.Sprintf("[y]es: %d", len(d.all)), " [n]o Esc"
	case len(d.all) == 0:
		return "", "none was shown yet: } shows the next  Esc back"
	}
	return fmt.Sprintf("[y]es to %d", len(d.all)), fmt.Sprintf("  [n]o to %d  Esc back", len(d.all))
}
