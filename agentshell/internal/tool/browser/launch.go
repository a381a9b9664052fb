package browser

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// Install is the command line that installs a browser.
const Install = "apt-get install chromium-headless-shell"

// programNames lists the names of browser programs, in the order in which they are tried. The
// headless shell is first: it starts in half the time and takes a third of the memory.
var programNames = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser",
	"google-chrome", "google-chrome-stable"}

// programByScript maps scripts of Debian to the programs that they start without exec. The program
// is started directly, because it would survive when the script is killed.
var programByScript = map[string]string{
	"/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell",
}

// find returns the path of the installed browser. The error is a [*helper.Missing] if there is
// none.
func (c Config) find() (string, error) {
	list := programNames
	if c.Program != "" {
		list = []string{c.Program}
	}
	for _, name := range list {
		path, err := c.Family.Programs.Path(name)
		if err == nil {
			return programBehindScript(path), nil
		}
		if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", &helper.Missing{Name: list[0], Install: Install}
}

// programBehindScript returns the program that Debian's script at path starts. For any other path
// it returns path.
func programBehindScript(path string) string {
	if program := programByScript[path]; program != "" {
		if info, err := os.Stat(program); err == nil && info.Mode().IsRegular() {
			return program
		}
	}
	return path
}

// pipeScript is a shell command that starts the browser with its standard input and output moved to
// descriptors 3 and 4: there Chromium expects the DevTools pipes.
const pipeScript = `exec 3<&0 4>&1 </dev/null >/dev/null; exec "$@"`

// nowhereURL is an address that leads to no server, for features of Chromium that shall not work.
// noHost is its host.
const (
	noHost     = "nowhere.invalid"
	nowhereURL = "http://" + noHost + "/"
)

// browserEnviron returns the environment variables of a browser. They put its home directory below
// dir, and add to env.
func browserEnviron(env []string, dir string) []string {
	return append(slices.Clone(env), "HOME="+dir, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"),
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_DATA_HOME="+filepath.Join(dir, "data"))
}

// browserCommand returns the command line that starts a browser. Its files lie in dir, and proxy is
// the address of the proxy that it uses for all connections. ownSandbox keeps the sandbox of
// Chromium on.
func browserCommand(program, dir, proxy string, ownSandbox bool) []string {
	args := []string{"sh", "-c", pipeScript, "sh", program, "--headless", "--remote-debugging-pipe",
		"--user-data-dir=" + filepath.Join(dir, "profile"),
		"--no-first-run", "--no-default-browser-check", "--no-startup-window", "--hide-scrollbars",
		"--disable-background-networking",
		"--disable-component-update", "--disable-default-apps", "--disable-domain-reliability", "--disable-sync",
		"--disable-extensions", "--disable-client-side-phishing-detection", "--disable-breakpad",
		"--disable-crash-reporter", "--disable-quic", "--disable-gpu", "--metrics-recording-only", "--mute-audio",
		"--password-store=basic", "--use-mock-keychain", "--deny-permission-prompts",
		// A page that comes back from a cache loads nothing, so that its load would be waited for
		// in vain.
		"--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider," +
			"AutofillServerCommunication,CertificateTransparencyComponentUpdater,BackForwardCache," +
			"NetworkTimeServiceQuerying",
		// What Chromium asks for itself leads nowhere.
		"--gaia-url=" + nowhereURL, "--google-apis-url=" + nowhereURL, "--apps-gallery-update-url=" + nowhereURL,
		"--component-updater=url-source=" + nowhereURL,
		// All leaves by the proxy, loopback too; names are looked up there alone, and WebRTC has no
		// other way.
		"--proxy-server=" + proxy, "--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		// The headless shell knows the first of these names alone, Chromium 156 the second.
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp"}
	if !ownSandbox {
		args = append(args, "--no-sandbox")
	}
	return args
}
