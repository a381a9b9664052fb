package approval

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Above returns the lines between the title of a proposal and its diff, for front ends that show
// plain lines. They contain untrusted text.
func (p *Proposal) Above() (lines []string) {
	indented := func(text string) {
		for l := range strings.Lines(text) {
			lines = append(lines, "  "+strings.TrimRight(l, "\r\n"))
		}
	}
	switch pl := p.Payload.(type) {
	case Write:
		if text := pl.Overwrites(); text != "" {
			lines = append(lines, text)
		}
	case Command:
		indented(pl.Command)
		for _, e := range pl.Effects {
			lines = append(lines, "it "+e.String())
		}
		for _, note := range []string{pl.Note, pl.Opaque} {
			if note != "" {
				lines = append(lines, "! "+note)
			}
		}
	case Page:
		indented(pl.URL)
	case Publish:
		indented(pl.Text)
		indented(pl.UnifiedDiff)
	case Plan:
		indented(pl.Plan)
		if p.Revision != "" {
			lines = append(lines, p.Revision)
		}
	case Form:
		indented(pl.Message)
		indented(pl.Text)
	case Prompts:
		lines = append(lines, pl.Question)
		indented(pl.Text)
	case Merge:
		indented(pl.UnifiedDiff)
	case Generic:
		lines = append(lines, "no preview possible")
		indented(pl.Detail)
	case Undo:
		if pl.Removes {
			lines = append(lines, "! "+pl.Removal())
		}
	}
	return lines
}

// Sums returns a line with size and hash for the old and the new content of a binary file, which
// has no diff.
func (p *Proposal) Sums() (lines []string) {
	for _, side := range []struct {
		name string
		data []byte
	}{{"old", p.Before}, {"new", p.After}} {
		if p.Remove && side.name == "new" {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: binary, %d bytes, sha256 %x", side.name, len(side.data),
			sha256.Sum256(side.data)))
	}
	return lines
}

// Below returns the lines after the diff of a proposal: the reason for asking, notes and flags.
func (p *Proposal) Below() (lines []string) {
	if _, plan := p.Payload.(Plan); plan {
		return nil
	}
	if why := p.Asked(); why != "" {
		lines = append(lines, why)
	}
	for _, n := range p.Notes {
		if c, ok := p.Payload.(Command); !ok || n != c.Note { // Above has it
			lines = append(lines, n)
		}
	}
	if why := p.Danger(); why != "" {
		lines = append(lines, "! "+why)
	}
	for _, f := range p.Flags {
		lines = append(lines, "! "+f.Name+": "+f.Text)
	}
	return lines
}
