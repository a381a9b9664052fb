package app

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
)

// ExtensionOptions holds the options of `agentshell extension`.
type ExtensionOptions struct {
	List struct{} `cmd:"" default:"1" help:"List the extensions of the config file and of this workspace, with what their manifests say. Nothing is started. The default."`
	New  struct {
		Name string `arg:"" help:"Its name: small letters, digits and -, at most 24."`
		Dir  string `arg:"" optional:"" help:"Its folder, which must not hold anything yet. Default: NAME."`
		JS   bool   `name:"js" xor:"language" help:"Write it in JavaScript, for node. The default."`
		Go   bool   `name:"go" xor:"language" help:"Write it in Go."`
	} `cmd:"" help:"Write a folder with an extension that works: agentshell extension new branches ~/src/branches"`
	Test struct {
		Dir    string   `arg:"" help:"The folder of the extension."`
		Width  int      `placeholder:"N" help:"Show rows in so many columns only. Default: in 20, 80 and 200."`
		Run    []string `sep:"none" placeholder:"TEXT" help:"Run a command or a tool, too: --run 'branches main', --run 'list {\"all\":true}'. May be repeated."`
		Keys   []string `sep:"none" placeholder:"KEYS" help:"Keys for its questions and views, with blanks between them, and texts in quotes: --keys 'down enter', --keys '\"Ada L.\" enter'. In a form Enter goes on to the next field. Without keys a question is left."`
		Result string   `placeholder:"FILE" help:"The text of a result that its renderers are tried with. Default: some output of go test."`
	} `cmd:"" help:"Start an extension in the sandbox, ask it for all that it shows, and say what is wrong. The exit code is 1 if something is."`
}

// Extension handles `agentshell extension`. chosen is the name of the subcommand with its
// arguments.
func (p Host) Extension(ctx context.Context, f ExtensionOptions, chosen string) (int, error) {
	p.family.Programs.Exclude(".")
	switch word, _, _ := strings.Cut(chosen, " "); word {
	case "new":
		return headless.ExitDone, p.newExtension(f)
	case "test":
		return p.tryExtension(ctx, f)
	}
	return p.listExtensions()
}

// listExtensions handles `agentshell extension list`: it prints the user's extensions and those of
// the workspace.
func (p Host) listExtensions() (int, error) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return 0, usageError{err}
	}
	code, own := headless.ExitDone, p.extensionFindings()
	for _, f := range own {
		if strings.HasPrefix(f.Value, "not used: ") {
			code = headless.ExitError
		}
		PrintLine(p.Stdout, "%s  %s", f.Name, visibleText(f.Value))
		PrintLine(p.Stdout, "  in %s", cfg.Extensions[f.Name].Folder(f.Name, config.Dir(p.getenv), p.getenv("HOME")))
		if f.Advice != "" {
			PrintLine(p.Stdout, "  %s", f.Advice)
		}
	}
	offered := p.listOffered(cfg)
	if len(own) == 0 && !offered {
		PrintLine(p.Stdout, "There are no extensions. agentshell extension new NAME writes one; docs/extensions.md "+
			"says how to turn it on.")
	}
	return code, nil
}

// listOffered prints the extensions that the current directory offers. It reports whether there are
// any.
func (p Host) listOffered(cfg config.Config) bool {
	d, err := regular.OpenDir(filepath.FromSlash(offeredExtensionsDir))
	if err != nil {
		return false
	}
	names, _ := d.Readdirnames(maxOfferedExtensions + 1)
	_ = d.Close()
	slices.Sort(names)
	for _, name := range names {
		state := "of this workspace; agentshell asks about it once"
		if _, own := cfg.Extensions[name]; own {
			state = "of this workspace; not used, since yours has the same name"
		}
		m, err := extension.Load(filepath.Join(filepath.FromSlash(offeredExtensionsDir), name))
		if err == nil {
			err = extension.CheckName(name)
		}
		text := m.Summary()
		if err != nil {
			text, state = "not used: "+err.Error(), "of this workspace"
		}
		PrintLine(p.Stdout, "%s  %s\n  %s", visibleText(name), visibleText(text), state)
	}
	return len(names) > 0
}
