// Command check reads the files beside it with the parsers of those who run them: manifests into
// the types of Kubernetes, where a field that is not known is an error, and the Containerfile by
// that of BuildKit. It is a module of its own, so that nobody else needs these.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	dir := ".."
	if err := errors.Join(manifests(filepath.Join(dir, "job.yaml")), container(filepath.Join(dir,
		"Containerfile"))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("the manifests and the Containerfile are valid")
}

// manifests returns what is wrong with the documents of a file.
func manifests(file string) (err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	n := 0
	for i, doc := range bytes.Split(text, []byte("\n---\n")) {
		var kind struct{ Kind string }
		if err := yaml.Unmarshal(doc, &kind); err != nil {
			return fmt.Errorf("%s, document %d: %w", file, i+1, err)
		}
		var into any
		switch kind.Kind {
		case "Job":
			into = new(batch.Job)
		case "ConfigMap":
			into = new(core.ConfigMap)
		case "PersistentVolumeClaim":
			into = new(core.PersistentVolumeClaim)
		default:
			return fmt.Errorf("%s, document %d: the kind %q is not known here", file, i+1, kind.Kind)
		}
		if err := yaml.UnmarshalStrict(doc, into); err != nil {
			return fmt.Errorf("%s, document %d: %w", file, i+1, err)
		}
		if j, ok := into.(*batch.Job); ok {
			err = errors.Join(err, job(j))
		}
		n++
	}
	if n != 3 {
		err = errors.Join(err, fmt.Errorf("%s has %d documents", file, n))
	}
	return err
}

// job returns what the types cannot say of a job.
func job(j *batch.Job) error {
	spec := j.Spec
	switch {
	case spec.CompletionMode == nil || *spec.CompletionMode != batch.IndexedCompletion:
		return errors.New("the job is not indexed")
	case spec.BackoffLimitPerIndex == nil || spec.PodFailurePolicy == nil:
		return errors.New("the job has no limit or policy for an index that fails")
	case spec.Template.Spec.RestartPolicy != core.RestartPolicyNever:
		return errors.New("a policy for failures needs restartPolicy Never")
	}
	return nil
}

// container returns what is wrong with a Containerfile.
func container(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	parsed, err := parser.Parse(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(parsed.Warnings) > 0 {
		return fmt.Errorf("%s: %s", file, parsed.Warnings[0].Short)
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err == nil && len(stages) != 2 {
		err = fmt.Errorf("there are %d stages", len(stages))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
