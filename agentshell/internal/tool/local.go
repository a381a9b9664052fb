package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// LocalScheme is the scheme of the texts that all agents of a session share: local://NAME.
const LocalScheme = "local"

// ApprovedPlan is the name of the text with the plan that the person has approved. Nothing else
// writes it.
const ApprovedPlan = "approved-plan.md"

// Bounds of the texts of a session.
const (
	maxLocalTexts = 100
	maxLocalBytes = 16 << 20 // of all together
)

// isLocalName reports whether name can be that of a text. It is no path. (A pattern with {0,79}
// would cost each start 80 KB.)
func isLocalName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return name != "" && len(name) <= 80 && strings.Trim(name, letters+"._-") == "" &&
		strings.ContainsRune(letters, rune(name[0]))
}

// LocalTexts are texts that the agents of a session share beside the workspace: background of their
// work, and what they find. They end with the shell. The zero value is empty. It is safe for use by
// several goroutines.
type LocalTexts struct {
	mu    sync.Mutex
	texts map[string]string
	bytes int
}

// Read returns the text of that name; of no name, the list of all. It is what local://NAME reads.
func (l *LocalTexts) Read(_ context.Context, name string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text, is := l.texts[name]; is {
		return text, nil
	}
	var lines []string
	for name, text := range l.texts {
		lines = append(lines, fmt.Sprintf("%s://%s, %s\n", LocalScheme, name, bytesWord(len(text))))
	}
	slices.Sort(lines)
	switch list := strings.Join(lines, ""); {
	case name != "" && list == "":
		return "", fmt.Errorf("no text was written; they end with the shell")
	case name != "":
		return "", fmt.Errorf("there is no such text; there are\n%s", list)
	case list == "":
		return "No text was written.\n", nil
	default:
		return list, nil
	}
}

// Has reports whether there is a text of that name.
func (l *LocalTexts) Has(name string) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.texts[name]
	return is
}

// Forget removes the text of that name; of no name, all.
func (l *LocalTexts) Forget(name string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes -= len(l.texts[name])
	if delete(l.texts, name); name == "" {
		l.texts, l.bytes = nil, 0
	}
}

// write keeps a text, or removes one with no content.
func (l *LocalTexts) write(name, text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	old, is := l.texts[name]
	switch {
	case !isLocalName(name):
		return invalidArgs("the name of a text is letters, digits, dots, - and _, at most 80")
	case !is && text != "" && len(l.texts) == maxLocalTexts:
		return failed("there are %d texts already: write one of them, or remove one by no content", maxLocalTexts)
	case l.bytes-len(old)+len(text) > maxLocalBytes:
		return failed("the texts of a session have at most %s together", bytesWord(maxLocalBytes))
	}
	if l.texts == nil {
		l.texts = map[string]string{}
	}
	l.bytes += len(text) - len(old)
	if l.texts[name] = text; text == "" {
		delete(l.texts, name)
	}
	return nil
}

// local returns the name of a text that agents share, from its address.
func (e Env) local(request string) (name string, is bool) {
	name, is = strings.CutPrefix(strings.TrimSpace(request), LocalScheme+"://")
	return name, is && e.Team.Local != nil
}

// local prepares the write of a text that agents share. Nothing of the person's differs, so nothing
// is asked.
func (t *writeFile) local(name, content string) Call {
	address := LocalScheme + "://" + name
	return Call{Title: "write_file " + shownLine(address), Path: address,
		Run: func(context.Context, func(string)) (Result, error) {
			if name == ApprovedPlan {
				return Result{}, invalidArgs("%s is the plan that the user has approved: only they change it", address)
			}
			if err := t.env.Team.Local.write(name, content); err != nil {
				return Result{}, err
			}
			if content == "" {
				return Result{Text: address + " is removed.", Summary: "removed"}, nil
			}
			return Result{Text: fmt.Sprintf("%s has %s now. All agents of the session can read it.", address,
				bytesWord(len(content))), Summary: bytesWord(len(content)), Detail: content}, nil
		}}
}
