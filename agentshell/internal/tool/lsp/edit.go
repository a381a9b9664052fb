package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// stepKind is what a step of an edit does.
type stepKind string

// The steps of the protocol. Edits of a text have no name there.
const (
	editText   stepKind = ""
	createFile stepKind = "create"
	renameFile stepKind = "rename"
	deleteFile stepKind = "delete"
)

// Step is one step of a workspace edit. The steps are carried out in their order.
type Step struct {
	Kind    stepKind
	Path    string // of the file, or of the folder that is renamed or deleted
	To      string // of a rename
	Version int    // of an open file that the edits are for; 0: not told
	Edits   []TextEdit

	Overwrite      bool
	IgnoreIfExists bool
	Recursive      bool
	IgnoreMissing  bool
}

// ParseEdit reads a workspace edit, in both forms of the protocol. An edit that is null has no
// steps.
func ParseEdit(raw json.RawMessage) ([]Step, error) {
	if isNull(raw) || string(raw) == "[]" { // pylsp says so where there is nothing
		return nil, nil
	}
	var edit struct {
		Changes         map[string][]TextEdit `json:"changes"`
		DocumentChanges []json.RawMessage     `json:"documentChanges"`
	}
	if err := json.Unmarshal(raw, &edit); err != nil {
		return nil, fmt.Errorf("it sent an edit that cannot be read: %w", err)
	}
	var steps []Step
	for _, raw := range edit.DocumentChanges {
		step, err := parseStep(raw)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	if edit.DocumentChanges != nil { // then the other form is for clients that do not know this one
		return steps, nil
	}
	for uri, edits := range edit.Changes {
		path, err := PathOf(uri)
		if err != nil {
			return nil, err
		}
		steps = append(steps, Step{Path: path, Edits: edits})
	}
	slices.SortFunc(steps, func(a, b Step) int { return strings.Compare(a.Path, b.Path) })
	return steps, nil
}

// parseStep reads an element of documentChanges.
func parseStep(raw json.RawMessage) (s Step, err error) {
	var change struct {
		Kind         stepKind `json:"kind"`
		TextDocument struct {
			URI     string `json:"uri"`
			Version *int   `json:"version"`
		} `json:"textDocument"`
		Edits   []TextEdit `json:"edits"`
		URI     string     `json:"uri"`
		OldURI  string     `json:"oldUri"`
		NewURI  string     `json:"newUri"`
		Options struct {
			Overwrite         bool `json:"overwrite"`
			IgnoreIfExists    bool `json:"ignoreIfExists"`
			Recursive         bool `json:"recursive"`
			IgnoreIfNotExists bool `json:"ignoreIfNotExists"`
		} `json:"options"`
	}
	if err := json.Unmarshal(raw, &change); err != nil {
		return s, fmt.Errorf("it sent an edit that cannot be read: %w", err)
	}
	s = Step{Kind: change.Kind, Edits: change.Edits, Overwrite: change.Options.Overwrite,
		IgnoreIfExists: change.Options.IgnoreIfExists, Recursive: change.Options.Recursive,
		IgnoreMissing: change.Options.IgnoreIfNotExists}
	uri := change.URI
	switch change.Kind {
	case editText:
		uri = change.TextDocument.URI
		if v := change.TextDocument.Version; v != nil {
			s.Version = *v
		}
	case renameFile:
		uri = change.OldURI
		if s.To, err = PathOf(change.NewURI); err != nil {
			return s, err
		}
	case createFile, deleteFile:
	default:
		return s, fmt.Errorf("it wants to %q a file, which we do not know", bounded(string(change.Kind), 40))
	}
	s.Path, err = PathOf(uri)
	return s, err
}

// ApplyEdits returns a text with edits made in it. All of them name places of the old text.
func ApplyEdits(text string, edits []TextEdit, e Encoding) (string, error) {
	type span struct {
		from, to int
		text     string
	}
	index := indexLines(text)
	var spans []span
	for _, edit := range edits {
		if len(edit.Snippet) > 0 {
			return "", errors.New("it sent an edit with places to fill in, which we never asked for")
		}
		from, err := index.offset(edit.Range.Start, e)
		if err != nil {
			return "", err
		}
		to, err := index.offset(edit.Range.End, e)
		if err != nil {
			return "", err
		}
		if to < from {
			return "", fmt.Errorf("it sent an edit that ends before it begins, on line %d", edit.Range.Start.Line+1)
		}
		if !utf8.ValidString(edit.NewText) {
			return "", errors.New("it sent an edit that is no text")
		}
		spans = append(spans, span{from, to, edit.NewText})
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to // what is put in comes before what is replaced there
	})
	var b strings.Builder
	done := 0
	for _, s := range spans {
		if s.from < done {
			return "", errors.New("it sent edits that overlap")
		}
		b.WriteString(text[done:s.from])
		b.WriteString(s.text)
		done = s.to
	}
	b.WriteString(text[done:])
	return b.String(), nil
}

// Change is what a plan does to one file. Before and After are nil where there is no file.
type Change struct {
	Path          string
	Before, After []byte
	From          string // the file that this one was before; "": it was not renamed
	Folder        string // that is taken away with the file if it is empty then, or ""
}

// Files is how a plan sees the disk.
type Files struct {
	// Read returns the bytes of a file, nil if there is none.
	Read func(path string) ([]byte, error)
	// List returns the files below a folder; none if the path is no folder.
	List func(dir string) ([]string, error)
	// Version returns the version of an open file that its server knows; 0: it is not open.
	Version func(path string) int
}

// MaxChanges is how many files a plan may change.
const MaxChanges = 2000

const bom = "\uFEFF"

// planner carries out steps on copies.
type planner struct {
	files Files
	e     Encoding
	now   map[string][]byte // of files that were touched; nil: there is none
	was   map[string][]byte
	from  map[string]string
	gone  map[string]string // the folder with which a file was taken away
	order []string
}

// Plan carries out steps without the disk, and returns what becomes of each file. Files that stay
// as they are, are left out.
func Plan(steps []Step, files Files, e Encoding) ([]Change, error) {
	p := &planner{files: files, e: e, now: map[string][]byte{}, was: map[string][]byte{}, from: map[string]string{},
		gone: map[string]string{}}
	for _, s := range steps {
		if err := p.carryOut(s); err != nil {
			return nil, err
		}
		if len(p.order) > MaxChanges {
			return nil, fmt.Errorf("it wants to change more than %d files", MaxChanges)
		}
	}
	var list []Change
	for _, path := range p.order {
		was, now := p.was[path], p.now[path]
		if (was == nil) == (now == nil) && bytes.Equal(was, now) {
			continue
		}
		list = append(list, Change{Path: path, Before: was, After: now, From: p.from[path], Folder: p.gone[path]})
	}
	return list, nil
}

// load returns the present bytes of a file, nil if there is none.
func (p *planner) load(path string) ([]byte, error) {
	if data, ok := p.now[path]; ok {
		return data, nil
	}
	data, err := p.files.Read(path)
	if err != nil {
		return nil, err
	}
	p.now[path], p.was[path] = data, data
	p.order = append(p.order, path)
	return data, nil
}

func (p *planner) carryOut(s Step) error {
	switch s.Kind {
	case editText:
		return p.edit(s)
	case createFile:
		data, err := p.load(s.Path)
		switch {
		case err != nil:
			return err
		case data == nil || s.Overwrite:
			p.now[s.Path] = []byte{}
		case !s.IgnoreIfExists:
			return fmt.Errorf("%s exists already", s.Path)
		}
		return nil
	case renameFile:
		return p.rename(s)
	}
	return p.delete(s)
}

// edit makes edits in a text.
func (p *planner) edit(s Step) error {
	data, err := p.load(s.Path)
	switch {
	case err != nil:
		return err
	case data == nil:
		return fmt.Errorf("%s does not exist", s.Path)
	}
	if open := p.files.Version(s.Path); open != 0 && s.Version != 0 && s.Version != open {
		return fmt.Errorf("%s has changed since: it has version %d, and the edit is for version %d", s.Path, open,
			s.Version)
	}
	text, marked := strings.CutPrefix(string(data), bom)
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is no text in UTF-8", s.Path)
	}
	if strings.Contains(strings.ReplaceAll(text, "\r\n", "\n"), "\r") {
		return fmt.Errorf("%s has a CR without LF: where its lines end is not sure", s.Path)
	}
	if text, err = ApplyEdits(text, s.Edits, p.e); err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	if marked {
		text = bom + text
	}
	p.now[s.Path] = []byte(text)
	return nil
}

// rename moves a file, or all files of a folder.
func (p *planner) rename(s Step) error {
	pairs, err := p.below(s.Path)
	if err != nil {
		return err
	}
	if len(pairs) == 0 {
		if s.IgnoreMissing {
			return nil
		}
		return fmt.Errorf("%s does not exist", s.Path)
	}
	for _, from := range pairs {
		to := s.To
		if from != s.Path {
			p.gone[from] = s.Path
			rel, err := filepath.Rel(s.Path, from)
			if err != nil {
				return err
			}
			to = filepath.Join(s.To, rel)
		}
		there, err := p.load(to)
		switch {
		case err != nil:
			return err
		case there != nil && s.IgnoreIfExists && !s.Overwrite:
			continue
		case there != nil && !s.Overwrite:
			return fmt.Errorf("%s exists already", to)
		}
		p.now[to], p.now[from], p.from[to] = p.now[from], nil, from
		if first := p.from[from]; first != "" {
			p.from[to] = first
		}
	}
	return nil
}

// delete takes away a file, or all files of a folder.
func (p *planner) delete(s Step) error {
	list, err := p.below(s.Path)
	if err != nil {
		return err
	}
	for _, path := range list {
		if path != s.Path && !s.Recursive {
			return fmt.Errorf("%s is a folder with files", s.Path)
		}
		p.now[path] = nil
	}
	for path, data := range p.now {
		if data == nil && strings.HasPrefix(path, s.Path+string(filepath.Separator)) {
			p.gone[path] = s.Path
		}
	}
	return nil
}

// below returns the file of a path, or the files of a folder, all of them loaded.
func (p *planner) below(path string) ([]string, error) {
	listed, err := p.files.List(path)
	if err != nil {
		return nil, err
	}
	if len(listed) == 0 {
		listed = []string{path}
	}
	for touched := range p.now {
		if strings.HasPrefix(touched, path+string(filepath.Separator)) && !slices.Contains(listed, touched) {
			listed = append(listed, touched)
		}
	}
	slices.Sort(listed)
	var found []string
	for _, file := range listed {
		data, err := p.load(file)
		if err != nil {
			return nil, err
		}
		if data != nil {
			found = append(found, file)
		}
		if len(p.order) > MaxChanges {
			return nil, fmt.Errorf("it wants to change more than %d files", MaxChanges)
		}
	}
	return found, nil
}

// MoveStep returns the step that gives a file or a folder another name.
func MoveStep(from, to string) Step { return Step{Kind: renameFile, Path: from, To: to} }
