package program

// serviceTables returns the tables of clients for remote services. A subcommand without a table may
// run anything.
func serviceTables() map[string]string {
	return map[string]string{
		"docker": `-v,--version -h,--help -D,--debug -l:,--log-level: ~-c:,--context: ~-H:,--host: ` +
			`!--config: closed`,
		"docker build": `-t:,--tag: -q,--quiet --no-cache --pull --rm --force-rm --target: --progress: --platform:
		--build-arg: --label: ~-f:,--file: ~-o:,--output: ~--secret: ~--ssh: ~--iidfile: ~--network: ~--build-context:
		~--cache-to: ~--cache-from: ~--metadata-file: ~--allow: [context]`,
		"docker ps":      `-a,--all -f:,--filter: --format: -n:,--last: -l,--latest --no-trunc -q,--quiet -s,--size`,
		"docker images":  `-a,--all --digests -f:,--filter: --format: --no-trunc -q,--quiet --tree`,
		"docker logs":    `--details -f,--follow --since: -n:,--tail: -t,--timestamps --until:`,
		"docker inspect": `-f:,--format: -s,--size --type:`, "docker version": `-f:,--format:`,
		"docker info": `-f:,--format:`,
		"docker port": ``, "docker top": `[any]`, "docker diff": ``,
		"docker history":   `--format: -H,--human --no-trunc -q,--quiet`,
		"docker stats":     `-a,--all --format: --no-stream --no-trunc`,
		"docker container": `closed`, "docker container ls": "= docker ps", "docker container logs": "= docker logs",
		"docker container inspect": "= docker inspect", "docker image": `closed`, "docker image ls": "= docker images",
		"docker image inspect": "= docker inspect",
		"docker volume":        `closed`, "docker volume ls": `-f:,--filter: --format: -q,--quiet`,
		"docker network":    `closed`,
		"docker network ls": `-f:,--filter: --format: --no-trunc -q,--quiet`, "podman": "= docker",
		"docker compose": `closed`, "docker compose build": `--no-cache --pull -q,--quiet`,
		"docker compose ps":   `-a,--all --format: -q,--quiet --services`,
		"docker compose logs": `-f,--follow --since: -n:,--tail: -t,--timestamps --no-color`,
		"kubectl": `-n:,--namespace: --request-timeout: -v: ~--context: ~--cluster: ~-s:,--server: ~--token:
		~--as: !--kubeconfig: ~--cache-dir: ~--profile-output: closed`,
		"kubectl get": kubectl + `~-f:,--filename: ~-R,--recursive ~-k:,--kustomize: -A,--all-namespaces
		-l:,--selector: --field-selector: -w,--watch --show-labels --show-kind --sort-by: --no-headers
		-L:,--label-columns: --ignore-not-found --chunk-size:`,
		"kubectl describe": kubectl + `~-f:,--filename: ~-R,--recursive ~-k:,--kustomize: -A,--all-namespaces
		-l:,--selector: --show-events?`, "kubectl logs": kubectl + `-f,--follow --tail: --since: --since-time:
		-c:,--container: -p,--previous --timestamps --all-containers? -l:,--selector: --prefix --limit-bytes:`,
		"kubectl version": kubectl + "--client", "kubectl top": ``,
		"kubectl top pods": kubectl + "-A,--all-namespaces --containers -l:", "kubectl top nodes": kubectl,
		"kubectl explain":       kubectl + "--recursive --api-version:",
		"kubectl api-resources": kubectl + "--namespaced? --api-group: --verbs: --no-headers",
		"kubectl config":        `closed`, "kubectl config current-context": kubectl,
		"kubectl config get-contexts": kubectl,
		"kubectl cluster-info":        kubectl, "kubectl auth": `closed`, "kubectl auth can-i": kubectl +
			"--list -q,--quiet",
		"gh": `--version --help -h closed`, "gh pr": gh + "closed", "gh issue": gh + "closed", "gh run": gh + "closed",
		"gh repo": gh + "closed", "gh release": gh + "closed", "gh workflow": gh + "closed", "gh auth": "closed",
		"gh search":  "closed",
		"gh pr list": gh + ghList + `-B:,--base: -H:,--head: -d,--draft --app:`, "gh pr view": gh + `-c,--comments`,
		"gh pr status": gh + `-c,--conflict-status`, "gh pr diff": gh + `--color: --name-only --patch`,
		"gh pr checks":  gh + `--required --fail-fast --watch -i:,--interval:`,
		"gh issue list": gh + ghList + `-m:,--milestone: --mention:`, "gh issue view": gh + `-c,--comments`,
		"gh issue status": gh, "gh run list": gh + `-L:,--limit: -b:,--branch: -u:,--user: --workflow: -s:,--status:
		-e:,--event: -c:,--commit:`,
		"gh run view":  gh + `-v,--verbose --log --log-failed --exit-status -j:,--job: -a:,--attempt:`,
		"gh repo view": gh + `-b:,--branch:`, "gh repo list": gh + `-L:,--limit: --visibility: --fork --source
		-l:,--language:`, "gh release list": gh + `-L:,--limit:`, "gh release view": gh,
		"gh workflow list": gh + `-a,--all -L:,--limit:`,
		"gh auth status":   `-h:,--hostname:`, "gh status": `-o:,--org: -e:,--exclude:`,
		"gh search issues": gh + `-L:,--limit: [any]`, "gh search prs": gh + `-L:,--limit: [any]`,
		"gh search code": gh + `-L:,--limit: [any]`, "gh search repos": gh + `-L:,--limit: [any]`,
		"curl": `-s,--silent -S,--show-error -f,--fail -I,--head -L,--location -i,--include -v,--verbose --compressed
		-m:,--max-time: --connect-timeout: -V,--version -h?,--help? ~-o: ~--output: ~-O ~--output-dir: ~-d: ~-T: ~-F:
		~-x: ~-u: ~-H: ~-X: ~-A: ~-e: ~-b: ~-c: ~-D: ~-w:
		~-k ~-E: ~-U: ~-r: ~-z: ~-C: ~-y: ~-Y: ~-t: ~-Q: ~-P: ~--data: !-K: !--config: !--engine: [web]`,
		"wget": `-q,--quiet -v,--verbose -nv -S,--server-response --spider -V,--version -h,--help ~-O: ~-o: ~-a: ~-P:
		~-i: ~-B: ~-U: ~-T: ~-t: ~-Q: ~-D: ~-A: ~-R: ~-I: ~-X: ~-l: ~-w: !-e:,--execute: !--config: !--use-askpass:
		!--use-server-timestamps --`,
		"rsync": `-a,--archive -v,--verbose -n,--dry-run -r,--recursive -z,--compress --stats --progress -h ~--delete
			~-T:
		~-B: ~-f: ~--exclude: ~--include: ~--files-from: ~-M: ~--partial-dir: !-e:,--rsh: !--rsync-path:
		!--remote-option: !--daemon !--config: !--log-file: !--password-file: !--early-input: !--write-batch:
		[remotefile]`,
		"scp": `-r -p -q -v -C ~-i: ~-l: ~-P: ~-J: ~-c: !-S: !-o: !-F: !-D: !-X: [remotefile]`, "sftp": "code",
		"ssh": "code", "autossh": "code", "mosh": "code", "rsh": "code", "rlogin": "code", "rcp": "code",
		"telnet": "code", "ftp": "code", "lftp": "code", "ncftp": "code",
		"nc": "code", "ncat": "code", "netcat": "code", "socat": "code", "openssl": ``, "openssl version": `-a`,
		"openssl x509": `single -noout -text -in:file -subject -dates -issuer -fingerprint !-engine: !-provider:
			~-out:`,
		"ssh-keygen": `-l -f: -v !-D: !-w: [none]`, "ssh-agent": "code", "ssh-add": "code", "gpg": "code",
		"ssh-copy-id": "code",
		"nmap":        "code", "tcpdump": "code", "tshark": "code", "ping": `-c: -i: -W: -w: -n -q -4 -6`,
		"dig": `plus ~-f: ~-k: [any]`, "host": ``, "nslookup": ``, "ss": `-t -u -l -n -p -a -s -4 -6 -x [any]`,
		"netstat": `-t -u -l -n -p -a -r`, "ip": `closed`, "ip a": `[none]`, "ip addr": `[none]`, "ip route": `[none]`,
		"ip link":   `[none]`,
		"systemctl": `closed`, "systemctl status": `--no-pager -l -n:`, "systemctl list-units": `--no-pager --all -a`,
		"systemctl is-active": `-q`, "journalctl": `--no-pager -n: -u: -b? -k -r -x -o: --since: --until: -f ~--root:
		~--directory: ~-D: ~--file: ~--rotate ~--vacuum-size:`,
		"aws": ``, "aws sts get-caller-identity": ``, "aws sts": ``, "gcloud": ``, "gcloud version": ``,
		"az": ``, "az version": ``, "rclone": `-v -n,--dry-run [connection]`, "psexec": "code", "svn": `closed`,
		"svn status": `-u -v -q`,
		"svn log":    `-l: -v -r: !--diff-cmd: !--config-option: !--config-dir:`,
		"svn diff":   `-r: -c: !--diff-cmd: !--config-option: !--config-dir: !-x:`, "svn info": ``,
		"hg": `closed !--config:`, "hg status": `-m -a -A !--config:`,
		"hg log": `-l: -v -r: -p -G --stat !--config:`, "hg diff": `-r: -c: --stat !--config:`, "jj": `closed`,
		"jj log":    `-r: -n: --no-graph !--config: !--config-toml: !--config-file: ~-R:`,
		"jj status": `!--config: !--config-file: ~-R:`,
	}
}

const (
	kubectl = `-n:,--namespace: -o:printed,--output:printed --request-timeout: -v: -h,--help ~--raw: ~--template: ~--context:
		~--cluster: ~-s:,--server: ~--as: ~--token: !--kubeconfig: ~--cache-dir: ~--profile-output: `
	gh     = `-R:,--repo: --json: -q:,--jq: -t:,--template: -h,--help ~-w,--web `
	ghList = `-s:,--state: -L:,--limit: -a:,--author: -A:,--assignee: -l:,--label: -S:,--search: `
)
