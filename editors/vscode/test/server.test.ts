// The server as the library of the extension speaks to it: it starts, finds, fixes, hovers and stops.
// The variable TORCHPERF_LINT names the program; without it the test says that it was left out.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";

import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import type { CodeAction, Hover, InitializeResult, PublishDiagnosticsParams } from "vscode-languageserver-protocol";

const PROGRAM = `import torch


def train(model: torch.nn.Module, loader, optimizer):
    model.cuda()
    for x, y in loader:
        weights = torch.ones(10).cuda()
        loss = (model(x.cuda()) * weights).sum()
        loss.backward()
        optimizer.step()
`;
const URI = "untitled:Untitled-1";
const program = process.env.TORCHPERF_LINT;

test("the server answers as the extension asks", { skip: program ? false : "TORCHPERF_LINT is not set" }, async () => {
  const server = spawn(program!, ["server", "--isolated"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const published = new Promise<PublishDiagnosticsParams>((resolve) =>
    connection.onNotification("textDocument/publishDiagnostics", resolve),
  );
  connection.listen();
  const capabilities = { textDocument: { publishDiagnostics: { relatedInformation: true } } };
  const started: InitializeResult = await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities,
  });
  assert.deepEqual(started.capabilities.codeActionProvider, {
    codeActionKinds: ["quickfix", "source.fixAll.torchperf-lint"],
    resolveProvider: true,
  });
  await connection.sendNotification("initialized", {});
  const textDocument = { uri: URI, languageId: "python", version: 1, text: PROGRAM };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const [found] = (await published).diagnostics;
  assert.equal(found?.code, "TPL201");
  assert.ok(found.relatedInformation?.length);
  const where = { textDocument: { uri: URI }, range: found.range, context: { diagnostics: [found] } };
  const actions: CodeAction[] = await connection.sendRequest("textDocument/codeAction", where);
  assert.ok(actions.some((each) => each.title.endsWith("(TPL201, safe)") && each.isPreferred));
  const hover: Hover = await connection.sendRequest("textDocument/hover", { ...where, position: found.range.start });
  assert.match(JSON.stringify(hover.contents), /tensor/);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  await ended;
  connection.dispose();
});
