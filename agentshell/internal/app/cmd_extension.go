package app

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// ExtensionOptions are the options of `agentshell extension`.
type ExtensionOptions struct {
	New struct {
		Name string `arg:"" help:"Its name: small letters, digits and -, at most 24."`
		Dir  string `arg:"" optional:"" help:"Its folder, which must not hold anything yet. Default: NAME."`
		JS   bool   `name:"js" xor:"language" help:"Write it in JavaScript, for node. The default."`
		Go   bool   `name:"go" xor:"language" help:"Write it in Go."`
	} `cmd:"" help:"Write a folder with an extension that works: agentshell extension new branches ~/src/branches"`
	Test struct {
		Dir    string   `arg:"" help:"The folder of the extension."`
		Width  int      `placeholder:"N" help:"Show rows in so many columns only. Default: in 20, 80 and 200."`
		Run    []string `sep:"none" placeholder:"TEXT" help:"Run a command or a tool, too: --run 'branches main', --run 'list {\"all\":true}'. May be repeated."`
		Keys   []string `sep:"none" placeholder:"KEYS" help:"Keys for its questions and views, with blanks between them: --keys 'down enter'. Without them a question is left."`
		Result string   `placeholder:"FILE" help:"The text of a result that its renderers are tried with. Default: some output of go test."`
	} `cmd:"" help:"Start an extension in the sandbox, ask it for all that it shows, and say what is wrong. The exit code is 1 if something is."`
}

// Extension handles `agentshell extension`. chosen is the name of the subcommand.
func (p Host) Extension(ctx context.Context, f ExtensionOptions, chosen string) (int, error) {
	p.family.Programs.Exclude(".")
	if word, _, _ := strings.Cut(chosen, " "); word == "new" {
		return headless.ExitDone, p.newExtension(f)
	}
	return p.tryExtension(ctx, f)
}
