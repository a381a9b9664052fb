package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// languagesFile is the name of a file that configures language servers. The user can have one in
// the configuration directory, and a workspace can have one, too.
const languagesFile = "lsp.toml"

// offeredLanguagesFile is the path, in a workspace, of the file that configures its language
// servers.
const offeredLanguagesFile = skill.Dir + "/" + languagesFile

// maxLanguagesFile is the size in bytes of the largest file that is read.
const maxLanguagesFile = 64 << 10

// languageTable returns the configuration of language servers: the built-in one, changed by the
// workspace's file, and that changed by the user's file. offered is the text of the workspace's
// file; nil if there is none or if it must not be used.
func languageTable(configDir string, offered []byte) (lsp.Table, error) {
	builtin, err := lsp.Builtin()
	if err != nil {
		return nil, err
	}
	table, err := builtin.With(offered)
	if err != nil {
		return nil, err
	}
	for name, s := range table {
		if !slices.Equal(s.Edits, builtin[name].Edits) { // these commands of a server run without a question
			return nil, fmt.Errorf("server %q: only your own table may name edits", name)
		}
	}
	if configDir == "" {
		return table, nil
	}
	path := filepath.Join(configDir, languagesFile)
	text, err := readPersonTable(path, maxLanguagesFile)
	if err != nil || text == nil {
		return table, err
	}
	if table, err = table.With(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// offeredLanguages holds the language servers that a file of the workspace configures. None is used
// before the user has seen the whole file.
type offeredLanguages struct {
	table  lsp.Table // All language servers, including those of the workspace.
	names  []string  // The names of the servers that the workspace adds or changes.
	text   string    // The text of the file, to show it to the user.
	digest string    // A hash of the file, to notice that it has changed.
}

// workspaceLanguages returns the table of language servers that includes those of the workspace, if
// the user has allowed them, else table. If the user has not been asked yet, it stores the
// workspace's servers in r.offeredLanguages for a question.
func (r *project) workspaceLanguages(ctx context.Context, p Host, table lsp.Table) lsp.Table {
	offered, err := r.readOfferedLanguages(ctx, p, table)
	if err != nil {
		r.notices = append(r.notices, fmt.Sprintf("%s of the workspace is not used: %v", offeredLanguagesFile, err))
		return table
	}
	if len(offered.names) == 0 {
		return table
	}
	switch use, known := p.answers(aboutLanguages).Lookup(r.ws.Dir(), offered.digest); {
	case use:
		return offered.table
	case !known:
		r.offeredLanguages = offered
	}
	return table
}

// readOfferedLanguages reads the language servers that the workspace configures. Without such a
// file the result is zero.
func (r *project) readOfferedLanguages(ctx context.Context, p Host, table lsp.Table) (o offeredLanguages, err error) {
	path, err := r.ws.Resolve(offeredLanguagesFile)
	if err != nil || r.demo || r.mayRead(path.Match()) == approval.Deny {
		return o, nil //nolint:nilerr // there is no such file in the workspace
	}
	f, err := r.ws.Snapshot(ctx, path, maxLanguagesFile)
	if err == nil && !f.Print.Exists {
		return o, nil
	}
	if o.text, err = briefing.Accept(f.Data, err); err != nil {
		return o, err
	}
	if o.table, err = languageTable(config.Dir(p.getenv), f.Data); err != nil {
		return o, err
	}
	for _, name := range slices.Sorted(maps.Keys(o.table)) {
		if !reflect.DeepEqual(o.table[name], table[name]) {
			o.names = append(o.names, name)
		}
	}
	sum := sha256.Sum256(f.Data)
	o.digest = hex.EncodeToString(sum[:])
	return o, nil
}

// languageOffer returns the question whether to use the workspace's language servers, or nil if
// there is nothing to ask.
func (r *project) languageOffer(p Host) *shell.Offer {
	offered, answers := r.offeredLanguages, p.answers(aboutLanguages)
	if offered.digest == "" || answers == "" {
		return nil
	}
	reach := "A server runs with your rights, since there is no sandbox; you are asked before each starts."
	if r.confined() {
		reach = "A server runs in the sandbox: it reaches this workspace only, and no network."
	}
	offer := &shell.Offer{What: "the language servers of this workspace", Files: 1,
		Text: "---- " + offeredLanguagesFile + "\n" + strings.TrimRight(offered.text, "\n") + "\n",
		Question: "Use these commands and settings of language servers? " + reach + " Your own " + languagesFile +
			" stands over them. You are asked again when the file changes."}
	for _, name := range offered.names {
		offer.Servers = append(offer.Servers, "the language server "+name)
	}
	offer.Decide = r.decideBy(answers, offered.digest, func() error {
		r.helpers.languages.SetTable(offered.table)
		return nil
	})
	return offer
}
