package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// handleModel runs /model. With a name it switches to that model. Without a name it lists the
// models, or describes the current one if there is no choice or a question is open.
func (sh *Shell) handleModel(name string) {
	switch {
	case name != "":
		sh.chooseModel(name)
	case sh.cfg.Models.Set != nil && sh.question == nil:
		sh.pickModel()
	default:
		lines := []string{"model: " +
			strings.Join(withoutEmpty([]string{sh.cfg.Models.Name, sh.cfg.Models.Note}), ", ")}
		if sh.cfg.Models.Help != nil {
			help := sh.cfg.Models.Help(sh.cfg.Models.Name)
			lines = append(lines, strings.Split(strings.TrimRight(help, "\n"), "\n")...)
		}
		sh.addBlock(notice, paragraphs(false, lines...))
	}
}

// maxMistyped is the largest number of letters in which a typed name may differ from a known one to
// be taken for a misspelling of it.
const maxMistyped = 3

// chooseModel switches to the model of that name. If the name is not known, it first asks the
// server for its models: on a goroutine of its own while a turn runs, else before the next turn.
func (sh *Shell) chooseModel(name string) {
	fetch := sh.cfg.Models.FetchNames
	switch {
	case sh.cfg.Models.Set == nil || slices.Contains(sh.cfg.Models.Names, name):
		sh.setModel(name)
		return
	case fetch == nil:
		sh.offerModels(name, nil, nil)
		return
	}
	sh.modelAsked++
	number := sh.modelAsked
	ask := func(ctx context.Context) func() {
		listed, err := fetch(ctx)
		stopped := ctx.Err() != nil
		return func() {
			switch {
			case stopped:
				sh.addBlock(notice, paragraphs(true, "Stopped: the model stays "+sh.cfg.Models.Name+"."))
			case number == sh.modelAsked: // else another one was named meanwhile
				sh.offerModels(name, listed, err)
			}
		}
	}
	if sh.busy() {
		go func() { sh.app.Do(ask(context.Background())) }()
		return
	}
	sh.runBeside("asking the server for its models", ask)
}

// maxNearModels is the largest number of similar names that are offered when the user types a name
// that is not known.
const maxNearModels = 5

// offerModels switches to the model of that name if the server lists it. listed are the server's
// models, and err is the error of asking for them. If the server does not list the name, or gave no
// list and the name is similar to a known one, the user is asked which model is meant.
func (sh *Shell) offerModels(name string, listed []string, err error) {
	for _, n := range listed {
		if !slices.Contains(sh.cfg.Models.Names, n) {
			sh.cfg.Models.Names = append(slices.Clone(sh.cfg.Models.Names), n)
		}
	}
	known := sh.cfg.Models.Names
	near := nearModels(name, known)
	title := "No model " + name + " is known here. Which one?"
	if len(listed) > 0 {
		title = "The server does not list " + name + ". Which one?"
	}
	switch {
	case slices.Contains(known, name):
		sh.setModel(name)
		return
	case len(listed) == 0 && len(near) == 0, sh.question != nil:
		sh.setModel(name)
		if err != nil {
			sh.addBlock(notice, problem("It is not known whether the server has this model: "+
				firstLine(err.Error())+"."))
		} else if len(listed) > 0 {
			sh.addBlock(notice, problem("The server does not list this model.", "/model shows those that it lists."))
		}
		return
	}
	l := &widget.List{Title: title, Hint: sh.listHint()}
	for _, n := range near {
		item := widget.Item{Text: n}
		if sh.cfg.Models.About != nil {
			item.Note = sh.cfg.Models.About(n)
		}
		l.Items = append(l.Items, item)
	}
	l.Items = append(l.Items, widget.Item{Text: name, Note: "as you have typed it"})
	l.OnLeave = sh.overlay(sh.withKeys(l), tui.Place{Replace: true})
	l.OnChoose = func(i int) {
		l.OnLeave()
		sh.setModel(l.Items[i].Text)
	}
}

// nearModels returns at most maxNearModels of the known names that the user may have meant by name:
// first the most similar one, then those that contain it.
func nearModels(name string, known []string) (near []string) {
	near = withoutEmpty([]string{nearest.Name(name, maxMistyped, known...)})
	for _, n := range known {
		if strings.Contains(strings.ToLower(n), strings.ToLower(name)) && !slices.Contains(near, n) {
			near = append(near, n)
		}
	}
	return near[:min(len(near), maxNearModels)]
}

// setModel switches to another model, and tells the user. A running turn uses it from its next
// request on.
func (sh *Shell) setModel(name string) {
	switch {
	case sh.cfg.Models.Set == nil:
		sh.addBlock(notice, problem("This session has a single model: "+sh.cfg.Models.Name+".",
			"/model tells how to get another one."))
	default:
		if err := sh.cfg.Models.Set(name); err != nil {
			sh.addBlock(notice, problem("The model was not changed: "+err.Error()))
			return
		}
		sh.cfg.Models.Name = name
		sh.refreshCounts()
		sh.addBlock(notice, paragraphs(false, "model: "+name+sh.fromNextStep()))
	}
}

// pickModel opens a list in which the user chooses a model.
func (sh *Shell) pickModel() {
	l := &widget.List{Title: "Model: " + sh.cfg.Models.Name, Hint: sh.listHint()}
	m := &modelList{sh: sh, names: slices.Clone(sh.cfg.Models.Names), widget: l}
	l.Source = m
	leave := sh.overlay(sh.withKeys(l), tui.Place{Replace: true})
	ctx, stop := context.WithCancel(context.Background())
	l.OnLeave = func() {
		stop()
		leave()
	}
	l.OnChoose = func(i int) {
		l.OnLeave()
		sh.setModel(m.names[i])
	}
	if sh.cfg.Models.FetchNames != nil {
		go m.fetchNames(ctx)
	}
}

// modelList holds the entries of the list that /model opens: the names that the shell knows, then
// further names once the provider has sent them.
type modelList struct {
	sh     *Shell
	names  []string
	widget *widget.List
}

// fetchNames asks the provider for its models, and adds them to the list. It runs outside of the
// event loop.
func (m *modelList) fetchNames(ctx context.Context) {
	names, err := m.sh.cfg.Models.FetchNames(ctx)
	m.sh.app.Do(func() {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			m.widget.Title += "; its provider gave no list: " + firstLine(err.Error())
		}
		for _, name := range names {
			if !slices.Contains(m.names, name) {
				m.names = append(m.names, name)
			}
		}
		m.sh.cfg.Models.Names = slices.Clone(m.names) // for the completion, and for names that are typed
		m.widget.Changed()
	})
}

// Len returns the number of models.
func (m *modelList) Len() int { return len(m.names) }

// Item returns the row of model i.
func (m *modelList) Item(i int) widget.Item {
	item := widget.Item{Text: m.names[i]}
	if m.sh.cfg.Models.About != nil {
		item.Note = m.sh.cfg.Models.About(item.Text)
	}
	return item
}

// Match calls done with the indexes of the models whose names contain all words that the user has
// typed.
func (m *modelList) Match(typed []string, done func([]int)) {
	var found []int
	for i, name := range m.names {
		if name = strings.ToLower(name); !slices.ContainsFunc(typed, func(w string) bool {
			return !strings.Contains(name, w)
		}) {
			found = append(found, i)
		}
	}
	done(found)
}
