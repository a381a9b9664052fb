package stress

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A mutant is a bug put into the renderer on purpose.
type mutant struct {
	name     string
	file     string // of package renderer
	old, new string // old stands in the file exactly once
}

var mutants = []mutant{
	{"a final row is skipped when several come", "renderer.go", "	k := len(commit)\n	n := r.prepare(f, commit)", "	if len(commit) > 7 {\n		commit = commit[1:]\n	}\n	k := len(commit)\n	n := r.prepare(f, commit)"},
	{"T is one too low", "ledger.go", "	t := l.b + i - (l.rows - 1)\n", "	t := l.b + i - l.rows\n"},
	{"T is one too high", "ledger.go", "	t := l.b + i - (l.rows - 1)\n", "	t := l.b + i - (l.rows - 2)\n"},
	{"a wrap flag is forgotten", "row.go", "	r.wrapped = l.Wrapped && !full", "	r.wrapped = false && !full"},
	{"a continuation is not joined", "emit.go", "&& len(w.cells) > 0 && !w.over {", "&& len(w.cells) > 0 && !w.over && i > 2 {"},
	{"the pen stays at a line feed", "emit.go", "func (e *emitter) lineFeed() {\n	e.setPen(Style{}, \"\")\n", "func (e *emitter) lineFeed() {\n"},
	{"the pen stays at an erasure", "erase.go", "	e.col(0)\n	e.setPen(Style{}, \"\")\n	if r := &e.shown[i]; e.wraps == WrapsStay", "	e.col(0)\n	if r := &e.shown[i]; e.wraps == WrapsStay"},
	{"the cursor rests one row too low", "renderer.go", "	pos, show := Pos{Row: n - 1}, false\n	if c := f.Cursor; c != nil {", "	pos, show := Pos{Row: n - 1}, false\n	r.e.buf = append(r.e.buf, \"\\x1b[B\"...)\n	if c := f.Cursor; c != nil {"},
	{"the caret is hidden when it should be shown", "renderer.go", "pos, show = Pos{c.Col, n - len(f.Live) + c.Row}, true", "pos, show = Pos{c.Col, n - len(f.Live) + c.Row}, false"},
	{"the end of a synchronized update is missing", "frame.go", "ansi.SyncEnd...", "\"\"..."},
	{"rows become final under an overlay", "renderer.go", "		r.pending.add(commit, r.l.cols, r.c.Model)\n		return nil", "		if len(commit) > 5 {\n			return commit\n		}\n		r.pending.add(commit, r.l.cols, r.c.Model)\n		return nil"},
	{"rows that waited are lost", "renderer.go", "commit = append(rows, commit...)", "commit = append(rows[1:], commit...)"},
	{"what waited is cut", "pending.go", "		if p.cols[from] == cols {", "		if true {"},
	{"a row that waited is wrapped anew by itself", "pending.go", "p.lines[to-1].Wrapped && p.cols", "false && p.cols"},
	{"what waits is written though it was replaced", "pending.go", "	n = min(n, len(p.lines))", "	n = 0 * n"},
	{"a picture whose rows were replaced is drawn", "pending.go", "l.Picture != nil && i+l.Picture.Rows > left", "false"},
	{"a doubtful cluster that waited may be where it has no room", "pending.go", "					room = max(w, m.Widest(c))\n", ""},
	{"rows that were wrapped anew count as session rows", "renderer.go", "		r.l.origin -= len(rows) - len(r.pending.lines) // counts session rows, as they were handed over\n", ""},
	{"DL instead of rewriting", "emit.go", "		case wipe:\n", "		case wipe:\n			e.to(s.at)\n			e.buf = append(e.buf, \"\\x1b[M\"...)\n"},
	{"a report of an older size is accepted", "resize.go", "r.resize.on, r.resize.tag = true, -1", "r.resize.on, r.resize.tag = true, max(r.resize.tag, -1)"},
	{"any report is accepted", "resize.go", "r.resize.tag != anyColumn && col != r.resize.tag ||", ""},
	{"CUD where a line feed is needed", "emit.go", "	e.buf = append(e.buf, '\\n')\n	e.grow()", "	e.buf = ansi.AppendCUD(e.buf, 1)\n	e.grow()"},
	{"ED 0 from grid row 0", "renderer.go", "	if r.l.b+last <= r.l.thi {", "	if false {"},
	{"what a resize left below stays", "renderer.go", "	if r.l.dirty {\n		r.clearBelow()", "	if false {\n		r.clearBelow()"},
	{"a row that became blank is not erased", "erase.go", "	if len(old.cells) <= n {", "	if len(old.cells) <= n || n == 0 {"},
	{"IL of one row too many", "emit.go", "e.buf = ansi.AppendIL(e.buf, s.n)", "e.buf = ansi.AppendIL(e.buf, s.n+s.n/2)"},
	{"DL of a row too many", "emit.go", "e.buf = ansi.AppendDL(e.buf, s.n)", "e.buf = ansi.AppendDL(e.buf, s.n+s.n/2)"},
	{"rows are deleted a row too low", "emit.go", "e.delete(s.at, s.n)", "e.delete(max(s.at-1, 0), s.n)"},
	{"a row that is deleted goes into history", "slide.go", "	if up && c.dl == DeleteBelow && l.b <= l.thi {", "	if false {"},
	{"rows are deleted though it is not known what becomes of them", "slide.go", "d == 0 || up && c.dl == DeleteNever", "d == 0"},
	{"rows are moved down over those below", "slide.go", "	edge := bottom && z == v\n", "	edge := z == v\n"},
	{"rows beside a wrap are moved", "slide.go", "			lo = i + 2\n", ""},
	{"a row is cut one column early", "row.go", "		if len(r.cells)+w > cols {", "		if len(r.cells)+w >= cols {"},
	{"a row goes on in one that begins with what a terminal may drop", "row.go", "!b.cells[0].none && (", "("},
	{"without a report foot is believed to leave the cursor on its text", "resize.go", "row, off = 0, r.l.rows-1", "row, off = 0, 0"},
	{"kitty is believed to put a line together again", "resize.go", "r.c.Follow == FollowTwice || r.l.cur.Row < r.firstLine() ||", "r.l.cur.Row < r.firstLine() ||"},
	{"urxvt is believed to keep its cursor on a row that shows nothing", "resize.go", "			r.resize.skip = max(r.resize.skip, r.l.rows) //", "			//"},
	{"a wide character may stand over the edge", "row.go", "		if len(r.cells)+w > cols {", "		if len(r.cells) > cols {"},
	{"the last final row is not remembered", "ledger.go", "		l.before.copyFrom(&l.shown[k-1])", "		l.before.copyFrom(&l.shown[0])"},
	{"hidden rows become final", "renderer.go", "	r.hidden = max(0, live-shown)\n", "	r.hidden = max(0, live-shown)\n	if r.hidden > 3 && f.Overlay == nil {\n		commit = append(commit, f.Live[0])\n	}\n"},
	{"rows written twice are not counted", "renderer.go", "			r.l.residue += again\n", ""},
	{"an equal beginning of a rewind is written again", "renderer.go", "		commit = commit[1:]\n	}\n	for _, l", "	}\n	for _, l"},
	{"a rewind is not noticed", "history.go", "return i < h.n && h.chunks[i/chunkRows][i%chunkRows] == h.hash(l)", "return i < h.n"},
	{"a wrap takes its background along", "emit.go", "	fills := c.style.Bg != 0 && (", "	fills := false && ("},
	{"a pending wrap is forgotten", "emit.go", "	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful || e.wraps == WrapsStretched { // after a resize it may be pending, too\n", "	if e.careful || e.wraps == WrapsStretched {\n"},
	{"autowrap stays off", "emit.go", "e.buf = append(e.buf, ansi.AutowrapOn...)", "e.buf = append(e.buf, \"\"...)"},
	{"doubtful clusters are not anchored", "emit.go", "		case c.doubt && !last:\n			e.buf = ansi.AppendCHA(e.buf, e.cur.Col)\n", "		case c.doubt && !last:\n"},
	{"one backspace is missing", "emit.go", "		for range from - c {\n", "		for range from - c - 1 {\n"},
	{"rows are pushed out before they are right", "plan.go", "	if d > spare {", "	if false {"},
	{"more rows are inserted than there is room for", "plan.go", "		m := min(d, room)\n", "		m := d\n"},
	{"rows below the live region are believed blank", "ledger.go", "	known := l.down(i) || l.below > 0", "	known := l.down(i) || true"},
	{"a live row that the terminal pushed is not counted", "resize.go", "behind := r.leftBehind(row, above, most) + max(0, text-row)", "behind := 0 * most"},
	{"the live region is taken for higher than it is", "resize.go", "	r.settled(max(0, row-start), -start, -start)\n", "	r.settled(min(row, row-start+1), -start, -start)\n"},
	{"the final part of a wrapped line is written over", "resize.go", "r.l.cur.Row < r.firstLine()) && (r.l.goesOn() || r.resize.thin == 1)", "r.l.cur.Row < r.firstLine()) && r.resize.thin == 1"},
	{"one column joins no lines", "resize.go", "(r.l.goesOn() || r.resize.thin == 1)", "r.l.goesOn()"},
	{"one column joins no live rows", "resize.go", "		if r.resize.thin == 1 {\n			above = 0\n		}\n", ""},
	{"a row that is made by a wrap keeps the wrap that stood there", "emit.go", "mayWrap() || (!e.shown[i].known || filled && c.doubt && len(e.shown[i].cells) > 0) && !e.careful) {", "mayWrap()) {"},
	{"a row that one cluster fills keeps the wrap that stood there", "emit.go", "mayWrap() || (!e.shown[i].known || filled && c.doubt && len(e.shown[i].cells) > 0) && !e.careful) {", "mayWrap() || !filled && !e.shown[i].known && !e.careful) {"},
	{"a wrap is made into a row of which nothing is known", "emit.go", "	if (filled || !on) && i == len(e.shown)", "	if false && i == len(e.shown)"},
	{"an erasure in column 0 ends the wrap that led there", "renderer.go", "a != nil && a.wrapped { // that has ended", "a == nil && a.wrapped { // that has ended"},
	{"live rows stand below a part of a frame", "renderer.go", "		part.Live, part.Cursor = nil, nil // all", "		// all"},
	{"a row that goes on in residue is written over", "resize.go", "	r.l.glued = !apart && (r.l.glued || glued)\n", "	_ = glued\n	r.l.glued = !apart && r.l.glued\n"},
	{"the cursor is taken to be on its text", "resize.go", "	return known || ", "	return true || "},
	{"a cursor that was stopped at the top is believed", "resize.go", "	case !r.c.Follow.layout() && row == 0 && (r.resize.low < r.resize.high || most+below > len(r.l.shown)-1):", "	case false:"},
	{"the cursor may rest on a row that shows nothing", "renderer.go", "		r.e.ink(pos.Row)\n", ""},
	{"rows below the cursor's push nothing from under it", "follow.go", "	return min(row-again, r.l.rows-1-below), ok && !twice\n", "	return row - again, ok && !twice\n"},
	{"a cursor that was found twice is believed", "follow.go", "!twice\n", "twice || true\n"},
	{"a wide character counts whole where it is taken apart", "wrapping.go", "	case !c.doubt && (!w.halves || !least):", "	case !c.doubt:"},
	{"rows above the caret are rewrapped though the terminal cuts its line", "resize.go", "			above = min(above, at-line)", "			above = max(above, at-line)"},
	{"what follows a line that is left behind is taken for its own", "resize.go", "	r.l.glued = glued\n}", "	_ = glued\n	r.l.glued = false\n}"},
	{"a request takes the cursor into final text", "resize.go", "			back = r.l.cols - 1 ", "			_ = back "},
	{"rows that may be joined count as apart after a round trip", "resize.go", "rows, cols == r.l.cols && r.unsure(), r.l.cols", "rows, false, r.l.cols"},
	{"the cursor's line counts as rewrapped where it is cut", "extent.go", "		return r.keptLine(0, cols)\n", ""},
	{"a caret in a wide character counts as behind it", "extent.go", "w.cells(own.cells[:own.cluster(col)], true)", "w.cells(own.cells[:col], true)"},
	{"a size that came and went is no news", "resize.go", "	if cols <= 0 || rows <= 0 {", "	if cols <= 0 || rows <= 0 || cols == r.l.cols && rows == r.l.rows && !r.resize.on {"},
	{"a final row does not wait for a row that is blank at first", "renderer.go", "	if b := &r.l.before; b.known && b.goes {", "	if b := &r.l.before; false {"},
	{"a blank row ends the line that it continues", "resize.go", "goesOn && len(last.cells) == 0", "goesOn && false"},
	{"rows above the caret are counted as before a new width", "extent.go", "	if r.c.Reflow == ReflowNo || !r.resize.wrap {\n		least = at", "	if true {\n		least = at"},
	{"the first frame takes a shell's partial line along", "renderer.go", "	for range r.l.cols {\n		r.e.buf = append(r.e.buf, ' ')\n	}\n", ""},
	{"an unchanged frame writes something", "renderer.go", "	r.e.rest(pos, show)\n", "	r.e.rest(pos, show)\n	r.e.buf = append(r.e.buf, '\\r')\n	r.e.cur.Col = 0\n"},
	{"a link is left open", "emit.go", "	if e.link != link {", "	if e.link != link && link != \"\" {"},
	{"a mark is set where the cursor happens to be", "mark.go", "	e.buf = append(e.buf, '\\r')\n", ""},
	{"one picture too many is kept", "image/budget.go", "len(b.live) > most ||", "len(b.live) > most+1 ||"},
	{"the second oldest picture goes", "image/budget.go", "		gone = append(gone, b.live[0].id)\n		b.Drop(b.live[0].id)\n", "		gone = append(gone, b.live[1].id)\n		b.Drop(b.live[1].id)\n"},
	{"a picture that has had its time is not deleted", "../tui/pictures.go", "		dst = p.how.wire.AppendDelete(dst, id)\n	}\n	return dst\n}\n\n// over", "	}\n	return dst\n}\n\n// over"},
	{"a picture is sent again and again", "../tui/pictures.go", "pic.wire, pic.state, sent = nil, pictureShown, true", "pic.state, sent = pictureShown, true\n		later = append(later, pic)"},
	{"a picture that has had its time loses its rows", "../tui/image.go", "	default:\n		im.rows[0] = im.one(s, nil)[0]", "	default:\n		im.rows = im.rows[:1]\n		im.rows[0] = im.one(s, nil)[0]"},
	{"rows become final before their picture is there", "../tui/image.go", "return View{Lines: im.rows, Hold: true}", "return View{Lines: im.rows, Stable: len(im.rows)}"},
	{"the rows of a picture have no numbers", "image/placeholder.go", "		if i == 0 {\n", "		if i < 0 {\n"},
	{"the colour names another picture", "image/id.go", "ansi.RGB(uint8(id>>16), uint8(id>>8), uint8(id))", "ansi.RGB(uint8(id), uint8(id>>8), uint8(id>>16))"},
	{"cells have no placement to show", "../tui/pictures.go", "				pic.wire = how.wire.AppendVirtual(pic.wire, pic.id, pic.box)\n", ""},
	{"drawn pictures float at a new width", "../tui/pictures.go", "d.floats = !d.cells &&", "d.floats = false &&"},
	{"a picture goes after the next one was sent", "../tui/pictures.go", "		dst = append(pic.on.show(pic, dst), pic.wire...)\n", "		dst = pic.on.show(pic, append(dst, pic.wire...))\n"},
	{"a picture is drawn a row too low", "picture.go", "ansi.AppendCUU(append(b, ansi.SaveCursor...), p.Rows)", "ansi.AppendCUU(append(b, ansi.SaveCursor...), p.Rows-1)"},
	{"pieces are too large", "image/kitty.go", "const piece = 4096 / 4 * 3", "const piece = 8192 / 4 * 3"},
	{"pieces are tiny", "image/kitty.go", "const piece = 4096 / 4 * 3", "const piece = 96"},
	{"a transmission may be answered", "image/kitty.go", "a=t,q=2,i=", "a=t,q=0,i="},
	{"a command to the terminal around tmux ends early", "image/kitty.go", "		return append(dst, \"\\x1b\\x1b\\\\\\x1b\\\\\"...)", "		return append(dst, \"\\x1b\\\\\"...)"},
	{"a line is joined by a move though the width is in doubt", "emit.go", "	if !(e.cur.Row == i-1 && e.cur.Col == len(a.cells)) {", "	if !(e.cur.Row == i-1 && e.cur.Col == e.cols) {"},
	{"a coloured row is begun from the margin though the width is in doubt", "emit.go", "		if c.doubt {\n			e.buf = append(e.buf, '\\r')", "		if true {\n			e.buf = append(e.buf, '\\r')"},
	{"a line feed comes at the end of a line whose column is in doubt", "emit.go", "e.cur.Col < 0 || e.careful || e.wraps == WrapsStretched { // a wrap may be pending", "e.cur.Col < 0 || e.wraps == WrapsStretched { // a wrap may be pending"},
	{"a long line runs into what a resize has left", "plan.go", "			first = step{kind: empty}\n", ""},
	{"a row whose end moves keeps it where it was", "row.go", "			if len(r.cells) == was-k.last {", "			if len(r.cells) <= was-k.last {"},
	{"a cluster is cut by what is erased behind it", "row.go", "for k := i - 1; k >= 0 && o.reach > i; k-- {", "for k := i - 1; k >= 0 && o.reach < 0; k-- {"},
	{"a row is erased behind its last cluster, which may be wider", "row.go", "len(r.cells) > n && o.reach > n {", "n < 0 {"},
	{"a row that goes on from history is erased from its first column", "emit.go", "	if next && i == 0 && e.goesOn()", "	if false && next && i == 0 && e.goesOn()"},
	{"an erasure behind the text is taken to end its wrap", "emit.go", "		e.eraseRow(1)\n		e.shown[1].maybe = goes", "		e.shown[1].maybe = goes"},
	{"a wrap goes on where the next row has the mark", "emit.go", "		if next {\n			e.under(i)\n		}\n", ""},
	{"a row that was erased goes on no longer", "emit.go", "		e.shown[1].maybe = goes", "		_ = goes"},
	{"a row that is to be joined keeps the mark of the next one", "emit.go", "		if goes && i+1 < len(e.shown) {", "		if false && goes {"},
	{"a move leads onto a row of which nothing is known", "emit.go", "e.careful || !e.shown[i].known):", "e.careful):"},
	{"rows are lifted in view", "frame.go", "n <= unbracketed && !e.lifts:", "n <= unbracketed:"},
	{"a row is erased before it is written", "emit.go", "	old := &e.shown[i]\n	n := len(w.cells)\n", "	old := &e.shown[i]\n	n := len(w.cells)\n	if old.doubt == 0 && !old.mayWrap() {\n		e.to(i)\n		e.eraseRow(i)\n	}\n"},
	{"a line in doubt is written though the width is in doubt", "renderer.go", "f.Overlay != nil || f.Careful && r.waits(commit)", "f.Overlay != nil"},
	{"rows that wait for the width are shown", "renderer.go", "		waiting = nil\n", ""},
	{"a cluster in doubt is placed by column in a row that begins nobody knows where", "renderer.go", "		r.want[k].certain() ", "		_ = k "},
	{"a wrap is left to a cluster that may find room before it", "row.go", "!b.cells[0].doubt && len(a.cells)", "len(a.cells)"},
	{"what stood under a cluster that may fill a row stays", "emit.go", "filled && c.doubt && len(", "false && len("},
	{"a mark stays where rows are inserted", "ledger.go", "	l.shown[i+n-1].maybe = goes", "	_ = goes"},
	{"a cursor that drifts is believed at a size that nobody told", "drift.go", "d.at == r.resize.row && ", ""},
	{"rows below the cursor move it nowhere", "drift.go", "	d.rows += moved\n", ""},
	{"a row whose wrap an overlay hides keeps a mark that nobody knows", "emit.go", "e.join(i, w, w.wrapped && i+1 < len(want) && !want[i+1].over)", "e.join(i, w, w.wrapped)"},
	{"a careful frame trusts the mark of a row that it does not know", "emit.go", "if stands && !old.known {", "if false && stands {"},
	{"a row that becomes blank keeps the wrap that led there", "erase.go", "n == 0 && a != nil {", "n < 0 && a != nil {"},
	{"blanks that were never printed count", "wrapping.go", "for least && !r.wrapped &&", "for false && !r.wrapped &&"},
	{"a cluster that a wrap leads to is printed without autowrap", "emit.go", "	if c.doubt { // with", "	if clear && c.doubt { // with"},
	{"kitty finds its cursor but once in a row", "follow.go", "min(row-again, r", "min(row-again*0, r"},
	{"rows that a wider window made blank push none, if nobody asks", "resize.go", " && r.crowded() == 0 &&", " &&"},
	{"rows that a wider window made blank push none under the caret", "resize.go", "	case row == 0 && r.crowded() > 0:\n		return false\n", ""},
	{"a cluster wider than the window takes a row", "wrapping.go", "for ; n > w.cols; n -= 2", "for ; n > 64; n -= 2"},
	{"final text that is passed loses its wraps", "resize.go", "for range r.resize.skip - 1 {\n			r.e.buf = append(r.e.buf, ansi.IND...)", "for range r.resize.skip - 1 {\n			r.e.buf = append(r.e.buf, ansi.LF...)"},
	{"a coloured cluster as wide as the window is printed twice", "emit.go", "	fills := c.style.Bg != 0 && (c.doubt || int(c.w) < e.cols)", "	fills := c.style.Bg != 0"},
	{"a coloured continuation is printed twice though it can be erased behind", "emit.go", "	if fills && (filled || e.careful) {", "	if fills {"},
	{"a careful frame erases behind a coloured cluster", "emit.go", "	clear = clear && !filled && !e.careful\n", "	clear = clear && !filled\n"},
	{"a coloured cluster that may be as wide as the window colours its row", "emit.go", "(c.doubt || int(c.w) < e.cols)", "int(c.w) < e.cols"},
	{"rows are inserted where that takes rows out of history", "plan.go", "l.dirty || c.dl == InsertNever", "l.dirty"},
	{"rows are moved where that takes rows out of history", "slide.go", "c.dl == InsertNever || c.dl == DeleteNever && !bottom", "c.dl == DeleteNever && !bottom"},
	{"a wrap outlives what is printed at the edge", "emit.go", "		if end == e.cols || e.wraps == WrapsPrinted {\n", "		if e.wraps == WrapsPrinted {\n"},
	{"a wrap outlives what is printed at the edge of a joined row", "emit.go", "len(w.cells) >= e.cols || e.wraps == WrapsPrinted {\n		old", "e.wraps == WrapsPrinted {\n		old"},
	{"a line that a lower window tears goes on in nothing", "resize.go", "s.mayWrap() || r.resize.wrap && max(len(s.cells), s.longest)", "r.resize.wrap && max(len(s.cells), s.longest)"},
	{"a cursor is stopped at the top but once", "resize.go", "			n = max(n, above+1+below) // or", "			n = max(n, 0) // or"},
	{"rows that a higher window gains push none", "extent.go", "n += f.below + (r.resize.steps-1)/2*more", "_ = f.below"},
	{"a cursor behind its text is taken to be there at each size", "resize.go", "				behind += r.resize.wide - 1\n", ""},
	{"the cursor goes with a wide character at a width that nobody told", "extent.go", "			least-- // a width", "			least -= 0 // a width"},
	{"a blank in a colour is a cell in GNU screen", "wrapping.go", "bare: end,", "bare: false,"},
	{"a wide character is whole in GNU screen", "wrapping.go", "halves: end || twice ||", "halves: twice ||"},
	{"the column that a wide character did not fit into is forgotten", "wrapping.go", "rows[i].wrapped && i+1 < len(rows) &&", "rows[i].wrapped && false &&"},
	{"GNU screen's cursor is believed where a line did not fit", "extent.go", "return least - r.stopped(), most", "return least, most"},
	{"GNU screen's cursor line is believed whole", "extent.go", "		most += r.resize.steps - 1\n", ""},
	{"a wide character is believed to take two columns in tmux 3.6", "wrapping.go", "pads: r.c.Pads", "pads: false"},
	{"the new tmux is taken for an old one", "quirks.go", "Pads: !old,", "Pads: !old && false,"},
	{"a row that has the mark of a wrap out of history is moved", "plan.go", "		first = 1 // where", "		first = 0 // where"},
	{"kitty is believed to find its cursor again where nobody knows", "follow.go", "	if w != most {\n		return 0, false\n	}\n", ""},
	{"lines below a drifting cursor are believed to have moved it at each size", "drift.go", " && !(d.below && r.resize.steps > 1)", ""},
	{"only the first narrower window pushes rows", "extent.go", " + (r.resize.steps-1)/2*more", ""},
	{"an old kitty is taken for a new one", "quirks.go", "q.Follow = FollowTwice", "q.Follow = FollowLayout"},
	{"what was erased is believed to take no room in tmux", "wrapping.go", "long: r.c.Follow == FollowLines", "long: false"},
	{"a doubtful row that was erased is believed to be as long as before", "emit.go", "		old.wipe()\n		if a :=", "		old.mark = noMark\n		if a :="},
	{"a row that was erased is believed to be as long as before", "erase.go", "		old.wipe()\n", "		old.mark = noMark\n"},
	{"a caret's cell that begins a row is taken to end the one before", "extent.go", "		w.rows, w.x = w.rows+1, 0\n	}\n	most =", "	}\n	most ="},
	{"tmux is believed to find its cursor again", "tear.go", "r.c.Follow != FollowLines ||", "r.c.Follow <= FollowLines ||"},
	{"a final row goes into history before the next is joined to it", "plan.go", "		spare--\n", ""},
	{"a cursor's cell that begins a row below a joined line is taken to end the one before", "resize.go", "			if w.x >= w.cols { // the cursor's cell begins a row\n				w.rows++", "			if w.x >= w.cols {\n				w.rows += 0"},
	{"a drifting cursor is believed where history ends", "drift.go", "if r.resize.row == 0 && d.rows < 0 {", "if false {"},
	{"a lower window is trusted to take blank rows first", "resize.go", " && gone <= 0\n", "\n"},
	{"Release leaves live rows behind", "renderer.go", "	r.e.to(0)\n	r.e.eraseRow(0)\n", "	r.e.to(0)\n"},
	{"a wrap that stays is believed to be erased", "erase.go", "e.wraps == WrapsStay && (r.mayWrap() || r.stale)", "e.wraps == WrapsStay && r.stale && false"},
	{"a row that a resize may have wrapped is believed not to be", "ledger.go", "l.shown[i].maybe = false, l.wraps == WrapsStay", "l.shown[i].maybe = false, false"},
	{"a row below what a resize left is believed to go on nowhere", "ledger.go", "known, !known && l.wraps == WrapsStay && l.dirty", "known, false"},
	{"an ED 0 is believed to end the wrap of the row that it begins in", "erase.go", "	if e.wraps == WrapsStay { // it would not", "	if false { // it would not"},
	{"a row is deleted on the first row of the grid", "erase.go", "	case e.b+i > e.thi:\n		e.buf = ansi.AppendIL(", "	case true:\n		e.buf = ansi.AppendIL("},
	{"a row that an inserted one pushed off the grid is believed to be there", "erase.go", "if i < last && e.b+last-e.tlo >= e.rows-1 {", "if false {"},
	{"what is printed in a row is believed to leave its wrap", "emit.go", "if end == e.cols || e.wraps == WrapsPrinted {", "if end == e.cols {"},
	{"what is printed in a row that is joined is believed to leave its wrap", "emit.go", "len(w.cells) >= e.cols || e.wraps == WrapsPrinted {\n		old", "len(w.cells) >= e.cols {\n		old"},
	{"a cursor on the last row is believed to be on its text", "follow.go", "	return row >= r.l.rows-r.inkedBelow(last, true) || row", "	return last < 0 && row"},
	{"a blank row behind the live region is believed to be none", "extent.go", "		return r.resize.blank + 1\n", "		return 0\n"},
	{"a cursor is believed to be on its row, not on the first of its line", "extent.go", "	if r.c.Follow == FollowTop {\n		return r.lineTop(0, cols)", "	if false {\n		return r.lineTop(0, cols)"},
	{"a cursor is believed to go to the first row of its line where nothing has changed", "follow.go", "	if r.resize.lost { // or no size", "	if false { // or no size"},
	{"rows below the first of the cursor's line are not counted", "extent.go", "		return w.rows + min(w.x, 1) - 1 - top", "		return 0 * top"},
	{"a cursor that was stopped at the top at one of several sizes is believed", "resize.go", "	if r.c.Follow == FollowTop && r.resize.steps > 1 &&", "	if false &&"},
	{"a line that begins in final text is believed to begin in the live region", "resize.go", "			behind = r.lineFromTop(line)", "			behind += 0 * r.lineFromTop(line)"},
	{"a new row is made to the right of its text where that makes it longer", "emit.go", "|| e.careful || e.wraps == WrapsStretched { // a wrap", "|| e.careful { // a wrap"},
	{"a final row is erased behind its text", "emit.go", "first := i < e.final", "first := false"},
	{"a row that goes on is erased behind its first cluster", "emit.go", " && !(on && len(w.cells) >= e.cols && w.doubt == 0)", ""},
	{"a frame on its way is believed to have come in time", "extent.go", "	if r.resize.met {", "	if false {"},
	{"a lower window is believed to have come after the frame", "course.go", "	astray := max(0, r.resize.high-r.resize.low)\n", "	astray := 0\n"},
	{"rows that a wider window has joined are believed to be apart", "course.go", "		n -= r.l.joins()\n", ""},
	{"rows that a frame on its way left as they stood are believed to take a row each", "course.go", "		n -= f.stood", "		n -= 0 * f.stood"},
	{"a row that a frame on its way left as it stood is believed to begin where it did", "course.go", "		e.course.stood += e.cols //", "		//"},
	{"a move down in a frame on its way is believed to have come as far as it leads", "course.go", "		astray += f.falls\n", ""},
	{"rows that a wider window has joined under a frame on its way are believed to have led it nowhere", "course.go", "		astray += f.joins\n", ""},
	{"a line that a frame on its way has printed is believed to end where it did in a terminal that cuts", "resize.go", "(r.c.Reflow != ReflowNo || r.resize.met) && (r", "r.c.Reflow != ReflowNo && (r"},
	{"rows that a frame on its way inserted are believed to be below all final ones", "course.go", "		n -= f.above\n", ""},
	{"a frame on its way is believed to have come in time to a line that is passed", "resize.go", "	if r.resize.met {\n		above = min(above", "	if false {\n		above = min(above"},
	{"a cursor is looked for where a frame on its way has not left it", "resize.go", "		text = max(text, row)", "		_ = text"},
	{"final rows of a frame that is taken back are lost", "flight.go", "		r.pending.add(f.commit, f.cols, r.c.Model)\n", "		_ = f\n"},
	{"a frame that is taken back is believed to have gone as far down as it ever did", "flight.go", "row-w.y,", "row-w.low,"},
	{"a wrap in a narrower window is counted twice", "flight.go", "			w.x = 0\n			w.down()\n", "			w.x = 0\n			w.down()\n			w.down()\n"},
	{"a careful frame does not leave a mark for later", "emit.go", "old.stale, e.stale, old.maybe = true, true, false", "old.stale, e.stale = true, true"},
	{"text that a lower window may have taken is believed to begin on the last row", "resize.go", "max(0, text-above), r.l.rows), false", "max(0, text-above), r.l.rows-1), false"},
	{"moves lead down to text that may be below the grid", "resize.go", "if r.resize.skip = min(max(0, -above), r.l.rows); r.resize.skip > 0 {", "if false {"},
	{"marks are printed behind a full row that wrap there", "row.go", "			if len(r.cells)+w == cols && m.AtEdge(c) != c {", "			if false {"},
}

// Without SCROLLKEEP_REQUIRE=mutants a quarter of them runs, so that the whole package stays within three minutes on two cores; all of them take
// about ten.
func TestABugInTheRendererIsFound(t *testing.T) {
	if *mutantRun {
		return // it is this test that runs it
	}
	all := need.Required("mutants")
	need.Time(t)
	dir := t.TempDir()
	for _, m := range mutants {
		m.check(t)
	}
	for i, m := range mutants {
		if !all && i%4 != 0 {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			m.run(t, filepath.Join(dir, fmt.Sprint(i)))
		})
	}
}

var mutantRun = flag.Bool("mutant", false, "this is a run with a bug in it")

// check requires that the place to change is there, once, and returns the file's path and its changed text.
func (m mutant) check(t *testing.T) (path, text string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "renderer", m.file))
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(src), m.old); n != 1 {
		t.Fatalf("%s: the text to change stands in %s %d times:\n%s", m.name, m.file, n, m.old)
	}
	return path, strings.Replace(string(src), m.old, m.new, 1)
}

// run compiles the harness with the bug and requires that it fails.
func (m mutant) run(t *testing.T, dir string) {
	path, text := m.check(t)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(dir, 0o755))
	changed, overlay, binary := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "stress.test")
	must(os.WriteFile(changed, []byte(text), 0o644))
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	must(err)
	must(os.WriteFile(overlay, list, 0o644))
	if out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	defer os.Remove(binary)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	args := []string{"-test.run", "^Test(Programs|SmallPrograms)(KeepTheTape|ThatFailedOncePass)$", "-test.failfast", "-mutant", "-shrink=false", "-seeds", "1200", "-ops", "40"}
	if strings.HasPrefix(m.file, "image/") || strings.HasPrefix(m.file, "../tui/") {
		args = []string{"-test.run", "^TestSessionsOfPictures$", "-mutant", "-pictures", "100"}
	}
	if m.file == "flight.go" {
		args = []string{"-test.run", "^TestMeetingsKeepTheText$", "-mutant", "-shrink=false"}
	}
	out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
	if err == nil {
		t.Fatalf("%q did not find it:\n%s\nas\n%s", args, m.old, m.new)
	}
	if ctx.Err() != nil {
		t.Fatalf("%q did not end, which finds nothing", args)
	}
	if !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "panic") {
		t.Fatalf("it failed otherwise: %v\n%s", err, out)
	}
	first, _, _ := strings.Cut(string(out), "\n\n")
	t.Logf("%.200s", first)
}
