package program

const (
	gitDiff = ` -p,-u,--patch -s,--no-patch -U?,--unified? --raw --patch-with-raw --patch-with-stat --indent-heuristic
		--no-indent-heuristic --minimal
		--patience --histogram --anchored: --diff-algorithm: --stat? --stat-width: --stat-name-width:
		--stat-graph-width: --stat-count: --compact-summary
		--numstat --shortstat -X?,--dirstat? --cumulative --dirstat-by-file? --summary -z --name-only --name-status
		--submodule? --color? --no-color
		--color-moved? --no-color-moved --color-moved-ws: --no-color-moved-ws --word-diff? --word-diff-regex:
		--color-words? --no-renames --rename-empty
		--no-rename-empty --check --ws-error-highlight: --full-index --binary --abbrev? --no-abbrev
		-B?,--break-rewrites? -M?,--find-renames?
		-C?,--find-copies? --find-copies-harder -D,--irreversible-delete -l: --diff-filter: -S: -G: --find-object:
		--pickaxe-all --pickaxe-regex -R
		--relative? --no-relative -a,--text --ignore-cr-at-eol --ignore-space-at-eol -b,--ignore-space-change
		-w,--ignore-all-space --ignore-blank-lines
		-I:,--ignore-matching-lines: --inter-hunk-context: -W,--function-context --exit-code --quiet --no-ext-diff
		--no-textconv --ignore-submodules?
		--src-prefix: --dst-prefix: --no-prefix --default-prefix --line-prefix: --ita-invisible-in-index
		--output-indicator-new: --output-indicator-old:
		--output-indicator-context: ~-O: !--output: !--ext-diff !--textconv -- [any] `

	gitRevisions = ` -n:,--max-count: number --skip: --since: --after: --until: --before: --since-as-filter: --author:
		--committer: --grep: --grep-reflog:
		--all-match --invert-grep -i,--regexp-ignore-case --basic-regexp -E,--extended-regexp -F,--fixed-strings
		-P,--perl-regexp --merges --no-merges
		--min-parents: --max-parents: --no-min-parents --no-max-parents --first-parent --not --all --branches? --tags?
		--remotes? --glob: --exclude:
		--reflog --ignore-missing --cherry-mark --cherry-pick --left-only --right-only --cherry -g,--walk-reflogs
		--merge --boundary
		--simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path?
		--date-order --author-date-order
		--topo-order --reverse --no-walk? --do-walk --pretty?format --format:format --abbrev-commit --no-abbrev-commit
		--oneline --encoding:
		--expand-tabs? --no-expand-tabs --notes? --no-notes --relative-date --date: --parents --children --left-right
		--graph --no-graph
		--show-linear-break? ~--show-signature ~--stdin `

	gitLog = gitDiff + gitRevisions + ` --follow --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude:
		--clear-decorations --source
		--mailmap --use-mailmap --no-mailmap --no-use-mailmap --log-size -L: -m -c --cc --diff-merges:merges
		--combined-all-paths -t `

	gitList = ` --sort:format --format:format --contains: --no-contains: --merged: --no-merged: --points-at:
		-i,--ignore-case --color? --no-color `

	// gitExchange holds options of git commands that exchange data with another repository. Some
	// run a program on one of the sides.
	gitExchange = ` -v,--verbose -q,--quiet --progress --no-progress -4,--ipv4 -6,--ipv6 !--upload-pack:
		!--receive-pack: !--exec: ~-o:,--server-option: -- `

	gitReplay = ` --abort --continue --skip --quit -n,--no-commit --no-edit -m:,--mainline: -x --ff -s,--signoff
		--allow-empty --keep-redundant-commits
		~-e,--edit !--strategy: ~-X:,--strategy-option: ~-S?,--gpg-sign? -- [any] `
)

// gitTables returns the tables of git's subcommands. The user's git configuration is trusted.
// Options that use special parts of it (a pager, a text converter, an external diff, a merge driver
// by name) are not harmless, nor are those that lead to another repository.
func gitTables() map[string]string {
	return map[string]string{
		"git": `-P,--no-pager --version,-v --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs
		--noglob-pathspecs
		--icase-pathspecs --no-lazy-fetch --html-path --man-path --info-path ~-p,--paginate ~-C: ~--git-dir:
		~--work-tree: ~--namespace: ~--bare
		~--attr-source: !-c: !--config-env: !--exec-path? !--super-prefix:`,
		"git log": gitLog, "git show": gitLog, "git whatchanged": gitLog,
		"git reflog":      gitLog,
		"git reflog show": gitLog, "git reflog exists": "-- [any]", "git reflog expire": "[none]",
		"git reflog delete": "[none]", "git reflog drop": "[none]", "git reflog write": "[none]",
		"git rev-list": gitRevisions +
			"--objects --objects-edge --unpacked --count --header --timestamp --disk-usage? --use-bitmap-index " +
			"--quiet " +
			"-z -- [any]",
		"git shortlog": "-s,--summary -n,--numbered -e,--email -c --group:format -w? --all --no-merges --since: " +
			"--until: --author: -- [any]",
		"git diff": gitDiff + "--cached --staged --merge-base --base --ours --theirs -c --cc --combined-all-paths " +
			"~--no-index",
		"git diff-tree": gitDiff + "-r -t --root --merge-base -m -c --cc --no-commit-id --pretty?format " +
			"--format:format " +
			"-v ~--stdin",
		"git diff-index": gitDiff + "-m --cached --merge-base",
		"git diff-files": gitDiff + "-q -c --cc -0 --base --ours --theirs",
		"git range-diff": gitDiff + "--creation-factor: --no-dual-color --left-only --right-only",
		"git status": `-s,--short -b,--branch --show-stash --porcelain? --long -v,--verbose -u?,--untracked-files?
		--ignore-submodules? --ignored? -z --column?
		--no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? -- [any]`,
		"git branch": gitList + `-a,--all -r,--remotes -v,--verbose -l,--list --show-current -q,--quiet --abbrev?
		--no-abbrev --column? --no-column -t?,--track?
		--no-track -d,--delete -m,--move -c,--copy -u:,--set-upstream-to: --unset-upstream --create-reflog ~-D ~-M ~-C
		~-f,--force
		~--edit-description -- [any]`,
		"git tag": gitList + `-l,--list -n? --column? --no-column -a,--annotate -m:,--message: --create-reflog
		~-d,--delete ~-f,--force ~-F:,--file: ~-s,--sign
		~-u:,--local-user: ~-v,--verify ~-e,--edit -- [any]`,
		"git blame": `-b --root --show-stats -L: -l -t -M? -C? -w -p,--porcelain --line-porcelain --incremental --date:
		-f,--show-name -n,--show-number -s
		-e,--show-email --score-debug --abbrev? --minimal --progress --no-progress --first-parent --ignore-rev:
		--since: --color-lines --color-by-age
		--reverse ~-S: ~--contents: ~--ignore-revs-file: !--textconv -- [any]`,
		"git grep": `--cached --untracked --exclude-standard --no-exclude-standard --recurse-submodules -a,--text
		-i,--ignore-case -I -r,--recursive
		--no-recursive --max-depth: -w,--word-regexp -v,--invert-match -h -H --full-name -E,--extended-regexp
		-G,--basic-regexp -P,--perl-regexp
		-F,--fixed-strings -n,--line-number --column -l,--files-with-matches,--name-only -L,--files-without-match
		-z,--null -o,--only-matching
		-c,--count --color? --no-color --break --heading -p,--show-function -A:,--after-context: -B:,--before-context:
		-C:,--context: -W,--function-context
		-m:,--max-count: --threads: -e: --and --or --not --all-match -q,--quiet number ~-f: ~--no-index !--textconv
		!-O?,--open-files-in-pager?
		!--ext-grep -- [any]`,
		"git ls-files": `-z -t -v -f -c,--cached -d,--deleted -m,--modified -o,--others -i,--ignored -s,--stage
		-k,--killed -u,--unmerged --resolve-undo --directory
		--empty-directory --no-empty-directory --eol --deduplicate -x:,--exclude: --exclude-standard --full-name
		--recurse-submodules --error-unmatch
		--with-tree: --abbrev? --debug --sparse --format: ~-X:,--exclude-from: ~--exclude-per-directory: -- [any]`,
		"git ls-tree": `-d -r -t -z -l,--long --name-only,--name-status --object-only --full-name --full-tree --abbrev?
		--format: -- [any]`,
		"git cat-file": `-t -s -e -p !--textconv !--filters ~--batch? ~--batch-check? ~--batch-command? [any]`,
		"git rev-parse": `--abbrev-ref? --show-toplevel --git-dir --absolute-git-dir --git-common-dir --git-path:
		--is-inside-git-dir --is-inside-work-tree
		--is-bare-repository --is-shallow-repository --show-prefix --show-cdup --show-superproject-working-tree
		--short? --verify -q,--quiet --symbolic
		--symbolic-full-name --all --branches? --tags? --remotes? --glob: --exclude: --not --path-format:
		--show-object-format? -- [any]`,
		"git show-ref": `--head --heads --tags --branches -d,--dereference -s?,--hash? --verify -q,--quiet --abbrev?
		--exists -- [any]`,
		"git for-each-ref": gitList + `--count: --exclude: [any]`,
		"git describe": `--tags --all --contains --abbrev? --candidates: --exact-match --debug --long --match:
			--exclude:
		--always --first-parent --dirty?
		--broken? [any]`,
		"git merge-base":    `-a,--all --octopus --independent --is-ancestor --fork-point -- [any]`,
		"git name-rev":      `--tags --refs: --name-only --always [any]`,
		"git check-ignore":  `-q,--quiet -v,--verbose -n,--non-matching --no-index -- [any]`,
		"git check-attr":    `-a,--all --cached -- [any]`,
		"git count-objects": `-v,--verbose -H,--human-readable`, "git version": `--build-options`,
		"git fsck":   `--full --strict --no-dangling --progress`,
		"git remote": `-v,--verbose`, "git remote show": `-n -- [remote]`, "git remote get-url": `--push --all --
			[any]`,
		"git remote prune":   `-n,--dry-run -- [remote]`,
		"git remote add":     `-t: -m: -f,--fetch --tags --no-tags -- [url]`,
		"git remote set-url": `--push ~--add ~--delete -- [url]`,
		"git remote remove":  `-- [any]`, "git remote rename": `--progress -- [any]`,
		"git remote update": `-p,--prune -- [remote]`, "git remote set-head": `-a,--auto -d,--delete [any]`,
		"git add": `-n,--dry-run -v,--verbose -A,--all -u,--update --no-all,--ignore-removal -N,--intent-to-add
			--refresh
		--ignore-errors --ignore-missing
		--renormalize --sparse --chmod: ~-f,--force ~-e,--edit ~-i,--interactive ~-p,--patch ~--pathspec-from-file: --
		[any]`,
		"git rm": `-r -n,--dry-run --cached --ignore-unmatch -q,--quiet --sparse ~-f,--force ~--pathspec-from-file: --
		[any]`,
		"git mv": `-n,--dry-run -v,--verbose -k --sparse ~-f,--force -- [any]`,
		"git commit": `-m:,--message: -a,--all -q,--quiet -v,--verbose -s,--signoff --no-signoff --amend --no-edit
		--allow-empty --allow-empty-message --author:
		--date: --reset-author --dry-run --short --porcelain --long --branch -o,--only -i,--include --fixup: --squash:
		-C:,--reuse-message:
		--no-gpg-sign --cleanup: --status --no-status -u?,--untracked-files? --no-post-rewrite ~-n,--no-verify
		~-F:,--file: ~-t:,--template: ~-e,--edit
		~-c:,--reedit-message: ~-S?,--gpg-sign? ~-p,--patch ~--interactive ~--trailer: ~--pathspec-from-file: --
		[any]`,
		"git push": gitExchange + `-u,--set-upstream -n,--dry-run --tags --follow-tags --no-follow-tags --porcelain
		--atomic --no-atomic --thin --all --branches
		--verify ~--no-verify ~-f,--force ~--force-with-lease? ~--force-if-includes ~-d,--delete ~--mirror ~--prune
		~--signed? ~--repo:remote ~--recurse-submodules:
		~--push-option: [remote]`,
		"git fetch": gitExchange + `--all --append -p,--prune -P,--prune-tags -t,--tags -n,--no-tags --depth: --deepen:
		--shallow-since: --shallow-exclude:
		--unshallow --dry-run -k,--keep -j:,--jobs: --multiple --atomic --set-upstream --porcelain ~-f,--force
		~--recurse-submodules? ~--refmap:
		~--stdin ~-u,--update-head-ok [remote]`,
		"git pull": gitExchange + `-r?,--rebase? --no-rebase --ff --ff-only --no-ff --no-edit --commit --no-commit
		-t,--tags --no-tags --all -p,--prune
		--autostash --no-autostash --depth: --stat -n,--no-stat --squash --no-squash -j?,--jobs? --dry-run
		--set-upstream --unshallow ~-f,--force ~-e,--edit
		!-s:,--strategy: ~-X:,--strategy-option: ~--recurse-submodules? ~-S?,--gpg-sign? [remote]`,
		"git ls-remote": gitExchange + `-h,--heads -t,--tags --branches --refs --get-url --sort: --exit-code --symref
		[source]`,
		"git clone": gitExchange + `--depth: -b:,--branch: --single-branch --no-single-branch -n,--no-checkout --bare
		--mirror --tags --no-tags --filter:
		--shallow-since: -j:,--jobs: --sparse ~--origin: ~-l,--local ~-s,--shared ~--reference: ~--reference-if-able:
		~--dissociate
		~--separate-git-dir: ~--recurse-submodules? ~--bundle-uri: !-u: !--template: !-c:,--config: [source]`,
		"git checkout": `-b: -q,--quiet --progress --no-progress -t?,--track? --no-track -d,--detach --ours --theirs
		--guess --no-guess -l
		--overlay --no-overlay ~-B: ~--orphan: ~-f,--force ~-m,--merge ~-p,--patch ~--conflict: ~--recurse-submodules?
		~--pathspec-from-file: -- [any]`,
		"git switch": `-c:,--create: -d,--detach -t?,--track? --no-track --guess --no-guess -q,--quiet --progress
		--no-progress ~-C:,--force-create:
		~-f,--force,--discard-changes ~-m,--merge ~--orphan: ~--conflict: [any]`,
		"git restore": `-s:,--source: -S,--staged -W,--worktree -q,--quiet --progress --no-progress --ours --theirs
		--ignore-unmerged --overlay --no-overlay
		~-m,--merge ~-p,--patch ~--conflict: ~--pathspec-from-file: -- [any]`,
		"git stash": ``, "git stash list": gitLog, "git stash show": gitDiff + "--include-untracked --only-untracked",
		"git stash push": `-k,--keep-index --no-keep-index -S,--staged -u,--include-untracked -a,--all -q,--quiet
		-m:,--message: ~-p,--patch
		~--pathspec-from-file: -- [any]`,
		"git stash pop": `--index -q,--quiet [any]`, "git stash apply": `--index -q,--quiet [any]`,
		"git stash drop": `-q,--quiet [any]`, "git stash branch": `[any]`,
		"git merge": `--ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit -m: --stat -n,--no-stat
		--abort --continue --quit -q,--quiet
		-v,--verbose --log? --signoff --progress --autostash --no-autostash ~-e,--edit !-s:,--strategy:
		~-X:,--strategy-option: ~-S?,--gpg-sign?
		~--verify-signatures ~-F:,--file: -- [any]`,
		"git rebase": `--onto: --abort --continue --skip --quit --autostash --no-autostash -q,--quiet -v,--verbose
			--stat
		-n,--no-stat --keep-base --root
		--fork-point --no-fork-point --committer-date-is-author-date --ignore-date --no-ff --force-rebase --signoff
		!-x:,--exec: ~-i,--interactive
		~--edit-todo ~-r?,--rebase-merges? !-s:,--strategy: ~-X:,--strategy-option: ~-S?,--gpg-sign? ~--no-verify --
		[any]`,
		"git cherry-pick": gitReplay, "git revert": gitReplay,
		"git reset": `-q,--quiet --soft --mixed -N,--intent-to-add --refresh --no-refresh ~--hard ~--merge ~--keep
		~-p,--patch ~--pathspec-from-file: -- [any]`,
		"git clean": `-n,--dry-run -q,--quiet -d -x -X -e:,--exclude: ~-f,--force ~-i,--interactive -- [any]`,
		"git apply": `--check --stat --numstat --summary -R,--reverse --cached --index -v,--verbose -3,--3way -p: -C:
		--recount --reject
		--whitespace: --ignore-whitespace --ignore-space-change --include: --exclude: ~--directory: ~--unsafe-paths
		~--build-fake-ancestor: -- [any]`,
		"git init": `-q,--quiet --bare -b:,--initial-branch: !--template: ~--separate-git-dir: ~--shared? -- [any]`,
		"git config": `--get,--get-all,--get-regexp,--get-urlmatch,--get-color,--get-colorbool,--list,-l --show-origin
		--show-scope --local --global --system
		--worktree --name-only -z,--null --type: --bool --int --path --default: --includes --no-includes ~-f:,--file:
		~--blob: !-e,--edit !--add
		!--replace-all !--unset !--unset-all !--rename-section !--remove-section [setting]`,
		"git worktree": ``, "git worktree list": `-v,--verbose --porcelain -z`,
		"git worktree add": `-b: -d,--detach -q,--quiet ~-B: ~-f,--force -- [any]`,
		"git submodule":    `-q,--quiet --cached`, "git submodule status": `--cached --recursive -- [any]`,
		"git submodule foreach": "code",
		"git archive": `-l,--list -v,--verbose --prefix: !-o:,--output: !--exec: ~--remote:remote ~--format: number --
		[any]`,
		"git format-patch": `-n,--numbered -s,--signoff --stdout --cover-letter !-o:,--output-directory: !--output: --
		[any]`,
		"git bisect": ``, "git bisect log": ``, "git bisect run": "code", "git bisect visualize": "code",
		"git bisect view": "code",
		"git difftool":    "code", "git mergetool": "code", "git filter-branch": "code", "git instaweb": "code",
		"git web--browse": "code", "git hook": "code",
		"git for-each-repo": "code", "git daemon": "code", "git shell": "code", "git remote-ext": "code",
		"git remote-fd": "code", "git upload-pack": "code",
		"git receive-pack": "code", "git upload-archive": "code", "git http-backend": "code", "git send-email": "code",
		"git p4": "code", "git svn": "code",
		"git cvsserver": "code", "git cvsimport": "code", "git cvsexportcommit": "code", "git archimport": "code",
		"git maintenance": "code", "git gui": "code",
		"git citool": "code", "git gui--askpass": "code", "git credential": "code", "git credential-store": "code",
		"git credential-cache":  "code",
		"git submodule--helper": "code", "git difftool--helper": "code", "git fetch-pack": "code",
		"git send-pack": "code", "git help": "code", "git var": ``,
		"git merge-index": "code", "git merge-one-file": "code", "git sh-setup": "code", "git diagnose": "code",
		"git bugreport": "code", "git scalar": "code",
		"git add--interactive": "code", "git quiltimport": "code", "git imap-send": "code",
		"git request-pull": "-p [source]", "git fast-import": "code",
	}
}
