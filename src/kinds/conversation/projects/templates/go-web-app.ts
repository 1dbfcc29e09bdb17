import { goMod } from './manifests.js';
import type { ProjectTemplate } from './template.js';
import { webPage } from './web-page.js';

/** A web app with a list of tasks, in Go with net/http. */
export const goWebApp: ProjectTemplate = {
  usage: 'PORT=3000 go run .',
  serve: ['go', 'run', '.'],
  files: (name) => ({
    ...webPage(name),
    'go.mod': goMod(name),
    'tasks.go': `package main

import "fmt"

type Task struct {
	ID    int    \`json:"id"\`
	Title string \`json:"title"\`
	Done  bool   \`json:"done"\`
}

type Tasks struct {
	Items []*Task
}

func (tasks *Tasks) Add(title string) *Task {
	task := &Task{ID: len(tasks.Items) + 1, Title: title}
	tasks.Items = append(tasks.Items, task)
	return task
}

func (tasks *Tasks) Complete(id int) error {
	for _, task := range tasks.Items {
		if task.ID == id {
			task.Done = true
			return nil
		}
	}
	return fmt.Errorf("no task %d", id)
}

func (tasks *Tasks) Remaining() []*Task {
	remaining := []*Task{}
	for _, task := range tasks.Items {
		if !task.Done {
			remaining = append(remaining, task)
		}
	}
	return remaining
}
`,
    'server.go': `package main

import (
	"encoding/json"
	"net/http"
	"sync"
)

func newServer() http.Handler {
	tasks := &Tasks{Items: []*Task{}}
	var lock sync.Mutex
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("public")))
	mux.HandleFunc("/api/tasks", func(response http.ResponseWriter, request *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		response.Header().Set("Content-Type", "application/json")
		if request.Method != http.MethodPost {
			json.NewEncoder(response).Encode(tasks.Items)
			return
		}
		var body struct{ Title string }
		if err := json.NewDecoder(request.Body).Decode(&body); err != nil || body.Title == "" {
			http.Error(response, "expected a title", http.StatusBadRequest)
			return
		}
		response.WriteHeader(http.StatusCreated)
		json.NewEncoder(response).Encode(tasks.Add(body.Title))
	})
	return mux
}
`,
    'main.go': `package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
)

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\\n", listener.Addr())
	log.Fatal(http.Serve(listener, newServer()))
}
`,
    'tasks_test.go': `package main

import "testing"

func TestIDsCountFromOne(t *testing.T) {
	tasks := &Tasks{}
	if first, second := tasks.Add("a").ID, tasks.Add("b").ID; first != 1 || second != 2 {
		t.Errorf("got %d, %d", first, second)
	}
}

func TestComplete(t *testing.T) {
	tasks := &Tasks{}
	first := tasks.Add("a")
	tasks.Add("b")
	if err := tasks.Complete(first.ID); err != nil {
		t.Fatal(err)
	}
	if left := tasks.Remaining(); len(left) != 1 || left[0].Title != "b" {
		t.Errorf("got %v", left)
	}
}

func TestCompleteUnknown(t *testing.T) {
	if (&Tasks{}).Complete(7) == nil {
		t.Error("expected an error")
	}
}
`,
    'server_test.go': `package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func call(server http.Handler, method, path, body string) *httptest.ResponseRecorder {
	response := httptest.NewRecorder()
	server.ServeHTTP(response, httptest.NewRequest(method, path, strings.NewReader(body)))
	return response
}

func TestServesThePage(t *testing.T) {
	server := newServer()
	if page := call(server, "GET", "/", "").Body.String(); !strings.Contains(page, "class=\\"card\\"") {
		t.Errorf("got %s", page)
	}
	if style := call(server, "GET", "/style.css", "").Body.String(); !strings.Contains(style, ".card {") {
		t.Errorf("got %s", style)
	}
}

func TestAddsATask(t *testing.T) {
	server := newServer()
	call(server, "POST", "/api/tasks", \`{"title":"write"}\`)
	if list := call(server, "GET", "/api/tasks", "").Body.String(); !strings.Contains(list, \`"title":"write"\`) {
		t.Errorf("got %s", list)
	}
}

func TestRefusesATaskWithoutATitle(t *testing.T) {
	if code := call(newServer(), "POST", "/api/tasks", "{}").Code; code != http.StatusBadRequest {
		t.Errorf("got %d", code)
	}
}
`,
  }),
};
