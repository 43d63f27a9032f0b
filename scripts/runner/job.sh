#!/bin/sh
# Runs one step of a job on the runner and prints its seconds.
# Usage: MODES=fpm,fibers job.sh provision|demo|gate
# A gate takes the event from EVENT (default workflow_dispatch) and a fixed number of blocks from BLOCKS.
set -eu
action=/home/runner/work/_actions/async-php-bench
cd /home/runner/work/app

timed() {
    what=$1
    shift
    began=$(date +%s)
    code=0
    "$@" || code=$?
    echo "runner: $what: exit code $code after $(($(date +%s) - began)) s"
    return $code
}

case $1 in
    # Twice, for the time of a first job and of a job that finds everything installed.
    provision)
        timed 'provision, first' node $action/dist/cli.js provision --yes --modes "$MODES"
        timed 'provision, again' node $action/dist/cli.js provision --yes --modes "$MODES"
        ;;
    demo) timed demo node $action/dist/cli.js demo --out ../demo-results ;;
    gate)
        git init -q
        git config user.name runner
        git config user.email runner@localhost
        git add --all
        git commit -q -m base
        git commit -q --allow-empty -m head
        export GITHUB_WORKSPACE="$PWD" GITHUB_EVENT_NAME="${EVENT:-workflow_dispatch}" GITHUB_REF=refs/heads/main GITHUB_RUN_ID=1
        export GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=runner/app GITHUB_OUTPUT="$RUNNER_TEMP/output"
        export GITHUB_STEP_SUMMARY="$RUNNER_TEMP/summary" GITHUB_EVENT_PATH="$RUNNER_TEMP/event.json"
        : > "$GITHUB_OUTPUT"
        : > "$GITHUB_STEP_SUMMARY"
        echo '{}' > "$GITHUB_EVENT_PATH"
        export INPUT_CONFIG=demo.yml INPUT_PROFILE=quick INPUT_MODES="$MODES" INPUT_BASELINE=HEAD~1 INPUT_BLOCKS="${BLOCKS:-}"
        timed gate node $action/dist/gate-action.js
        cat "$GITHUB_OUTPUT"
        ;;
    *)
        echo "job.sh: found $1, allowed: provision, demo, gate" >&2
        exit 2
        ;;
esac
