package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
)

// sampleResult is the tool result with which an extension's renderers are tried.
const sampleResult = `--- FAIL: TestSum (0.00s)
    sum_test.go:7: got 1, want 2
FAIL
FAIL	example.com/sum	0.003s
`

// trial holds the state of a run of `agentshell extension test`, which tries an extension and
// reports faults.
type trial struct {
	host      Host
	extension *extension.Extension
	service   *extension.Service
	// The widths, in columns, at which rows are tried.
	widths []int
	keys   []typedKey // The keys of --keys that are still to be pressed.
	// The text of a tool result, for renderers.
	sample string
	faults int
	told   map[string]bool // The texts of faults that were printed, to print each once.
	// The standard error of the extension.
	log lockedBuffer
	// The empty directory that is used if the current one is too large for a sandbox; nil
	// otherwise.
	empty *scratch.Folder
}

// lockedBuffer stores the first 8 KiB of what a program prints.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer. It never fails.
func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Write(p[:min(len(p), max(0, 8<<10-b.text.Len()))])
	return len(p), nil
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// tryExtension handles `agentshell extension test`: it uses an extension as the shell would, and
// prints what a user would see and what is wrong.
func (p Host) tryExtension(ctx context.Context, f ExtensionOptions) (int, error) {
	o := f.Test
	dir, err := realPath(o.Dir)
	if err != nil {
		return 0, usageError{err}
	}
	t := &trial{host: p, widths: []int{20, 80, 200}, sample: sampleResult,
		told: map[string]bool{}}
	if o.Width > 0 {
		t.widths = []int{o.Width}
	}
	for _, text := range o.Keys {
		keys, err := typedKeys(text)
		if err != nil {
			return 0, UsageErrorf("--keys: %w", err)
		}
		t.keys = append(t.keys, keys...)
	}
	if o.Result != "" {
		text, err := regular.ReadFile(o.Result)
		if err != nil {
			return 0, usageError{err}
		}
		t.sample = extension.ShownText(string(text))
	}
	m, err := extension.Load(dir)
	if err != nil {
		t.fault("%v", err)
		return t.end()
	}
	name := filepath.Base(dir)
	if err := extension.CheckName(name); err != nil {
		t.fault("the folder's name %q: %v", name, err)
		name = "extension"
	}
	t.good("%s: %s", extension.ManifestName, m.Summary())
	if missing := p.missingProgram(m, dir); missing != "" {
		t.fault("%s", missing)
		return t.end()
	}
	defer func() {
		if t.empty != nil {
			t.empty.Remove()
		}
	}()
	if err := t.prepare(ctx, name, dir, m); err != nil {
		return 0, err
	}
	t.try(ctx, m, o.Run)
	return t.end()
}

// prepare creates the service that runs the extension, in a sandbox if there is one.
func (t *trial) prepare(ctx context.Context, name, dir string, m extension.Manifest) error {
	p := t.host
	work, err := realPath(".")
	if err != nil {
		return err
	}
	c := extension.Config{Dir: work, Family: p.family, Secrets: p.environSecrets(), Version: Version(),
		Env: environFor(nil, p.getenv, p.family.Programs), Log: t.openLog, Trial: t.tell,
		Options: helper.Options{Retries: 1}}
	report := sandbox.Find(ctx, p.family, p.tempDir, "")
	if report.Box == nil {
		t.note("There is no sandbox here, so it runs with your rights: %s", report.Reason)
	} else {
		policy := sandbox.Policy{Workspace: work, Hidden: withoutEmpty(config.Dir(p.getenv), config.StateDir(p.getenv))}
		if home := p.getenv("HOME"); filepath.IsAbs(home) {
			policy.Home = filepath.Clean(home)
		}
		if wide := policy.Check(); wide != nil {
			if t.empty, err = scratch.New("", "trial"); err != nil {
				return err
			}
			work = t.empty.Path
			c.Dir, policy.Workspace = work, work
			t.note("%v. So it runs in an empty folder. To try it in a project, change into that first: cd PROJECT",
				wide)
		}
		if rest, err := filepath.Rel(work, dir); err != nil || !filepath.IsLocal(rest) {
			policy.Readable = []string{dir}
		}
		c.Cell = func(cmd *exec.Cmd, _ string) (*sandbox.Cell, error) {
			own := policy
			own.Environ = cmd.Env
			return report.Box.Cell(own, cmd, nil)
		}
	}
	t.service = extension.NewService(c)
	t.service.Attach(trialScreen{t})
	t.extension, err = t.service.Add(extension.Source{Name: name, Dir: dir, Manifest: m})
	return err
}

// try starts the extension and tries everything that its manifest lists. runs are the commands and
// tools of --run.
func (t *trial) try(ctx context.Context, m extension.Manifest, runs []string) {
	began := time.Now()
	has, err := t.extension.Start(ctx)
	if err != nil {
		t.fault("%v", err)
		if strings.Contains(err.Error(), extension.ManifestName) {
			t.tellManifest(m)
		}
	}
	defer t.close(err == nil)
	if err != nil {
		return
	}
	t.good("started in %v", since(began))
	for _, missing := range m.Missing(has) {
		t.fault("%s lists %s, which the program does not serve: it cannot be used", extension.ManifestName, missing)
	}
	stale := m.Stale(has)
	for _, what := range stale {
		t.fault("the program has %s than %s", what, extension.ManifestName)
	}
	if len(stale) > 0 {
		t.tellManifest(m)
	}
	for _, c := range m.Commands {
		if c.Complete {
			t.complete(ctx, c.Name)
		}
	}
	t.parts(ctx, m)
	for _, text := range runs {
		t.run(ctx, m, text)
	}
	if len(runs) == 0 && len(m.Commands)+len(m.Tools) > 0 {
		t.note("Commands and tools were not run: --run NAME does that.")
	}
	if len(t.keys) > 0 {
		var names []string
		for _, key := range t.keys {
			names = append(names, key.name)
		}
		t.note("Nobody asked for the keys %s.", visibleText(strings.Join(names, " ")))
	}
}

// tellManifest prints a command that writes the manifest of the extension anew.
func (t *trial) tellManifest(m extension.Manifest) {
	t.note("A program that uses the SDK prints its manifest: %s manifest >new.toml && mv new.toml %s",
		strings.Join(m.CommandIn(t.extension.Dir), " "), filepath.Join(t.extension.Dir, extension.ManifestName))
}

// close ends the extension, and reports a fault if it does not end as it should.
func (t *trial) close(started bool) {
	if st := t.service.List()[0]; started && (st.State == helper.Failed || st.State == helper.Waiting) {
		t.fault("it has ended: %s", st.Why)
	}
	began := time.Now()
	t.service.Close()
	if took := time.Since(began); took > 700*time.Millisecond {
		t.fault("it did not end by itself within 400 ms of shutdown: it took %v", took.Round(time.Millisecond))
	}
	if log := strings.TrimSpace(t.log.String()); log != "" {
		t.note("Its log:")
		t.indent(strings.Split(log, "\n"))
	}
}

// end prints how many faults the extension has, and returns the exit code.
func (t *trial) end() (int, error) {
	switch t.faults {
	case 0:
		PrintLine(t.host.Stdout, "All is well.")
		return headless.ExitDone, nil
	case 1:
		PrintLine(t.host.Stdout, "1 fault.")
	default:
		PrintLine(t.host.Stdout, "%d faults.", t.faults)
	}
	return headless.ExitError, nil
}

// good prints a line about a part of the extension that works.
func (t *trial) good(format string, args ...any) { PrintLine(t.host.Stdout, "ok     "+format, args...) }

// note prints a line about the extension that is not about a fault.
func (t *trial) note(format string, args ...any) { PrintLine(t.host.Stdout, "note   "+format, args...) }

// faultOnce prints and counts a fault, unless the same text was printed before.
func (t *trial) faultOnce(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !t.told[text] {
		t.told[text] = true
		t.fault("%s", text)
	}
}

// fault prints and counts a fault of the extension.
func (t *trial) fault(format string, args ...any) {
	t.faults++
	PrintLine(t.host.Stdout, "FAULT  "+format, args...)
}

// indent prints lines, indented below the line that was printed before.
func (t *trial) indent(lines []string) {
	for _, line := range lines {
		PrintLine(t.host.Stdout, "       | %s", strings.TrimRight(line, " "))
	}
}

// since returns the time since began, rounded for printing.
func since(began time.Time) time.Duration { return time.Since(began).Round(time.Millisecond) }

// tell reports a fault in an answer of the extension.
func (t *trial) tell(text string) { t.faultOnce("%s", visibleText(text)) }

// openLog returns the writer for the extension's standard error.
func (t *trial) openLog(string) io.Writer { return &t.log }

// complete asks the extension to complete the arguments of its slash command, as the shell does
// after the name and a blank.
func (t *trial) complete(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	began := time.Now()
	items, err := t.extension.Completions(ctx, name, "")
	switch took := since(began); {
	case err != nil:
		t.fault("/%s is not completed: %v", name, err)
	case took > 500*time.Millisecond:
		t.fault("/%s is completed after %v; the shell waits 500 ms", name, took)
	default:
		t.good("/%s is completed by %d items, in %v", name, len(items), took)
		t.items(items)
	}
}

// items prints the first items of a list, and how many more there are.
func (t *trial) items(items []extension.Item) {
	const most = 8
	var lines []string
	for _, i := range items[:min(len(items), most)] {
		t.harmless("an item", i.Text, i.Note)
		lines = append(lines, strings.TrimSpace(visibleText(i.Text)+"  "+visibleText(i.Note)))
	}
	if more := len(items) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	t.indent(lines)
}

// run runs a slash command or a tool of the extension; text is its name with arguments.
func (t *trial) run(ctx context.Context, m extension.Manifest, text string) {
	name, args, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "/"), " ")
	progress := func(text string) { t.note("%s", visibleText(text)) }
	began := time.Now()
	for _, c := range m.Commands {
		if c.Name == name {
			columns := t.widths[len(t.widths)/2]
			reply, err := t.extension.Command(ctx, name, args, columns, progress)
			if err != nil {
				t.fault("/%s: %v", text, err)
				return
			}
			t.good("/%s answers in %v", text, since(began))
			t.rows("/"+name, reply.Rows, columns, true)
			t.texts("the prompt gets", reply.Draft)
			t.texts("the model gets", reply.Send)
			return
		}
	}
	for _, one := range m.Tools {
		if one.Name == name {
			if args == "" {
				args = "{}"
			}
			if !json.Valid([]byte(args)) {
				t.fault("%s: the input is no JSON: %s", name, args)
				return
			}
			reply, err := t.extension.Tool(ctx, name, json.RawMessage(args), progress)
			switch {
			case err != nil:
				t.fault("the tool %s: %v", name, err)
			case reply.Failed:
				t.note("the tool %s fails: %s", name, visibleText(reply.Text))
			default:
				t.good("the tool %s answers in %v", name, since(began))
				t.indent(strings.Split(visibleText(reply.Text), "\n"))
			}
			return
		}
	}
	t.fault("%s has no command and no tool %q", extension.ManifestName, name)
}

// texts prints a text under a heading, unless the text is empty.
func (t *trial) texts(what, text string) {
	if text != "" {
		t.note("%s:", what)
		t.indent(strings.Split(visibleText(text), "\n"))
	}
}
