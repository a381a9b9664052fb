// Command downloads fetches the URLs that it is given, four at once, into the working directory.
package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() { tui.Main(downloads(os.Args[1:]...)) }

func downloads(urls ...string) *tui.App {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error { return widget.Each(ctx, app, 4, urls, fetch) }
	return app
}

func fetch(_ context.Context, url string, p *widget.Progress) error {
	res, err := http.Get(url)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	p.SetTotal(res.ContentLength)
	file, err := os.Create(path.Base(url))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, p.Reader(res.Body))
	return errors.Join(err, file.Close())
}
