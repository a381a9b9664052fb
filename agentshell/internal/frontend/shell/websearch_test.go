package shell

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// The pane of a search shows the whole query and where it goes.
func TestThePaneOfASearchShowsQueryAndReach(t *testing.T) {
	p := &approval.Proposal{Payload: approval.Search{Query: "why\ntides\x1b[2J?",
		Reach: "Brave (h:443), and if that fails " +
			"to Kagi (k:443)"}}
	rows, view := mainView(p)
	var texts []string
	for _, r := range rows {
		texts = append(texts, r.Text)
	}
	if got := strings.Join(texts, "|"); view != "query" || got != "why|tides\x1b[2J?|a search of the web by Brave "+
		"(h:443), and if that fails to Kagi (k:443)|the model will see what is found" {
		t.Errorf("%s: %q", view, got)
	}
	if operation, path, counts := proposalTitle(p); operation+" "+path+", "+counts != "search the web, a query" {
		t.Errorf("%s %s, %s", operation, path, counts)
	}
}

// A line of output that is an address is a link, and no other line is.
func TestALineThatIsAnAddressIsALink(t *testing.T) {
	for line, want := range map[string]string{
		"    https://a.example/x?y=1": "https://a.example/x?y=1", "http://a.example": "http://a.example",
		"see https://a.example": "", "https://a.example or not": "", "https://a.example/\x1b]8;;x": "",
		"https://a\u0441me.example/": "", "file:///etc/passwd": "", "javascript:alert(1)": "", "": "",
	} {
		got, text := "", ""
		for _, s := range linkedSpans(line, false, tui.Style{}) {
			got += s.Link
			text += s.Text
		}
		if got != want || text != line {
			t.Errorf("%q: link %q, want %q; text %q", line, got, want, text)
		}
	}
	if spans := linkedSpans("https://a.example", true, tui.Style{}); spans[0].Link != "" {
		t.Error("a part of an address is a link")
	}
}

// A search that was approved says what came of it, as one that needed no yes does.
func TestAnApprovedSearchSaysWhatCameOfIt(t *testing.T) {
	p := &approval.Proposal{Payload: approval.Search{Query: "tides"}}
	e := agent.ToolEnd{Name: "web_search", Title: "web_search tides", OK: true, Proposal: p,
		Decision: approval.Decision{By: "person"},
		Result:   tool.Result{Summary: "Brave, 1 source", Detail: "[1] T\n    https://t.example/\n"}}
	var got []string
	for _, l := range endedCall(e).View(tui.Space{Width: 80, Height: 20}).Lines {
		text := ""
		for _, c := range l.Spans {
			text += c.Text
		}
		got = append(got, strings.TrimSpace(text))
	}
	if all := strings.Join(got, "|"); !strings.HasSuffix(all,
		"web_search tides  Brave, 1 source|[1] T|https://t.example/") {
		t.Errorf("%q", all)
	}
}
