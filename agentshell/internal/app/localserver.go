package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// local is a server of models on this machine.
type local struct {
	name, url string
	models    []string
}

// localServers are those that people have, where they listen by default.
var localServers = []local{
	{name: "Ollama", url: "http://127.0.0.1:11434/v1"},
	{name: "LM Studio", url: "http://127.0.0.1:1234/v1"},
	{name: "llama.cpp", url: "http://127.0.0.1:8080/v1"},
	{name: "vLLM", url: "http://127.0.0.1:8000/v1"},
}

// findLocal asks each of list for its models, and gives those that name one. It takes half a second
// at most.
func findLocal(ctx context.Context, list []local) (found []local) {
	const patience = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	models := make([][]string, len(list))
	var all sync.WaitGroup
	for i, l := range list {
		all.Go(func() {
			ids, err := remote.NewAPI(l.url, nil, patience, provider.Bounds{}).List(ctx)
			if err == nil {
				models[i] = ids
			}
		})
	}
	all.Wait()
	for i, l := range list {
		if len(models[i]) > 0 {
			l.models = models[i]
			found = append(found, l)
		}
	}
	return found
}

// several returns the first of names, and how many more there are.
func several(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
