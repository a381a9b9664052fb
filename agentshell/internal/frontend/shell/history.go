package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
)

// recall gives the prompt what was sent in earlier sessions.
func (sh *Shell) recall() {
	if sh.cfg.History == nil {
		return
	}
	list, err := sh.cfg.History.Load()
	if err != nil {
		sh.cfg.Start.Notes = append(slices.Clone(sh.cfg.Start.Notes),
			"what you sent earlier cannot be read: "+err.Error())
	}
	for _, e := range list {
		sh.editor.History = append(sh.editor.History, e.Text)
		sh.editor.Pastes = append(sh.editor.Pastes, e.Pastes...)
	}
	sh.editor.Pastes = sh.editor.Pastes[max(len(sh.editor.Pastes)-32, 0):]
}

// keep hands text over to the history, on the loop: it never waits for the file.
func (sh *Shell) keep(text string) {
	if sh.cfg.History == nil || strings.TrimSpace(text) == "" {
		return
	}
	e := recall.Entry{Text: text}
	for _, p := range sh.editor.Pastes {
		if strings.Contains(text, p) {
			e.Pastes = append(e.Pastes, p)
		}
	}
	select {
	case sh.kept <- e:
	default: // the disk hangs
	}
}

// keeping writes what keep hands over, until ctx ends.
func (sh *Shell) keeping(ctx context.Context) {
	told := false
	add := func(e recall.Entry) {
		if err := sh.cfg.History.Add(e); err != nil && !told {
			told = true
			sh.append(notice, problem("What you send is not kept for later sessions: "+err.Error()))
		}
	}
	for {
		select {
		case e := <-sh.kept:
			add(e)
		case <-ctx.Done():
			for {
				select {
				case e := <-sh.kept:
					add(e)
				default:
					return
				}
			}
		}
	}
}
