#!/bin/sh
# Packages start and stop no service here; the scripts in /usr/lib/jackdaw-card do. A package that is taken back at the start
# would wait for the firmware, which waits until it is taken back.
exit 101
