# What action.yml runs: install the tool beside everything else, lint, and say what the exit code means for the job.
set -euo pipefail

home="$RUNNER_TEMP/torchperf-lint"
"$PYTHON" -m venv "$home"
python="$home/bin/python"
[ -x "$python" ] || python="$home/Scripts/python.exe"

# The wheel of the release that the action is pinned to, which is compiled; a branch or a commit has none, and is built.
if [ -n "$VERSION" ]; then
  wanted="torchperf-lint==$VERSION"
elif [[ "$REF" =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  wanted="torchperf-lint==${REF#v}"
else
  wanted="$ACTION"
fi
"$python" -m pip install --quiet --disable-pip-version-check "$wanted"
"$python" -m torchperf_lint --version

sarif="$RUNNER_TEMP/torchperf-lint.sarif"
said=()
while IFS= read -r line; do [ -z "$line" ] || said+=("$line"); done <<< "$ARGS"
said+=(--)
while IFS= read -r line; do [ -z "$line" ] || said+=("$line"); done <<< "$PATHS"

code=0
"$python" -m torchperf_lint check --format github --format "sarif=$sarif" "${said[@]}" || code=$?
[ ! -f "$sarif" ] || echo "sarif=$sarif" >> "$GITHUB_OUTPUT"
if [ "$code" = 1 ] && [ "$FAIL" = false ]; then
  code=0
fi
exit "$code"
