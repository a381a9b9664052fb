package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a file of the release, or in one of its archives.
type file struct {
	name string      // A relative path with slashes.
	mode fs.FileMode // 0 means 0644.
	data []byte
}

func (f file) perm() fs.FileMode {
	if f.mode == 0 {
		return 0o644
	}
	return f.mode
}

// sortByName returns the files sorted by name, so that archives do not depend on the order in which
// files were added.
func sortByName(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// packTar returns a tar.gz archive of the files and their directories. The prefix in, which ends
// with a slash, is added to all names. All entries belong to root and have the time at.
func packTar(in string, files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	made := map[string]bool{}
	entry := func(h tar.Header, data []byte) error {
		h.ModTime, h.Uname, h.Gname, h.Format = at, "root", "root", tar.FormatGNU
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	}
	var folder func(dir string) error
	folder = func(dir string) error { // with all above it
		if made[dir] {
			return nil
		}
		made[dir] = true
		if dir != "." {
			if err := folder(path.Dir(dir)); err != nil {
				return err
			}
		}
		name := in
		if dir != "." {
			name += dir + "/"
		}
		return entry(tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: 0o755}, nil)
	}
	for _, f := range sortByName(files) {
		if err := folder(path.Dir(f.name)); err != nil {
			return nil, err
		}
		if err := entry(tar.Header{Typeflag: tar.TypeReg, Name: in + f.name, Mode: int64(f.perm()),
			Size: int64(len(f.data))}, f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// packZip returns a zip archive of the files. All names begin with the directory in. All entries
// have the time at.
func packZip(in string, files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range sortByName(files) {
		h := &zip.FileHeader{Name: in + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.perm())
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// packGzip returns data compressed like gzip -9n: without a file name and a time.
func packGzip(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
