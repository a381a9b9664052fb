package markdown

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestMarkdownBecomesHTML(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a paragraph keeps its lines", "one *two*\n**three** ~~four~~",
			"<p>one <em>two</em><br>\n<strong>three</strong> " +
				"<del>four</del></p>\n"},
		{"headings begin at h3", "# A\n## B\n##### C\n", "<h3>A</h3>\n<h4>B</h4>\n<h6>C</h6>\n"},
		{"code", "`a < b`\n\n```\nx <b>\n```\n", "<p><code>a &lt; b</code></p>\n<pre><code>x " +
			"&lt;b&gt;\n</code></pre>\n"},
		{"code in colours", "```go\nreturn \"<\"\n```\n",
			"<pre><code><span class=\"k\">return</span> <span class=\"s\">" +
				"&#34;&lt;&#34;</span>\n</code></pre>\n"},
		{"lists", "3. a\n4. b\n   - c\n", "<ol start=\"3\"><li>a</li>\n<li>b<ul><li>c</li>\n</ul>\n</li>\n</ol>\n"},
		{"tasks", "- [x] a\n- [ ] b\n", "<ul><li>[x] a</li>\n<li>[ ] b</li>\n</ul>\n"},
		{"a table", "| a | b |\n|---|--:|\n| `x\\|y` | 2 |\n",
			"<table>\n<tr><th>a</th><th class=\"right\">b</th></tr>\n" +
				"<tr><td><code>x|y</code></td><td class=\"right\">2</td></tr>\n</table>\n"},
		{"a link", "[a](https://b.c/?x=1&y=\"2\")",
			`<p><a rel="noreferrer" href="https://b.c/?x=1&amp;y=&#34;2&#34;" ` +
				`title="https://b.c/?x=1&amp;y=&#34;2&#34;">a</a></p>` + "\n"},
		{"an address", "see <me@b.c> https://b.c", `<p>see <a rel="noreferrer" href="mailto:me@b.c" ` +
			`title="mailto:me@b.c">me@b.c</a> ` +
			`<a rel="noreferrer" href="https://b.c" title="https://b.c">https://b.c</a>` +
			"</p>\n"},
		{"a link that says another address shows its own", "[https://good.org](https://evil.org)",
			`<p><a rel="noreferrer" href="https://evil.org" title="https://evil.org">https://good.org</a> ` +
				"(https://evil.org)</p>\n"},
		{"a picture is not loaded", "![a](https://b.c/d.png)",
			`<p>image: <a rel="noreferrer" href="https://b.c/d.png" ` +
				`title="https://b.c/d.png">a</a></p>` + "\n"},
		{"a picture in a link", "[![a](https://b.c/d.png)](https://e.f)", `<p><a rel="noreferrer" href="https://e.f" ` +
			`title="https://e.f">image: a</a></p>` + "\n"},
		{"a script is no target", "[a](javascript:alert(1)) [b](data:text/html,x) [c](/d)",
			"<p>a (javascript:alert(1)) b " +
				"(data:text/html,x) c (/d)</p>\n"},
		{"markup is text", "a <b onclick=x> & <script>alert(1)</script>\n\n<iframe src=x>\n",
			"<p>a &lt;b onclick=x&gt; &amp; " +
				"&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;iframe src=x&gt;</p>\n"},
		{"a fold is its text", "<details>\n<summary>More</summary>\n\ntext\n\n</details>\n",
			"<p>More</p>\n<p>text</p>\n"},
		{"what is not seen is a token", "a\u202eb\x1b[31m", "<p>a&lt;U+202E&gt;b␛[31m</p>\n"},
		{"a rule and a quote", "> a\n\n---\n", "<blockquote><p>a</p>\n</blockquote>\n<hr>\n"},
	} {
		if got := HTML(c.src); got != c.want {
			t.Errorf("%s: %q is\n%s\nwant\n%s", c.name, c.src, got, c.want)
		}
	}
}

func TestNoSourceBecomesMarkup(t *testing.T) {
	for _, src := range []string{
		`<img src=x onerror=alert(1)>`, "`<img src=x onerror=alert(1)>`", "```\"><script>alert(1)</script>\nx\n```",
		`[a](<https://x"onmouseover="alert(1)>)`, `[a](https://x/"><script>alert(1)</script>)`,
		`[a](https://x 'y"onclick="z')`, `![x" onerror="y](https://z)`, "[a]: https://x\n\n[a][\"><b>]",
		"[a](jAvAsCrIpT:alert(1))", "[a](java&#115;cript:alert(1))", "[a](\tjavascript:alert(1))",
		"<javascript:alert(1)>",
		"[a](vbscript:x) [b](file:///etc/passwd) [c](//evil.org/x)", "| <b> |\n|---|\n| <i onclick=x> |\n",
		"</main></body><script>x</script>", "<!-- --><script>x</script>", "&lt;script&gt;x&lt;/script&gt;",
		"&#60;b&#62;",
		strings.Repeat("> ", 200) + "<b>", strings.Repeat("[", 500) + "<b>", strings.Repeat("- ", 100) + "<b>x",
		"a\x00b<b>\xff</b>", "<svg/onload=alert(1)>", "<a href=\"javascript:x\">y</a>", "$<b>$ and $$\n<b>\n$$\n",
	} {
		checkMarkup(t, src)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("# a\n\n<b>*x*</b> [a](javascript:x)\n\n| a |\n|---|\n| b |\n")
	f.Fuzz(func(t *testing.T, src string) { checkMarkup(t, src) })
}

// checkMarkup looks at the HTML of src as a browser reads it.
func checkMarkup(t *testing.T, src string) {
	t.Helper()
	out := HTML(src)
	tags := " p br h3 h4 h5 h6 em strong del code pre span ul ol li blockquote hr table tr th td a "
	for z := html.NewTokenizer(strings.NewReader(out)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Type == html.TextToken {
			continue
		}
		if !strings.Contains(tags, " "+token.Data+" ") {
			t.Errorf("%q has the markup %s:\n%s", src, token, out)
		}
		for _, a := range token.Attr {
			if bad := badAttribute(a); bad != "" {
				t.Errorf("%q: %s in\n%s", src, bad, out)
			}
		}
	}
}

func badAttribute(a html.Attribute) string {
	switch a.Key {
	case "href":
		if !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") &&
			!strings.HasPrefix(a.Val, "mailto:") {
			return "the target " + a.Val
		}
	case "title", "rel", "start":
	case "class":
		if !strings.Contains(" k s c n right center ", " "+a.Val+" ") {
			return "the class " + a.Val
		}
	default:
		return fmt.Sprintf("the attribute %s=%q", a.Key, a.Val)
	}
	return ""
}
