import { isErrataError, messageOf, unavailable } from '#lib/errors.ts';
import type { PackedMapping } from '#pipeline/symbolicate/java/packed-mapping.ts';
import type { PackedSymbols } from '#pipeline/symbolicate/native/packed-symbols.ts';
import type {
  AbsentScript,
  DebugFileProblem,
  FoundScript,
  MappingProblem,
  ScriptReference,
} from '#pipeline/symbolicate/symbol-sources.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import type { ActiveGroupingRules } from '#product/grouping/grouping-change.ts';
import type { IngestSettings } from '#protocol/ingest-settings.ts';
import type { PackedRecords } from './pack-records.ts';
import type { Assumed } from './understand-apart.ts';

/** Records for one thread. */
export type Chunk = {
  spoolId: string;
  positions: readonly number[];
  assumed: readonly Assumed[];
  /** All records behind each other. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Of each record where it ends in `bytes`. */
  ends: readonly number[];
};

/** What a project decided. */
export type ProjectFacts = {
  /** null where it decided nothing, and for one that is not known yet: the defaults count. */
  settings: IngestSettings | null;
  grouping: ActiveGroupingRules | null;
  /** Grouping hashes of issues whose events are dropped. */
  discardedHashes: readonly string[];
};

/** An uploaded file that a record needs. Maps and mappings lie in memory that the threads share. */
export type SymbolWish =
  | { kind: 'script'; reference: ScriptReference }
  | { kind: 'source'; reference: ScriptReference; index: number }
  | { kind: 'mapping'; debugId: string }
  | { kind: 'symbols'; debugId: string };

export type SymbolAnswer =
  | { kind: 'script'; script: Omit<FoundScript, 'findSource'> | AbsentScript }
  /** null where nobody has it. */
  | { kind: 'source'; text: Uint8Array | null }
  | { kind: 'mapping'; mapping: PackedMapping | MappingProblem }
  | { kind: 'symbols'; symbols: PackedSymbols | DebugFileProblem | null };

export type Question =
  | { what: 'project'; projectId: number }
  | { what: 'symbols'; scope: ProjectScope; wishes: readonly SymbolWish[] };

export type Answer = ProjectFacts | readonly SymbolAnswer[];

/** How the thread that stores answers the others. Rejects with what the stores throw. */
export type Answers = {
  findProject(projectId: number): ProjectFacts;
  /** In the order of the wishes. */
  findSymbols(scope: ProjectScope, wishes: readonly SymbolWish[]): Promise<readonly SymbolAnswer[]>;
};

/** What went wrong, as it goes from thread to thread. */
export type Failure = { message: string; isUnavailable: boolean };

export type ToThread =
  | { type: 'chunk'; id: number; chunk: Chunk }
  | { type: 'answer'; id: number; answer: Answer | null; failure: Failure | null }
  /** What was answered of these projects counts no more; null for all. */
  | { type: 'forget'; projectIds: readonly number[] | null }
  | { type: 'forget-symbols' }
  /** A newer geo database, in shared memory. */
  | { type: 'geo'; database: Uint8Array };

export type FromThread =
  | { type: 'ready' }
  | { type: 'understood'; id: number; packed: PackedRecords; askedIds: readonly (readonly string[])[] }
  | { type: 'failed'; id: number; position: number; failure: Failure }
  | { type: 'question'; id: number; question: Question };

/** What a thread shows of itself in shared memory: the place of its record in the chunk, from 1, and its heartbeats. */
export const PROGRESS = { record: 0, beat: 1, bytes: 8 } as const;

export const toFailure = (error: unknown): Failure => ({
  message: messageOf(error),
  isUnavailable: isErrataError(error) && error.code === 'unavailable',
});

export const toError = ({ message, isUnavailable }: Failure): Error =>
  isUnavailable ? unavailable(message) : new Error(message);
