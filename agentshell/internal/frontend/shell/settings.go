package shell

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Settings gives /config access to the settings of the configuration file.
type Settings interface {
	// All returns all settings. It is called outside of the event loop.
	All() ([]Setting, error)
	// Change prepares to give a setting the value that the user has typed. It returns the change of
	// the configuration file, which is not written yet. It is called outside of the event loop.
	Change(name, typed string) (SettingChange, error)
}

// Setting describes one setting and its current value. Secrets such as API keys are never part of
// it.
type Setting struct {
	// Name is the setting's key in the file, such as "theme". Value is its current value as text.
	Name, Value string
	// Where the value comes from: "default", or the file and the line, such as "config.toml:7".
	From    string
	About   string   // What the setting does, in a few words.
	Choices []string // The values that the setting may have; nil: any value.
	Typed   string   // The value as the user would type it after /config; "": the user types it from scratch.
	// A sentence that says where in the file the user can edit the setting; "": /config can change
	// it.
	ByHand string
}

// SettingChange describes a change of the configuration file that was not written yet.
type SettingChange struct {
	// The question to the user.
	Question string
	Patch    string // The lines of the file that change, as a unified diff; "": the file has this value already.
	Since    string // A sentence that says from when on the new value is used.
	// Write writes the changed file.
	Write func() error
	// Appearance returns the look of the shell with the new value, which is applied at once; nil:
	// the value is used from the next start on. It is called outside of the event loop, after
	// Write.
	Appearance func() Appearance
}

// handleConfig runs /config: it lists the settings, shows one, or changes one.
func (sh *Shell) handleConfig(argument string) {
	if sh.cfg.Settings == nil {
		sh.addBlock(notice, problem("There is no configuration file here."))
		return
	}
	name, value, _ := strings.Cut(argument, " ")
	if value = strings.TrimSpace(value); value != "" {
		sh.changeSetting(name, value)
		return
	}
	go func() {
		all, err := sh.cfg.Settings.All()
		sh.app.Do(func() {
			switch {
			case err != nil:
				sh.addBlock(notice, problem("The configuration file cannot be read: "+err.Error()))
			case name != "":
				sh.showSetting(all, name)
			case sh.question != nil:
				sh.addBlock(notice,
					problem("A change waits for your answer.", "Answer it first, then try /config again."))
			default:
				sh.listSettings(all, 0)
			}
		})
	}()
}

// listSettings opens the list of settings, with all[at] selected.
func (sh *Shell) listSettings(all []Setting, at int) {
	l := &widget.List{Title: "Settings, and where one is set that is not the default", Hint: sh.listHint(),
		Aligned: true, At: at}
	for _, s := range all {
		item := widget.Item{Text: s.Name + ": " + s.Value, Note: s.About}
		if s.From != "default" {
			item.Note = s.From + "; " + s.About
		}
		l.Items = append(l.Items, item)
	}
	l.OnLeave = sh.overlay(sh.withKeys(l), tui.Place{Replace: true})
	l.OnChoose = func(i int) {
		l.OnLeave()
		sh.editSetting(all, i)
	}
}

// editSetting lets the user change the setting all[at]: in a list of its values, or by typing a
// value into the prompt. Esc in the list of values returns to the list of settings.
func (sh *Shell) editSetting(all []Setting, at int) {
	s := all[at]
	switch {
	case s.ByHand != "":
		sh.addBlock(notice, paragraphs(false, s.Name+": "+s.Value+" ("+s.From+"). "+s.ByHand))
		return
	case len(s.Choices) == 0:
		sh.editor.SetText("/config " + s.Name + " " + s.Typed)
		return
	}
	values := append(slices.Clone(s.Choices), takeOut)
	l := &widget.List{Title: s.Name + ": " + s.About,
		Hint: sh.cfg.Keys.ExpandAll(", ", "{list-choose} chooses", "typing searches", "{list-close} goes back")}
	for i, v := range values {
		item := widget.Item{Text: v}
		if v == s.Typed {
			item.Note, l.At = "now", i
		}
		if v == takeOut {
			item.Note = "without a line in the file"
		}
		l.Items = append(l.Items, item)
	}
	leave := sh.overlay(sh.withKeys(l), tui.Place{Replace: true})
	l.OnLeave = func() {
		leave()
		sh.listSettings(all, at)
	}
	l.OnChoose = func(i int) {
		leave()
		sh.changeSetting(s.Name, values[i])
	}
}

// takeOut is the value that the user enters to remove a setting from the file, so that its default
// applies.
const takeOut = "default"

// showSetting shows one setting and how to change it. If there is no setting of that name it
// suggests a similar one.
func (sh *Shell) showSetting(all []Setting, name string) {
	i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		sh.addBlock(notice, sh.unknownSetting(all, name))
		return
	}
	s := all[i]
	rows := []string{s.Name + ": " + s.Value + " (" + s.From + ")", capitalized(s.About) + "."}
	switch {
	case s.ByHand != "":
		rows = append(rows, s.ByHand)
	case len(s.Choices) > 0:
		rows = append(rows, "/config "+s.Name+" VALUE changes it: "+strings.Join(s.Choices, ", ")+", or "+takeOut+".")
	default:
		rows = append(rows, "/config "+s.Name+" VALUE changes it; "+takeOut+" takes it out of the file.")
	}
	sh.addBlock(notice, paragraphs(false, rows...))
}

// unknownSetting returns a notice that there is no setting of that name, with a suggestion if the
// name looks misspelt.
func (sh *Shell) unknownSetting(all []Setting, name string) staticBlock {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	hint := "/config lists them."
	if near := nearest.Name(name, maxMistyped, names...); near != "" {
		hint = "Did you mean " + near + "? " + hint
	}
	return problem("There is no setting "+name+".", hint)
}

// changeSetting writes the setting into the configuration file, after the user has seen and
// approved the diff.
func (sh *Shell) changeSetting(name, value string) {
	if sh.refuseWhileBusy("/config") {
		return
	}
	sh.runBeside("reading the configuration", func(ctx context.Context) func() {
		all, err := sh.cfg.Settings.All()
		if err == nil && !slices.ContainsFunc(all, func(s Setting) bool { return s.Name == name }) {
			return func() { sh.addBlock(notice, sh.unknownSetting(all, name)) }
		}
		var change SettingChange
		if err == nil {
			change, err = sh.cfg.Settings.Change(name, value)
		}
		if err != nil {
			return func() { sh.addBlock(notice, problem("Nothing was changed: "+err.Error()+".")) }
		}
		if change.Patch == "" {
			return func() { sh.addBlock(notice, paragraphs(false, name+" has this value in the file already.")) }
		}
		p := &approval.Proposal{ID: rand.Text(), Tool: "config", Payload: approval.Prompts{
			Base: approval.Base{Kind: "prompts", Description: "Write " + name + " into the configuration file"},
			What: name + " in config.toml", Verb: "write", Question: change.Question, Text: change.Patch, Patch: true}}
		answer, err := sh.Ask(ctx, p)
		if yes, ok := answer.(approval.Yes); err != nil || !ok || yes.ID != p.ID {
			return func() { sh.addBlock(notice, paragraphs(false, "Nothing was written.")) }
		}
		if err := change.Write(); err != nil {
			return func() { sh.addBlock(notice, problem("Nothing was written: "+err.Error()+".")) }
		}
		var look Appearance
		if change.Appearance != nil {
			look = change.Appearance()
		}
		return func() {
			sh.addBlock(notice, paragraphs(false, name+" is written. "+change.Since))
			if change.Appearance != nil {
				sh.applyAppearance(name, look)
			}
		}
	})
}

// applyAppearance applies a changed setting of the screen's look to the running shell. name is the
// setting, and look has the new values. It is called on the event loop.
func (sh *Shell) applyAppearance(name string, look Appearance) {
	now := &sh.cfg.Appearance
	switch name {
	case "theme":
		sh.setTheme(look.Theme)
	case "status":
		now.Status = look.Status
	case "title":
		now.SetTitle = look.SetTitle
		sh.updateTitle()
	case "keys.vim":
		sh.editor.Vim = look.Vim
	}
}

// settingArguments suggests arguments for /config: the names of settings, and names with a value.
func settingArguments(_ context.Context, cfg Config) (list []suggestion) {
	if cfg.Settings == nil {
		return nil
	}
	all, err := cfg.Settings.All()
	if err != nil {
		return nil
	}
	for _, s := range all {
		list = append(list, suggestion{text: s.Name, note: s.Value + ", " + s.About, insert: s.Name + " "})
	}
	for _, s := range all {
		for _, v := range s.Choices {
			list = append(list, suggestion{text: s.Name + " " + v, insert: s.Name + " " + v})
		}
	}
	return list
}
