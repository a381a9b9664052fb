package tool

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// conflictScheme is the scheme of addresses, conflict://N, of merge conflicts that read_file has
// shown.
const conflictScheme = "conflict://"

// maxConflicts is the number of merge conflicts that are remembered by their numbers.
const maxConflicts = 1000

// conflicts holds the merge conflicts that read_file has shown, by the numbers that it has given
// them, from 1 on. Conflicts are identified by their text, because their line numbers change when
// lines above them do. The zero value is ready. It is safe for use by several goroutines.
type conflicts struct {
	mu    sync.Mutex
	first int // first is the number of conflicts that have been dropped from the beginning of list.
	list  []mergeConflict
}

// mergeConflict is one merge conflict in a file, from its first to its last marker line.
type mergeConflict struct {
	path workspace.Path
	// from and to are its first and last line, counted from 1, at the time when it was shown.
	from, to int
	// text is the whole conflict with its marker lines.
	text string
	// ours, base and theirs are the texts between the marker lines.
	ours, base, theirs string
}

// add stores a conflict and returns its number. A conflict that was shown before keeps its number.
func (c *conflicts) add(new mergeConflict) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, old := range c.list {
		if old.path == new.path && old.text == new.text {
			c.list[i] = new
			return c.first + i + 1
		}
	}
	c.list = append(c.list, new)
	if len(c.list) > maxConflicts {
		c.list, c.first = c.list[1:], c.first+1
	}
	return c.first + len(c.list)
}

// get returns the conflict with the number n. ok is false if there is none.
func (c *conflicts) get(n int) (found mergeConflict, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n -= c.first; n < 1 || n > len(c.list) {
		return mergeConflict{}, false
	}
	return c.list[n-1], true
}

// conflictsIn returns the merge conflicts in a text, with git's markers. Markers that do not form a
// complete conflict are ignored.
func conflictsIn(text string) (found []mergeConflict) {
	const none, ours, base, theirs = 0, 1, 2, 3
	part := none
	var now mergeConflict
	n := 0
	for line := range strings.Lines(text) {
		n++
		bare := strings.TrimRight(line, "\r\n")
		mark := func(sign string) bool { return bare == sign || strings.HasPrefix(bare, sign+" ") }
		if mark("<<<<<<<") {
			now, part = mergeConflict{from: n, text: line}, ours
			continue
		}
		if part == none {
			continue
		}
		now.text += line
		switch {
		case part == ours && mark("|||||||"):
			part = base
		case (part == ours || part == base) && bare == "=======":
			part = theirs
		case part == theirs && mark(">>>>>>>"):
			now.to = n
			found, part = append(found, now), none
		case part == ours:
			now.ours += line
		case part == base:
			now.base += line
		default:
			now.theirs += line
		}
	}
	return found
}

// readConflicts returns the merge conflicts of a file, each with its address.
func (t *readFile) readConflicts(ctx context.Context, p workspace.Path) (Result, error) {
	text, err := t.env.Workspace.ReadText(ctx, p, 0, 0)
	if err != nil {
		return Result{}, err
	}
	found := conflictsIn(text)
	if len(found) == 0 {
		return Result{Text: fmt.Sprintf("%s has no merge conflicts\n", shown(p)), Summary: "no conflicts"}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[%s in %s. To resolve one, call write_file with its address as path and the lines that go in its "+
		"place as content, or @ours, @theirs, @base or @both.]\n", count(len(found), "conflict"), shown(p))
	left := roomOf(ctx)
	left.take(b.String())
	for i, c := range found {
		c.path = p
		head := fmt.Sprintf("%s%d, lines %d-%d:\n", conflictScheme, t.env.conflicts.add(c), c.from, c.to)
		whole := left
		body, n, all := numberLines(c.text, c.from, maxReadLines, &whole, prefix{sep: "\t"})
		if !all && i > 0 || !left.take(head+body) && i > 0 {
			fmt.Fprintf(&b, "[%s more; resolve these, then read %s:conflicts again]\n", count(len(found)-i, "conflict"),
				shown(p))
			break
		}
		b.WriteString(head + body)
		if !all {
			address, _, _ := strings.Cut(head, ",")
			fmt.Fprintf(&b, "[more; read on with %s:%d]\n", address, n+1)
			left = room{}
		}
	}
	return Result{Text: b.String(), Summary: count(len(found), "conflict"), Detail: b.String()}, nil
}

// conflictOf returns the conflict at a conflict:// address, its number, and the side that the
// address names; "" means the whole conflict.
func (e Env) conflictOf(address string) (c mergeConflict, n int, side string, err error) {
	number, side, _ := strings.Cut(strings.TrimPrefix(address, conflictScheme), "/")
	n, err = strconv.Atoi(number)
	if err != nil {
		return c, 0, "", invalidArgs("%s is not the address of a conflict: %sN, as read_file shows it for "+
			"PATH:conflicts",
			shownLine(address), conflictScheme)
	}
	c, ok := e.conflicts.get(n)
	if !ok {
		return c, n, "", &Error{Code: "not_found", Text: fmt.Sprintf("no conflict %d was shown; read PATH:conflicts",
			n)}
	}
	return c, n, side, nil
}

// part returns the text of a side of the conflict: ours, theirs, base or both; "" means the whole
// conflict. ok is false for other names.
func (c mergeConflict) part(side string) (text string, ok bool) {
	switch side {
	case "":
		return c.text, true
	case "ours":
		return c.ours, true
	case "theirs":
		return c.theirs, true
	case "base":
		return c.base, true
	case "both":
		return c.ours + c.theirs, true
	}
	return "", false
}

// conflictText returns the text at a conflict:// address, and the conflict that it belongs to.
func (e Env) conflictText(address string) (text string, c mergeConflict, err error) {
	c, _, side, err := e.conflictOf(address)
	if err != nil {
		return "", c, err
	}
	text, ok := c.part(side)
	if !ok {
		err = invalidArgs("a conflict has the sides ours, theirs, base and both, not %q", side)
	}
	return text, c, err
}

// conflict prepares a call that reads a conflict, or one side of it.
func (t *readFile) conflict(address string) (Call, error) {
	address, sel, _, err := parseSelector(address)
	if err != nil {
		return Call{}, err
	}
	text, c, err := t.env.conflictText(address)
	if err != nil {
		return Call{}, err
	}
	return Call{Title: "read_file " + shownLine(address) + sel.String(), Path: c.path.Match(),
		Run: func(ctx context.Context, _ func(string)) (Result, error) {
			return readLines(ctx, text, shownLine(address), sel), nil
		}}, nil
}

// conflict prepares a call that resolves a conflict: it replaces the conflict by the given content,
// or by a side that is named as @ours, @theirs, @base or @both.
func (t *writeFile) conflict(ctx context.Context, id string, args writeArgs) (Call, error) {
	c, n, side, err := t.env.conflictOf(args.Path)
	switch {
	case err != nil:
		return Call{}, err
	case side != "":
		return Call{}, invalidArgs("%s is read-only; write to %s%d", shownLine(args.Path), conflictScheme, n)
	}
	f, err := loadTarget(ctx, t.env, t.env.Workspace.Abs(c.path))
	if err != nil {
		return Call{}, err
	}
	if f.Path != c.path {
		return Call{}, &Error{Code: "conflict", Text: fmt.Sprintf("%s leads elsewhere now", shown(c.path))}
	}
	text := string(f.Data)
	if strings.Count(text, c.text) != 1 {
		return Call{}, &Error{Code: "conflict",
			Text: fmt.Sprintf("conflict %d is not in %s as it was shown; read %[2]s:conflicts", n, shown(c.path))}
	}
	content := args.Content
	if name, named := strings.CutPrefix(strings.TrimSpace(content), "@"); named && name != "" {
		if side, ok := c.part(name); ok {
			content = side
		}
	}
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	if strings.Contains(c.text, "\r\n") && !strings.Contains(content, "\r\n") {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	after := strings.Replace(text, c.text, content, 1)
	note := fmt.Sprintf("conflict %d resolved; %s left in the file", n, count(len(conflictsIn(after)), "conflict"))
	ch := t.change(id, f, args.Path, []byte(after))
	ch.asked = c.path.Rel()
	ch.notes = append(ch.notes, note)
	return ch.formatted(ctx).prepare()
}
