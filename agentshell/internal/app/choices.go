package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// presentModel returns the model that answers the next message of the conversation.
func (c *conversation) presentModel() provider.Model {
	if c.mainAgent != nil {
		return c.mainAgent.Model()
	}
	return c.model
}

// choices returns the user's present choices: the model, the mode, the effort and the thinking.
func (c *conversation) choices() session.Choices {
	now := session.Choices{Model: c.presentModel().Name(), Mode: c.policy.Mode()}
	if c.serverOf != nil {
		now.Server = c.serverOf(now.Model)
	}
	now.Effort, now.Thinking = c.chosenAnswering()
	return now
}

// chosenAnswering returns the effort that the user has chosen for this run, or "", and whether the
// model's thinking is requested.
func (r *project) chosenAnswering() (effort string, thinking bool) {
	effort, thinking = r.Effort, r.Thinking
	if r.answering != nil {
		r.answering(func(a *answering) { effort, thinking = cmp.Or(a.effort, effort), a.thinking })
	}
	return effort, thinking
}

// noteChoice stores the user's present choices in the session log. It does not wait for the write.
func (c *conversation) noteChoice() {
	if log := c.log; log != nil {
		log.Choose(c.choices())
		go func() { _ = log.StoreChoices() }()
	}
}

// takeUpChoices restores the choices in the log of a resumed session. From then on each new choice
// is stored in the log.
func (c *conversation) takeUpChoices(o conversationOptions) error {
	if o.Agent != nil {
		return nil
	}
	if c.log != nil && (o.Resume != "" || o.Continue) {
		stored := c.log.Choices()
		if err := c.modelWithoutList(stored); err != nil {
			return err
		}
		c.restored = append(c.restored, c.restore(stored, true, func(m provider.Model) error {
			c.model = m
			return nil
		})...)
	}
	if c.log != nil {
		c.log.SetChoices(c.choices())
		c.policy.Watch(c.noteChoice)
	}
	return nil
}

// modelWithoutList uses the model of a resumed session, if none is configured and the server did
// not list its models. It returns an error if the session has no model of this server.
func (c *conversation) modelWithoutList(stored session.Choices) error {
	if c.unlisted == nil {
		return nil
	}
	if stored.Model == "" || stored.Server != "" && stored.Server != c.serverOf(stored.Model) {
		return noModel(c.unlisted)
	}
	m, err := c.newModel(stored.Model)
	if err != nil {
		return err
	}
	c.model = m
	why := c.unlisted.Error()
	c.restored = append(c.restored, fmt.Sprintf("%s. The session keeps its model, %s. Start the server before you "+
		"send a message.", strings.ToUpper(why[:1])+why[1:], m.Name()))
	return nil
}

// restore restores the choices of a stored session, and returns lines that say so. The mode never
// becomes less strict than it is now. If flagsWin is true, choices of the command line stay as they
// are. The function use changes the model.
func (c *conversation) restore(stored session.Choices, flagsWin bool, use func(provider.Model) error) (lines []string) {
	kept, lines := c.restoreModel(stored, flagsWin, use)
	if !flagsWin || c.mode.from != byFlag {
		now := c.policy.Mode()
		mode := approval.Stricter(now, stored.Mode)
		if mode != now {
			c.policy.Watch(nil) // this is no choice of the user, so it is not stored
			if c.policy.SetMode(mode) == nil {
				kept = append(kept, "mode "+mode)
			}
		}
		if mode = c.policy.Mode(); mode != stored.Mode && approval.ModeAbout(stored.Mode) != "" {
			how := "/mode " + stored.Mode + " sets it."
			if stored.Mode == approval.ModeTrusted || stored.Mode == approval.ModeUnconfined {
				how = "Only --mode " + stored.Mode + " at the start sets it."
			}
			lines = append(lines, fmt.Sprintf("Mode: %s. The session was in mode %s. %s", mode, stored.Mode, how))
		}
	}
	if len(kept) > 0 {
		lines = append([]string{"As before: " + strings.Join(kept, ", ") + "."}, lines...)
	}
	return lines
}

// restoreModel restores the model, its effort and its thinking. kept names what has changed; lines
// says what could not be restored.
func (c *conversation) restoreModel(stored session.Choices, flagsWin bool,
	use func(provider.Model) error) (kept, lines []string) {
	if c.newModel == nil || c.answering == nil || stored.Server == "" {
		return nil, nil
	}
	now := c.choices()
	next := now
	if stored.Model != now.Model && !(flagsWin && c.Model != "") {
		if why := c.whyNoModel(stored); why != "" {
			lines = append(lines, c.modelNotRestored(now.Model, stored.Model, why))
		} else {
			next.Model = stored.Model
		}
	}
	if !(flagsWin && c.Effort != "") && (stored.Effort == "" || slices.Contains(config.Efforts(), stored.Effort)) {
		next.Effort = stored.Effort
	}
	if !(flagsWin && c.Thinking) {
		next.Thinking = stored.Thinking
	}
	if next == now {
		return nil, lines
	}
	c.answering(func(a *answering) { a.effort, a.thinking = next.Effort, next.Thinking })
	m, err := c.newModel(next.Model)
	if err != nil && next.Model != now.Model {
		lines = append(lines, c.modelNotRestored(now.Model, stored.Model, "cannot be used: "+err.Error()))
		next.Model = now.Model
		m, err = c.newModel(now.Model)
	}
	if err == nil {
		err = use(m)
	}
	if err != nil {
		return nil, append(lines, "The model does not answer as before: "+err.Error())
	}
	if next.Model != now.Model {
		kept = append(kept, "model "+next.Model)
	}
	if next.Effort != now.Effort {
		kept = append(kept, "effort "+cmp.Or(next.Effort, "as configured"))
	}
	if next.Thinking != now.Thinking {
		kept = append(kept, map[bool]string{true: "thinking on", false: "thinking off"}[next.Thinking])
	}
	return kept, lines
}

// whyNoModel returns why the model of a stored session cannot be used here, or "".
func (c *conversation) whyNoModel(stored session.Choices) string {
	_, configured := c.cfg.Models[stored.Model]
	here := c.serverOf(stored.Model)
	switch {
	case stored.Server != here:
		return "was at " + stored.Server + ", and " + here + " is asked now"
	case c.listed != nil && !configured && !slices.Contains(c.listed, stored.Model):
		return "is not in the list of " + here
	}
	return ""
}

// modelNotRestored returns a line that says why the model of the stored session is not used.
func (c *conversation) modelNotRestored(now, stored, why string) string {
	return fmt.Sprintf("Model: %s. The session's model, %s, %s. /model chooses another.", now, stored,
		strings.TrimSuffix(why, "."))
}

// How many tool calls a line for the user names, and how many bytes of each title.
const (
	maxCutTitles = 3
	maxCutTitle  = 60
)

// repairs returns lines about tool calls that were interrupted because the process of the session
// was killed.
func repairs(log *session.Log) []string {
	lines := slices.Clone(log.Repaired)
	if cut := callTitles(log.Cut); cut != "" {
		lines = append(lines, "The session was cut off during "+cut+". It may have done a part of its work, and the "+
			"model is told so.")
	}
	if cut := callTitles(log.NotRun); cut != "" {
		lines = append(lines, "The session was cut off before "+cut+": not run, and the model is told so.")
	}
	return lines
}

// callTitles returns the titles of the first tool calls, for a line. It returns "" if there are
// none.
func callTitles(calls []provider.ToolCall) string {
	var titles []string
	for _, call := range calls {
		title := agent.StoredCallEnd(call, nil).Title
		if short := width.Head(title, maxCutTitle); short != title {
			title = short + " ..."
		}
		titles = append(titles, title)
	}
	if n := len(titles); n > maxCutTitles {
		titles = append(titles[:maxCutTitles], fmt.Sprintf("and %d more", n-maxCutTitles))
	}
	return strings.Join(titles, ", ")
}

// cutOffCommand returns the title of the last tool call that was interrupted because the process
// ended, or "" if there is none. Calls that change a single file do not count, because it is known
// what became of them.
func cutOffCommand(messages []provider.Message) (title string) {
	calls := map[string]provider.ToolCall{}
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.ToolCall:
				calls[p.ID] = p
			case provider.ToolResult:
				c, known := calls[p.ID]
				if known && p.Text == session.CutOffText && c.Name != "write_file" && c.Name != "edit_file" {
					title = callTitles([]provider.ToolCall{c})
				}
			}
		}
	}
	return title
}
