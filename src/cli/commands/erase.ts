import { setTimeout as delay } from 'node:timers/promises';
import {
  type CliCommand,
  type CliInput,
  EXIT,
  JSON_OPTION,
  ORG_OPTION,
  UsageError,
} from '#cli/cli-command.ts';
import { withConnection, withOrganization } from '#cli/with-connection.ts';
import { unavailable } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { certificateOf, getCertificate } from '#product/data-requests/certificate.ts';
import type { DataRequest } from '#product/data-requests/data-request.ts';
import {
  cancelDataRequest,
  DATA_REQUESTS_LISTED_MAX,
  ERASE_CONFIRMATION,
  eraseData,
  getDataRequest,
  listAllDataRequests,
  requestData,
} from '#product/data-requests/data-requests.ts';
import { USER_KINDS, type UserKey } from '#storage/ports/user-activity.ts';

const LOOK_EVERY_MS = 1_000;
/** Counting reads everything that is stored; a server that does not work on it says nothing. */
const COUNT_MINUTES_MAX = 60;

export const erase: CliCommand = {
  name: 'erase',
  positionals: [],
  options: {
    org: ORG_OPTION,
    id: { type: 'string', placeholder: '<id>', meaning: 'ID of the person, as your SDKs send it' },
    email: { type: 'string', placeholder: '<email>', meaning: 'Email address of the person' },
    username: { type: 'string', placeholder: '<name>', meaning: 'Username of the person' },
    ip: { type: 'string', placeholder: '<address>', meaning: 'IP address of the person' },
    yes: { type: 'boolean', meaning: 'Erase what is found; without it, only count' },
    json: JSON_OPTION,
  },
  summary: 'Count what is stored of a person; with --yes, erase it and print the certificate',
  run: (input, deps) =>
    withOrganization(input, deps, async (ctx) => {
      const identifiers = readIdentifiers(input);
      const { id } = await requestData(ctx, { identifiers });
      const counted = await waitFor(ctx, id, ({ state }) => state !== 'counting');
      if (!input.isSet('yes')) {
        await cancelDataRequest(ctx, id);
        if (input.isSet('json')) deps.io.out(JSON.stringify(counted.found));
        else for (const [kind, rows] of Object.entries(counted.found)) deps.io.out(`${kind}\t${rows}`);
        if (!input.isSet('json') && Object.keys(counted.found).length === 0) deps.io.out('Nothing was found');
        return EXIT.done;
      }
      await eraseData(ctx, { requestId: id, confirmation: ERASE_CONFIRMATION });
      await waitFor(ctx, id, ({ hiddenAt }) => hiddenAt !== null);
      deps.io.err('Hidden from all pages and answers; removing it from disk');
      await waitFor(ctx, id, ({ state }) => state === 'erased', null, deps.io.err);
      deps.io.out(JSON.stringify(await getCertificate(ctx, id), null, 2));
      return EXIT.done;
    }),
};

export const erasuresList: CliCommand = {
  name: 'erasures list',
  positionals: [],
  options: {},
  summary:
    'Print the certificates of all erasures as JSON lines, those of deleted projects and organizations included',
  run: (_input, deps) =>
    withConnection(deps, async ({ stores }) => {
      const actor = { kind: 'system' } as const;
      for (let beforeId: number | null = null; ; ) {
        const page: readonly DataRequest[] = await listAllDataRequests({ actor, stores }, beforeId);
        for (const request of page) {
          const certificate = certificateOf(request);
          if (certificate) deps.io.out(JSON.stringify(certificate));
        }
        beforeId = page.at(-1)?.id ?? null;
        if (page.length < DATA_REQUESTS_LISTED_MAX) return EXIT.done;
      }
    }),
};

function readIdentifiers(input: CliInput): readonly UserKey[] {
  const identifiers = USER_KINDS.flatMap((kind) => {
    const value = input.option(kind);
    return value === undefined ? [] : { kind, value };
  });
  if (identifiers.length === 0)
    throw new UsageError('Name the person with --id, --email, --username or --ip');
  return identifiers;
}

/** Throws Unavailable when nothing works on it for long; `null` waits for as long as it takes. `say` gets what delays it. */
async function waitFor(
  ctx: Context,
  requestId: number,
  isReady: (request: DataRequest) => boolean,
  minutesMax: number | null = COUNT_MINUTES_MAX,
  say: (line: string) => void = () => {},
): Promise<DataRequest> {
  let said: string | null = null;
  for (let waitedMs = 0; minutesMax === null || waitedMs < minutesMax * 60_000; waitedMs += LOOK_EVERY_MS) {
    const { request } = await getDataRequest(ctx, requestId);
    if (isReady(request)) return request;
    if (request.lastError !== null && request.lastError !== said) say(request.lastError);
    said = request.lastError ?? said;
    await delay(LOOK_EVERY_MS);
  }
  throw unavailable(`Request ${requestId} makes no progress: check that the server and its jobs role run`);
}
