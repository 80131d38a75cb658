// Which program is the language server: the first that exists of those that may be meant. Knows nothing of VS Code.

import * as path from "node:path";

export interface Wishes {
  /** What the settings name, in order. */
  paths: readonly string[];
  /** Options for the server, as the settings name them. */
  args: readonly string[];
  /** The first folder of the window. */
  folder: string | undefined;
  /** The interpreter that the Python extension has chosen. */
  python: string | undefined;
  /** The variable `PATH`. */
  searched: string;
  windows: boolean;
}

export interface Command {
  command: string;
  args: string[];
}

/** The command that starts the server; undefined where there is none. */
export function serverCommand(wishes: Wishes, exists: (file: string) => boolean): Command | undefined {
  const found = candidates(wishes).find(exists);
  return found === undefined ? undefined : { command: found, args: ["server", ...wishes.args] };
}

/** Where the program may be, the likeliest first. */
export function candidates(wishes: Wishes): string[] {
  const { join, dirname, delimiter } = wishes.windows ? path.win32 : path.posix;
  const program = wishes.windows ? "torchperf-lint.exe" : "torchperf-lint";
  const named = wishes.paths.map((each) => each.replaceAll("${workspaceFolder}", wishes.folder ?? "."));
  const chosen = wishes.python === undefined ? [] : [join(dirname(wishes.python), program)];
  const own = wishes.folder === undefined ? [] : [join(wishes.folder, ".venv", wishes.windows ? "Scripts" : "bin", program)];
  const searched = wishes.searched.split(delimiter).filter((folder) => folder !== "");
  return [...named, ...chosen, ...own, ...searched.map((folder) => join(folder, program))];
}
