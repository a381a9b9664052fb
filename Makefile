# run: the agent shell with its embedded demo, in a workspace made for it; no key, no network.
run: bin/agentshell
	@bin/agentshell --demo

bin/agentshell: FORCE
	@.ci/build

# dist: the release of the commit that is checked out, in dist: archives, Debian packages, parts, checksums, note. macOS and Windows are vetted; all is built twice and compared, without network (go mod download first).
dist:
	@go run ./internal/dist

# test: everything that Go alone can run, and what else is installed; what is not is listed at the end with the line that installs it. Without a C compiler there is no race detector. SCROLLKEEP_REQUIRE=tmux,ghostty makes a missing program a failure instead of a loud skip. It is a sample of what fuzz and stress search for longer: five minutes on two cores, the first time, with everything to compile, some more.
test:
	@.ci/test

# check: format, vet, staticcheck, house rules, and known vulnerabilities where their list can be reached.
check:
	@.ci/check

# windows: the engine's tests as Windows programs in wine (9 or later; Debian 12 has 8), and its console layer on a console of wine.
windows:
	@.ci/windows

# oracle: the real cores of ghostty and xterm.js, for differential tests (needs node).
oracle:
	npm ci --prefix stress/oracle --no-audit --no-fund

# servers: real servers of the Model Context Protocol and the suite of its makers for the tests of agentshell/internal/tool/mcp, language servers for those of agentshell/internal/tool, a real client of the Agent Client Protocol for those of agentshell/internal/frontend/acp, and a real gateway of models for agentshell/internal/app (needs node).
servers:
	npm ci --prefix agentshell/internal/tool/mcp/servers --no-audit --no-fund
	npm ci --prefix agentshell/internal/tool/lsp/servers --no-audit --no-fund
	npm ci --prefix agentshell/internal/frontend/acp/client --no-audit --no-fund
	npm ci --prefix agentshell/internal/tool/mcp/conformance --no-audit --no-fund
	npm ci --prefix agentshell/internal/provider/gateway --ignore-scripts --no-audit --no-fund

# fleet: the files of docs/fleet by the parsers of those who run them (needs the network once).
fleet:
	cd docs/fleet/check && go run .
	go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 docs/fleet/workflow.yml

FUZZTIME ?= 60s
# fuzz: 1,000 sessions of helpers and 1,000 of cells that misbehave, a rename in 200 files, 1,000,000 proposals from their JSON to the disk, 20,000 command lines and every attack beside a real bash, every look of git at every hostile repository, every flood that a model can write, 10,000 rounds against another process, 1,000 killed sessions and 200 on a full disk, 5,000 sessions of a pane that goes out of sight, 100,000 streams of keys between answers, four sessions of 300 turns in a small window, 10,000 trees beside git's own rules, 10,000 rounds of two agents and a person on one file, 100 sessions of sixteen agents, 200 kills of a shell with four, 10,000 steps of random agents, and every fuzz target for FUZZTIME.
fuzz:
	go test -count=1 -timeout 0 -v -run '^TestRandom(Helpers|Cells)ThatMisbehaveLeaveNothing$$' ./agentshell/internal/process/helper ./agentshell/internal/tool/eval -args -sessions 1000
	go test -count=1 -v -run '^TestARenameInManyFilesIsWhatTypescriptMakes$$' ./agentshell/internal/tool -args -renamed 200
	SCROLLKEEP_PROPOSALS=1000000 go test -count=1 -timeout 0 -v -run '^TestFuzzedProposals$$' ./agentshell/internal/tool
	SCROLLKEEP_COMMANDS=20000 go test -count=1 -timeout 0 -v ./agentshell/internal/approval ./agentshell/internal/approval/program
	SCROLLKEEP_READING=1 go test -count=1 -v -run '^(TestAttacksOnReadingAreReal|TestNoCommandThatReadsRuns.*|TestGitPrintsToTheModel.*|TestOnlyWhatIsKnownToReadCounts|TestNoDirectoryBecomes.*)$$' ./agentshell/internal/tool
	SCROLLKEEP_FLOODS=1 go test -count=1 -timeout 0 -v -run Flood ./tui/markdown ./agentshell/internal/app
	SCROLLKEEP_CORPUS=all go test -count=1 -timeout 0 -run '^(TestNothingFromOutsideIsObeyedOrHidden|TestWithoutTokensEveryWayIsFound)$$' ./agentshell/internal/frontend/shell
	SCROLLKEEP_ROUNDS=10000 go test -count=1 -timeout 0 -v -run '^(TestNoEditOfAnotherProcessIsLost|TestChangesAreWhatTwoLooksDifferIn)$$' ./agentshell/internal/workspace
	SCROLLKEEP_KILLS=1000 go test -count=1 -timeout 0 -v -run '^TestNoAnswered|^TestAnEntryThatIsNotWrittenWhole' ./agentshell/internal/app ./agentshell/internal/session
	SCROLLKEEP_KILLS=1 go test -count=1 -timeout 0 -run '^TestAKill' ./agentshell/internal/workspace
	SCROLLKEEP_KEYS=all go test -count=1 -timeout 0 -run '^TestNoErrorOfAProviderShowsAKey$$' ./agentshell/internal/app
	SCROLLKEEP_DAY=300 go test -count=1 -timeout 0 -v -run '^TestASessionLastsAllDay' ./agentshell/internal/app
	SCROLLKEEP_SEARCHES=100 go test -count=1 -timeout 0 -v -run '^(TestASearchFindsWhatRipgrepFinds|TestFindTellsWhatGitTells|TestAMatcherFindsTheLinesThatMatch)$$' ./agentshell/internal/tool
	go test -count=1 -timeout 0 -v -run '^TestWhatIsIgnoredIsWhatGitIgnores$$' ./agentshell/internal/workspace/ignore -args -trees 10000
	SCROLLKEEP_STALE=20000 go test -count=1 -timeout 0 -v -run '^TestAStaleChangeLandsOnItsLinesOrNowhere$$' ./agentshell/internal/workspace/diff
	go test -count=1 -timeout 0 -v -run '^TestTypingArrivesOnceAndInOrder$$' ./terminal -args -interleavings 100000
	SCROLLKEEP_SIGHTS=5000 go test -count=1 -timeout 0 -v -run '^TestNothingIsApprovedThatWasNotInSight$$' ./agentshell/internal/frontend/shell
	go test -count=1 -timeout 0 -v -run '^TestTwoAgentsAndAPerson' ./agentshell/internal/frontend/shell -args -rivals 10000
	go test -count=1 -timeout 0 -v -run '^TestSixteenAgentsLeave' ./agentshell/internal/frontend/shell -args -crowds 100
	go test -count=1 -timeout 0 -v -run '^TestAKillOfTheShell' ./agentshell/internal/app -args -agentkills 200
	go test -count=1 -timeout 0 -race -v -run '^TestRandomAgents' ./agentshell/internal/agent/crew -args -steps 10000
	@set -e; for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$p; \
	  done; done

# stress: long runs of the programs that go test runs briefly; 15,000 programs are 1,000 for each profile, 100,000 resize races (the size changes while a frame is in flight) 6,600.
stress:
	SCROLLKEEP_NASTY=1 go test -count=1 -timeout 0 ./agentshell/internal/process/child
	SCROLLKEEP_NASTY=1 go test -count=1 -timeout 0 -run 'Ends|Bounded' ./agentshell/internal/app
	SCROLLKEEP_REQUIRE=$$SCROLLKEEP_REQUIRE,mutants go test ./stress -timeout 0 -args -seeds 15000 -ops 200 -small 600000 -bursts 30000 -races 100000 -pictures 10000 -ghostty 300 -xtermjs 150 -tmux 300 -tmuxsizes 300 -mutations 100
	go test ./stress -timeout 0 -run '^TestBugsByOperatorAreFound$$' -args -mutations 1000 -profile kitty-0.40 -mutated '^(Renderer.(Anchor|rowsAbove)|emitter.(markLive|unmark|unmarkAbove))$$'
	SCROLLKEEP_REQUIRE=$$SCROLLKEEP_REQUIRE,mutants go test -timeout 0 -run '^TestAGuard' ./agentshell/internal/approval ./agentshell/internal/tool/document ./agentshell/internal/workspace ./agentshell/internal/provider/...
	SCROLLKEEP_ACP=1000 go test -count=1 -timeout 0 -run '^TestAnEditorIsGiven' ./agentshell/internal/frontend/acp
	SCROLLKEEP_WIRE=1000 go test -count=1 -timeout 0 -run '^TestEveryRequest' ./agentshell/internal/agent
	SCROLLKEEP_REQUIRE=$$SCROLLKEEP_REQUIRE,mutants go test -timeout 0 -run '^TestEachPartIsMissed' ./agentshell/internal/process/sandbox
	SCROLLKEEP_ATTEMPTS=all go test -count=1 -timeout 0 -run '^(TestNoAttemptGetsOut|TestEachAttemptWouldGetOut)$$' ./agentshell/internal/process/sandbox
	SCROLLKEEP_WORKLOADS=all go test -count=1 -timeout 0 ./stress/play
	go test -count=1 -timeout 0 -run '^TestRandomProgramsInLayers' ./tui/tuitest -args -layers 10000
	SCROLLKEEP_PICTURES=all go test -count=1 -timeout 0 ./renderer/image/decode

# SOAK is what the live soak plays. make terminals SOAK= is short: the shell in tmux and VTE, one text, one seed, three manners.
SOAK ?= -soak.terminals all -soak.seeds 2,51,52 -soak.contents plain,markdown -soak.programs shell,workload -soak.manners random,bursts,drags,single,pane
# terminals: the tape, a whole session and the bytes of keys in those real terminals that are installed (tmux, GNU screen; kitty, xterm, VTE, konsole, alacritty and urxvt with Xvfb, xdotool and xclip; foot with sway and wtype; the cores of xterm.js and ghostty after make oracle; the terminals of vim, neovim and Emacs (term, vterm, eat), mosh, screen and tmux in tmux). Then the live soak, which prints its table: half an hour for each terminal. stress/realterm/kitty-unstable.sh makes a current kitty for it.
terminals:
	go test -count=1 -timeout 30m -v -tags terminals -skip '^TestSoak$$' ./stress/realterm
	go test -count=1 -timeout 0 -v -tags terminals -run '^TestSoak$$' ./stress/realterm -args $(SOAK)

# bench: what things cost, as ratios where there is something to compare with; how long first diagnostics of gopls and typescript-language-server take beside a bare client; the workloads beside their budgets and beside other libraries (ink and pi-tui after npm ci --ignore-scripts --prefix stress/peers/node); then tui/examples beside the same programs with bubbletea, huh and tview, and a dashboard beside bubbletea's, on a pseudo terminal (Linux); then the memory of agents that have ended, and the work of 16 that stream beside that of one. What an answer costs that streams, and keys meanwhile, is on docs/bench.md, with the setup of other shells. What sub-agents cost beside those of opencode, which is not installed here, says go run -C stress/peers ./agents -peer FILE; its comment has the commands.
bench:
	go test -run '^$$' -bench . -benchmem ./renderer ./terminal/... ./stdinbuf ./tui ./tui/examples ./tui/code ./agentshell/internal/workspace/diff ./agentshell/internal/frontend/shell
	go test -count=1 -timeout 0 -v -run '^TestCosts$$' ./stress/play -args -costs -size 100x30 -policy para,msg -profile ghostty -peers ../peers
	SCROLLKEEP_LSP_TIMES=1 go test -count=1 -timeout 0 -v -run '^TestFirstDiagnosticsCome' ./agentshell/internal/tool/lsp
	go run -C stress/peers/apps .
	go run -C stress/peers/apps ./dashboard
	go run -C stress/peers ./answers
	go test -count=1 -v -run '^(TestAgentsThatHaveEndedHoldLittleMemory|TestSixteenStreamsCostLittleMoreThanOne)$$' ./agentshell/internal/app -args -heldagents 256 -streamrounds 5

FORCE:
.PHONY: terminals windows fleet run dist test check oracle servers fuzz stress bench FORCE
