package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
)

// offeredExtensionsDir is the directory of a workspace's extensions. At most maxOfferedExtensions
// are read, since the user has to read what they add.
const (
	offeredExtensionsDir = skill.Dir + "/extensions"
	maxOfferedExtensions = 10
)

// offeredExtensions holds the extensions that a workspace offers. None starts before the user has
// seen what it adds to the shell.
type offeredExtensions struct {
	sources []extension.Source
	text    string // The description of the extensions that the user is shown.
	digest  string // A hash of all files of the extensions, and of the text.
	asked   bool   // The front end asks the user about them.
}

// workspaceExtensions returns the extensions of the workspace if the user has allowed them. If the
// user has not been asked yet, it returns nil and stores them in r.offeredExtensions for a
// question.
func (r *project) workspaceExtensions(p Host) []extension.Source {
	offered := r.readOfferedExtensions(p)
	if len(offered.sources) == 0 {
		return nil
	}
	switch use, known := p.answers(aboutExtensions).Lookup(r.ws.Dir(), offered.digest); {
	case use:
		return offered.sources
	case !known:
		r.offeredExtensions = offered
	}
	return nil
}

// readOfferedExtensions reads the extensions that the workspace offers.
func (r *project) readOfferedExtensions(p Host) (o offeredExtensions) {
	if r.demo || r.ws.WhyBroad() != "" {
		return o
	}
	folder, err := r.ws.ResolveDir(filepath.Join(r.ws.Dir(), offeredExtensionsDir))
	if err != nil {
		return o
	}
	d, err := regular.OpenDir(r.ws.Abs(folder))
	if err != nil {
		return o
	}
	names, err := d.Readdirnames(maxOfferedExtensions + 1)
	_ = d.Close()
	if err != nil || len(names) == 0 {
		return o
	}
	if len(names) > maxOfferedExtensions {
		r.notices = append(r.notices,
			fmt.Sprintf("the extensions of this workspace are not used: there are more than %d", maxOfferedExtensions))
		return o
	}
	sum := sha256.New()
	slices.Sort(names)
	for _, name := range names {
		if _, own := r.cfg.Extensions[name]; own {
			continue // the user's own extension is used
		}
		source, digest, err := r.readOfferedExtension(p, name)
		if err != nil {
			r.notices = append(r.notices, fmt.Sprintf("the extension %q of this workspace is not used: %v", name, err))
			continue
		}
		o.sources = append(o.sources, source)
		text := source.Manifest.Text(name, source.Dir)
		o.text += text
		fmt.Fprintf(sum, "%s %s %d %s", name, digest, len(text), text)
	}
	o.digest = hex.EncodeToString(sum.Sum(nil))
	return o
}

// readOfferedExtension reads the extension of that name in the workspace. digest is a hash of its
// files.
func (r *project) readOfferedExtension(p Host, name string) (s extension.Source, digest string, err error) {
	if err := extension.CheckName(name); err != nil {
		return s, "", err
	}
	folder, err := r.ws.ResolveDir(filepath.Join(r.ws.Dir(), offeredExtensionsDir, name))
	if err != nil {
		return s, "", err
	}
	dir := r.ws.Abs(folder)
	path, err := r.ws.Resolve(filepath.Join(dir, extension.ManifestName))
	if err != nil {
		return s, "", err
	}
	if r.mayRead(path.Match()) == approval.Deny {
		return s, "", errors.New("a rule does not let it be read")
	}
	if digest, err = extension.Digest(dir); err != nil {
		return s, "", err
	}
	m, err := extension.Load(dir)
	if err != nil {
		return s, "", err
	}
	for _, word := range m.CommandIn(dir) {
		if r.namesOther(word, dir) {
			return s, "", fmt.Errorf("its command names %s, a file of the workspace outside of its folder", word)
		}
	}
	again := func() error {
		now, err := extension.Digest(dir)
		if err == nil && now != digest {
			err = errors.New("its files have changed; the next session asks about it again")
		}
		return err
	}
	return extension.Source{Name: name, Dir: dir, Manifest: m, Workspace: true, Verify: again,
		Env: environFor(nil, p.getenv, p.family.Programs)}, digest, again()
}

// namesOther reports whether word, an argument of an extension's command, names a file of the
// workspace outside of the extension's directory dir. Such a file may change without a question.
func (r *project) namesOther(word, dir string) bool {
	path := filepath.Clean(word)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.ws.Dir(), path)
	}
	if path == dir || strings.HasPrefix(path, dir+string(filepath.Separator)) || !r.inWorkspace(path) {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}

// extensionOffer returns the question whether to use the workspace's extensions, or nil if there is
// nothing to ask.
func (r *project) extensionOffer(p Host) *shell.Offer {
	offered, answers := r.offeredExtensions, p.answers(aboutExtensions)
	if len(offered.sources) == 0 || answers == "" {
		return nil
	}
	reach := "They run with your rights, since there is no sandbox."
	if r.confined() {
		reach = "They run in the sandbox: they reach this workspace only, and no network."
	}
	offer := &shell.Offer{What: "the extensions of this workspace", Files: len(offered.sources), Unit: "extension",
		Text: strings.TrimRight(offered.text, "\n") + "\n",
		Question: "Use these programs of " + offeredExtensionsDir + "? " + reach + " They add what is listed here, " +
			"and nothing else. You are asked again when a file of theirs changes."}
	for _, s := range offered.sources {
		offer.Servers = append(offer.Servers, "the extension "+s.Name)
	}
	offer.Decide = r.decideBy(answers, offered.digest, func() error {
		var errs []error
		for _, s := range offered.sources {
			errs = append(errs, r.addExtension(s))
		}
		return errors.Join(errs...)
	})
	return offer
}
