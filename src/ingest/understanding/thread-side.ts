import type { MessagePort } from 'node:worker_threads';
import type { DigestedEvent } from '#protocol/event.ts';
import type { WrittenEvents } from '#storage/ports/events.ts';
import { decodeRecord } from '../spool-record.ts';
import { packRecords } from './pack-records.ts';
import { ProjectRules } from './project-rules.ts';
import {
  type Answer,
  type Chunk,
  type FromThread,
  PROGRESS,
  type ProjectFacts,
  type Question,
  type SymbolAnswer,
  type ToThread,
  toError,
  toFailure,
} from './thread-messages.ts';
import { ThreadSymbols } from './thread-symbols.ts';
import type { Assumed } from './understand-apart.ts';
import { type UnderstandDeps, type UnderstoodRecord, understandRecord } from './understand-record.ts';

/** Often enough for whoever watches, between two turns of work. */
const BEAT_MS = 500;

export type ThreadDeps = Pick<UnderstandDeps, 'faults' | 'lookUpGeo'> & {
  /** Made over the rules that the thread keeps. */
  createReadAhead: (
    rules: UnderstandDeps['rules'],
    symbols: Pick<ThreadSymbols, 'run'>,
  ) => UnderstandDeps['readAhead'];
  write: (events: readonly DigestedEvent[]) => WrittenEvents;
  /** Takes a newer geo database. */
  onGeo: (database: Uint8Array) => void;
};

/** What a thread of the pool does: understands the chunks that it is sent, one after the other. */
export function serveChunks(port: MessagePort, progress: Int32Array, deps: ThreadDeps): void {
  const questions = new Map<number, PromiseWithResolvers<Answer>>();
  let asked = 0;
  const tell = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const ask = (question: Question): Promise<Answer> => {
    const pending = Promise.withResolvers<Answer>();
    asked += 1;
    questions.set(asked, pending);
    tell({ type: 'question', id: asked, question });
    return pending.promise;
  };
  const rules = new ProjectRules(
    async (projectId) => (await ask({ what: 'project', projectId })) as ProjectFacts,
  );
  const symbols = new ThreadSymbols(
    async (scope, wishes) => (await ask({ what: 'symbols', scope, wishes })) as readonly SymbolAnswer[],
  );
  const understanding: UnderstandDeps = {
    ...deps,
    rules,
    isDiscarded: (_, hashes) => rules.isDiscarded(hashes),
    readAhead: deps.createReadAhead(rules, symbols),
    symbols,
  };
  let last: Promise<void> = Promise.resolve();

  port.on('message', (message: ToThread) => {
    switch (message.type) {
      case 'chunk':
        last = last.then(() => answerChunk(message.id, message.chunk));
        break;
      case 'answer': {
        const pending = questions.get(message.id);
        questions.delete(message.id);
        if (message.failure) pending?.reject(toError(message.failure));
        else pending?.resolve(message.answer!);
        break;
      }
      case 'forget':
        rules.forget(message.projectIds);
        break;
      case 'forget-symbols':
        symbols.forget();
        break;
      case 'geo':
        deps.onGeo(message.database);
    }
  });
  setInterval(() => {
    Atomics.add(progress, PROGRESS.beat, 1);
    if (Atomics.load(progress, PROGRESS.record) === 0) symbols.forgetOld();
  }, BEAT_MS);
  tell({ type: 'ready' });

  async function answerChunk(id: number, { spoolId, positions, assumed, bytes, ends }: Chunk): Promise<void> {
    const records: UnderstoodRecord[] = [];
    const askedIds: string[][] = [];
    for (const [index, position] of positions.entries()) {
      Atomics.store(progress, PROGRESS.record, index + 1);
      Atomics.add(progress, PROGRESS.beat, 1);
      try {
        symbols.forgetOld();
        const record = decodeRecord(bytes.subarray(ends[index - 1] ?? 0, ends[index]));
        await rules.begin(record.projectId);
        const order = watchOrder(assumed[index]!);
        records.push(await understandRecord(understanding, record, { spoolId, position }, order));
        askedIds.push([...order.asked]);
      } catch (error) {
        tell({ type: 'failed', id, position, failure: toFailure(error) });
        return;
      } finally {
        Atomics.store(progress, PROGRESS.record, 0);
      }
    }
    const { packed, transfer } = packRecords(records, deps.write);
    tell({ type: 'understood', id, packed, askedIds }, transfer);
  }
}

/** Answers as assumed, and remembers what was asked. */
function watchOrder({ knownIds, mayDetect }: Assumed) {
  const asked = new Set<string>();
  return {
    asked,
    mayDetect,
    isKnown(eventId: string) {
      asked.add(eventId);
      return knownIds.includes(eventId);
    },
  };
}
