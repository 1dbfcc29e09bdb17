#!/bin/sh
echo "tail $*"
exit $TAIL_EXITS
