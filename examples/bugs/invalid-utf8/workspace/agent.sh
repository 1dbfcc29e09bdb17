#!/bin/sh
claude "$@"; code=$?; printf 'a stray byte: \377\n'; exit $code
