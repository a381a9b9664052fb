package tool

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
)

// EvalResult is the structured result of the tool eval.
type EvalResult struct {
	Cells []CellResult `json:"cells"`
}

// CellResult describes how one code cell has ended.
type CellResult struct {
	Language string `json:"language"`
	Title    string `json:"title,omitempty"`
	Status   string `json:"status"` // Status is complete, error, interrupted or timed out.
	JSON     []any  `json:"json,omitempty"`
}

// maxPictures is the number of pictures that one call shows.
const maxPictures = 8

// cellRun runs the code cells of one call and collects the result.
type cellRun struct {
	*Cells
	progress func(string)
	// left is the room that the output of one cell may take.
	left   room
	result Result
	data   EvalResult
	text   strings.Builder // text is the result of the call for the model, as far as cells have run.
	detail strings.Builder // detail is the result of the call for the user, as far as cells have run.
}

// run runs code cells one after the other, and ends at the first that fails.
func (c *Cells) run(ctx context.Context, list []evalCell, progress func(string)) (Result, error) {
	if err := c.env.Workspace.Alive(); err != nil {
		return Result{}, err
	}
	watch := &bash{env: c.env}
	var past map[string]held
	told := 0
	if c.env.Past != nil && c.env.History != nil {
		past, told = c.env.Past.look(ctx, c.env.Workspace), len(c.env.History.Changes())
	}
	before := watch.stamps(ctx)
	r := &cellRun{Cells: c, progress: progress, left: roomOf(ctx).share(1, len(list))}
	var failure error
	for i, cell := range list {
		if failure = r.cell(ctx, cell, i, len(list)); failure != nil {
			break
		}
	}
	r.say(c.way.told())
	changed := watch.changes(context.WithoutCancel(ctx), before)
	watch.noteChanges(ctx, changed)
	if names := changed.text(); names != "" {
		r.say("[workspace files changed: "+names+"]\n", "")
	}
	return r.end(ctx, failure, changed.names(), watch.edits(context.WithoutCancel(ctx), past, told, changed.Changes))
}

// end returns the result of the call. failure is the error of the cell that failed, or nil.
func (r *cellRun) end(ctx context.Context, failure error, changed []string, edits []Edited) (Result, error) {
	if r.text.Len() == 0 {
		r.say("(no output)\n", "")
	}
	r.result.Text, r.result.Detail, r.result.Data = r.text.String(), r.detail.String(), r.data
	r.result.Changed, r.result.Edits = changed, edits
	if r.result.Summary == "" {
		r.result.Summary = "done"
	}
	if failure == nil {
		return r.result, nil
	}
	text := failure.Error() + "\n" + r.result.Text
	if ctx.Err() != nil {
		return r.result, &Error{Code: "cancelled", Text: text, Err: ctx.Err()}
	}
	return r.result, &Error{Code: "tool_failed", Text: text, Err: failure}
}

// say appends text to the results for the model and for the user.
func (r *cellRun) say(model, person string) {
	r.text.WriteString(model)
	r.detail.WriteString(person)
}

// cell runs cell number i of n, counted from 0, and appends its output. If the cell fails, it
// returns an error of one line.
func (r *cellRun) cell(ctx context.Context, cell evalCell, i, n int) error {
	language := eval.Language(cell.Language)
	out := &output{progress: r.progress, redactor: r.env.Secrets.Stream(), keep: r.env.Outputs, left: r.left}
	record := CellResult{Language: cell.Language, Title: cell.Title, Status: "complete"}
	outcome, err := r.service.Run(ctx, eval.Cell{Language: language, Code: cell.Code, Timeout: cell.time(),
		Reset: cell.Reset, Host: &cellHost{cells: r.Cells, caller: CallerOf(ctx), work: ctx}, Out: out,
		Show: func(d eval.Display) { r.show(ctx, d, out, &record) }})
	if outcome.Error != "" {
		_, _ = out.Write([]byte(outcome.Error + "\n"))
	}
	out.flush()
	name := "Cell"
	if n > 1 {
		name = strings.TrimSpace(fmt.Sprintf("[%d/%d] %s", i+1, n, shownLine(cell.Title)))
		r.say(name+"\n", name+"\n")
		name = fmt.Sprintf("Cell %d", i+1)
	}
	r.say(lined(out.text()), lined(out.detail()))
	r.say(out.cleared(), "")
	failure := r.failure(ctx, cell, outcome, err, &record)
	r.data.Cells = append(r.data.Cells, record)
	if failure != "" {
		return errors.New(name + " " + failure)
	}
	return nil
}

// failure returns a clause that says how a cell has failed, or "" if it has not. It sets the status
// in record.
func (r *cellRun) failure(ctx context.Context, cell evalCell, o eval.Outcome, err error, record *CellResult) string {
	kernel := ""
	if o.Lost {
		kernel = "; its kernel was ended, and its variables are lost"
	}
	record.Status = "error"
	switch {
	case ctx.Err() != nil:
		record.Status, r.result.Summary = "interrupted", "stopped"
		if why := context.Cause(ctx); !errors.Is(why, context.Canceled) {
			return fmt.Sprintf("was stopped: %v%s", why, kernel)
		}
		return "was stopped by the user" + kernel
	case o.TimedOut:
		record.Status, r.result.Summary = "timed out", fmt.Sprintf("timed out after %v", cell.time())
		return r.result.Summary + " of its own time" + kernel
	case err != nil:
		r.result.Summary = "failed"
		return "failed: " + r.env.Secrets.Redact(err.Error())
	case o.Error != "":
		r.result.Summary = "failed"
		return "failed"
	case o.Stopped:
		return "was interrupted"
	}
	record.Status = "complete"
	return ""
}

// lined returns text with a line break at its end, unless it is empty.
func lined(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// show writes a value that the cell displays to its output, in the best of the formats that d has.
// A picture is added to the result, and a line stands for it in the output.
func (r *cellRun) show(ctx context.Context, d eval.Display, out *output, record *CellResult) {
	write := func(text string) { _, _ = out.Write([]byte(lined(text))) }
	for _, media := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		if data, ok := d[media].(string); ok {
			write(r.showPicture(data))
			return
		}
	}
	if text, ok := d["text/markdown"].(string); ok {
		write(text)
		return
	}
	if value, ok := d["application/json"]; ok {
		if text, err := json.MarshalIndent(value, "", "  "); err == nil {
			record.JSON = append(record.JSON, value)
			write(string(text))
			return
		}
	}
	if page, ok := d["text/html"].(string); ok {
		text, err := r.env.text(ctx, document.Request{Fragment: true}, []byte(page))
		if err == nil && strings.TrimSpace(text) != "" {
			write(text)
			return
		}
	}
	if text, ok := d["text/plain"].(string); ok {
		write(text)
		return
	}
	write("[a value that cannot be shown]")
}

// showPicture adds a picture, encoded in base64, to the result, and returns the line that stands
// for it in the output.
func (r *cellRun) showPicture(data string) string {
	n := len(r.result.Images) + 1
	if n > maxPictures {
		return fmt.Sprintf("[a further picture: a call shows %d at most]", maxPictures)
	}
	file, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))
	if err != nil {
		return "[a picture that is not base64]"
	}
	p, err := picture.New(fmt.Sprintf("picture %d", n), file)
	if err != nil {
		return fmt.Sprintf("[a picture that cannot be shown: %v]", err)
	}
	r.result.Images = append(r.result.Images, p)
	return fmt.Sprintf("[picture %d: %s, %d by %d pixels]", n, p.Media, p.W, p.H)
}
