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

// stepKind is the kind of a Step.
type stepKind string

// These are the names of the protocol; an edit of a text has none.
const (
	editText   stepKind = ""
	createFile stepKind = "create"
	renameFile stepKind = "rename"
	deleteFile stepKind = "delete"
)

// Step is one step of a WorkspaceEdit, which a server sends to change files. The steps are carried
// out in their order.
type Step struct {
	Kind stepKind
	Path string // Path is the file; for a rename or a deletion it may be a folder.
	To   string // To is the new path of a rename.
	// Version is the version of the open file for which the edits were made; 0: the server does not
	// tell it.
	Version int
	Edits   []TextEdit

	Overwrite      bool
	IgnoreIfExists bool
	Recursive      bool
	IgnoreMissing  bool
}

// ParseEdit parses a WorkspaceEdit, which may have changes or documentChanges. It returns no steps
// for null.
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

// parseStep parses one element of documentChanges.
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
		return s, fmt.Errorf("it wants to %q a file, which we do not know", cutText(string(change.Kind), 40))
	}
	s.Path, err = PathOf(uri)
	return s, err
}

// ApplyEdits returns text with the edits applied. The positions of all edits refer to the original
// text, in units of e.
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

// Change is the effect of a plan on one file. A nil Before or After means that the file does not
// exist.
type Change struct {
	Path          string
	Before, After []byte
	From          string // From is the former path of a renamed file; "": it was not renamed.
	// Folder is the folder that is deleted together with the file if it becomes empty; "": none.
	Folder string
}

// Files gives a plan access to the files on disk.
type Files struct {
	// Read returns the bytes of a file, or nil if it does not exist.
	Read func(path string) ([]byte, error)
	// List returns the files below a folder, or none if the path is no folder.
	List func(dir string) ([]string, error)
	// Version returns the version of a file that is open at the server, or 0 if it is not open.
	Version func(path string) int
}

// MaxChanges is the number of files that a plan may change.
const MaxChanges = 2000

const bom = "\uFEFF"

// planner carries out steps in memory.
type planner struct {
	files    Files
	encoding Encoding
	// newContents holds the new bytes of each file that a step has touched; nil: it does not exist.
	newContents map[string][]byte
	oldContents map[string][]byte
	formerPaths map[string]string
	// removedFolders holds the folders with which files were deleted, by the path of the file.
	removedFolders map[string]string
	touchedPaths   []string
}

// Plan carries out steps in memory, and returns the change of each file. It leaves out files that
// do not change.
func Plan(steps []Step, files Files, e Encoding) ([]Change, error) {
	p := &planner{files: files, encoding: e, newContents: map[string][]byte{}, oldContents: map[string][]byte{},
		formerPaths:    map[string]string{},
		removedFolders: map[string]string{}}
	for _, s := range steps {
		if err := p.carryOut(s); err != nil {
			return nil, err
		}
		if len(p.touchedPaths) > MaxChanges {
			return nil, fmt.Errorf("it wants to change more than %d files", MaxChanges)
		}
	}
	var list []Change
	for _, path := range p.touchedPaths {
		was, now := p.oldContents[path], p.newContents[path]
		if (was == nil) == (now == nil) && bytes.Equal(was, now) {
			continue
		}
		list = append(list, Change{Path: path, Before: was, After: now, From: p.formerPaths[path],
			Folder: p.removedFolders[path]})
	}
	return list, nil
}

// loadFile returns the present bytes of a file in the plan, or nil if it does not exist.
func (p *planner) loadFile(path string) ([]byte, error) {
	if data, ok := p.newContents[path]; ok {
		return data, nil
	}
	data, err := p.files.Read(path)
	if err != nil {
		return nil, err
	}
	p.newContents[path], p.oldContents[path] = data, data
	p.touchedPaths = append(p.touchedPaths, path)
	return data, nil
}

func (p *planner) carryOut(s Step) error {
	switch s.Kind {
	case editText:
		return p.editFile(s)
	case createFile:
		data, err := p.loadFile(s.Path)
		switch {
		case err != nil:
			return err
		case data == nil || s.Overwrite:
			p.newContents[s.Path] = []byte{}
		case !s.IgnoreIfExists:
			return fmt.Errorf("%s exists already", s.Path)
		}
		return nil
	case renameFile:
		return p.renamePath(s)
	}
	return p.deletePath(s)
}

// editFile applies the edits of a step to a file.
func (p *planner) editFile(s Step) error {
	data, err := p.loadFile(s.Path)
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
	if text, err = ApplyEdits(text, s.Edits, p.encoding); err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	if marked {
		text = bom + text
	}
	p.newContents[s.Path] = []byte(text)
	return nil
}

// renamePath moves a file, or all files of a folder.
func (p *planner) renamePath(s Step) error {
	pairs, err := p.filesBelow(s.Path)
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
			p.removedFolders[from] = s.Path
			rel, err := filepath.Rel(s.Path, from)
			if err != nil {
				return err
			}
			to = filepath.Join(s.To, rel)
		}
		there, err := p.loadFile(to)
		switch {
		case err != nil:
			return err
		case there != nil && s.IgnoreIfExists && !s.Overwrite:
			continue
		case there != nil && !s.Overwrite:
			return fmt.Errorf("%s exists already", to)
		}
		p.newContents[to], p.newContents[from], p.formerPaths[to] = p.newContents[from], nil, from
		if first := p.formerPaths[from]; first != "" {
			p.formerPaths[to] = first
		}
	}
	return nil
}

// deletePath deletes a file, or all files of a folder.
func (p *planner) deletePath(s Step) error {
	list, err := p.filesBelow(s.Path)
	if err != nil {
		return err
	}
	for _, path := range list {
		if path != s.Path && !s.Recursive {
			return fmt.Errorf("%s is a folder with files", s.Path)
		}
		p.newContents[path] = nil
	}
	for path, data := range p.newContents {
		if data == nil && strings.HasPrefix(path, s.Path+string(filepath.Separator)) {
			p.removedFolders[path] = s.Path
		}
	}
	return nil
}

// filesBelow returns path itself if it is a file, or the files below it if it is a folder. It loads
// them all.
func (p *planner) filesBelow(path string) ([]string, error) {
	listed, err := p.files.List(path)
	if err != nil {
		return nil, err
	}
	if len(listed) == 0 {
		listed = []string{path}
	}
	for touched := range p.newContents {
		if strings.HasPrefix(touched, path+string(filepath.Separator)) && !slices.Contains(listed, touched) {
			listed = append(listed, touched)
		}
	}
	slices.Sort(listed)
	var found []string
	for _, file := range listed {
		data, err := p.loadFile(file)
		if err != nil {
			return nil, err
		}
		if data != nil {
			found = append(found, file)
		}
		if len(p.touchedPaths) > MaxChanges {
			return nil, fmt.Errorf("it wants to change more than %d files", MaxChanges)
		}
	}
	return found, nil
}

// MoveStep returns a step that renames a file or a folder.
func MoveStep(from, to string) Step { return Step{Kind: renameFile, Path: from, To: to} }
