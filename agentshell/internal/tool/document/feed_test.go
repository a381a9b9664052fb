package document

import (
	"context"
	"strings"
	"testing"
)

func TestAFeedIsItsEntries(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"RSS 1.0": {`<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><title>Old</title>` +
			`</channel><item><title>A b</title><link>http://x.example/a</link>` +
			`<dc:date>2026-11-02</dc:date></item></rdf:RDF>`,
			"# Old\n\n## A b\nhttp://x.example/a\n2026-11-02\n"},
		"RSS 2.0 with content": {`<rss><channel><title>N</title><item><title>T</title><link>a?b=1&amp;c</link>` +
			`<content:encoded xmlns:content="c">` +
			`<![CDATA[<ul><li>x</li></ul>]]></content:encoded></item></channel></rss>`,
			"# N\n\n## T\nhttps://x.example/f/a?b=1&c\n\n- x\n"},
		"Atom": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>L</title><entry><title>T</title><link href="/t"/>` +
			`<content type="html">&lt;i&gt;x&lt;/i&gt;</content></entry></feed>`,
			"# L\n\n## T\nhttps://x.example/t\n\n*x*\n"},
		"JSON": {`{"version":"https://jsonfeed.org/version/1","title":"J",` +
			`"items":[{"title":"A","content_html":"<p>x"}]}`,
			"# J\n\n## A\n\nx\n"},
	} {
		got, err := (Request{Feed: "https://x.example/f/"}).Text(context.Background(), []byte(c.data))
		if !IsFeed([]byte(c.data)) || err != nil || got != c.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, got, c.want)
		}
	}
	for _, other := range []string{"", "<html><body>&lt;rss",
		"<!doctype html><HTML><p><rss", `{"title":"x"}`, "<svg/>", "rss"} {
		if IsFeed([]byte(other)) {
			t.Errorf("%q is a feed", other)
		}
	}
	many := "<rss><channel>" + strings.Repeat("<item><title>x</title><description>"+strings.Repeat("漢", 2000)+
		"</description></item>", 150) + "</channel></rss>"
	got, err := (Request{Feed: "https://x.example/"}).Text(context.Background(), []byte(many))
	if err != nil || !strings.HasSuffix(got, "\n[50 more entries]\n") || len(got) > maxEntries*(maxAbstractBytes+50) {
		t.Errorf("%v, %d bytes", err, len(got))
	}
}

func FuzzAFeedIsTextOrAnError(f *testing.F) {
	f.Add([]byte(`<rss><channel><item><title>x</title><link>:</link></item></channel></rss>`))
	f.Add([]byte(`{"version":"https://jsonfeed.org/version/1","items":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := (Request{Feed: "https://x.example/"}).Text(t.Context(), data)
		if err == nil && len(text) > MaxText+100 {
			t.Fatal(len(text))
		}
	})
}
