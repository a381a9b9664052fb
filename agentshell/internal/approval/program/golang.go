package program

// goBuild holds the flags that several go commands share. A flag that names a program, an output
// file, other sources or another linker is not harmless.
const goBuild = ` single -a -n -p: -race -msan -asan -cover -covermode: -coverpkg: -v -x -installsuffix: -linkshared
		-mod:module -modcacherw -tags: -trimpath
	-buildvcs: -json ~-C: ~-o: ~-overlay: ~-modfile: ~-pkgdir: ~-pgo: ~-buildmode: ~-compiler: ~-work
		~-gcflags:ldflags ~-asmflags:ldflags ~-gccgoflags:ldflags
	~-ldflags:ldflags !-exec: !-toolexec: `

const goMod = ` single -v -x -json ~-C: ~-modfile: `

func goTables() map[string]string {
	return map[string]string{
		"go": `single ~-C:`, "go build": goBuild, "go install": goBuild, "go get": goBuild + "-u -t -d",
		"go test": goBuild + `-bench: -benchmem -benchtime: -count: -cpu: -failfast -fullpath -fuzz: -fuzztime:
		-fuzzminimizetime: -list: -parallel: -run: -short -shuffle:
		-skip: -timeout: -vet: ~-c ~-args> ~-coverprofile: ~-cpuprofile: ~-memprofile: ~-blockprofile: ~-mutexprofile:
		~-trace: ~-outputdir: ~-artifacts
		~-memprofilerate: ~-blockprofilerate: ~-mutexprofilefraction: ~-i`,
		"go vet":  goBuild + "-c: ~-fix ~-diff !-vettool:",
		"go list": goBuild + "-f: -m -u -deps -e -find -test -compiled -export -versions -retracted -reuse: -s",
		"go run":  goBuild + "script [named]", "go tool": goMod + "-n [named]",
		"go tool cover": `single -func: ~-html: ~-o: ~-mode: ~-var: ~-pkgcfg: [none]`,
		"go generate":   goBuild + "-run: -skip:",
		"go env":        `single -json -changed !-w !-u`, "go version": `single -m -v -json`,
		"go fmt": `single -n -x -mod:`,
		"go doc": `single -all -c -cmd -short -src -u ~-http ~-C:`, "go help": `single`,
		"go clean": goBuild + "~-cache ~-testcache ~-modcache ~-fuzzcache ~-i ~-r",
		"go fix":   goBuild + "~-fix ~-diff !-fixtool: !-vettool:", "go bug": "code", "go telemetry": "single [none]",
		"go mod": ``, "go mod tidy": goMod + "-e -diff -go: -compat:", "go mod download": goMod + "~-reuse:",
		"go mod graph": goMod + "-go:", "go mod verify": goMod,
		"go mod why": goMod + "-m -vendor", "go mod vendor": goMod + "-e ~-o:", "go work": ``, "go work sync": `single`,
		"go work edit": "single -json [none]",
		"gofmt":        `single -d -e -l -s -r: ~-w ~-cpuprofile:`,
		"goimports":    `single -d -e -l -v -local: ~-w ~-srcdir: ~-cpuprofile: ~-memprofile: ~-trace:`,
		"staticcheck": `single -checks: -f: -tests: -tags: -explain: -go: -version ~-debug.cpuprofile:
		~-debug.memprofile: ~-debug.trace:`,
		"golangci-lint": ``, "golangci-lint run": `-v,--verbose --fast --timeout: --tests: -E:,--enable: -D:,--disable:
		--build-tags: ~--fix ~-c:,--config: ~--out-format:
		~--path-prefix: ~--custom: [any]`,
		"dlv": "code",
	}
}
