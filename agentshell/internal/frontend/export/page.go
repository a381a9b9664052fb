package export

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// style is the style sheet of the page.
//
//go:embed style.css
var style string

// script is the JavaScript code of the page: search and folding.
//
//go:embed script.js
var script string

// markup is HTML that comes from this package or from package markdown and is written unchanged.
// Untrusted text of a session is an ordinary string, which is escaped.
type markup string

// put writes its arguments to the page: markup unchanged, strings with HTML escapes, and integers
// in decimal.
func (w *writer) put(parts ...any) {
	for _, p := range parts {
		switch p := p.(type) {
		case markup:
			w.out.WriteString(string(p))
		case string:
			w.out.WriteString(html.EscapeString(p))
		case int:
			w.out.WriteString(strconv.Itoa(p))
		}
	}
}

// policy returns the content security policy of the page. It forbids the browser to load anything
// and to run any style or script but those of this package.
func policy() string {
	source := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; img-src data:; style-src " + source(style) + "; script-src " + source(script) +
		"; base-uri 'none'; form-action 'none'"
}

// page writes the session as an HTML page.
func (w *writer) page() error {
	w.put(markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta http-equiv=\"Content-Security-Policy\" content=\""+policy()+"\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light "+
		"dark\">\n<title>"),
		oneLine(w.title()), markup("</title>\n<style>"), markup(style), markup("</style>\n</head>\n<body>\n"))
	w.pageHead()
	w.contents()
	w.put(markup("<main>\n"))
	number := 0
	for _, c := range w.Conversations {
		if c.Agent != "" {
			w.put(markup("<h2>Agent "), oneLine(visibleText(w.Secrets.Redact(c.Agent))), markup("</h2>\n"))
		}
		for i := range c.Messages {
			if !w.next() {
				return nil
			}
			number = w.pageMessage(c, i, number)
		}
	}
	w.put(markup("</main>\n<footer>Session "), w.ID,
		markup(", written by agentshell. This page loads nothing from the "+
			"network.</footer>\n<script>"), markup(script), markup("</script>\n</body>\n</html>\n"))
	return nil
}

// pageHead writes the top of the page: the title, facts about the session, and the search field.
func (w *writer) pageHead() {
	w.put(markup("<header>\n<h1>"), oneLine(w.title()), markup("</h1>\n<p class=\"facts\">"))
	var facts []string
	if w.Workspace != "" {
		facts = append(facts, w.Workspace)
	}
	if w.Model != "" {
		facts = append(facts, w.Model)
	}
	if !w.Began.IsZero() {
		facts = append(facts, w.Began.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	if asked := len(w.asked()); asked == 1 {
		facts = append(facts, "1 message")
	} else {
		facts = append(facts, fmt.Sprintf("%d messages", asked))
	}
	if w.Cost != "" {
		facts = append(facts, w.Cost)
	}
	for _, f := range facts {
		w.put(markup("<span>"), oneLine(visibleText(w.Secrets.Redact(f))), markup("</span>"))
	}
	w.put(markup("</p>\n</header>\n<div class=\"tools\" hidden><div><input id=\"find\" type=\"search\" " +
		"placeholder=\"Search ( / )\" aria-label=\"Search this session\" autocomplete=\"off\" spellcheck=\"false\">" +
		"<span id=\"count\" role=\"status\"></span><button id=\"folds\" type=\"button\">Unfold " +
		"all</button></div></div>\n"))
}

// question is a message that the user has written, with the number of its entry on the page.
type question struct {
	number int
	text   string
}

// asked returns the messages that the user has written, without those of agents.
func (w *writer) asked() (list []question) {
	number := 0
	for _, c := range w.Conversations {
		if c.Agent != "" {
			continue
		}
		for _, m := range c.Messages {
			for _, p := range m.Parts {
				if !hasEntry(p) {
					continue
				}
				number++
				if t, ok := p.(provider.Text); ok && m.Role == provider.User && t.Origin.IsFromPerson() {
					list = append(list, question{number, t.Text})
				}
			}
		}
	}
	return list
}

// contents writes a table of contents with a link to each message of the user. It writes nothing if
// there are fewer than 3 messages.
func (w *writer) contents() {
	list := w.asked()
	if len(list) < 3 {
		return
	}
	w.put(markup("<nav><details><summary>Contents</summary>\n<ol>\n"))
	for _, q := range list {
		w.put(markup(`<li><a href="#m`), q.number, markup(`"><span class="number">`), q.number, markup("</span>"),
			headOf(w.Secrets.Redact(q.text)), markup("</a></li>\n"))
	}
	w.put(markup("</ol></details></nav>\n"))
}

// headOf returns the beginning of a text for a table of contents: its first line, cut to 90 bytes.
func headOf(text string) string {
	const most = 90
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(line) > most {
		line = strings.TrimSpace(width.Head(line, most)) + "…"
	}
	return oneLine(visibleText(line))
}

// oneLine returns s in one line: each run of whitespace becomes one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// hasEntry reports whether a part of a message has an entry of its own on the page. A tool result
// has none, because it is shown in the entry of its call.
func hasEntry(p provider.Part) bool {
	switch p := p.(type) {
	case provider.Text:
		return strings.TrimSpace(p.Text) != ""
	case provider.Thinking:
		return strings.TrimSpace(p.Text) != ""
	case provider.ToolCall, provider.Image:
		return true
	}
	return false
}

// pageMessage writes the entries for message i of conversation c. number is the number of the last
// entry before; the result is the number of the last entry now.
func (w *writer) pageMessage(c Conversation, i, number int) int {
	m, following := w.message(c, i)
	for _, p := range m.Parts {
		if !hasEntry(p) {
			continue
		}
		number++
		switch p := p.(type) {
		case provider.Text:
			w.pageText(m.Role, p, number)
		case provider.Thinking:
			w.fold("Thinking", p.Text, number)
		case provider.Image:
			w.entry("you", number)
			w.anchor(number)
			w.picture(p.Picture)
			w.put(markup("</article>\n"))
		case provider.ToolCall:
			w.call(w.endOf(c, p, following), p, number)
		}
	}
	return number
}

// entry writes the opening tag of an entry on the page.
func (w *writer) entry(class markup, number int) {
	w.put(markup(`<article class="entry `), class, markup(`" id="m`), number, markup("\">\n"))
}

// anchor writes a link that leads to the entry of that number.
func (w *writer) anchor(number int) {
	w.put(markup(`<a class="anchor" href="#m`), number, markup(`" title="Link to this entry">#`), number,
		markup("</a>"))
}

// pageText writes an entry for a text: of the model, of a command that the user ran, of the user,
// or of the shell.
func (w *writer) pageText(role provider.Role, t provider.Text, number int) {
	switch {
	case role != provider.User:
		w.entry("model", number)
		w.anchor(number)
		w.put(markup("<div class=\"md\">"), markup(markdown.HTML(t.Text)), markup("</div></article>\n"))
	case t.Origin == provider.Command || t.Origin == provider.Cell:
		command, output := agent.SplitCommand(t.Text)
		w.entry("you", number)
		w.anchor(number)
		w.put(markup("<p class=\"who\">You ran</p>"))
		w.pre(command)
		if strings.TrimSpace(output) != "" {
			w.put(markup("<details class=\"fold\"><summary>Output</summary><div class=\"body\">"))
			w.pre(output)
			w.put(markup("</div></details>"))
		}
		w.put(markup("</article>\n"))
	case t.Origin.IsFromPerson():
		w.entry("you", number)
		w.anchor(number)
		w.put(markup("<p class=\"who\">You</p><div class=\"text\">"), visibleText(agent.AsTyped(t.Text, t.Origin)),
			markup("</div></article>\n"))
	default:
		w.fold(about(t.Origin), t.Text, number)
	}
}

// about returns a title for a text that the shell has sent to the model.
func about(from provider.Origin) string {
	switch from {
	case provider.Left:
		return "Summary of a branch that was left"
	case provider.Report:
		return "Back at the checkpoint, with this report"
	case provider.Rule:
		return "A rule interrupted the model"
	case provider.Job:
		return "A background job ended"
	case provider.Outdated:
		return "Files changed that the model has read"
	case provider.Findings:
		return "A language server has found this"
	case provider.Peer:
		return "From another agent"
	case provider.Attached:
		return "Attached"
	}
	return "The shell told the model"
}

// fold writes an entry whose text is folded under its title.
func (w *writer) fold(title, text string, number int) {
	w.put(markup(`<details class="entry fold" id="m`), number, markup(`"><summary>`), title)
	w.anchor(number)
	w.put(markup("</summary><div class=\"body\"><div class=\"text note\">"), visibleText(text),
		markup("</div></div></details>\n"))
}

// longText is the number of lines from which on a text may be split between pages when the page is
// printed.
const longText = 30

// pre writes text as preformatted: the output of a program, a command or an input.
func (w *writer) pre(text string) {
	text, _ = visible.Lines(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"))
	class := markup("")
	if strings.Count(text, "\n") >= longText {
		class = ` class="long"`
	}
	w.put(markup("<pre"), class, markup(">"), text, markup("</pre>\n"))
}

// picture writes a picture with its name below it. The bytes of the picture are part of the page.
func (w *writer) picture(p picture.Picture) {
	name := oneLine(visibleText(p.Name))
	known := slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, p.Media)
	if !known || len(p.Data) == 0 || w.Secrets.Contains(p.Data) {
		w.put(markup("<p class=\"note\">[picture "), name, markup("]</p>\n"))
		return
	}
	w.put(markup("<figure><img loading=\"lazy\" width=\""), p.W, markup("\" height=\""), p.H, markup("\" alt=\""), name,
		markup("\" src=\"data:"), p.Media, markup(";base64,"), markup(base64.StdEncoding.EncodeToString(p.Data)),
		markup("\"><figcaption>"), name, markup("</figcaption></figure>\n"))
}
