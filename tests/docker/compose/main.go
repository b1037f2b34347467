// Reads compose files with the library that `docker compose` itself reads them with: schema, references, interpolation.
// Prints each as JSON, one a line:  compose FILE...
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/loader"
	"github.com/compose-spec/compose-go/types"
)

func load(file string) ([]byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	project, err := loader.Load(types.ConfigDetails{
		WorkingDir:  folder,
		ConfigFiles: []types.ConfigFile{{Filename: file, Content: content}},
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(project)
}

func main() {
	for _, file := range os.Args[1:] {
		out, err := load(file)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			os.Exit(1)
		}
		fmt.Println(string(out))
	}
}
