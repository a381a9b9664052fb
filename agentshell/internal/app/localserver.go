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

// localServer is a server on this machine that runs language models, such as Ollama.
type localServer struct {
	name, url string
	models    []string
}

// commonLocalServers lists common local model servers with their default addresses.
var commonLocalServers = []localServer{
	{name: "Ollama", url: "http://127.0.0.1:11434/v1"},
	{name: "LM Studio", url: "http://127.0.0.1:1234/v1"},
	{name: "llama.cpp", url: "http://127.0.0.1:8080/v1"},
	{name: "vLLM", url: "http://127.0.0.1:8000/v1"},
}

// findLocalServers asks each server of list for its models, and returns those that answer with at
// least one. It takes at most half a second.
func findLocalServers(ctx context.Context, list []localServer) (found []localServer) {
	const timeout = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	models := make([][]string, len(list))
	var wg sync.WaitGroup
	for i, l := range list {
		wg.Go(func() {
			ids, err := remote.NewAPI(l.url, nil, timeout, provider.Bounds{}).List(ctx)
			if err == nil {
				models[i] = ids
			}
		})
	}
	wg.Wait()
	for i, l := range list {
		if len(models[i]) > 0 {
			l.models = models[i]
			found = append(found, l)
		}
	}
	return found
}

// firstNames returns the first three names, and how many more there are.
func firstNames(names []string) string {
	const limit = 3
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
}
