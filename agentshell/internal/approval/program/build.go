package program

// These are shared parts of the tables below.
const (
	npmOptions = `-s,--silent,--quiet -d --json --long,-l --all,-a --parseable,-p --depth: --production --dev --omit:
		--include: --workspaces --if-present --no-color --color? --help,-h --version,-v
		!--script-shell: !--node-options: !--shell: !--git: !--editor: !--viewer: !--browser: !--init-module:
		!--globalconfig: !--userconfig: !--prefix: !-c:,--call:
		!--ignore-scripts? ~--registry: ~-g,--global ~-C: ~-w:,--workspace: pass `
	// aptOptions can set a command that apt runs.
	aptOptions   = ` !-o:,--option: !-c:,--config-file: [any]`
	cargoOptions = ` -q,--quiet -v,--verbose -p:,--package: --workspace --all --exclude: --lib --bins --bin: --examples
		--example: --tests --test: --benches --bench: --all-targets -F:,--features:
		--all-features --no-default-features -r,--release --profile: -j:,--jobs: --keep-going --target:lookup
		--message-format: --color: --locked --offline --frozen --timings? -h,--help pass
		!--config: ~-Z: ~-C: ~--manifest-path: ~--target-dir: ~--artifact-dir: ~--out-dir: ~--lockfile-path: `
	// libtest is the harness that cargo test runs. lint holds the options of rustc that clippy
	// accepts.
	libtest = `--nocapture --no-capture --exact --ignored --include-ignored --list --show-output -q,--quiet
		--test --bench --test-threads: --skip: --color: -h,--help ~--logfile: [any]`
	lint      = `-D:,--deny: -W:,--warn: -A:,--allow: -F:,--forbid: !-C: !-Z: ~-o: [compile]`
	ccOptions = `words -c -g -O0 -O1 -O2 -O3 -Os -Wall -Wextra -Werror -fPIC -pthread -E -S --version -v ~-o: ~-I: ~-L:
		~-l: ~-D: !-wrapper: !-fplugin !-specs !--specs !-B !-Xlinker: !-Wl !-Xclang: !-Xassembler:
		!-load !-fuse-ld !--ld-path !-dumpdir: !-iplugindir [compile]`
)

// buildTables returns the tables of build tools. Rules for them allow running code of the
// workspace; their words must not name other code.
func buildTables() map[string]string {
	return map[string]string{
		"make": `-n,--just-print,--dry-run,--recon -k,--keep-going -S,--no-keep-going,--stop -s,--silent,--quiet
		-B,--always-make -j?,--jobs? -l?,--load-average? -i,--ignore-errors -w,--print-directory
		--no-print-directory -q,--question -d --debug? -p,--print-data-base -r,--no-builtin-rules
		-R,--no-builtin-variables -t,--touch -O?,--output-sync? --trace --warn-undefined-variables
		-e,--environment-overrides -h,--help -v,--version ~-C:,--directory: ~-f:,--file:,--makefile:
		~-o:,--old-file:,--assume-old: ~-W:,--what-if:,--new-file:,--assume-new: ~-L ~--shuffle?
		!-I:,--include-dir: !-E:,--eval: -- each [target]`,
		"gmake": "= make", "bmake": `-n -k -s -j: ~-C: ~-f: !-I: !-m: !-V: each [target]`,
		"ninja": `-n -v -k: -j: -l: --verbose --quiet --version ~-C: ~-f: ~-d: ~-t: -- each `,
		"meson": ``, "meson test": `-v -q --list`, "bazel": ``, "bazel query": ``,
		"just": `--list,-l --summary --dry-run,-n !--shell: !--shell-arg: !-c:> !--command:> !--shell-command
			!--chooser:
		~-f:,--justfile: ~-d: ~--set:: !--dotenv-path: [recipe]`,
		"task":  `-l,--list -a,--list-all -n,--dry ~-d: ~-t: each [target]`,
		"ctest": `-N -V -R: -E: -j: --output-on-failure !-S: !-SP: !--build-and-test: !--test-command:> ~--test-dir:`,
		"rake":  `-T -n,--dry-run !-e: !-E: !-p: !-r: !-R: !-f: !-I: each [target]`,
		"gradle": `-q,--quiet --offline --stacktrace -i,--info -x: !-I:,--init-script: !-D: !-P: ~-p:,--project-dir:
			~-b:
		~-c: each [target]`, "gradlew": "= gradle",
		"mvn":  `-q,--quiet -o,--offline -e !-D: ~-f: !-s: !-gs: !-t: each [goal]`,
		"mvnw": "= mvn", "ant": `-q -v !-lib: !-D: ~-f: !-logger: !-listener: !-inputhandler: each [target]`,
		"cc": ccOptions, "gcc": "= cc", "g++": "= cc", "c++": "= cc", "clang": "= cc", "clang++": "= cc",
		"tcc": `!-run> -c ~-o: [compile]`, "ld": `code`, "as": ``,
		"rustc": `@file --version --edition: ~-o: ~--out-dir: !-C:,--codegen: !-Z: ~--emit: ~-L: ~--extern: [compile]`,
		"javac": `words -version ~-d: ~-cp: !-J !-processorpath: !--processor-path: !-processor: [compile]`,
		"shellcheck": `-f:,--format: -s:,--shell: -S:,--severity: -e:,--exclude: -i:,--include: -o:,--enable:
			-C?,--color?
		--norc -V,--version --help ~-x ~-P: ~--rcfile: --`,
		"shfmt": `-d -l -i: -s -ci -bn ~-w`, "clang-format": `--dry-run,-n -Werror ~-i ~--style:
		~--assume-filename:`, "buf": ``, "buf lint": `--error-format:`, "protoc": "code",

		"cargo": `-q,--quiet -v,--verbose -V,--version --list -h,--help --locked --offline --frozen --color: !--config:
		~-Z: ~-C: closed`, "cargo build": cargoOptions, "cargo b": "= cargo build", "cargo check": cargoOptions,
		"cargo c":       "= cargo check",
		"cargo test --": libtest, "cargo bench --": libtest, "cargo clippy --": lint,
		"cargo fmt --": `--check -l,--files-with-diff -q,--quiet -v,--verbose --edition: --color:`,
		"cargo test":   cargoOptions + "--no-run --no-fail-fast --doc", "cargo t": "= cargo test",
		"cargo bench":  cargoOptions + "--no-run",
		"cargo clippy": cargoOptions + "--no-deps ~--fix ~--allow-dirty ~--allow-staged",
		"cargo doc":    cargoOptions + "--no-deps --document-private-items ~--open",
		"cargo run":    cargoOptions + "script [named]", "cargo r": "= cargo run",
		"cargo fmt":   `--check --all -q,--quiet -v,--verbose -p:,--package: ~--manifest-path: pass`,
		"cargo clean": cargoOptions + "-n,--dry-run --doc", "cargo fetch": cargoOptions,
		"cargo update":   cargoOptions + "-n,--dry-run --precise:",
		"cargo tree":     cargoOptions + "-e:,--edges: -i:,--invert: --prefix: --depth: -d,--duplicates -f:,--format:",
		"cargo metadata": cargoOptions + "--no-deps --format-version: --filter-platform:", "cargo version": `-v`,
		"cargo search": `--limit:`, "cargo add": cargoOptions, "cargo remove": cargoOptions, "cargo install": "[none]",
		"cargo publish": "[none]",
		"cargo new":     "[none]", "cargo init": "[none]", "cargo help": ``, "cargo pkgid": cargoOptions,
		"cargo locate-project": cargoOptions, "cargo nextest": ``,
		"cargo nextest run": cargoOptions + "--no-run --no-fail-fast -E: ",
		"cargo fix":         "[none]", "cargo audit": ``, "cargo deny": ``, "cargo deny check": ``,
		"rustup": ``, "rustup show": ``, "rustup run": "code",
		"rustfmt": `--check --edition: -q,--quiet -v,--verbose -l ~--config: ~--config-path: ~--emit:`,

		"npm": npmOptions + "closed", "npm test": npmOptions, "npm t": "= npm test", "npm tst": "= npm test",
		"npm run":        npmOptions + "[run]",
		"npm run-script": "= npm run", "npm start": npmOptions, "npm stop": npmOptions, "npm restart": npmOptions,
		"npm ci":      npmOptions,
		"npm install": npmOptions + "-D,--save-dev -E,--save-exact [none]", "npm i": "= npm install",
		"npm add": "= npm install",
		"npm ls":  npmOptions + "[any]", "npm list": "= npm ls", "npm ll": "= npm ls", "npm outdated": npmOptions,
		"npm view": npmOptions + "[any]", "npm info": "= npm view", "npm show": "= npm view",
		"npm why":     npmOptions + "[any]",
		"npm explain": "= npm why", "npm audit": npmOptions + "--audit-level: [none]", "npm ping": npmOptions,
		"npm root":   npmOptions,
		"npm whoami": npmOptions,
		"npm prefix": npmOptions, "npm version": npmOptions + "[none]", "npm search": npmOptions,
		"npm fund": npmOptions, "npm help": "",
		"npm update": npmOptions + "[none]", "npm uninstall": npmOptions + "[any]", "npm dedupe": npmOptions,
		"npm prune": npmOptions,
		"npm pack":  npmOptions + "--dry-run [none]", "npm publish": npmOptions + "--dry-run [none]",
		"npm cache":  npmOptions + "[none]",
		"npm config": npmOptions + "code", "npm doctor": npmOptions,
		"pnpm": npmOptions + "closed", "pnpm test": npmOptions, "pnpm run": npmOptions + "[run]",
		"pnpm install": npmOptions + "--frozen-lockfile",
		"pnpm i":       "= pnpm install", "pnpm ls": npmOptions + "[any]", "pnpm list": "= pnpm ls",
		"pnpm outdated": npmOptions,
		"pnpm why":      npmOptions + "[any]", "pnpm build": npmOptions, "pnpm lint": npmOptions,
		"pnpm start":     npmOptions,
		"pnpm dev":       npmOptions,
		"pnpm typecheck": npmOptions, "pnpm format": npmOptions, "pnpm add": npmOptions + "[none]",
		"pnpm remove": npmOptions,
		"yarn": `--silent,-s --json --version,-v --help,-h !--use-yarnrc: !--script-shell: ~--cwd: ~--modules-folder:
		pass`, "yarn install": `--frozen-lockfile --immutable --offline -s,--silent ~--cwd:`,
		"yarn test": `-s,--silent pass`, "yarn run": `-s,--silent [run]`, "yarn list": `--depth: --pattern: --json`,
		"yarn why": ``, "yarn outdated": ``, "yarn exec": "code", "yarn dlx": "code", "yarn node": "code",
		"yarn create": "code", "yarn config": "code",
		"tsc": `words --noEmit --pretty --strict --skipLibCheck --version -v --help -h --listFiles --showConfig -w
			--watch
		--traceResolution --diagnostics ~-p: ~--project: ~-b ~--build ~--outDir: ~--outFile: ~--declarationDir:
		~--tsBuildInfoFile: ~--generateTrace: ~--rootDir: ~--init`,
		"eslint": `--ext: --quiet --max-warnings: --color --no-color --no-eslintrc --no-inline-config
		--report-unused-disable-directives --cache --debug -v,--version -h,--help --no-ignore --env: --global:
		--ignore-pattern: ~--ignore-path: ~--cache-location: ~--cache-file: ~--fix ~--fix-dry-run
		~--fix-type: ~--init !-c:,--config: !--rulesdir: !--plugin: !--parser: !--parser-options:
		!--resolve-plugins-relative-to: !-f:,--format: !-o:,--output-file: ~--stdin ~--rule: ~--flag: --`,
		"prettier": `-c,--check -l,--list-different --no-color --color -v,--version -h,--help --log-level: ~-w,--write
		!--plugin: !--config: ~--ignore-path: ~--find-config-path: ~--stdin-filepath: ~--cache-location: --`,
		"jest": `apart --ci --coverage --verbose --silent -t:,--testNamePattern: --bail? -i,--runInBand --listTests
			--no-cache
		--watchAll? --version --help,-h !--config: !-c: !--globalSetup: !--globalTeardown: !--setupFiles:
		!--setupFilesAfterEnv: !--reporters: !--runner: !--testRunner: !--testEnvironment:
		!--transform: !--resolver: !--testResultsProcessor: !--testSequencer: ~--outputFile: ~--rootDir:
		~--cacheDirectory: ~--coverageDirectory: ~-u,--updateSnapshot`,
		"vitest": ``, "vitest run": `apart --coverage --reporter:lookup -t: --bail: !--config: !-c: !--globals`,
		"mocha": `apart --version,-V -R:lookup !-r:,--require: !--config: !--loader: !-n: !--node-option: !--file: !--opts:
			!-u:
		-g:,--grep: -b,--bail -t: [any]`,
		"bundle": `closed`, "bundle install": ``, "bundle check": ``, "bundle list": ``, "composer": `closed`,
		"composer install": `--no-scripts`, "composer validate": ``, "composer show": ``,
		"rspec": `-f: -e: --fail-fast !-r: !-I: ~-o: ~-P:`,
		"mix":   `closed`, "mix test": `--trace --cover --only:`, "mix compile": `--force`,
		"mix format": `--check-formatted`, "swift": `closed`, "swift build": `-c: -v`, "swift test": `--filter: -v`,
		"terraform": `single closed`, "terraform plan": `single -no-color -input? -refresh? -lock? -detailed-exitcode
		-compact-warnings -json -parallelism? ~-out: ~-var: ~-var-file: ~-state: ~-target: ~-replace: ~-destroy`, "terraform fmt": `single -check -diff -recursive`,
		"terraform validate": `single -json -no-color`,
		"helm":               `closed`, "helm list": `-a -A -n: -o:`, "helm lint": `--strict`, "ansible": "code",
		"ansible-playbook": "code", "vagrant": `closed`, "vagrant status": ``, "nix": `closed`, "nix flake": ``,
		"nix flake show": ``, "dpkg": `-l -L: -S: -s: -V !--pre-invoke: !--post-invoke: !--status-logger: [none]`,
		"dpkg-query": `-W -l -L -s -f: [any]`, "apt": `closed`,
		"apt list": `--installed --upgradable -a` + aptOptions,
		"apt show": `-a` + aptOptions, "apt search": `-n` + aptOptions, "apt policy": aptOptions,
		"apt-cache": `!-c: !-o: [any]`,
		"apt-get":   `closed !-c: !-o:`, "apt-get update": `-q !-c: !-o:`, "brew": `closed`, "brew list": `--versions`,
		"brew info": `--json? [lookup]`, "brew search": ``,
		"rpm": `-q -a -i -l !-E:,--eval: !-D:,--define: !--predefine: !--pipe: !--load: !--macros: !--rcfile: [none]`,
	}
}
