package tool

import (
	"context"
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

// page prepares a read of a page of the internet; !ok: the request is no address of one. A host
// that was not allowed yet is asked for.
func (t *readFile) page(id, request string) (call Call, ok bool, err error) {
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

// readPage gives a page as text, or as the picture that it is.
func (t *readFile) readPage(ctx context.Context, address string, sel selector) (Result, error) {
	page, err := t.env.Web.Fetch(ctx, address)
	if err != nil {
		return Result{}, t.unfetched(ctx, address, err)
	}
	name := shownLine(page.URL)
	if picture.Is(page.Body) && !sel.raw {
		pic, err := picture.New(name, page.Body)
		if err != nil {
			return Result{}, failed("%s: %v", name, err)
		}
		return Result{Text: pic.Line(), Summary: pic.Facts(), Images: []picture.Picture{pic}}, nil
	}
	text, err := string(page.Body), error(nil)
	if r, is := asDocumentOf(page); is && !sel.raw {
		if text, err = t.env.text(ctx, r, page.Body); err != nil {
			if ctx.Err() != nil {
				return Result{}, ctx.Err()
			}
			return Result{}, failed("%s cannot be read: %v", name, err)
		}
	} else if enc := workspace.Sniff(page.Body); enc != workspace.UTF8 && enc != workspace.UTF8BOM {
		return Result{Text: fmt.Sprintf("[%s is not text: %s, %s]\n", name, shownLine(page.Type),
			bytesWord(len(page.Body))),
			Summary: "not text"}, nil
	}
	r := readLines(ctx, strings.TrimPrefix(text, workspace.BOM), shownLine(address), sel)
	if page.URL != address {
		r.Text = "[it leads to " + name + "]\n" + r.Text
	}
	return r, nil
}

// unfetched returns why a page is not there, with what can be done about it.
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

// asDocumentOf returns the request for the text of a page that is HTML or a document.
func asDocumentOf(p web.Page) (r document.Request, is bool) {
	if p.Type == "text/html" || p.Type == "application/xhtml+xml" {
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
