package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// LocalScheme is the scheme of addresses, local://NAME, of texts that all agents of a session
// share.
const LocalScheme = "local"

// ApprovedPlan is the name of the shared text that holds the plan which the user has approved. The
// model cannot change it.
const ApprovedPlan = "approved-plan.md"

// maxLocalTexts is the largest number of shared texts of a session, and maxLocalBytes their largest
// total size.
const (
	maxLocalTexts = 100
	maxLocalBytes = 16 << 20
)

// isLocalName reports whether name is a valid name for a shared text: at most 80 letters, digits,
// dots, - and _. (It is no regular expression, because one with {0,79} would cost 80 KB at every
// start.)
func isLocalName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return name != "" && len(name) <= 80 && strings.Trim(name, letters+"._-") == "" &&
		strings.ContainsRune(letters, rune(name[0]))
}

// LocalTexts holds texts that the agents of a session share outside of the workspace, such as
// background of their work and findings. They are lost when the program ends. The zero value is
// empty. It is safe for use by several goroutines.
type LocalTexts struct {
	mu sync.Mutex
	// texts maps names to texts.
	texts map[string]string
	// bytes is the total size of the texts.
	bytes int
}

// Read returns the text at local://NAME. If name is "", it returns the list of all texts.
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

// Has reports whether a text of that name exists.
func (l *LocalTexts) Has(name string) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.texts[name]
	return is
}

// Forget removes the text of that name, or all texts if name is "".
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

// write stores a text under a name. An empty text removes the one that is there.
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

// local returns the name in a local:// address. is is false for other requests, and if agents share
// no texts.
func (e Env) local(request string) (name string, is bool) {
	name, is = strings.CutPrefix(strings.TrimSpace(request), LocalScheme+"://")
	return name, is && e.Team.Local != nil
}

// local prepares a call that writes a shared text. It asks nothing, because no file of the user
// changes.
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
