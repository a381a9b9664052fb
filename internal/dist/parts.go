package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// bom is a list of the components of a program (software bill of materials) in the JSON format of
// CycloneDX 1.6.
type bom struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Timestamp string `json:"timestamp"`
		Component part   `json:"component"`
	} `json:"metadata"`
	Components []part `json:"components"`
}

// part is one component: the program, a module, or the standard library.
type part struct {
	Type    string    `json:"type"`
	Ref     string    `json:"bom-ref"`
	Name    string    `json:"name"`
	Version string    `json:"version"`
	URL     string    `json:"purl"`
	Hashes  []partSum `json:"hashes,omitempty"`
}

// partSum is a checksum of a component.
type partSum struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// newPart returns a component that is a Go module.
func newPart(kind, name, version string) part {
	url := "pkg:golang/" + name + "@" + version
	return part{Type: kind, Ref: url, Name: name, Version: version, URL: url}
}

// sbom returns the JSON list of the modules in a program, from the build information that Go has
// stored in it. sum is the SHA-256 checksum of the executable.
func sbom(info *debug.BuildInfo, version string, at time.Time, sum [32]byte) []byte {
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Timestamp = at.Format(time.RFC3339)
	b.Metadata.Component = newPart("application", info.Main.Path, version)
	b.Metadata.Component.Hashes = []partSum{{"SHA-256", hex.EncodeToString(sum[:])}}
	b.Components = []part{newPart("library", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, newPart("library", m.Path, m.Version))
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return append(text, '\n')
}

// licenses returns a file with the licenses of Go and of all modules in the program, since their
// terms require that. A module without a license is an error.
func (s *source) licenses(ctx context.Context, t target, info *debug.BuildInfo) (file, error) {
	list, err := command(ctx, s.dir, t.buildEnv(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", "./"+program)
	if err != nil {
		return file{}, err
	}
	dirs := map[string]string{}
	for line := range strings.Lines(list) {
		if name, dir, found := strings.Cut(strings.TrimRight(line, "\n"), "\t"); found {
			dirs[name] = dir
		}
	}
	root, err := command(ctx, s.dir, t.buildEnv(), "go", "env", "GOROOT")
	if err != nil {
		return file{}, err
	}
	var b strings.Builder
	if err := writeLicense(&b, "Go "+strings.TrimPrefix(info.GoVersion, "go"), root); err != nil {
		return file{}, err
	}
	for _, m := range info.Deps {
		if err := writeLicense(&b, m.Path+" "+m.Version, dirs[m.Path]); err != nil {
			return file{}, err
		}
	}
	return file{name: "LICENSES-OF-OTHERS.txt", data: []byte(b.String())}, nil
}

// writeLicense appends the license files in a module's directory to b. A directory without one is
// an error.
func writeLicense(b *strings.Builder, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		about := strings.ToUpper(strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())))
		if e.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, about) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(b, "%s: %s\n\n%s\n\n", name, e.Name(), strings.TrimSpace(string(text)))
	}
	if !found {
		return fmt.Errorf("%s has no license", name)
	}
	return nil
}
