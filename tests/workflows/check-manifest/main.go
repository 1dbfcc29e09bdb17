// Decodes Kubernetes manifests into the API's own types, as strictly as the API server: unknown, misspelled and repeated
// fields are errors. usage: check-manifest <file…>
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	scheme := runtime.NewScheme()
	must(batchv1.AddToScheme(scheme))
	must(corev1.AddToScheme(scheme))
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	failed := false
	for _, path := range os.Args[1:] {
		if err := check(decoder, path); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func check(decoder runtime.Decoder, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", path, kind)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
