package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// model handles /model: a list of the models that can be chosen, or the model of that name at once.
// Where there is one only it says which.
func (sh *Shell) model(name string) {
	switch {
	case name != "":
		sh.setModel(name)
	case sh.cfg.Models.Set != nil && sh.open == nil && !sh.busy():
		sh.pickModel()
	default:
		lines := []string{"model: " + strings.Join(fields([]string{sh.cfg.Models.Name, sh.cfg.Models.Note}), ", ")}
		if sh.cfg.Models.Help != nil {
			help := sh.cfg.Models.Help(sh.cfg.Models.Name)
			lines = append(lines, strings.Split(strings.TrimRight(help, "\n"), "\n")...)
		}
		sh.append(notice, words(false, lines...))
	}
}

// setModel changes who answers.
func (sh *Shell) setModel(name string) {
	switch {
	case sh.cfg.Models.Set == nil:
		sh.append(notice, problem("This session has a single model: "+sh.cfg.Models.Name+".",
			"/model tells how to get another one."))
	case sh.waits("/model"):
	default:
		if err := sh.cfg.Models.Set(name); err != nil {
			sh.append(notice, problem("The model was not changed: "+err.Error()))
			return
		}
		sh.cfg.Models.Name = name
		sh.measure()
		sh.append(notice, words(false, "model: "+name))
	}
}

// pickModel shows the list of models.
func (sh *Shell) pickModel() {
	l := &widget.List{Title: "Model: " + sh.cfg.Models.Name, Hint: sh.listHint()}
	m := &modelList{sh: sh, list: slices.Clone(sh.cfg.Models.Names), shown: l}
	l.Source = m
	leave := sh.overlay(sh.keyed(l), tui.Place{Replace: true})
	ctx, stop := context.WithCancel(context.Background())
	l.OnLeave = func() {
		stop()
		leave()
	}
	l.OnChoose = func(i int) {
		l.OnLeave()
		sh.setModel(m.list[i])
	}
	if sh.cfg.Models.Ask != nil {
		go m.ask(ctx)
	}
}

// modelList is the list of /model: what the shell knows, and behind that what the provider names as
// soon as it has answered.
type modelList struct {
	sh    *Shell
	list  []string
	shown *widget.List
}

// ask asks the provider, beside the loop.
func (m *modelList) ask(ctx context.Context) {
	names, err := m.sh.cfg.Models.Ask(ctx)
	m.sh.app.Do(func() {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			m.shown.Title += "; its provider gave no list: " + firstLine(err.Error())
		}
		for _, name := range names {
			if !slices.Contains(m.list, name) {
				m.list = append(m.list, name)
			}
		}
		m.shown.Changed()
	})
}

// Len returns their number.
func (m *modelList) Len() int { return len(m.list) }

// Item returns the row of one.
func (m *modelList) Item(i int) widget.Item {
	item := widget.Item{Text: m.list[i]}
	if m.sh.cfg.Models.About != nil {
		item.Note = m.sh.cfg.Models.About(item.Text)
	}
	return item
}

// Match looks for words.
func (m *modelList) Match(typed []string, done func([]int)) {
	var found []int
	for i, name := range m.list {
		if name = strings.ToLower(name); !slices.ContainsFunc(typed, func(w string) bool {
			return !strings.Contains(name, w)
		}) {
			found = append(found, i)
		}
	}
	done(found)
}
