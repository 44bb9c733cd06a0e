import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { Failure } from '../report/failure.mjs';

/** Whether `path` is a file that may be executed. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The absolute path of a program on PATH, or `undefined`. */
export function findProgram(name, path = process.env.PATH ?? '') {
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** Puts folders in front of an environment's PATH. */
export function withPath(env, ...folders) {
  return { ...env, PATH: [...folders, env.PATH ?? ''].join(delimiter) };
}

/** Runs a program in silence; never throws: a program that cannot start has `code` -1. */
export function capture(program, args, { env, cwd, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const output = { stdout: '', stderr: '' };
    const child = spawn(program, args, {
      env,
      cwd,
      timeout: timeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
      });
    }
    child.on('error', () => resolve({ code: -1, ...output }));
    child.on('close', (code) => resolve({ code: code ?? -1, ...output }));
  });
}

/** Runs a program whose output goes straight to the terminal; resolves to its exit code. */
export function stream(program, args, { env, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Like `stream`, and also hands back everything that was printed. */
export function tee(program, args, { env, cwd } = {}) {
  return new Promise((resolve, reject) => {
    let text = '';
    const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        process[name].write(chunk);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

/** Like `stream`; an exit code other than 0 ends in the sentence `failure`. */
export async function mustRun(program, args, options, failure) {
  const code = await stream(program, args, options);
  if (code !== 0) throw new Failure(failure);
}
