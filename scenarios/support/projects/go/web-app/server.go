package main

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
