// Starts the language server of torchperf-lint and keeps it in step with the settings; all else is the server's.

import * as fs from "node:fs";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";

import { serverCommand } from "./command";

const SECTION = "torchperfLint";
const PYTHON = "ms-python.python";

interface PythonEnvironments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let starting: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("torchperf-lint", { log: true });
  const environments = await pythonEnvironments();
  const again = () => restart(environments);
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand(`${SECTION}.restart`, again),
    vscode.commands.registerCommand(`${SECTION}.showLog`, () => log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const settings = ["enable", "path", "args"].map((name) => `${SECTION}.${name}`);
      return settings.some((name) => change.affectsConfiguration(name)) ? again() : undefined;
    }),
    ...(environments ? [environments.onDidChangeActiveEnvironmentPath(again)] : []),
  );
  await again();
}

export async function deactivate(): Promise<void> {
  await starting;
  await stop();
}

/** Stop the server and start the one that is now wanted; one after the other, however often it is asked for. */
function restart(environments: PythonEnvironments | undefined): Promise<void> {
  starting = starting.then(async () => {
    await stop();
    await start(environments);
  });
  return starting;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose().catch((error: unknown) => log.warn(`The server did not stop: ${String(error)}`));
}

async function start(environments: PythonEnvironments | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  if (!settings.get<boolean>("enable", true)) {
    return;
  }
  const first = vscode.workspace.workspaceFolders?.[0];
  const wishes = {
    paths: settings.get<string[]>("path", []),
    args: settings.get<string[]>("args", []),
    folder: first?.uri.fsPath,
    python: environments?.getActiveEnvironmentPath(first?.uri).path,
    searched: process.env.PATH ?? "",
    windows: process.platform === "win32",
  };
  const command = serverCommand(wishes, (file) => fs.existsSync(file));
  if (command === undefined) {
    log.warn("No torchperf-lint found: neither in the settings, nor beside the chosen interpreter, in .venv, on the PATH.");
    void offerHelp();
    return;
  }
  log.info(`Starting ${command.command} ${command.args.join(" ")}`);
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
    ],
    outputChannel: log,
  };
  client = new LanguageClient(SECTION, "torchperf-lint", command, options);
  await client.start().catch((error: unknown) => {
    log.error(`The server did not start: ${String(error)}`);
    void offerHelp();
  });
}

async function offerHelp(): Promise<void> {
  const show = "Show Log";
  const message = "torchperf-lint is not running. Install it: pip install 'torchperf-lint[lsp]'";
  if ((await vscode.window.showWarningMessage(message, show)) === show) {
    log.show();
  }
}

async function pythonEnvironments(): Promise<PythonEnvironments | undefined> {
  const extension = vscode.extensions.getExtension<{ environments?: PythonEnvironments }>(PYTHON);
  return (await extension?.activate())?.environments;
}
