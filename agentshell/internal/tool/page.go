package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// page prepares a call that reads a web page. ok is false if request is no http or https address.
// The first page of a host asks the user.
func (t *readFile) page(id, request string) (call Call, ok bool, err error) {
	if host, _, _ := strings.Cut(request, "/"); strings.HasPrefix(host, "www.") && strings.Count(host, ".") > 1 {
		if _, there, err := t.env.place(request); err != nil || !there {
			request = "https://" + request
		}
	}
	if !strings.HasPrefix(request, "https://") && !strings.HasPrefix(request, "http://") {
		return Call{}, false, nil
	}
	if t.env.Web == nil {
		return Call{}, true, invalidArgs("pages of the internet cannot be read here")
	}
	address, sel := request, selector{}
	// A port is none of the selectors: they stand behind a path.
	if name, s, is, bad := parseSelector(request); is || bad != nil {
		if _, rest, _ := strings.Cut(name, "://"); strings.Contains(rest, "/") {
			if bad != nil {
				return Call{}, true, bad
			}
			address, sel = name, s
		}
	}
	u, host, err := web.Parse(address)
	if err != nil {
		return Call{}, true, invalidArgs("%v", err)
	}
	if t.env.Secrets.Contains([]byte(address)) {
		return Call{}, true, invalidArgs("the address holds a key that must not leave this machine")
	}
	address = u.String()
	call = Call{Title: "read_file " + shownLine(address) + sel.String(), Path: address}
	fresh := !t.env.Web.Hosts.Has(host)
	call.Run = func(ctx context.Context, _ func(string)) (Result, error) {
		if fresh {
			t.env.Web.Hosts.Add(false, host)
		}
		return t.readPage(ctx, address, sel)
	}
	if fresh {
		call.Proposal = &approval.Proposal{ID: t.env.newID(), Call: id, Tool: "read_file", Path: address,
			Payload: approval.Page{Base: approval.Base{Kind: "page", Description: "Read " + diff.Escape(address)},
				URL: address, Host: host.String()},
			Flags: []approval.Flag{{Name: approval.FlagNetwork, Text: "it sends this address to " + host.String() +
				"; further pages of this host are not asked for in this session"}}}
		call.Proposal.Subject = call.Subject("read_file")
	}
	return call, true, nil
}

// readPage fetches a web page and returns it as text, or as a picture. A header above the text
// names the address after all redirects, the content type, and the method by which the text was
// made.
func (t *readFile) readPage(ctx context.Context, address string, sel selector) (Result, error) {
	page, err := t.env.Web.Fetch(ctx, address)
	if err != nil {
		return Result{}, t.unfetched(ctx, address, err)
	}
	read := pageRead{Page: page}
	if page.URL != address {
		read.note("redirected from " + shownLine(address))
	}
	if !sel.raw {
		t.inMarkdown(ctx, &read)
	}
	name := shownLine(read.URL)
	if picture.Is(read.Body) && !sel.raw {
		pic, err := picture.New(name, read.Body)
		if err != nil {
			return Result{}, failed("%s: %v", name, err)
		}
		read.method = "picture"
		return Result{Text: read.header() + pic.Line(), Summary: pic.Facts(), Images: []picture.Picture{pic}}, nil
	}
	text, err := t.pageText(ctx, &read, sel)
	if err != nil && ctx.Err() == nil {
		err = failed("%s cannot be read: %v", name, err)
	}
	if err != nil {
		return Result{}, err
	}
	if !sel.raw {
		text = t.siteText(ctx, &read, text)
	}
	if read.method == "" {
		return Result{Text: fmt.Sprintf("[%s is not text: %s, %s]\n", name, shownLine(read.Type),
			bytesWord(len(read.Body))), Summary: "not text"}, nil
	}
	r := readLines(ctx, strings.TrimPrefix(text, workspace.BOM), shownLine(address), sel)
	r.Text = read.header() + r.Text
	return r, nil
}

// pageRead holds a fetched page, and how its text was made.
type pageRead struct {
	web.Page
	// method names the way in which the text was made, such as "html" or "json"; "": the page has
	// no text.
	method string
	// notes tells the model about redirects and other versions of the page.
	notes []string
}

func (p *pageRead) note(text string) { p.notes = append(p.notes, text) }

// header returns the lines above the page's text in the result.
func (p *pageRead) header() string {
	head := fmt.Sprintf("URL: %s\nContent-Type: %s\nMethod: %s\n", shownLine(p.URL), shownLine(p.Type), p.method)
	if len(p.notes) > 0 {
		head += "Notes: " + strings.Join(p.notes, "; ") + "\n"
	}
	return head + "\n---\n"
}

// pageText returns the text of a page, and sets p.method to how the text was made. If the page has
// no text, it returns "" and leaves the method empty.
func (t *readFile) pageText(ctx context.Context, p *pageRead, sel selector) (string, error) {
	enc := workspace.Sniff(p.Body)
	isText := enc == workspace.UTF8 || enc == workspace.UTF8BOM
	r, isDocument := asDocumentOf(p.Page)
	switch {
	case p.method != "":
		return string(p.Body), nil
	case sel.raw && isText:
		p.method = "raw"
		return string(p.Body), nil
	case sel.raw:
		return "", nil
	case isText && document.IsFeed(p.Body):
		p.method = "feed"
		return t.env.text(ctx, document.Request{Feed: p.URL}, p.Body)
	case isDocument:
		p.method = "document"
		if r.Page != "" {
			p.method = "html"
		}
		return t.env.text(ctx, r, p.Body)
	case isText && (strings.HasSuffix(p.Type, "/json") || strings.HasSuffix(p.Type, "+json")):
		p.method = "json"
		var out bytes.Buffer
		if json.Indent(&out, bytes.TrimSpace(p.Body), "", "  ") == nil && out.Len() < 4*len(p.Body)+1<<10 {
			return out.String(), nil
		}
		return string(p.Body), nil
	case isText:
		p.method = "text"
		return string(p.Body), nil
	}
	return "", nil
}

func isHTML(p web.Page) bool { return p.Type == "text/html" || p.Type == "application/xhtml+xml" }

// unfetched returns the error for a page that could not be fetched. Where possible its text says
// what the model or the user can do about it.
func (t *readFile) unfetched(ctx context.Context, address string, err error) error {
	var private proxy.Refusal
	var on web.Redirect
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &private) && private.Private:
		return &Error{Code: "fs_denied", Text: fmt.Sprintf("operation not permitted: %s has an address of a private "+
			"network; only the user can allow that, by network_private in the config file", private.Host)}
	case errors.As(err, &on):
		return failed("%s leads to %s, another host; read that address to ask for it", shownLine(address),
			shownLine(string(on)))
	}
	return failed("%s: %v", shownLine(address), err)
}

// asDocumentOf returns the request that converts a page to text. is is false if the page is neither
// HTML nor a document such as a PDF.
func asDocumentOf(p web.Page) (r document.Request, is bool) {
	if isHTML(p) {
		return document.Request{Page: p.URL}, true
	}
	path, _, _ := strings.Cut(p.URL, "?")
	if document.IsDocument(path) && !strings.HasPrefix(p.Type, "text/") {
		return document.Request{Name: path[strings.LastIndexByte(path, '/')+1:]}, true
	}
	if endings, _ := mime.ExtensionsByType(p.Type); p.Type == "application/pdf" || len(endings) > 0 &&
		document.IsDocument("x"+endings[0]) {
		return document.Request{Name: "x" + append(endings, ".pdf")[0]}, true
	}
	return r, false
}
