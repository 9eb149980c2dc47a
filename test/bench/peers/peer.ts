import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Dsn } from '../../harness/envelope.ts';

/** A server that takes events, ready, with an empty project. */
export type RunningPeer = {
  dsn: Dsn;
  port: number;
  /** Of the processes it consists of; what they start belongs to it. */
  pids(): number[] | Promise<number[]>;
  /** Events of the project that its readers see counted. */
  countEvents(): Promise<number>;
  stop(): Promise<void>;
};

export type Peer = {
  name: string;
  /** Starts it in an empty folder; a sentence that says why not, where it cannot be had. */
  start(folder: string): Promise<RunningPeer | string>;
};

/** The program of this name in the folder that the variable names, else in PATH; null when there is none. */
export function findProgram(name: string, variable: string): string | null {
  const named = process.env[variable];
  const folders = named ? [named] : (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
