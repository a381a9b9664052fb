package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/bm25"
)

// searchToolsName is the name of the tool that finds hidden tools. The model has it if MCP servers
// offer too many tools to list all of them.
const searchToolsName = "search_tool_bm25"

// foundTools is the default number of tools that one search makes available.
const foundTools = 8

// HideIf sets the function that decides whether the tools with owners are hidden, because their
// specs are too long to send with each request. The model then finds hidden tools by a search, and
// keeps the ones that it has found. The function is called for each request, so it must be quick.
func (r *Registry) HideIf(too func(specs []provider.Tool) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tooMuch = too
}

// Specs returns the specs of the tools that the model is told of. Hidden tools are only included if
// a search has found them.
func (r *Registry) Specs() (specs []provider.Tool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var others []provider.Tool
	var owners []owned
	for i, t := range r.tools {
		if r.owners[i] == "" {
			specs = append(specs, t.Spec())
			continue
		}
		s := t.Spec()
		others = append(others, s)
		at := slices.IndexFunc(owners, func(o owned) bool { return o.owner == r.owners[i] })
		if at < 0 {
			at, owners = len(owners), append(owners, owned{owner: r.owners[i]})
		}
		_, name, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(s.Name, "mcp__"), "ext__"), "__")
		owners[at].tools = append(owners[at].tools, name)
	}
	if r.tooMuch == nil || len(others) == 0 || !r.tooMuch(others) {
		return append(specs, others...)
	}
	specs = append(specs, (&searchTools{r}).spec(owners))
	for _, s := range others {
		if slices.Contains(r.found, s.Name) {
			specs = append(specs, s)
		}
	}
	return specs
}

// searchTools is the tool that finds hidden tools by their names and descriptions.
type searchTools struct{ registry *Registry }

type searchToolsArgs struct {
	Query string `json:"query" doc:"What the tool should do, in a few words."`
	Limit *int   `json:"limit" doc:"How many tools at most; 8 by default."`
}

func (t *searchTools) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindSearches}
}

// owned holds the names of an owner's tools. An owner is an MCP server, for instance.
type owned struct {
	owner string
	tools []string
}

// aboutOwners is the number of bytes in the tool search's description that name owners and their
// tools.
const aboutOwners = 1500

// topics returns a list of the owners for the description of the tool search: each with its number
// of tools, and as many of their names as there is room for.
func topics(owners []owned) string {
	// In one order, whichever was ready first: what a model was sent once is sent again.
	slices.SortFunc(owners, func(a, b owned) int { return cmp.Compare(a.owner, b.owner) })
	var b strings.Builder
	for i, o := range owners {
		line := fmt.Sprintf("\n- %s, %s: ", o.owner, count(len(o.tools), "tool"))
		room := (aboutOwners-b.Len())/(len(owners)-i) - len(line)
		if b.Len() > 0 && room < 0 {
			fmt.Fprintf(&b, "\n- and %s more", count(len(owners)-i, "server"))
			break
		}
		for n, name := range o.tools {
			if room -= len(name) + len(", "); room < 0 {
				line += "..."
				break
			}
			if n > 0 {
				line += ", "
			}
			line += name
		}
		b.WriteString(line)
	}
	return b.String()
}

func (t *searchTools) Spec() provider.Tool { return t.spec(nil) }

// spec returns the tool's spec, whose description lists the owners of hidden tools.
func (t *searchTools) spec(owners []owned) provider.Tool {
	n := 0
	for _, o := range owners {
		n += len(o.tools)
	}
	return provider.Tool{Name: searchToolsName, ReadOnly: true, Schema: schemaOf[searchToolsArgs](),
		Description: fmt.Sprintf("Find tools of MCP servers. %s are not listed here, because they would fill the "+
			"window; those that a search finds can be called from your next step on, for the rest of the session. "+
			"There are:%s", count(n, "tool"), topics(owners))}
}

func (t *searchTools) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[searchToolsArgs](input)
	args.Query = strings.TrimSpace(args.Query)
	limit := foundTools
	if args.Limit != nil {
		limit = *args.Limit
	}
	switch words := bm25.Words(args.Query); {
	case err != nil:
		return Call{}, err
	case limit < 1:
		return Call{}, invalidArgs("limit must be a positive number")
	case len(words) == 0:
		return Call{}, invalidArgs("Query must contain at least one letter or number.")
	}
	return Call{Title: searchToolsName + " " + titled(args.Query, 80),
		Run: func(context.Context, func(string)) (Result, error) {
			found, total := t.registry.discover(args.Query, limit)
			answer, err := json.Marshal(struct {
				Query     string   `json:"query"`
				Activated []string `json:"activated_tools"`
				Matches   int      `json:"match_count"`
				Total     int      `json:"total_tools"`
			}{args.Query, found, len(found), total})
			if err != nil {
				return Result{}, err
			}
			return Result{Text: string(answer) + "\n", Summary: count(len(found), "tool"),
				Detail: strings.Join(found, "\n") + "\n"}, nil
		}}, nil
}

// discover makes the hidden tools that best match a query available to the model, at most limit new
// ones. total is the number of all tools with owners.
func (r *Registry) discover(query string, limit int) (found []string, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var hidden []provider.Tool
	for i, t := range r.tools {
		if r.owners[i] == "" {
			continue
		}
		total++
		if s := t.Spec(); !slices.Contains(r.found, s.Name) {
			hidden = append(hidden, s)
		}
	}
	found = ranked(hidden, query)
	found = append([]string{}, found[:min(limit, len(found))]...)
	r.found = append(r.found, found...)
	return found, total
}

// weighName, weighText and weighKey are the weights of a match in a tool's name, its description
// and the names of its arguments.
const weighName, weighText, weighKey = 6, 2, 1

// ranked returns the names of the tools that match at least one word of the query, the best match
// first.
func ranked(specs []provider.Tool, query string) (names []string) {
	specs = slices.SortedFunc(slices.Values(specs), func(a, b provider.Tool) int { return cmp.Compare(a.Name, b.Name) })
	docs := make([][]bm25.Part, len(specs))
	for i, s := range specs {
		docs[i] = []bm25.Part{{Text: strings.TrimPrefix(s.Name, "mcp__"), Weight: weighName},
			{Text: s.Description, Weight: weighText}}
		var schema struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if json.Unmarshal(s.Schema, &schema) == nil {
			for key := range schema.Properties {
				docs[i] = append(docs[i], bm25.Part{Text: key, Weight: weighKey})
			}
		}
	}
	for _, hit := range bm25.Rank(docs, query) {
		names = append(names, specs[hit.Index].Name)
	}
	return names
}
