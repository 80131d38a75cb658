import assert from "node:assert/strict";
import { test } from "node:test";

import { candidates, serverCommand, type Wishes } from "../src/command";

const WISHES: Wishes = {
  paths: [],
  args: [],
  folder: "/home/me/project",
  python: "/home/me/envs/torch/bin/python",
  searched: "/usr/bin:/bin",
  windows: false,
};

test("what the settings name comes first, then the chosen interpreter, the folder's own environment, the PATH", () => {
  assert.deepEqual(candidates({ ...WISHES, paths: ["${workspaceFolder}/tpl"] }), [
    "/home/me/project/tpl",
    "/home/me/envs/torch/bin/torchperf-lint",
    "/home/me/project/.venv/bin/torchperf-lint",
    "/usr/bin/torchperf-lint",
    "/bin/torchperf-lint",
  ]);
});

test("the first that exists is started, with its options", () => {
  const command = serverCommand({ ...WISHES, args: ["--isolated"] }, (file) => file === "/bin/torchperf-lint");
  assert.deepEqual(command, { command: "/bin/torchperf-lint", args: ["server", "--isolated"] });
});

test("where none exists there is no command", () => {
  assert.equal(serverCommand(WISHES, () => false), undefined);
});

test("on Windows programs and paths have other names", () => {
  const wishes = { ...WISHES, folder: "C:\\p", python: "C:\\env\\Scripts\\python.exe", searched: "C:\\a b;D:\\c", windows: true };
  assert.deepEqual(candidates(wishes), [
    "C:\\env\\Scripts\\torchperf-lint.exe",
    "C:\\p\\.venv\\Scripts\\torchperf-lint.exe",
    "C:\\a b\\torchperf-lint.exe",
    "D:\\c\\torchperf-lint.exe",
  ]);
});
