# What action.yml runs: install the tool beside everything else, lint, measure where it is told a command, and say what the
# exit code means for the job.
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

if [ -n "$VERIFY" ]; then
  command=()
  while IFS= read -r line; do [ -z "$line" ] || command+=("$line"); done <<< "$VERIFY"
  step="$RUNNER_TEMP/torchperf-lint-step.md"
  measured=0
  "$python" -m torchperf_lint --verify --against "$AGAINST" --fail-slower "$SLOWER" --time "$TIME" --format text \
    --format "markdown=$step" -- "${command[@]}" || measured=$?
  [ ! -f "$step" ] || cat "$step" >> "$GITHUB_STEP_SUMMARY"
  [ "$measured" -le "$code" ] || code=$measured
fi

if [ "$code" = 1 ] && [ "$FAIL" = false ]; then
  code=0
fi
exit "$code"
