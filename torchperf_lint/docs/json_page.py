"""The page of what programs can read: each key of each JSON that the tool prints, with its type and what it says.

The tables here are the contract. A test prints the real JSON and holds every key and type of it against them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Shape:
    """One JSON that a command prints."""

    name: str
    """What the file with its schema is called."""
    title: str
    intro: str
    keys: str
    """A line a key: its path, its types, and, behind a bar, what it says."""

    def rows(self) -> list[tuple[str, tuple[str, ...], str]]:
        """Each key: its path, its types, and what it says."""
        lines = (line.partition("|") for line in self.keys.strip().splitlines())
        return [(path, tuple(types), says.strip()) for key, _, says in lines for path, *types in (key.split(),)]


_IMPACT: Final = """
impact                        object null  | What was measured of such findings; null where nothing was, or where this one is worth less.
impact.metric                 string       | `step`: time; `memory`: peak memory; `correctness`: results are wrong, and nothing is measured.
impact.low                    number null  | Before divided by after, the least in that setting; null for `correctness`.
impact.high                   number null  | The most.
impact.setting                string       | Where that was measured, or what is wrong.
impact.part                   bool         | Whether the ratio is of a part of a step, such as one call, whose share of it nobody knows.
"""

_FINDING: Final = f"""
code                          string       | The rule, `TPL101`. Codes are permanent.
name                          string       | Its name, `scalar-read-every-step`.
message                       string       | What is wrong.
severity                      string       | `error`, `warning` or `info`.
confidence                    string       | `proven` or `likely`: the least sure fact that the finding stands on.
path                          string       | Relative to the working folder; absolute outside. With `/`.
cell                          int null     | In a notebook the number of the cell, from 1, text cells counted too.
start.line                    int          | From 1; in a notebook within the cell.
start.column                  int          | From 1, in Unicode code points.
end.line                      int          | Where the flagged code ends.
end.column                    int          | The column behind its last character.
url                           string       | The page of the rule.
fingerprint                   string       | The same for the same finding after lines moved; `v1:` and 24 hexadecimal digits.
because                       list         | The evidence, the strongest first.
because[].message             string       | What a place shows.
because[].path                string       | The file of that place.
because[].cell                int null     | Its cell.
because[].line                int          | Its line.
because[].column              int          | Its column.
also                          list         | Other places it stands for: those of its rule in the same function, and waits right behind one.
also[].path                   string       | The file of such a place.
also[].cell                   int null     | Its cell.
also[].line                   int          | Its line.
also[].column                 int          | Its column.
{_IMPACT.strip()}
fix                           object null  | The fix; null where there is none.
fix.title                     string       | What it does.
fix.safety                    string       | `safe` (bit-identical results), `unsafe` (the rule's page says more), `shown` (never applied).
fix.edits                     list         | All of them together are the fix; places are in the original text.
fix.edits[].path              string       | The file that is edited.
fix.edits[].cell              int null     | Its cell.
fix.edits[].start.line        int          | Where the text begins that is replaced.
fix.edits[].start.column      int          | Its column.
fix.edits[].end.line          int          | Where it ends.
fix.edits[].end.column        int          | The column behind it.
fix.edits[].content           string       | What takes its place.
verified                      object null  | What `--verify` measured; null without it.
"""
_WITH_TRACE: Final = """
impact.traced                 object null  | What a trace of the program says; null without `--trace`. With it, `setting` may be empty.
"""
_TRACED: Final = """
steps                         int          | Steps that were profiled.
step_ms                       number       | How long a step takes, measured without the profiler.
ran                           number       | How often the line runs in a step.
waits                         number       | How often the host waits for the GPU there, in a step.
now_ms                        number       | How long it waits, copies or loads there, or what the GPU does for it, in a step.
predicted_ms                  number null  | A step without it; null where that cannot be said.
low_ms                        number null  | The least that may be.
high_ms                       number null  | The most.
at_most                       bool         | Whether that is a bound, and no prediction: no fix can gain more.
verdict                       string       | `pays`, `no gain`, `cannot tell`, `never ran`, `stale` (the line has changed) or `not traced`.
why                           string       | What the verdict stands on, where that is not plain.
"""
_MEASURED: Final = """
verdict                       string       | Begins with `faster`, `no gain`, `cannot tell`, `slower`, `different` or `not measured`.
same                          bool null    | Whether results and gradients were the same before and after; null where nothing was compared.
max_difference                number null  | The largest difference of any number in the results; of a program, the largest share of a loss.
waits_before                  number null  | GPU syncs in a call before the fix.
waits_after                   number null  | GPU syncs in a call after it.
peak_before                   int null     | Peak GPU memory before, in bytes.
peak_after                    int null     | Peak GPU memory after.
graphs_before                 int null     | Graphs that `torch.compile` makes in the first call before the fix, of a rule about it.
graphs_after                  int null     | The same after it.
recompiles_before             int null     | Graphs that it makes in the four calls after that, before the fix.
recompiles_after              int null     | The same after it.
compile_s_before              number null  | Seconds that these five calls compile before the fix, with nothing in the compiler's caches.
compile_s_after               number null  | The same after it.
measurements                  list         | One for each clock and amount of host work.
measurements[].clock          string       | `host` (wall time) and `device` (GPU busy) of a small program, or `step` of yours.
measurements[].host_work_ms   number       | The host's own work in each step, in milliseconds.
measurements[].before_ms      number       | The median before.
measurements[].after_ms       number       | The median after.
measurements[].speedup        number       | Before divided by after.
measurements[].low            number       | The lower end of its interval.
measurements[].high           number       | The upper end.
shapes                        object       | The sizes and choices that were measured, by name.
assumed                       list         | The names of those that the source did not tell.
torch                         string       | The version of torch.
"""


def _under(path: str, keys: str) -> str:
    return "".join(f"{path}{line}\n" for line in keys.strip().splitlines())


SHAPES: Final = (
    Shape(
        "findings",
        "Findings: `torchperf-lint --format json`",
        "Findings are sorted by path, cell, line, column and code. With `--format jsonl` each finding is a line of its own,\n"
        'the same object, and after them each error as `{"error": {"path": ..., "message": ...}}`.',
        """
version                       int          | 1.
tool.name                     string       | `torchperf-lint`.
tool.version                  string       | Its version.
summary.files                 int          | Files that were linted.
summary.findings              int          | Findings in all.
summary.fixable               int          | Those with a fix that `--fix`, with or without `--unsafe-fixes`, applies.
summary.seconds               number       | How long it took.
findings                      list         | The findings.
"""
        + _under("findings[].", _FINDING)
        + _under("findings[].", _WITH_TRACE)
        + _under("findings[].impact.traced.", _TRACED)
        + _under("findings[].verified.", _MEASURED)
        + """findings[].verified.device    string       | The GPU.
errors                        list         | Files and folders that could not be linted.
errors[].path                 string       | Which.
errors[].message              string       | Why.
""",
    ),
    Shape(
        "reveal",
        "What is known of lines: `torchperf-lint reveal FILE[:LINE] --format json`",
        "Lines without an expression are left out. A note (`because`, `gate`, `option`) is as in a finding.",
        """
version                       int          | 1.
tool.name                     string       | `torchperf-lint`.
tool.version                  string       | Its version.
path                          string       | The file.
lines                         list         | The lines that have an expression.
lines[].line                  int          | The number of the line, from 1; in a notebook within the cell.
lines[].cell                  int null     | The cell of a notebook.
lines[].text                  string       | The line.
lines[].runs.how_often        string       | `once` (or not known), `inference` (in a loop, no training), `step`, `inner` (inside a step).
lines[].runs.confidence       string null  | `proven` or `likely`; null where nothing shows how often.
lines[].runs.because          list         | Notes: what shows it.
lines[].runs.gate             object null  | A note: the condition that lets the line run seldom, or only to log, such as `step % 100 == 0`.
lines[].runs.option           object null  | A note: the option without which the line does not run.
lines[].runs.test             bool         | Whether it is test code.
lines[].expressions           list         | From left to right, outer ones first; also targets and parameters.
lines[].expressions[].text    string       | The expression.
lines[].expressions[].start.line   int     | Where it begins.
lines[].expressions[].start.column int     | Its column.
lines[].expressions[].end.line     int     | Where it ends.
lines[].expressions[].end.column   int     | The column behind it.
lines[].expressions[].kind    string       | `tensor`, `tensor tree` (tensors in tuples, lists, dicts), `number`, `module`, ..., `unknown`.
lines[].expressions[].name    string null  | The class or function it stands for, where that has a name.
lines[].expressions[].device  string null  | `cpu`, `pinned`, `cuda`, `cuda if there is one`, `cpu on one path`, `neither cpu nor cuda`.
lines[].expressions[].dtype   string null  | A dtype of torch, `floating`, `integral`; of a number `int`, `float`, `bool`, `complex`.
lines[].expressions[].rank    int null     | How many dimensions.
lines[].expressions[].confidence string null | `proven` or `likely`; null for what is not known.
lines[].expressions[].because list         | Notes: what shows the kind and the device.
lines[].expressions[].sync    object null  | The GPU sync at this expression.
lines[].expressions[].sync.form       string | `read`, `truth`, `shape`, `scalar`, `size`, `copy`, `library`, `sync`, `index` or `format`.
lines[].expressions[].sync.message    string | What makes the host wait.
lines[].expressions[].sync.confidence string | `proven` or `likely`.
lines[].expressions[].sync.because    list   | Notes: what shows that the tensor is on the GPU.
lines[].expressions[].no_sync string null  | Why no GPU sync is known where the code looks like one.
lines[].rules                 list         | The rules that looked at the line, those that report first.
lines[].rules[].code          string       | The rule.
lines[].rules[].name          string       | Its name.
lines[].rules[].reports       bool         | Whether it reports something on the line.
lines[].rules[].message       string       | What it reports, or why it is silent.
lines[].rules[].severity      string null  | `error`, `warning` or `info`: that of what it reports; null where it is silent.
lines[].rules[].hint          object null  | A note: why it reports `info` here, where it reports more elsewhere.
""",
    ),
    Shape(
        "rules",
        "Rules: `torchperf-lint rules --format json`",
        "A list of all rules.",
        """
[].code                       string       | The code.
[].name                       string       | The name.
[].family                     string       | `sync`, `transfer`, `precision`, ...
[].default                    bool         | Whether it is on by default.
[].severity                   string       | `error`, `warning` or `info`.
[].fix                        string null  | The best safety of its fix; null where it has none.
[].summary                    string       | What it finds.
[].url                        string       | Its page.
""",
    ),
    Shape(
        "statistics",
        "Counts: `torchperf-lint --statistics --format json`",
        "A list of the rules with findings, the most frequent first.",
        """
[].code                       string       | The rule.
[].name                       string       | Its name.
[].count                      int          | How many findings it has.
[].fixable                    bool         | Whether any of them has a fix that can be applied.
[].severity                   string       | The worst severity of them.
"""
        + _under("[].", _IMPACT),
    ),
    Shape(
        "measurements",
        "Measurements: `torchperf-lint verify CODE --format json`",
        "What the benches of rules gave. The files in `rules_docs/measured/` are of this shape, each row with its `date`.",
        """
version                       int          | 1.
device                        object       | The machine: its `name`, `torch`, and what else it tells of itself.
measurements                  list         | One for each bench and each set of sizes.
measurements[].code           string null  | The rule; null for a bench of a whole program.
measurements[].name           string       | The name of the bench.
measurements[].reason         string null  | Why it was not measured, or what differs.
measurements[].by_hand        bool         | Whether the program after the fix is written by hand, because no fix of the rule makes it.
measurements[].not_compared   object       | The inputs for which before and after may differ, each with the reason.
"""
        + _under("measurements[].", _MEASURED)
        + """measurements[].measurements[].pairs                int  | How often it was timed.
measurements[].measurements[].before_quartiles_ms  list | The lower and the upper quartile before.
measurements[].measurements[].after_quartiles_ms   list | The same after.
""",
    ),
    Shape(
        "comparison",
        "Comparison: `torchperf-lint --verify --against REVISION --format json -- COMMAND`",
        "What a program takes as it is and as it was at a revision.",
        """
version                       int          | 1.
command                       list         | The words of the command.
device                        string       | The GPU, or `CPU`.
torch                         string       | The version of torch; empty where nothing ran.
itself                        object null  | The original against itself; null where it was timed too seldom. Its keys are those of `ratio`.
itself.speedup                number       | Before divided by after.
itself.low                    number       | The lower end of its interval.
itself.high                   number       | The upper end.
itself.pairs                  int          | Pairs of runs.
rounding                      number       | The share of a loss by which moved last digits change the original.
notes                         list         | What else is to be known, in sentences.
interrupted                   bool         | Whether it was ended early; what was measured is there.
verdicts                      list         | In the order in which they came.
verdicts[].changed            list         | What was compared.
verdicts[].verdict            string       | `faster`, `no gain`, `cannot tell`, `slower`, `different` or `not measured`.
verdicts[].reason             string null  | Why it was not measured, what would tell, or what differs.
verdicts[].ratio              object null  | Null where nothing was timed.
verdicts[].ratio.speedup      number       | Before divided by after.
verdicts[].ratio.low          number       | The lower end of its interval.
verdicts[].ratio.high         number       | The upper end.
verdicts[].ratio.pairs        int          | Pairs of runs.
verdicts[].max_difference     number null  | The largest share by which a loss is another one, or null.
verdicts[].before             object null  | At the revision.
verdicts[].before.step_ms     number       | The median step.
verdicts[].before.peak        int null     | The peak of GPU memory, in bytes.
verdicts[].after              object null  | As it is.
verdicts[].after.step_ms      number       | The median step.
verdicts[].after.peak         int null     | The peak of GPU memory.
""",
    ),
)
"""All that programs may read of this tool in a format of its own."""

INTRO: Final = """\
# JSON

What other programs can read. These formats are a contract: within a `version` keys are only added, so skip those that you do not
know; when a key goes away or changes its meaning, `version` grows. SARIF, GitHub, GitLab (Code Quality), JUnit have their own.

In a key, `.` is a member and `[]` each item of a list. What belongs to an object that can be null is there where the object is.
"""


def page() -> str:
    parts = [INTRO]
    for shape in SHAPES:
        rows = (f"| `{path}` | {' or '.join(types)} | {says} |\n" for path, types, says in shape.rows())
        about = f"## {shape.title}\n\n{shape.intro}\n\nAs JSON Schema: [{shape.name}.json](schema/{shape.name}.json)."
        parts.append(f"{about}\n\n| key | type | what it says |\n|---|---|---|\n{''.join(rows)}")
    return "\n".join(parts)
