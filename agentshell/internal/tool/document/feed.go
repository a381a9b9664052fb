package document

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These constants limit the text of a feed.
const (
	maxEntries       = 100
	maxAbstractBytes = 2000 // maxAbstractBytes is the number of bytes of the text of one entry.
)

// feed is a parsed RSS, Atom or JSON feed.
type feed struct {
	title   string
	entries []feedEntry
}

type feedEntry struct{ title, link, date, html, text string }

// IsFeed reports whether data begins like an RSS, Atom or JSON feed.
func IsFeed(data []byte) bool {
	head := strings.TrimSpace(strings.TrimPrefix(string(data[:min(len(data), 1024)]), "\ufeff"))
	if strings.HasPrefix(head, "{") {
		return strings.Contains(head, `"https://jsonfeed.org/version/`) ||
			strings.Contains(head, `https:\/\/jsonfeed.org\/version\/`)
	}
	if !strings.HasPrefix(head, "<") || strings.Contains(strings.ToLower(head), "<html") {
		return false
	}
	return strings.Contains(head, "<rss") || strings.Contains(head, "<rdf:RDF") ||
		strings.Contains(head, "<feed") && strings.Contains(head, "http://www.w3.org/2005/Atom")
}

// feedMarkdown returns a feed as Markdown: its title, and its first entries in their order.
func feedMarkdown(r Request, data []byte) (string, error) {
	base, err := url.Parse(r.Feed)
	if err != nil {
		return "", err
	}
	f, err := readFeed(data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if f.title != "" {
		b.WriteString("# " + joinLines(f.title) + "\n")
	}
	for i, e := range f.entries {
		if i == maxEntries {
			fmt.Fprintf(&b, "\n[%d more entries]\n", len(f.entries)-i)
			break
		}
		b.WriteString("\n## " + joinLines(e.title) + "\n")
		if link, err := base.Parse(strings.TrimSpace(e.link)); err == nil && e.link != "" {
			b.WriteString(link.String() + "\n")
		}
		if e.date != "" {
			b.WriteString(joinLines(e.date) + "\n")
		}
		if text := e.abstractText(); text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	return b.String(), nil
}

// joinLines replaces every sequence of white space by one blank, so that text is one line.
func joinLines(text string) string { return strings.Join(strings.Fields(text), " ") }

// abstractText returns the text of an entry as Markdown, cut after maxAbstractBytes bytes.
func (e feedEntry) abstractText() string {
	text := e.text
	if e.html != "" {
		if markdown, err := fragmentMarkdown([]byte(e.html)); err == nil {
			text = markdown
		}
	}
	text = strings.TrimSpace(text)
	if len(text) <= maxAbstractBytes {
		return text
	}
	return width.Head(text, maxAbstractBytes) + "…"
}

func readFeed(data []byte) (feed, error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return readJSONFeed(data)
	}
	var x struct {
		Title   string `xml:"title"`
		Channel struct {
			Title string    `xml:"title"`
			Items []xmlItem `xml:"item"`
		} `xml:"channel"`
		Items   []xmlItem `xml:"item"` // of RSS 1.0
		Entries []xmlItem `xml:"entry"`
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict, d.CharsetReader, d.Entity = false, charset.NewReaderLabel, xml.HTMLEntity
	if err := d.Decode(&x); err != nil {
		return feed{}, fmt.Errorf("it is not a feed: %w", err)
	}
	f := feed{title: x.Title + x.Channel.Title}
	for _, items := range [][]xmlItem{x.Channel.Items, x.Items, x.Entries} {
		for _, i := range items {
			f.entries = append(f.entries, i.entry())
		}
	}
	return f, nil
}

// xmlItem is an item of RSS or an entry of Atom. Its fields are the union of both.
type xmlItem struct {
	Title string `xml:"title"`
	Links []struct {
		Href string `xml:"href,attr"`
		Rel  string `xml:"rel,attr"`
		Text string `xml:",chardata"`
	} `xml:"link"`
	Dates   []string `xml:"pubDate"`
	Date    string   `xml:"date"`
	Updated string   `xml:"updated"`
	About   string   `xml:"description"`
	Encoded string   `xml:"encoded"`
	Summary string   `xml:"summary"`
	Content string   `xml:"content"`
}

func (i xmlItem) entry() feedEntry {
	e := feedEntry{title: i.Title, html: firstNotBlank(i.About, i.Summary, i.Encoded, i.Content),
		date: firstNotBlank(append(i.Dates, i.Date, i.Updated)...)}
	for _, l := range i.Links {
		if target := firstNotBlank(l.Href, l.Text); e.link == "" || l.Rel == "alternate" {
			e.link = target
		}
	}
	return e
}

// firstNotBlank returns the first of texts that is not blank, or "".
func firstNotBlank(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

func readJSONFeed(data []byte) (feed, error) {
	var j struct {
		Title string `json:"title"`
		Items []struct {
			Title string `json:"title"`
			URL   string `json:"url"`
			Date  string `json:"date_published"`
			HTML  string `json:"content_html"`
			Text  string `json:"content_text"`
			About string `json:"summary"`
		} `json:"items"`
	}
	if json.Unmarshal(data, &j) != nil {
		return feed{}, errors.New("it is not a feed")
	}
	f := feed{title: j.Title}
	for _, i := range j.Items {
		f.entries = append(f.entries, feedEntry{i.Title, i.URL, i.Date, i.HTML, firstNotBlank(i.About, i.Text)})
	}
	return f, nil
}
