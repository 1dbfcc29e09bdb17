package main

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
	if page := call(server, "GET", "/", "").Body.String(); !strings.Contains(page, "class=\"card\"") {
		t.Errorf("got %s", page)
	}
	if style := call(server, "GET", "/style.css", "").Body.String(); !strings.Contains(style, ".card {") {
		t.Errorf("got %s", style)
	}
}

func TestAddsATask(t *testing.T) {
	server := newServer()
	call(server, "POST", "/api/tasks", `{"title":"write"}`)
	if list := call(server, "GET", "/api/tasks", "").Body.String(); !strings.Contains(list, `"title":"write"`) {
		t.Errorf("got %s", list)
	}
}

func TestRefusesATaskWithoutATitle(t *testing.T) {
	if code := call(newServer(), "POST", "/api/tasks", "{}").Code; code != http.StatusBadRequest {
		t.Errorf("got %d", code)
	}
}
