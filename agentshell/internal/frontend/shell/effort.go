package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// handleEffort handles the command /effort: it sets the model's reasoning effort from the next
// request on. Without a level it shows the current one.
func (sh *Shell) handleEffort(level string) {
	levels := strings.Join(sh.cfg.Models.Efforts, ", ")
	switch {
	case sh.cfg.Models.SetEffort == nil:
		sh.addBlock(notice, problem("The effort of this session's model is fixed."))
	case level == "" && sh.cfg.Models.Effort == "":
		sh.addBlock(notice, paragraphs(false, "effort: the provider's default. /effort LEVEL sets it: "+levels+"."))
	case level == "":
		sh.addBlock(notice, paragraphs(false, "effort: "+sh.cfg.Models.Effort+". The levels are "+levels+"."))
	case !slices.Contains(sh.cfg.Models.Efforts, level):
		hint := "The levels are " + levels + "."
		if near := nearest.Name(level, maxMistyped, sh.cfg.Models.Efforts...); near != "" {
			hint = "Did you mean /effort " + near + "? " + hint
		}
		sh.addBlock(notice, problem("There is no effort "+level+".", hint))
	default:
		if err := sh.cfg.Models.SetEffort(level); err != nil {
			sh.addBlock(notice, problem("The effort was not changed: "+err.Error()))
			return
		}
		sh.cfg.Models.Effort = level
		sh.addBlock(notice, paragraphs(false, "effort: "+level+sh.fromNextStep()))
	}
}

// handleThinking handles the command /thinking: on or off decides whether the model's thinking is
// requested and shown, from the next request on. Without a word it shows the current state.
func (sh *Shell) handleThinking(word string) {
	shown := map[bool]string{true: "on", false: "off"}
	on := word == "on"
	switch {
	case sh.cfg.Models.SetThinking == nil:
		sh.addBlock(notice, problem("This session's model cannot be asked for its thinking."))
	case word == "":
		sh.addBlock(notice, paragraphs(false, "thinking: "+shown[sh.showsThinking()]+
			". /thinking on shows it, /thinking off does not."))
	case word != "on" && word != "off":
		sh.addBlock(notice, problem("There is no /thinking "+word+".", "/thinking on and /thinking off switch it."))
	default:
		if err := sh.cfg.Models.SetThinking(on); err != nil {
			sh.addBlock(notice, problem("Nothing was changed: "+err.Error()))
			return
		}
		sh.thinkingFlipped.Store(on != sh.cfg.Appearance.Thinking)
		sh.addBlock(notice, paragraphs(false, "thinking: "+word+sh.fromNextStep()))
	}
}

// showsThinking reports whether the transcript shows the model's thinking. It may be called on any
// goroutine.
func (sh *Shell) showsThinking() bool { return sh.cfg.Appearance.Thinking != sh.thinkingFlipped.Load() }

// fromNextStep returns ", from the next step on" if a turn runs, or else "". It ends a message
// about a changed setting of the model.
func (sh *Shell) fromNextStep() string {
	if sh.busy() {
		return ", from the next step on"
	}
	return ""
}

// effortArguments returns the levels of reasoning effort as suggestions for the argument of
// /effort.
func effortArguments(_ context.Context, cfg Config) []suggestion {
	return plainSuggestions(cfg.Models.Efforts...)
}
