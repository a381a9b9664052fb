package tool

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// newsAfter applies a change of a tool and returns what gopls finds in it, n files with news at
// least. It tells of other files than the changed one a moment later.
func (l *languageBench) newsAfter(tool string, a args, n int) (news []lsp.News) {
	l.t.Helper()
	l.reg = Builtin(l.env)
	l.run(tool, a)
	l.service.Judged()
	news = l.service.News(0)
	for end := time.Now().Add(time.Minute); len(news) < n && time.Now().Before(end); {
		<-time.After(5 * time.Millisecond)
		news = append(news, l.service.News(0)...)
	}
	return news
}

// After a change of any tool the new errors are reported, and no old ones, also in other files.
func TestAChangeReportsTheErrorsThatItBrings(t *testing.T) {
	t.Parallel()
	l := newLanguageBench(t, "gopls", map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n",
		"a.go": "package m\n\nvar old int = \"x\"\n\nfunc F() int { return 1 }\n",
		"b.go": "package m\n\nvar g = F() + 1\n"})
	edit := func(old, fresh string) args {
		return args{"path": "a.go", "old_string": old, "new_string": fresh}
	}
	if news := l.newsAfter("edit_file", edit("F() int { return 1 }", "F() int { return 2 }"), 0); len(news) > 0 {
		t.Errorf("without a server that runs: %+v", news)
	}
	l.says(args{"action": "hover", "file": "b.go", "line": 3, "symbol": "F"})
	news := l.newsAfter("edit_file", edit("return 2", "return nope"), 1)
	if len(news) != 1 || news[0].Summary() != "gopls: 1 new error in a.go" ||
		strings.Join(news[0].Lines, "\n") != "a.go:5: error: undefined: nope" {
		t.Errorf("%+v", news)
	}
	if news := l.newsAfter("edit_file", edit("return nope", "return 3"), 0); len(news) > 0 {
		t.Errorf("mended: %+v", news)
	}
	news = l.newsAfter("edit_file", edit("F() int { return 3 }", "F() string { return \"\" }"), 1)
	if len(news) != 1 || news[0].Path != "b.go" || news[0].Errors != 1 {
		t.Errorf("in another file: %+v", news)
	}
	if lines := l.service.Diagnostics(context.Background()); len(lines) != 2 ||
		!strings.HasPrefix(lines[0], "a.go:3: error: cannot use") || !strings.HasSuffix(lines[1], "(gopls)") {
		t.Errorf("all of them: %q", lines)
	}
}
