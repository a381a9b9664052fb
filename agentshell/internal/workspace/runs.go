package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// runner is a program, or a kind of program, with the files that it runs or obeys without asking.
// It does so when a directory is opened, on a commit, or because the user has allowed a harmless
// command: "make check" runs the Makefile.
//
// patterns holds patterns for these files in lower case, separated by blanks. A pattern that ends
// in / matches a directory and everything in it. One with another / matches the end of a path, and
// any other the last name of a path.
type runner struct{ program, patterns string }

// runnerTable is the table of files that become commands (FS-34). It need not be complete for
// hidden files, because any name with a leading dot counts as the configuration of a program,
// except for harmlessDotFiles. Files that only run if a command names them, and sources of tests
// and builds (main_test.go, index.ts), do not belong here.
var runnerTable = []runner{
	{"git", `
		.git/ git~?/ .gitattributes .gitmodules *.gitconfig gitconfig .config/git/ .githooks/ hooks/update
		{applypatch,commit,prepare-commit}-msg pre-{applypatch,commit,merge-commit,rebase,push,receive,auto-gc}
		post-{applypatch,commit,rewrite,checkout,merge,receive,update,index-change} push-to-checkout proc-receive
		reference-transaction sendemail-validate fsmonitor-watchman
		p4-{changelist,prepare-changelist,post-changelist,pre-submit}`},
	{"a commit hook", `
		.husky/ .pre-commit-config.y*ml {,.}lefthook{,-local}.{yml,yaml,toml,json} captainhook.json grumphp.y*ml
		lint-staged.config.*`},
	{"another version control system", `
		.hg/ hgrc mercurial.ini .jj/ .svn/ cvs/ _darcs/`},
	{"the shell", `
		.{bash,zsh,zprofile,zlogin,zlogout,ksh,csh,tcsh,profile,login,logout,inputrc}* bashrc zshrc inputrc
		bash_{profile,aliases,login,logout} config.fish fish/conf.d/ profile.d/ *profile.ps1 config.nu env.nu rc.elv`},
	{"direnv", `
		.envrc .direnv/ direnvrc`},
	{"autoenv", `
		.autoenv .env.{leave,enter}`},
	{"mise", `
		{,.}mise.toml {,.}mise.*.toml mise/config*.toml .tool-versions`},
	{"ssh or GnuPG", `
		.ssh/ ssh_config sshd_config authorized_keys .gnupg/ gpg.conf gpg-agent.conf`},
	{"the editor", `
		.vscode/ *.code-workspace .idea/ .zed/ .fleet/ .vs/ .{vim,nvim,gvim,ex,emacs,dir-locals}* {,_,_g}vimrc
		session.vim init.vim *.sublime-* *.xcodeproj/ *.xcworkspace/ *.xcconfig coc-settings.json compile_commands.json`},
	{"a development container", `
		.devcontainer/ .devcontainer.json devcontainer.json devbox.json .gitpod* devfile.y*ml`},
	{"a container tool", `
		{docker,container,tilt,earth,vagrant}file {docker,container}file.* *.{docker,container}file
		{docker-,podman-,}compose{,.*,-*}.y*ml docker-bake*.{json,hcl} skaffold.y*ml`},
	{"agents: it instructs them", `
		{agents,agent,claude,gemini,qwen,crush,warp,replit,skill}{,.*}.md copilot-instructions*.md
		*.{instructions,prompt,chatmode,agent}.md .{cursorrules,windsurf*,cline*,roo*,goosehints,aider*}`},
	{"another agent", `
		.claude/ .cursor/ .codex/ .gemini/ .opencode/ {,.}mcp.json mcp_*.json opencode.json{,c} crush.json
		claude_desktop_config.json`},
	{"CI", `
		.github/ *.gitlab-ci.y*ml .gitlab/ .circleci/ .travis.y*ml .ci/ jenkinsfile{,.*} *.jenkinsfile
		azure-pipelines*.y*ml bitbucket-pipelines.y*ml .woodpecker.y*ml .woodpecker/ .drone.* .buildkite/ .forgejo/
		.gitea/ {,.}appveyor.y*ml cloudbuild*.{yml,yaml,json} buildspec*.y*ml wercker.y*ml codefresh.y*ml codemagic.y*ml
		bitrise.y*ml action.y*ml dagger.json readthedocs.y*ml renovate.json* goreleaser.y*ml`},
	{"whatever deploys it", `
		procfile{,.*} netlify.toml vercel.json render.y*ml fly.toml railway.{json,toml} nixpacks.toml heroku.yml
		wrangler.{toml,json,jsonc} serverless.{yml,yaml,json,ts,js} cdk.json samconfig.toml amplify.yml firebase.json
		ansible.cfg pulumi.y*ml terragrunt.hcl supervisord.conf`},
	{"make", `
		{,*-}makefile makefile{.,-}* {gnu,bsd}makefile{,.*,-*} *makefile,v s.*makefile *.mk *.mak *.make
		*.{mk,mak,make}.sh kbuild{,.*}`},
	{"a build tool", `
		cmakelists.txt *.cmake cmake{,user}presets.json meson.build meson_options.txt meson.options
		{sconstruct,sconscript,wscript,build,workspace,buck} {build,workspace}.{bazel,bzlmod} module.bazel *.bzl
		*.bazelrc *.ninja configure{,.ac,.in} {,.}justfile *.just taskfile{,.*}.y*ml rakefile{,.rb} *.rake build.xml
		jam{file,root}{,.*} premake*.lua xmake.lua build.zig build.zig.zon magefile.go magefiles/ pants.toml *.gn *.gni
		dune dune-{project,workspace} *.opam *.pro *.pri platformio.ini west.yml dvc.yaml snakefile *.smk
		nextflow.config {cake,jake}file{,.js} tup{file,rules}{,.*} dodo.py fabfile.py pkgbuild *.spec debian/rules
		debian/{pre,post}{inst,rm} snapcraft.y*ml turbo.json nx.json lerna.json project.json rush.json
		common/config/rush/ moon.y*ml bacon.toml air.toml modd.conf reflex.conf buf.gen.y*ml sqlc.y*ml tauri.conf.json*`},
	{"a generator of documents", `
		book.toml mkdocs.y*ml {doc,docs,docs/source,doc/source}/conf.py _config.y*ml _plugins/ antora-playbook*.y*ml
		latexmkrc`},
	{"npm or its like", `
		package.json{,5} package.y*ml npmrc npm-shrinkwrap.json .npmrc .yarnrc* .yarn/ {,.}pnpmfile.*
		pnpm-workspace.y*ml node_modules/ bunfig.toml deno.json{,c} bower.json angular.json {gulp,grunt,plop,broc}file.* webpack.*.{js,ts,cjs,mjs} rollup.*.{js,ts,cjs,mjs} nodemon.json ember-cli-build.*`},
	{"the JavaScript tools of the project", `
		*.{config,conf}.{js,ts,mjs,cjs,mts,cts,jsx,tsx} *.config.*.{js,ts,mjs,cjs,mts,cts} vitest.workspace.*
		{jest,vitest}.{setup,preset}.*
		{babel,jest,prettier,stylelint,commitlint,release,eslint,postcss,swc,karma,nyc,ava}.config.{json,yml,yaml,toml}
		cypress.json .{eslint,babel,prettier,stylelint,mocha,swc,postcss,nyc,commitlint,release}rc{,.*}`},
	{"Python and its tools", `
		setup.py setup.cfg pyproject.toml tox.ini pytest.ini conftest.py noxfile.py {site,user}customize.py *.pth
		*.egg-link pyvenv.cfg .venv/ pylintrc {site,dist}-packages/ __pycache__/ mypy.ini pip.{conf,ini} uv.toml
		pdm.toml pixi.toml hatch.toml hatch_build.py pipfile poetry.toml condarc ipython_config.py jupyter_*config*.py
		gunicorn.conf.py buildout.cfg {bin,scripts}/activate{,.*} versioneer.py conanfile.py {,.}flake8 .mypy.ini`},
	{"Ruby and its tools", `
		gemfile{,.*} *.gemfile gems.rb *.gemspec .irbrc .pryrc .gemrc .rspec .rubocop* rubocop.y*ml
		{guard,cap,pod,fast,danger,brew,berks,puppet,thor,steep}file appraisals *.podspec fastlane/ *.thor config.ru
		vendor/bundle/`},
	{"Cargo or rustup", `
		.cargo/ cargo.toml rust-toolchain{,.toml} build.rs rust-project.json cross.toml trunk.toml cargo-generate.toml`},
	{"Go's tools", `
		go.env .config/go/ {,.}golangci.y*ml`},
	{"Gradle, Maven or another tool of the JVM", `
		*.gradle{,.*} gradle.properties gradle/ gradlew{,.*} buildsrc/ pom.xml .mvn/ mvnw{,.*} *.sbt .{sbt,jvm}opts
		project/*.{scala,properties} build.{sc,mill} project.clj profiles.clj deps.edn bb.edn shadow-cljs.edn build.boot
		ivy.xml`},
	{".NET's tools", `
		*.{cs,fs,vb,vcx,sh,dc,es,wix}proj *.vcxproj.* *.{props,targets,proj,rsp,cake} global.json nuget.config paket.*
		dotnet-tools.json {web,app}.config launchsettings.json`},
	{"PHP and its tools", `
		composer.json .htaccess .user.ini php.ini phpunit{,.dist}.xml* phpstan{,.dist}.neon* psalm.xml* rector.php
		ecs.php deploy.php robofile.php castor.php vendor/{autoload.php,bin/**,composer/**} infection.json*`},
	{"a language's build or its prompt", `
		package.swift mix.exs config/*.exs .{iex,formatter,credo}.exs rebar.config* *.cabal cabal.project*
		setup.{hs,lhs} stack.y*ml .ghci* *.nimble *.nims {,*.}nim.cfg *.rockspec shard.yml dub.{json,sdl} build.pl
		cpanfile dist.ini .r{profile,environ} renv/ _targets.r startup.jl deps/build.jl startup.m .ocamlinit lakefile.*
		lean-toolchain _coqproject foundry.toml truffle*.js vcpkg.json .{psql,sqlite,mysql,screen}rc my.cnf`},
	{"Nix or Guix", `
		*.nix flake.lock nix.conf {guix,channels,manifest}.scm`},
	{"a debugger", `
		{,.}gdbinit* .lldb* *-gdb.{py,gdb,scm}`},
	{"the desktop or the system", `
		*.desktop autostart/ *.{service,timer,socket,automount,mount} launchagents/ launchdaemons/ .config/
		{xinitrc,xsession,.x*} {ana,}crontab cron.{d,hourly,daily,weekly,monthly}/ *.cron autorun.inf rc.local inittab
		init.d/ sudoers sudoers.d/ ld.so.{preload,conf} pam.d/ environment.d/`},
	{"the terminal", `
		{,.}tmux.conf screenrc wezterm.lua kitty.conf alacritty.{toml,yml} starship.toml`},
}

// harmlessDotFiles holds patterns for names with a leading dot that no program runs or obeys.
const harmlessDotFiles = `
	.*ignore .{gitkeep,keep,empty,placeholder} .mailmap .git-blame-ignore-revs .editorconfig .nojekyll
	.env.{example,sample,template,dist} .clang-format .rustfmt.toml .clippy.toml .ds_store .well-known/
	.changeset/*.md .yamllint .swiftformat`

// whyRun returns a sentence about the program that runs a file with the path p, judged by its name
// alone, or "" if there is none. Case does not matter.
func whyRun(table []runner, p string) string {
	p = fold.Path(p)
	for _, r := range table {
		if matchesAny(r.patterns, p) {
			return "this file is run by " + r.program
		}
	}
	if hasHiddenName(p) && !matchesAny(harmlessDotFiles, p) {
		return "programs run what their hidden files say"
	}
	return ""
}

// inAutorunDir reports whether dir is in one of the hidden directories of the table.
func inAutorunDir(table []runner, dir string) bool {
	dir = fold.Path(dir)
	for _, r := range table {
		for pattern := range strings.FieldsSeq(r.patterns) {
			if strings.HasPrefix(pattern, ".") && strings.HasSuffix(pattern, "/") && matchesAny(pattern, dir) {
				return true
			}
		}
	}
	return false
}

// hasHiddenName reports whether a component of the path begins with a dot.
func hasHiddenName(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// documentExts lists extensions that make a name harmless, such as "Makefile.md" and
// "Gemfile.lock", unless the pattern has the extension too.
var documentExts = []string{".md", ".rst", ".adoc", ".lock"}

// matchesAny reports whether one of the patterns in files, see [runner], matches p, a path in lower
// case.
func matchesAny(files, p string) bool {
	name := path.Base(p)
	document := slices.Contains(documentExts, path.Ext(name))
	for pattern := range strings.FieldsSeq(files) {
		glob, subject := pattern, name
		if dir, ok := strings.CutSuffix(pattern, "/"); ok {
			glob, subject = "**/"+dir+"{,/**}", p
		} else if document && !strings.Contains(pattern, path.Ext(name)) {
			continue
		} else if strings.Contains(pattern, "/") {
			glob, subject = "**/"+pattern, p
		}
		if ok, err := doublestar.Match(glob, subject); ok || err != nil {
			return true
		}
	}
	return false
}
