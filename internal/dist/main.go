// Command dist makes the files of a release from the commit that is checked out: archives, Debian
// packages, lists of components (SBOM), checksums and the release note. It builds all of them
// twice, in two clones, and compares the results. It needs git and Go, and no network.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", "dist", "the directory for the files; what is in it is removed")
	only := flag.String("only", "", "systems to build for, as in linux/amd64,darwin/arm64; all by default")
	once := flag.Bool("once", false, "build once, and compare nothing")
	closing := flag.String("changelog", "", "build nothing: join what is new under this version, as in 0.4.0")
	flag.Parse()
	if *closing != "" {
		if err := closeChangelog(".", *closing, time.Now().UTC().Format(time.DateOnly)); err != nil {
			fmt.Fprintln(os.Stderr, "dist:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := makeRelease(ctx, *out, *only, *once); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// makeRelease builds the release of the commit that is checked out in the current directory, and
// writes its files to the directory out. Unless once is true, it builds the release twice and
// compares the results.
func makeRelease(ctx context.Context, out, only string, once bool) error {
	targets, err := chooseTargets(only)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	changed, err := command(ctx, ".", nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	} else if changed != "" {
		fmt.Println("What is not committed is not in the release.")
	}
	commit, err := command(ctx, ".", nil, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	first, err := buildRelease(ctx, commit, filepath.Join(tmp, "first"), targets)
	if err != nil {
		return err
	}
	if !once {
		fmt.Println("Again, to compare:")
		second, err := buildRelease(ctx, commit, filepath.Join(tmp, "second"), targets)
		if err != nil {
			return err
		}
		if err := compareBuilds(first, second); err != nil {
			return err
		}
		fmt.Println("Both builds are the same to the byte.")
	}
	return writeFiles(out, first)
}

// buildRelease clones the repository into the new directory dir, builds the commit there, and
// returns the files of the release.
func buildRelease(ctx context.Context, commit, dir string, targets []target) ([]file, error) {
	if _, err := command(ctx, ".", nil, "git", "clone", "--quiet", "--shared", "--no-checkout", ".", dir); err != nil {
		return nil, err
	}
	if _, err := command(ctx, dir, nil, "git", "checkout", "--quiet", "--detach", commit); err != nil {
		return nil, err
	}
	s, err := newSource(ctx, dir)
	if err != nil {
		return nil, err
	}
	var all []file
	for _, t := range targets {
		fmt.Printf("%s %s\n", s.version, t)
		made, err := s.packTarget(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t, err)
		}
		all = append(all, made...)
	}
	all = append(all, file{name: "NOTES.md", data: []byte(s.notes)})
	return append(all, checksums(all)), nil
}

// compareBuilds returns an error that lists the files in which two builds of one commit differ.
func compareBuilds(a, b []file) error {
	if len(a) != len(b) {
		return fmt.Errorf("the first build made %d files, the second one %d", len(a), len(b))
	}
	var all []error
	for i := range a {
		if a[i].name != b[i].name || !bytes.Equal(a[i].data, b[i].data) {
			all = append(all, fmt.Errorf("the second build made another %s", a[i].name))
		}
	}
	return errors.Join(all...)
}

// writeFiles writes the files into dir. It first removes everything else from dir.
func writeFiles(dir string, files []file) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.data, 0o666); err != nil {
			return err
		}
		fmt.Printf("%10d  %s\n", len(f.data), filepath.Join(dir, f.name))
	}
	return nil
}

// command runs a program in dir, with env in addition to the environment of this process, and
// returns its standard output. An error contains the standard error.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.Bytes())
	}
	return strings.TrimRight(string(out), "\n"), nil
}
