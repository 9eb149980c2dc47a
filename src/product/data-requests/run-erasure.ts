import { isErrataError } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { findSpoolWait } from '#product/spool/spool-wait.ts';
import { categoryOfKind, EXPIRED } from '#protocol/outcome.ts';
import type { TelemetryKind } from '#protocol/telemetry.ts';
import type { PersonCount } from '#storage/ports/person-data.ts';
import type { DataRequest, EraseStep } from './data-request.ts';
import { ERASE_STEPS } from './data-request.ts';
import { deleteEmptyIssues } from './delete-empty-issues.ts';
import { queryOf } from './identifiers.ts';
import { isPurgeDue } from './purge-deleted-rows.ts';
import { countByKind, type DataRequestDeps, type RecordChange } from './request-work.ts';
import type { ClaimedRequest } from './store/data-request-store.ts';

const BLOBS_PER_PAGE = 500;
/** How long a request waits for what somebody else does, before it looks again. */
const LOOK_AGAIN_MS = 5_000;
/** While no digest has reported anything, a spool is taken to be stored by then. */
const SETTLED_AFTER_MS = 60 * MINUTE_MS;
/** A spool that is behind for a shorter time is nothing to speak of. */
const BEHIND_MS_MIN = MINUTE_MS;

/** `waitsFor`: looks again after a while, and says why if that may take long. `backTo`: an earlier step is next. */
type StepResult = 'done' | { waitsFor: string | null } | { backTo: EraseStep };
const LATER: StepResult = { waitsFor: null };
type Step = (deps: DataRequestDeps, request: ClaimedRequest, record: RecordChange) => Promise<StepResult>;

/** Does step after step, and notes after each what comes next. */
export async function runErasure(
  deps: DataRequestDeps,
  request: ClaimedRequest,
  record: RecordChange,
): Promise<void> {
  let step: EraseStep = request.step === '' ? 'note' : request.step;
  for (;;) {
    const result = await STEPS[step](deps, request, record);
    if (result !== 'done' && 'waitsFor' in result) {
      await record({ nextAt: deps.now() + LOOK_AGAIN_MS, waitsFor: result.waitsFor });
      return;
    }
    deps.faults.reach(`data-request-${step}`);
    const next = result === 'done' ? ERASE_STEPS[ERASE_STEPS.indexOf(step) + 1] : result.backTo;
    if (!next) return;
    step = next;
    await record({ step });
    if (deps.signal?.aborted) return;
  }
}

const note: Step = async ({ stores }, request) => {
  await stores.personRows.note(request.id, queryOfErasure(request));
  return 'done';
};

const hide: Step = async ({ stores, now }, request, record) => {
  await stores.personRows.hide(request.id, queryOfErasure(request));
  await record({ state: 'purging', hiddenAt: now() });
  return 'done';
};

/** Of noted rows, which stay noted until the end: so that what a crash left is found again. */
const files: Step = async ({ stores }, { id }) => {
  for (let after = ''; ; ) {
    const keys = await stores.personRows.listBlobKeys(id, after, BLOBS_PER_PAGE);
    for (const key of keys) await stores.blobs.delete(key);
    after = keys.at(-1) ?? after;
    if (keys.length < BLOBS_PER_PAGE) return 'done';
  }
};

/** One transaction with the note of what comes next, so that each row is counted once. */
const texts =
  (next: EraseStep): Step =>
  async ({ stores }, request, record) => {
    const { organizationId, identifiers, id } = request;
    const emptyIssues = await deleteEmptyIssues(stores, id);
    await stores.inTransaction(async (within) => {
      const members = await within.personTexts.findMembers(organizationId, identifiers);
      const removed = await within.personTexts.erase(organizationId, identifiers, members);
      await record({ removed: { ...removed, ...(emptyIssues > 0 && { emptyIssues }) }, step: next }, within);
    });
    return 'done';
  };

/**
 * Until what any machine accepted before somebody asked is stored, or the deletion of a project is through, which waits for
 * the same.
 */
const settle: Step = async ({ stores, now }, request, record) => {
  const askedAt = request.eraseRequestedAt ?? request.createdAt;
  const marks = await stores.ingestMarks.list();
  const { waitsFor, hasGivenUp } = findSpoolWait(marks, askedAt, now());
  if (!(await isSettled())) return { waitsFor: now() - askedAt > BEHIND_MS_MIN ? waitsFor : null };
  if (hasGivenUp) await record({ note: 'spool_not_stored' });
  return 'done';

  async function isSettled(): Promise<boolean> {
    if (request.subject === 'person')
      return waitsFor === null && (marks.length > 0 || now() - askedAt > SETTLED_AFTER_MS);
    const left = await stores.projectDeletions.listDeleted();
    return !left.some(({ projectId }) => request.projectIds.includes(projectId));
  }
};

/** Rows that are hidden go from disk with all others that are: now, or at night when that is much. */
const purge: Step = async ({ stores, now }, _request, record) => {
  const hidden = await stores.deletedRows.listHidden();
  const relationBytes = await stores.relationalPurge.measure(stores.personTexts.tables);
  if (!isPurgeDue(hidden, relationBytes, now())) return LATER;
  for (const part of hidden) await stores.deletedRows.purge(part);
  const purged = await stores.relationalPurge.purge(stores.personTexts.tables);
  if (!purged.hasRewrittenTables) await record({ note: 'postgres_tables_not_rewritten' });
  if (!purged.hasRenewedLog) await record({ note: 'postgres_log_not_renewed' });
  if (stores.spoolRenewal.isPossible) await stores.spoolRenewal.ask();
  else await record({ note: 'topic_keeps_records' });
  await record({ purgedAt: now() });
  return 'done';
};

const spool: Step = async ({ stores }) => ((await stores.spoolRenewal.isPending()) ? LATER : 'done');

/** Parts that were replaced stay on disk for a while, for who still reads them; a backup holds them until it is done. */
const clear: Step = async ({ stores, backupLock, now }, request) => {
  const { deletedRows, dataRequests } = stores;
  if (await deletedRows.hasHeld()) {
    try {
      // Of a backup that was killed.
      await backupLock.during(() => deletedRows.dropHeld());
    } catch (error) {
      if (!isErrataError(error) || error.code !== 'conflict') throw error;
      return {
        waitsFor: 'A backup is being made, which holds data from before the erasure until it is done',
      };
    }
  }
  const purgedAt = (await dataRequests.find(request.organizationId, request.id))?.purgedAt ?? now();
  return (await deletedRows.clearReplaced(purgedAt)) > 0 ? LATER : 'done';
};

/** Looks once more whether anything is left, and finishes; what arrived late after all goes as the rest did. */
const check: Step = async ({ stores, now }, request, record) => {
  if (request.subject === 'person') {
    const query = queryOfErasure(request);
    const counts = await stores.personRows.count(request.id);
    await stores.personRows.note(request.id, query);
    // Not whether more is noted now than before: a check that was interrupted has noted it already.
    if (await stores.personRows.hasVisible(request.id, query)) return { backTo: 'hide_again' };
    // Archives of the same person, of other requests too.
    const { organizationId, identifierHashes } = request;
    for (const id of await stores.dataRequests.listExportsOf(organizationId, identifierHashes)) {
      await stores.exportFiles.delete(id);
      await stores.dataRequests.forgetExport(id);
    }
    await stores.inTransaction(async (within) => {
      await within.dataRequests.addOutcomes(outcomesOf(request, counts, now()));
      const removed = countByKind(counts);
      await record(
        { state: 'erased', step: '', removed, finishedAt: now(), forgetsIdentifiers: true },
        within,
      );
    });
    await stores.personRows.forget(request.id);
    return 'done';
  }
  let isClear = true;
  for (const projectId of request.projectIds) {
    const deleted = { organizationId: request.organizationId, projectId, deletedAt: request.createdAt };
    if (Object.keys(await stores.deletedProjectData.countRows(deleted)).length === 0) continue;
    isClear = false;
    await stores.projectDeletions.sweepAgain(deleted);
  }
  if (!isClear) return { backTo: 'settle' };
  await record({ state: 'erased', step: '', finishedAt: now() });
  return 'done';
};

const STEPS: Readonly<Record<EraseStep, Step>> = {
  note,
  hide,
  files,
  texts: texts('settle'),
  settle,
  note_again: ofPerson(note),
  hide_again: ofPerson(hide),
  files_again: ofPerson(files),
  texts_again: ofPerson(texts('purge')),
  purge,
  spool,
  clear,
  check,
};

/** A deleted project has been through all of this. */
function ofPerson(step: Step): Step {
  return async (deps, request, record) =>
    request.subject === 'person' ? await step(deps, request, record) : 'done';
}

const queryOfErasure = (request: ClaimedRequest) =>
  queryOf(request.organizationId, request.identifiers, request.eraseRequestedAt ?? request.createdAt);

/** Items that were accepted once and are gone, as with those that expire. */
function outcomesOf({ organizationId }: DataRequest, counts: readonly PersonCount[], nowMs: number) {
  return counts.flatMap(({ kind, projectId, rows }) => {
    if (kind === 'stagedEvents' || kind === 'searchValues') return [];
    const category = categoryOfKind(kind satisfies 'events' | TelemetryKind);
    return {
      organizationId,
      projectId,
      keyId: null,
      at: nowMs,
      category,
      outcome: EXPIRED,
      reason: 'erased',
      quantity: rows,
    } as const;
  });
}
