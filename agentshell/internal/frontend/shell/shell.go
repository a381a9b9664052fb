package shell

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Config says what the shell shows of itself and what it works with. The zero value works, and so
// does that of each group.
type Config struct {
	Version   string
	Workspace string // the workspace's name for the screen
	Dir       string // its absolute path, for /workspace
	Log       string // path of the session log; "" if none is kept

	Start  Start
	Models Models
	Files  Files
	Look   Look
	Times  Times
	Keys   keymap.Map // of the person

	// Clear makes the model forget the conversation; nil: there is no /clear. It is called on the
	// loop while no turn runs.
	Clear func() error
	// Context says what the model knows, one part a row, for /context; nil: there is no /context.
	Context  func() []string
	Sessions Sessions    // for /tree, /resume and /fork; nil: no log is kept
	Commands []Command   // of the person; a command of the shell of the same name comes first
	Todo     *todo.Board // the list of the model and the person, for /todo; nil: it is only shown

	Mode   string           // for the screen: "ask"
	Policy *approval.Policy // its mode is shown, and a key changes it; nil: the mode is fixed
	Editor *Editor          // for key e; nil: there is none
	// Plainly shows a proposal as plain text and reads the answer as a line, for a terminal that is
	// not known to show a pane as it is; nil: nothing can be approved there.
	Plainly func(ctx context.Context, in io.Reader, out io.Writer, p *approval.Proposal) (approval.Answer, error)
	// Advise is called beside the loop after a turn in which the person approved so many commands;
	// it gives what they should know about that, or "". nil: there is nothing to know.
	Advise func(ctx context.Context, commands int) string

	// Clipboard is what Ctrl+V pastes: text, or with a label the name of a picture behind an @. It
	// is called beside the loop; nil: nothing is pasted.
	Clipboard func(ctx context.Context) (text, label string, err error)
	// Spill makes a file for what is pasted beyond the bound of the prompt; nil: that is refused.
	Spill   func() (Spill, error)
	History *recall.History // of what was sent from this workspace; nil: none is kept

	Jobs *job.Manager // the background jobs of the model; nil: there are none
	// Servers are the MCP servers; nil: there are none. ServerLog is the file with what one of them
	// prints, "": it has none.
	Servers   Servers
	ServerLog func(name string) string
	// Browse opens a page in the person's browser, if there is one; nil: nothing does.
	Browse func(address string)

	Terminal terminal.Config // the zero value is the process's terminal
	Output   io.Writer       // see tui.App
	Input    io.Reader       // see tui.App
}

// Start is what happens first.
type Start struct {
	Notes   []string           // rows for the first screen: "this workspace is your home directory"
	First   string             // a suggested first message: shown while the prompt is empty, sent by Enter
	Message string             // what is sent, as if it had been typed; "" for nothing
	Offers  []*Offer           // what the workspace offers and the person was not asked about yet
	Resumed []provider.Message // a conversation that goes on: it is shown
}

// Models says who answers, and who could.
type Models struct {
	Name  string   // of the one that answers, for the screen
	Note  string   // a few words beside it at the start: "no key set, /model tells how"
	Names []string // that /model offers
	// Help is what /model says of the model of that name, one line a row, About a few words, for
	// the list of /model. Nil: nothing.
	Help, About func(name string) string
	// Ask asks the provider which models it has, beside the loop. Nil: nothing.
	Ask func(ctx context.Context) ([]string, error)
	// Set changes who answers from the next turn on, on the loop while no turn runs; nil: /model
	// only says who it is.
	Set func(name string) error
	// Summarize is a model's summary of messages that are left; nil: there is none. It is called
	// beside the loop while no turn runs.
	Summarize func(ctx context.Context, messages []provider.Message) (string, error)
}

// Files is what the shell knows of the files of the workspace. Attach and Pictures are called on
// the goroutine of the turn.
type Files struct {
	// Find is at most n files and directories (with a slash behind them) for what a person types
	// after an @ or in a command of their own, the best first; nil: none are offered. It is called
	// beside the loop.
	Find func(ctx context.Context, query string, n int) ([]string, error)
	// Attach is what a message is sent with because it names files with an @; nil: nothing.
	Attach func(ctx context.Context, text string) attach.Attached
	// Pictures finds what a message names as pictures to look at; problems are lines. Nil: nothing.
	Pictures func(ctx context.Context, text string) (found []picture.Picture, problems []string)
	// Touched is the files that were changed after change n, which a rewind can give what they
	// were; nil: /rewind is about the conversation alone.
	Touched func(n int) []string
	Changes func() []undo.Line // what /undo can take back, the last first; nil: there is no /undo
}

// Look is how the person wants the screen.
type Look struct {
	Theme  *theme.Theme // nil: auto
	Themes theme.Shelf  // those of /theme
	Title  bool         // the terminal's window gets one
	// Status is the parts of the row below the prompt, in order: mode, model, workspace, branch,
	// context, cost, time; nil: those that fit.
	Status []string
	// Branch is what is checked out, called beside the loop; nil: none is shown.
	Branch   func() string
	Vim      bool // the prompt has the modes of vim
	Thinking bool // show what the model thinks
}

// Times are those of a pane (PANE-6).
type Times struct {
	Quiet time.Duration // how long no key may come before it takes the keys; 0: 425 ms, at least 200 ms
	Ripe  time.Duration // how long it must stand before a key approves; 0: 1 s, at least 200 ms
	Poll  time.Duration // how often it looks whether the file changed; 0: 500 ms
}

// Agent is what the shell drives. Say runs one turn to its end; on is called serially, on the
// goroutine that called Say. Cancelling ctx stops it.
type Agent interface {
	Say(ctx context.Context, said agent.Message, on func(agent.Event)) error
}

// Shell is one session on the screen. It is an [approval.Desk].
type Shell struct {
	cfg Config
	app tui.App

	mu   sync.Mutex
	last kind // of the block that was appended last

	asking chan struct{} // holds one while something is asked

	// What follows belongs to the loop.
	editor  tui.Editor
	status  tui.Status
	running context.CancelFunc // stops the turn; nil: none runs
	queue   []message          // those that wait for the end of the turn
	kept    chan recall.Entry  // on the way to the history
	inbox   chan message       // the one of the next turn; it never holds more than one
	spent   int                // tokens of all requests and answers
	gauge   gauge
	room    func() (used, most int) // of the agent; nil: nobody knows
	stopped bool                    // the person has stopped the turn
	brief   bool                    // what runs is to be over at once, and worth no row before it is not
	hinted  hint
	theme   *theme.Theme // of now; nil: auto
	light   bool         // the terminal says that its ground is
	title   string       // that the window has
	branch  string       // that is checked out
	since   time.Time    // of the first frame that tells the time
	open    *deck        // the question that is on the screen
	offer   completion
	copies  copies
	paged   []*paged // calls that Ctrl+O shows, the last one last
	todo    todo.List
	pasting bool            // the clipboard is being read
	spill   *spilling       // a large paste that has not ended
	lent    bool            // the editor has the terminal, or is about to
	jobs    int             // that run in the background
	parting bool            // the person was told that they would end
	stale   map[string]bool // calls whose proposal went stale
}

// kind is what a block is: between some of them stands a blank row.
type kind uint8

const (
	nothing kind = iota
	person
	prosaic
	tooling // calls follow each other without a gap
	change
	notice
)

// New makes a shell. It may be asked before Run, which shows the question then.
func New(cfg Config) *Shell {
	if cfg.Times.Quiet == 0 {
		cfg.Times.Quiet = quiet
	}
	if cfg.Times.Ripe == 0 {
		cfg.Times.Ripe = ripe
	}
	if cfg.Times.Poll == 0 {
		cfg.Times.Poll = 500 * time.Millisecond
	}
	cfg.Keys = cfg.Keys.Ready()
	cfg.Times.Quiet, cfg.Times.Ripe = max(cfg.Times.Quiet, least), max(cfg.Times.Ripe, least)
	sh := &Shell{cfg: cfg, inbox: make(chan message, 1), kept: make(chan recall.Entry, 64),
		stale: make(map[string]bool), asking: make(chan struct{}, 1)}
	sh.editor.OnSubmit = func(text string) {
		sh.keep(text)
		sh.submit(text)
	}
	sh.theme = cfg.Look.Theme
	sh.recall()
	sh.editor.Vim = cfg.Look.Vim
	if cfg.Start.First != "" { // the words tell it from a draft, where its colour does not
		sh.editor.Placeholder = cfg.Keys.Say("{submit} sends: ") + cfg.Start.First
	}
	sh.app = tui.App{Footer: &footer{sh: sh}, Terminal: cfg.Terminal, Output: cfg.Output, Input: cfg.Input,
		Theme: sh.styled}
	return sh
}

// Run shows the session until the person quits or ctx ends, and runs the turns of ag. It is called
// once. Quitting in any way that the shell offers returns nil.
func (sh *Shell) Run(ctx context.Context, ag Agent) error {
	sh.drive(ag)
	return sh.app.Run(ctx)
}

// drive returns all of Run but the loop.
func (sh *Shell) drive(ag Agent) {
	if g, ok := ag.(interface{ Room() (used, most int) }); ok {
		sh.room = g.Room
	}
	sh.measure()
	sh.app.Main = func(ctx context.Context) error {
		kept := make(chan struct{})
		go func() {
			defer close(kept)
			sh.keeping(ctx)
		}()
		followed := make(chan struct{})
		go func() {
			defer close(followed)
			var wg sync.WaitGroup
			wg.Go(func() { sh.attend(ctx) })
			sh.follow(ctx)
			wg.Wait()
		}()
		defer func() { <-kept; <-followed }()
		return sh.turns(ctx, ag)
	}
	sh.append(notice, sh.welcome())
	sh.app.Do(sh.entitle)
	if len(sh.cfg.Start.Resumed) > 0 || len(sh.cfg.Start.Offers) > 0 {
		sh.beside("printing the session", func(ctx context.Context) func() {
			if len(sh.cfg.Start.Resumed) > 0 {
				sh.print(ctx, sh.cfg.Start.Resumed)
			}
			var then []func()
			for _, o := range sh.cfg.Start.Offers {
				then = append(then, sh.put(ctx, *o))
			}
			return func() {
				for _, do := range then {
					do()
				}
			}
		})
	}
	if m := sh.cfg.Start.Message; m != "" {
		sh.app.Do(func() { sh.editor.Submit(m) })
	}
}

// append adds a final block. Any goroutine.
func (sh *Shell) append(k kind, c still) {
	sh.block(k, func(gap bool) tui.Component {
		if !gap {
			return c
		}
		return still(func(s tui.Space) []tui.Line { return append([]tui.Line{{}}, c(s)...) })
	}).Done()
}

// block adds a block; gap tells whether a blank row stands before it. Any goroutine.
func (sh *Shell) block(k kind, make func(gap bool) tui.Component) *tui.Block {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	gap := sh.last != nothing && (k != tooling || sh.last != tooling)
	sh.last = k
	return sh.app.Transcript().Append(make(gap))
}

// gapped puts a blank row before a component whose rows carry no Ends.
type gapped struct{ tui.Component }

// View returns the blank row and what the component shows.
func (g gapped) View(s tui.Space) tui.View {
	v := g.Component.View(s)
	v.Lines = append([]tui.Line{{}}, v.Lines...)
	v.Stable++
	return v
}

// painted is the shortest quiet time that tui knows: with it a pane has the focus ([tui.Space])
// once the terminal has taken a frame with it, and not before, however slow the line is. All other
// arming is the pane's own.
const painted = time.Nanosecond

// Ask shows p until the person has answered it (PANE-1 to 9). Any goroutine; questions are shown
// one by one.
func (sh *Shell) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	var answer approval.Answer
	err := sh.AskAll(ctx, []*approval.Proposal{p}, func(_ int, a approval.Answer) *approval.Proposal {
		answer = a
		return nil
	})
	if err != nil { // nobody answered: that is a no
		return approval.No{ID: p.ID}, err
	}
	return answer, nil
}

// AskAll is [approval.Desk]: the person answers in any order.
func (sh *Shell) AskAll(ctx context.Context, ps []*approval.Proposal,
	answered func(i int, a approval.Answer) *approval.Proposal) error {
	select {
	case sh.asking <- struct{}{}:
		defer func() { <-sh.asking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	type given struct {
		i int
		a approval.Answer
	}
	answers := make(chan given, len(ps)) // one for each place: the next one comes after put
	var opened time.Time
	if !sh.app.Do(func() {
		if ctx.Err() == nil {
			opened = time.Now()
			sh.open = newDeck(ctx, sh, ps, func(i int, a approval.Answer) { answers <- given{i, a} })
			sh.entitle()
		}
	}) {
		return tui.ErrClosed
	}
	defer sh.app.Do(func() {
		if sh.open != nil {
			sh.open.close()
			sh.open = nil
			sh.entitle()
			if since := sh.status.Since; !since.IsZero() { // the time that the person took is not work
				sh.status.Since = since.Add(time.Since(opened))
			}
		}
	})
	take := func(g given) (settled bool) {
		p := answered(g.i, g.a)
		sh.app.Do(func() {
			if p == nil {
				sh.open.settle(g.i)
			} else {
				sh.open.put(g.i, p)
			}
		})
		return p == nil
	}
	for left := len(ps); left > 0; {
		select {
		case g := <-answers:
			if take(g) {
				left--
			}
			continue
		default:
		}
		select {
		case g := <-answers:
			if take(g) {
				left--
			}
		case <-ctx.Done():
			select {
			case g := <-answers: // it came first
				take(g)
			default:
			}
			return ctx.Err()
		}
	}
	return nil
}

// subject returns p as rules see it.
func subject(p *approval.Proposal) approval.Subject {
	if p.Subject.Tool != "" {
		return p.Subject
	}
	s := approval.Subject{Tool: p.Tool, Mutates: true, Flags: p.Flags, Asks: true}
	switch pl := p.Payload.(type) {
	case approval.Command:
		s.Command = pl.Command
	case approval.Write, approval.Edit, approval.Undo:
		s.Path = shown(p.Path)
	}
	return s
}

// watch looks whether the file of p changes while its pane is open (FS-55).
func (sh *Shell) watch(ctx context.Context, p *approval.Proposal, n *pane) {
	tick := time.NewTicker(sh.cfg.Times.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := p.Changed(ctx); err != nil && ctx.Err() == nil {
			sh.app.Do(n.markStale)
			return
		}
	}
}
