package program

const (
	// python -m names a module that runs as a program; the words after it are known if it has a
	// table.
	python = `script [script] -B -d -E -I -O -OO -s -S -u -b -bb -v -q -x -P -R --version,-V,-VV --help,-h ~-W: ~-X:
		~--check-hash-based-pycs: ~-i ~-m:> !-c:> `
	pip = `--version,-V --help,-h -q,--quiet -v,--verbose --no-color --disable-pip-version-check !--python:
		~--cache-dir: ~--log: `
	pytest = `@file -q,--quiet -v,--verbose -x,--exitfirst -k: -m: -s -l,--showlocals --no-showlocals --lf,--last-failed
		--ff,--failed-first --nf,--new-first --sw,--stepwise
		--stepwise-skip --tb: --maxfail: --durations: --durations-min: -r: --co,--collect-only --no-header
		--no-summary --color: --code-highlight: --markers --fixtures --funcargs
		--strict-markers --strict-config --runxfail --show-capture: --capture: --full-trace --setup-show --setup-only
		--setup-plan --cache-show? --ignore: --ignore-glob: --deselect:
		--continue-on-collection-errors --version,-V --help,-h ~-n: ~-p: ~-c:,--config-file: ~-o:,--override-ini:
		~--rootdir: ~--confcutdir: ~--basetemp: ~--junitxml: ~--junit-xml:
		~--import-mode: ~--log-file: ~--pastebin: ~--pyargs ~--cov? ~--cov-report: ~--cov-config: ~--debug? ~-W:
		!--pdb !--pdbcls: !--trace -- `
)

// interpreterTables returns the tables of interpreters. Their first operand is a script to run.
// Only a rule with a wildcard there, such as python3 *, leaves the choice to the model. Code in a
// word or in the standard input is dangerous. The words after a script belong to it, and have no
// known meaning.
func interpreterTables() map[string]string {
	return map[string]string{
		"python": python, "python3": "= python", "pypy": "= python", "pypy3": "= python", "python2": "= python",
		"pytest": pytest, "py.test": "= pytest", "python -m pytest": pytest,
		"python -m unittest": `-v,--verbose -q,--quiet -f,--failfast -b,--buffer -c,--catch -k: --locals ~-s: ~-t:
			~-p:`,
		"python -m json.tool": `--sort-keys --no-ensure-ascii --json-lines --indent: --tab --no-indent --compact
			[input]`,
		"python -m timeit": "code", "python -m pdb": "code", "python -m code": "code", "python -m trace": "code",
		"python -m profile": "code", "python -m cProfile": "code",
		"python -m runpy": "code", "python -m asyncio": "code", "python -m idlelib": "code",
		"python -m sqlite3": "code",
		"python -m this":    "", "python -m venv": "",
		"python -m pip": pip, "python -m pip list": "= pip list", "python -m pip show": "= pip show",
		"python -m pip freeze": "= pip freeze", "python -m pip check": "= pip check",
		"pip": pip, "pip3": "= pip", "pip list": `-o,--outdated -u,--uptodate -e,--editable -l,--local --user --format:
		--not-required --include-editable --exclude: !--python:`,
		"pip show":   `-f,--files -v,--verbose !--python:`,
		"pip freeze": `-l,--local --user --all --exclude-editable --exclude:`,
		"pip check":  ``,
		"mypy": `@file --strict --ignore-missing-imports --no-incremental --show-error-codes --pretty --no-color-output
		--warn-unused-ignores -v,--verbose -V,--version -h,--help ~--config-file:
		!--python-executable: ~--cache-dir: ~--install-types ~--html-report: ~--junit-xml: ~-m: ~-p: !-c:,--command:
		--`,
		"ruff": `@file -h,--help -V,--version -q,--quiet -v,--verbose ~--config: ~--isolated`,
		"ruff check": `@file -q,--quiet -v,--verbose --select: --ignore: --extend-select: --statistics --no-cache
			--show-files
		--diff -e,--exit-zero --output-format: ~--fix ~--unsafe-fixes ~--add-noqa? ~--config: ~-o:,--output-file:
		~--cache-dir: --`,
		"ruff format": `@file --check --diff -q,--quiet -v,--verbose --no-cache ~--config: ~--cache-dir: --`,
		"black": `--check --diff -q,--quiet -v,--verbose --color --no-color -l:,--line-length: -S
		--version -h,--help ~--config: !-c:,--code: --`,
		"flake8": `-q,--quiet -v,--verbose --count --select: --ignore: --max-line-length: --statistics --show-source
		--version -h,--help
		~--config: ~--append-config: ~--output-file: ~--tee ~--isolated ~--enable-extensions: --`,
		"isort": `--check,--check-only,-c --diff -q,--quiet -v,--verbose ~--settings-path: ~--settings-file: --`,

		"node": `script [script] --version,-v --help,-h --no-warnings --trace-warnings --trace-deprecation
		--no-deprecation --check,-c --enable-source-maps --test --max-old-space-size? --stack-trace-limit?
		~--env-file: ~--watch ~--inspect? ~--inspect-brk? ~-i,--interactive !--test-reporter:
		~--test-reporter-destination: ~--cpu-prof ~--heap-prof !-e:,--eval: !-p:,--print:,-pe: !-r:,--require:
		!--import:
		!--loader:,--experimental-loader: !--input-type: !--run: !--openssl-config: !--build-snapshot
		!--snapshot-blob: --`,
		"nodejs": "= node",
		"perl": `script [script] --version,-v --help,-h -c -w -W -X -T -t !-e:>,-E:> ~-n ~-p ~-a ~-l? ~-0? ~-F: ~-i? ~-s
		~-S ~-x? !-M: !-m: !-I: !-d? !-D? ~-V? ~-u ~-U ~-C? --`,
		"ruby": `script [script] --version,-v --help,-h -c -w -W? !-e:> !-r: !-I: ~-n ~-p ~-a ~-l ~-0? ~-F: ~-i? ~-s ~-S
		~-x? ~-C: ~-E: ~-K: --`,
		"php": `script [script] --version,-v --help,-h -l -i,--info -m,--modules !-r:>,--run:> !-B:>,--process-begin:>
		!-R:>,--process-code:> !-E:>,--process-end:> !-a,--interactive !-d:,--define: !-c:,--php-ini:
		!-z: ~-S: ~-t: ~-n -f: --`,
		"lua": `script [script] --version,-v !-e:> !-l: !-i -E -W --`, "luajit": "= lua", "texlua": "= lua",
		"r": `code`, "rscript": `script [script] --version !-e:> --vanilla --verbose`,
		"julia": `script [script] --version,-v --help,-h !-e:>,--eval:> !-E:>,--print:> !-L:,--load: ~-i
			--startup-file:`,
		"elixir": `script [script] --version,-v !-e:> !--eval:> !-r: !-pr: !-S: !-pa: !-pz:`, "erl": "code",
		"iex": "code", "escript": "script [script]",
		"ghc": `!-e:> ~-o: !-F !-pgmF: !-pgmL: !-pgmc: !-fplugin:`, "ghci": "code", "runghc": "script [script] !-e:>",
		"runhaskell": "= runghc", "stack": "closed", "stack build": "", "stack test": "", "cabal": "closed",
		"cabal build": "", "cabal test": "",
		"deno": `closed`, "deno run": `script [script]`, "deno test": `--no-run`, "deno fmt": `--check`,
		"deno lint": `--json`, "deno check": ``, "deno eval": "code", "deno repl": "code",
		"bun": `closed !-e:>,--eval:> !-p:> !--print:> !-r:,--preload:`, "bun run": `script [script] !-e:> !--eval:>`,
		"bun test": `--bail? --timeout: !--preload:`, "bun install": `[any]`,
		"java": `words script [script] -version -ea ~-cp: ~-classpath: ~--class-path: ~-jar:> ~-Xmx ~-Xms !-javaagent
		!-agentlib !-agentpath !-XX`,
		"dotnet": ``, "dotnet build": `apart -c:,--configuration: -v:,--verbosity: --no-restore --nologo [switch]`,
		"dotnet test": `apart -c:,--configuration: -v:,--verbosity: --no-restore --no-build --nologo --filter:
			[switch]`,
		"dotnet fsi": "code",
		"tclsh":      "code", "wish": "code", "expect": "code", "osascript": "code", "awk": "code", "gawk": "code",
		"mawk": "code", "nawk": "code", "sed": "code", "gsed": "code", "ed": "code", "ex": "code", "red": "code",
		"vi": "code", "vim": "code", "nvim": "code", "view": "code", "vimdiff": "code", "rvim": "code", "emacs": "code",
		"emacsclient": "code", "nano": "code", "pico": "code", "joe": "code", "micro": "code",
		"m4": "code", "bc": "code", "dc": "code", "guile": "code", "scheme": "code", "racket": "code", "clisp": "code",
		"sbcl": "code", "ecl": "code", "ocaml": "code", "scala": "code", "groovy": "code", "kotlin": "code",
		"jshell": "code", "jjs": "code", "irb": "code", "pry": "code", "ipython": "code", "octave": "code",
		"matlab": "code", "gnuplot": "code", "maxima": "code", "sage": "code", "swipl": "code", "gprolog": "code",
		"tex": "code", "latex": "code", "pdftex": "code", "pdflatex": "code", "xelatex": "code", "lualatex": "code",
		"luatex": "code", "latexmk": "code", "bibtex": "code", "gs": "code", "ps2pdf": "code", "convert": "code",
		"magick": "code", "mogrify": "code", "identify": "code", "montage": "code", "sqlite": "code", "sqlite3": "code",
		"psql": "code", "mysql": "code", "mariadb": "code", "mongo": "code", "mongosh": "code", "redis-cli": "code",
		"duckdb": "code", "cqlsh": "code", "sqlplus": "code", "ts-node": "code", "tsx": "code", "coffee": "code",
		"babel-node": "code", "esno": "code", "gdb": "code", "lldb": "code", "jdb": "code", "pdb": "code", "r2": "code",
		"cmake": `~-S: ~-B: -L -LA --version --help -h ~-G: ~--build: ~-C: ~-D: ~--install: ~--preset: !-P:> !-E>
		~--workflow`, "xmllint": `--noout --format --xpath: --version ~--output: ~--schema:`, "xsltproc": "code",
		"troff": "code", "groff": "code", "nroff": "code", "soelim": "code",
		"man": `-k -f -w !-P:,--pager: !-H?,--html? !-C:,--config-file: !--preprocessor: !-p:`, "info": "code",
		"pandoc": `-f:lookup,--from:lookup -t:lookup,--to:lookup ~-o:,--output: !-F:,--filter:
		!-L:,--lua-filter: !--pdf-engine: !--template:`,
	}
}
