package browser

import (
	"encoding/json"
	"fmt"
)

// DialogError is the error of calls that wait for a page while the page shows an unanswered dialog,
// such as alert or confirm.
type DialogError struct{ Kind, Text string }

func (e *DialogError) Error() string {
	return fmt.Sprintf("a dialog is open, and the page waits for its answer: %s %q. Opening the tab again with "+
		"dialogs "+
		"accept or dismiss answers them", e.Kind, e.Text)
}

// maxDialogAnswers is the number of dialogs of a page that are answered automatically until
// [Tab.Notes] is read again. Then the page has to wait.
const maxDialogAnswers = 200

// dialogOpens handles a dialog that the page has opened. It answers the dialog as the tab's options
// say; otherwise it keeps the dialog and cancels all calls that wait for the page.
func (t *Tab) dialogOpens(params json.RawMessage) {
	var p struct{ Type, Message, DefaultPrompt string }
	if json.Unmarshal(params, &p) != nil {
		return
	}
	if p.Type == "beforeunload" && p.Message == "" {
		p.Message = "leave this page?"
	}
	d := &DialogError{p.Type, shorten(p.Message)}
	t.mu.Lock()
	if t.dialogPolicy != "" && t.answeredDialogs < maxDialogAnswers {
		t.answeredDialogs++
		t.mu.Unlock()
		t.addNote("dialog: %s %q", d.Kind, d.Text)
		t.post("Page.handleJavaScriptDialog", object{"accept": t.dialogPolicy == "accept",
			"promptText": p.DefaultPrompt})
		return
	}
	defer t.mu.Unlock()
	t.dialog = d
	for g := range t.guards {
		g.cancel(d)
	}
	clear(t.guards)
}
