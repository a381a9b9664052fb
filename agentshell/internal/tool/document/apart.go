package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// workArgument is the argument with which this program starts itself as a process that reads one
// document.
const workArgument = "scrollkeep-document-reader"

// These constants limit a process that reads a document.
const (
	maxMemoryBytes = 512 << 20 // maxMemoryBytes is in bytes.
	readTimeout    = time.Minute
	// checkInterval is the time between two checks of the memory.
	checkInterval = 10 * time.Millisecond
)

// Apart returns what [Request.Text] returns, but reads the document in another process, which runs
// this same program. That process starts no programs, opens no files, and is limited in memory and
// time, so a hostile document can harm nothing else. The main function of the program must call
// [Work] first.
func (r Request) Apart(ctx context.Context, family *child.Family, data []byte) (string, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	self, err := ownProgram()
	if err != nil {
		return "", err
	}
	limited, stop := context.WithTimeout(ctx, readTimeout)
	defer stop()
	cmd := exec.Command(self, workArgument)
	cmd.Env = []string{}
	cmd.Stdin = io.MultiReader(bytes.NewReader(append(head, '\n')), bytes.NewReader(data))
	out, problem, err := child.Output(limited, family.Run, cmd, MaxText+4096)
	switch why := strings.TrimSpace(string(problem)); {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", fmt.Errorf("reading it takes more than %v", readTimeout)
	case err != nil && why != "" && !strings.Contains(why, "\n"):
		return "", errors.New(why)
	case err != nil: // the runtime's own last words are of no use to anybody here
		return "", fmt.Errorf("its reader ended: %w", err)
	}
	return string(out), nil
}

// Work reads a document for [Request.Apart] and exits, if args say that this process was started
// for that. Otherwise it returns. It must be called in the first line of main, with the program's
// arguments.
func Work(args []string) {
	if len(args) != 2 || args[1] != workArgument {
		return
	}
	os.Exit(runWork(os.Stdin, os.Stdout, os.Stderr))
}

func runWork(in io.Reader, out, problem io.Writer) int {
	limitMemory()
	go watchMemory(problem)
	text, err := answerRequest(in)
	if err != nil {
		fmt.Fprintln(problem, strings.ReplaceAll(err.Error(), "\n", " "))
		return 1
	}
	if _, err := io.WriteString(out, text); err != nil {
		return 1
	}
	return 0
}

// answerRequest reads a Request, which is one line of JSON, and the document that follows it, and
// returns the document's text.
func answerRequest(in io.Reader) (string, error) {
	all, err := io.ReadAll(io.LimitReader(in, MaxFile+1<<20))
	if err != nil {
		return "", err
	}
	head, data, _ := bytes.Cut(all, []byte("\n"))
	var r Request
	if err := json.Unmarshal(head, &r); err != nil {
		return "", err
	}
	return r.Text(context.Background(), data)
}

// watchMemory checks the memory of this process again and again, and exits with a message if it is
// more than maxMemoryBytes. Faster growth is stopped by the system, if it can: see limitMemory.
func watchMemory(problem io.Writer) {
	var now runtime.MemStats
	for {
		if runtime.ReadMemStats(&now); now.Sys-now.HeapReleased > maxMemoryBytes {
			fmt.Fprintf(problem, "reading it takes more than %d MiB of memory\n", maxMemoryBytes>>20)
			os.Exit(1)
		}
		time.Sleep(checkInterval)
	}
}
